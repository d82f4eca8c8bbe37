"""Environments for agents: `Morpion-v0` of Gymnasium, alone or many games side by side.

>>> import gymnasium
>>> import morpion.gym
>>> env = gymnasium.make("Morpion-v0", game="5D")
>>> observation, info = env.reset(seed=1)
>>> observation.shape, int(info["action_mask"].sum())
((5, 30, 30), 28)
>>> envs = gymnasium.make_vec("Morpion-v0", num_envs=256, game="5D", copy=False)
>>> observations, infos = envs.reset(seed=1)
>>> observations, rewards, terminated, truncated, infos = envs.step(envs.unwrapped.sample())
>>> int(rewards.sum())
256

An observation has five planes of bytes, 0 or 1: the dots, and for each direction (E, S, SE, NE) the
points that a line of this direction has used up. An action is a line, numbered by direction, row
and column of its first dot on the board; with `merged=True` it is the row and column of the new
dot, and the line is sampled if there are several. The reward is 1 for each move. A game in which
no legal move remains is terminated; one that could go on only beyond the edge of the board is
truncated. `info["action_mask"]` has a 1 for each legal action, `info["score"]` the number of moves.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from . import Move, Record, Start, _core

__all__ = ["MorpionEnv", "MorpionVectorEnv", "register_envs"]

_Array = NDArray[Any]


class _Games:
    """The games and their arrays, which are allocated once and changed in place."""

    def __init__(
        self,
        game: str,
        games: int,
        start: Start | None,
        side: int | None,
        merged: bool,
        illegal: str,
        autoreset: bool,
    ) -> None:
        if illegal not in ("raise", "end"):
            raise ValueError(f"illegal `{illegal}`; choose raise or end")
        self.core = _core.VectorEnvironment(
            game,
            games,
            side=side,
            merged=merged,
            autoreset=autoreset,
            illegal_ends=illegal == "end",
            start=start,
        )
        side = self.core.side
        self.observations = np.zeros((games, 5, side, side), np.uint8)
        self.masks = np.zeros((games, self.core.actions), np.int8)
        self.rewards = np.zeros(games, np.float64)
        self.terminated = np.zeros(games, np.bool_)
        self.truncated = np.zeros(games, np.bool_)
        self.scores = np.zeros(games, np.int64)
        self.last = np.zeros_like(self.observations) if autoreset else None
        self.arrays = (
            self.observations,
            self.masks,
            self.rewards,
            self.terminated,
            self.truncated,
            self.scores,
            self.last,
        )
        self.observation_space = gymnasium.spaces.Box(0, 1, (5, side, side), np.uint8)
        self.action_space = gymnasium.spaces.Discrete(self.core.actions)

    def legal_actions(self) -> tuple[_Array, _Array]:
        offsets, actions = self.core.legal_actions()
        return offsets, actions


class MorpionEnv(gymnasium.Env[_Array, np.int64]):
    """One game. `illegal` is `raise` (`IllegalMoveError`) or `end` (without reward).

    With `copy=False` observations and masks are the arrays that the next step changes.

    >>> env = MorpionEnv("5D")
    >>> env.reset(seed=3)[1]["score"]
    0
    >>> over = False
    >>> while not over:
    ...     _, reward, over, _, info = env.step(env.sample())
    >>> env.record().score == info["score"]
    True
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        game: str = "5T",
        *,
        start: Start | None = None,
        side: int | None = None,
        merged: bool = False,
        illegal: str = "raise",
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        self._games = _Games(game, 1, start, side, merged, illegal, autoreset=False)
        self.observation_space = self._games.observation_space
        self.action_space = self._games.action_space
        self.render_mode = render_mode
        self._copy = copy
        self._action = np.zeros(1, np.int64)
        self._sampled = np.zeros(1, np.int64)
        self._observation = self._games.observations[0]
        self._mask = self._games.masks[0]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[_Array, dict[str, Any]]:
        """Starts a new game; `seed` decides what `sample` and merged actions sample."""
        super().reset(seed=seed)
        if seed is not None:
            self._games.core.seed(seed)
        self._games.core.reset(self._games.arrays)
        return self._answer()

    def step(self, action: np.int64 | int) -> tuple[_Array, float, bool, bool, dict[str, Any]]:
        """Plays an action."""
        games = self._games
        self._action[0] = action
        games.core.step(self._action, games.arrays)
        observation, info = self._answer()
        over = games.terminated.item(0), games.truncated.item(0)
        return observation, games.rewards.item(0), over[0], over[1], info

    def _answer(self) -> tuple[_Array, dict[str, Any]]:
        score = self._games.scores.item(0)
        if not self._copy:
            return self._observation, {"action_mask": self._mask, "score": score}
        mask = self._mask.copy()
        return self._observation.copy(), {"action_mask": mask, "score": score}

    def sample(self) -> int:
        """A legal action, sampled uniformly."""
        self._games.core.sample(self._sampled)
        return self._sampled.item(0)

    def legal_actions(self) -> _Array:
        """The legal actions."""
        return self._games.legal_actions()[1]

    def action(self, mv: Move) -> int:
        """The action of a move."""
        return self._games.core.action(mv)

    def moves(self, action: int) -> list[Move]:
        """The legal moves that an action stands for: one, or several if actions are merged."""
        return self._games.core.moves(0, action)

    def record(self) -> Record:
        """The game so far."""
        return self._games.core.record(0)

    def render(self) -> Any:
        """The position as text or as a picture, by `render_mode`."""
        if self.render_mode == "ansi":
            return str(self.record())
        if self.render_mode == "rgb_array":
            scale = 16
            dots = self._observation[0].repeat(scale, 0).repeat(scale, 1)
            return np.repeat((255 * (1 - dots))[:, :, None], 3, axis=2)
        return None


