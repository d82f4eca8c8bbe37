"""Steps per CPU second of random play: this package beside a plain NumPy environment.

Run it with `python benchmarks/environments.py [GAME]`. Everything is measured in one run, by CPU
time, in turns; the ratios are what counts. Exits with 1 if batched games are less than 100 times,
or a single one less than 5 times, as fast as NumPy.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import gymnasium
import morpion
import morpion.gym
import numpy as np

STEPS = ((0, 1), (1, 0), (1, 1), (-1, 1))
"""Rows and columns from one dot of a line to the next, for E, S, SE, NE."""


class PlainEnvironment:
    """The game in plain NumPy: every step looks for all legal lines on the whole board."""

    def __init__(self, game: str, side: int = 30) -> None:
        self.length, self.touching = int(game[:-1]), game[-1] == "T"
        start = np.array(morpion.Position(game).start)
        self.start = start[:, ::-1] + (side - start.max() - 1) // 2
        self.side = side
        self.reset()

    def reset(self) -> None:
        side = self.side
        self.dots = np.zeros((side, side), np.int8)
        self.dots[tuple(self.start.T)] = 1
        self.used = np.zeros((4, side, side), bool)
        self.score = 0
        self.look()

    def look(self) -> None:
        """Finds the legal lines: one dot missing, no mark used."""
        self.mask = np.zeros((4, self.side, self.side), bool)
        marks = self.length - self.touching
        for direction, (down, right) in enumerate(STEPS):
            reach = self.length - 1
            rows = self.side - reach * abs(down)
            columns = self.side - reach * right
            first = reach if down < 0 else 0
            count = np.zeros((rows, columns), np.int8)
            free = np.ones((rows, columns), bool)
            for offset in range(self.length):
                y, x = first + offset * down, offset * right
                count += self.dots[y : y + rows, x : x + columns]
                if offset < marks:
                    free &= ~self.used[direction, y : y + rows, x : x + columns]
            legal = (count == self.length - 1) & free
            self.mask[direction, first : first + rows, :columns] = legal

    def step(self, action: int) -> tuple[np.ndarray, float, bool]:
        direction, place = divmod(action, self.side * self.side)
        y, x = divmod(place, self.side)
        down, right = STEPS[direction]
        offsets = np.arange(self.length)
        line = (y + offsets * down, x + offsets * right)
        self.dots[line] = 1
        marks = self.length - self.touching
        self.used[direction, line[0][:marks], line[1][:marks]] = True
        self.score += 1
        self.look()
        observation = np.concatenate([self.dots[None].astype(bool), self.used])
        return observation, 1.0, not self.mask.any()


def plain(game: str) -> Callable[[int], int]:
    env, generator = PlainEnvironment(game), np.random.default_rng(1)

    def play(steps: int) -> int:
        for _ in range(steps):
            legal = np.flatnonzero(env.mask)
            _, _, over = env.step(int(legal[generator.integers(len(legal))]))
            if over:
                env.reset()
        return steps

    return play


def single(game: str) -> Callable[[int], int]:
    env = gymnasium.make("Morpion-v0", game=game, disable_env_checker=True)
    env.reset(seed=1)
    sample = env.unwrapped.sample

    def play(steps: int) -> int:
        for _ in range(steps):
            _, _, terminated, truncated, _ = env.step(sample())
            if terminated or truncated:
                env.reset()
        return steps

    return play


def batched(game: str, drawn: str, copy: bool) -> Callable[[int], int]:
    envs = morpion.gym.MorpionVectorEnv(256, game, copy=copy)
    envs.reset(seed=1)
    generator = np.random.default_rng(1)

    def from_lists() -> np.ndarray:
        offsets, actions = envs.legal_actions()
        chosen = offsets[:-1] + (generator.random(256) * np.diff(offsets)).astype(np.int64)
        return actions[chosen]

    def from_masks() -> np.ndarray:
        return (envs.action_masks() * generator.random((256, envs.single_action_space.n))).argmax(1)

    sample = {"sample": envs.sample, "lists": from_lists, "masks": from_masks}[drawn]

    def play(steps: int) -> int:
        for _ in range(steps):
            envs.step(sample())
        return 256 * steps

    return play


def position(game: str) -> Callable[[int], int]:
    generator = np.random.default_rng(1)

    def play(steps: int) -> int:
        p = morpion.Position(game)
        for _ in range(steps):
            legal = p.legal_moves
            if not legal:
                p = morpion.Position(game)
                legal = p.legal_moves
            p.play(int(generator.integers(len(legal))))
        return steps

    return play


def main() -> int:
    game = sys.argv[1] if len(sys.argv) > 1 else "5T"
    rows = {
        "plain NumPy": (plain(game), 400),
        "single, Gymnasium": (single(game), 4_000),
        "Position, play(index)": (position(game), 4_000),
        "256, copies, sample()": (batched(game, "sample", True), 20),
        "256, in place, action masks": (batched(game, "masks", False), 8),
        "256, in place, legal_actions()": (batched(game, "lists", False), 100),
        "256, in place, sample()": (batched(game, "sample", False), 300),
    }
    speeds: dict[str, list[float]] = {name: [] for name in rows}
    for _ in range(5):
        for name, (play, steps) in rows.items():
            begun = time.process_time()
            played = play(steps)
            speeds[name].append(played / (time.process_time() - begun))
    base = statistics.median(speeds["plain NumPy"])
    print(f"steps per CPU second, random play, {game}")
    for name, measured in speeds.items():
        speed = statistics.median(measured)
        print(f"  {name:32}{speed:12,.0f}{speed / base:9.1f} x")
    batch = statistics.median(speeds["256, in place, sample()"]) / base
    alone = statistics.median(speeds["single, Gymnasium"]) / base
    return 0 if batch >= 100 and alone >= 5 else 1


if __name__ == "__main__":
    sys.exit(main())
