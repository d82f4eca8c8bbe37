"""The plain NumPy environment of the benchmark is the same game."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from morpion.gym import MorpionEnv

PATH = Path(__file__).parents[1] / "benchmarks" / "environments.py"


@pytest.mark.parametrize("game", ["5T", "5D", "4T"])
def test_the_plain_environment_plays_the_same_game(game):
    spec = importlib.util.spec_from_file_location("environments", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    env = MorpionEnv(game, side=30)
    plain = module.PlainEnvironment(game)
    _, info = env.reset(seed=1)
    over = False
    while not over:
        assert (plain.mask.reshape(-1) == info["action_mask"]).all()
        action = env.sample()
        expected, _, _ = plain.step(action)
        observation, _, terminated, truncated, info = env.step(action)
        assert (expected == observation).all()
        over = terminated or truncated
    assert plain.score == info["score"] and not plain.mask.any()
    assert np.asarray(plain.dots).sum() == observation[0].sum()