class MorpionVectorEnv(gymnasium.vector.VectorEnv[_Array, _Array, _Array]):
    """Many games side by side, on arrays that are changed in place.

    Steps return copies unless `copy=False`: then they are the same arrays at every step. A game
    that has ended starts again in the same step (autoreset SAME_STEP): its observation is that of
    the new game, `infos["final_obs"]` has its last one and `infos["final_info"]` its score, where
    `infos["_final_info"]` is true. With `copy=False` these too are arrays that the next steps
    change, and `final_obs` is one array with a row for each game.

    >>> envs = MorpionVectorEnv(4, "5D", copy=False)
    >>> _, infos = envs.reset(seed=1)
    >>> offsets, actions = envs.legal_actions()
    >>> offsets.tolist()
    [0, 28, 56, 84, 112]
    >>> _, rewards, terminated, _, _ = envs.step(envs.sample())
    >>> rewards.tolist(), terminated.any()
    ([1.0, 1.0, 1.0, 1.0], np.False_)
    """

    metadata = {"autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        game: str = "5T",
        *,
        start: Start | None = None,
        side: int | None = None,
        merged: bool = False,
        illegal: str = "raise",
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        self._games = _Games(game, num_envs, start, side, merged, illegal, autoreset=True)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.single_observation_space = self._games.observation_space
        self.single_action_space = self._games.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._copy = copy
        self._actions = np.zeros(num_envs, np.int64)
        self._sampled = np.zeros(num_envs, np.int64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[_Array, dict[str, Any]]:
        """Starts all games again, or those of `options["reset_mask"]`."""
        super().reset(seed=seed)
        if seed is not None:
            self._games.core.seed(seed)
        which = (options or {}).get("reset_mask")
        self._games.core.reset(self._games.arrays, which)
        return self._own(self._games.observations), self._infos()

    def step(
        self, actions: _Array
    ) -> tuple[_Array, _Array, _Array, _Array, dict[str, Any]]:
        """Plays one action in every game."""
        games = self._games
        self._actions[:] = actions
        games.core.step(self._actions, games.arrays)
        infos = self._infos()
        over = games.terminated | games.truncated
        if over.any():
            assert games.last is not None
            infos["final_obs"] = self._own(games.last)
            infos["_final_obs"] = over
            infos["final_info"] = {"score": infos["score"], "_score": over}
            infos["_final_info"] = over
            infos["score"] = np.where(over, 0, infos["score"])
        return (
            self._own(games.observations),
            self._own(games.rewards),
            self._own(games.terminated),
            self._own(games.truncated),
            infos,
        )

    def _own(self, array: _Array) -> _Array:
        return array.copy() if self._copy else array

    def _infos(self) -> dict[str, Any]:
        masks, scores = self._own(self._games.masks), self._own(self._games.scores)
        return {"action_mask": masks, "score": scores}

    def sample(self) -> _Array:
        """A legal action for each game, sampled uniformly; the next call changes the array."""
        self._games.core.sample(self._sampled)
        return self._sampled

    def legal_actions(self) -> tuple[_Array, _Array]:
        """Offsets and actions: those of game i are `actions[offsets[i]:offsets[i + 1]]`."""
        return self._games.legal_actions()

    def action_masks(self) -> _Array:
        """The mask of every game, with a 1 for each legal action."""
        return self._own(self._games.masks)

    def record(self, game: int) -> Record:
        """The moves of a game so far."""
        return self._games.core.record(game)


def register_envs() -> None:
    """Registers `Morpion-v0`, which the import of this module has done already."""
    if "Morpion-v0" not in gymnasium.registry:
        gymnasium.register(
            "Morpion-v0",
            entry_point="morpion.gym:MorpionEnv",
            vector_entry_point="morpion.gym:MorpionVectorEnv",
        )


register_envs()
