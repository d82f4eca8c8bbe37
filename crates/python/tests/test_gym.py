"""The environments, through Gymnasium."""

import gymnasium
import morpion
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from morpion.gym import MorpionEnv, MorpionVectorEnv


@pytest.mark.parametrize("game", ["5T", "4D", "6T"])
def test_gymnasium_finds_nothing_wrong(game):
    # Its checker samples any action, legal or not.
    env = gymnasium.make("Morpion-v0", game=game, illegal="end", render_mode="ansi")
    check_env(env.unwrapped)


def test_an_episode_is_a_legal_game():
    env = gymnasium.make("Morpion-v0", game="4T", render_mode="rgb_array").unwrapped
    observation, info = env.reset(seed=1)
    total, over = 0.0, False
    while not over:
        action = int(np.random.default_rng(env.record().score).choice(env.legal_actions()))
        assert info["action_mask"][action] == 1
        [move] = env.moves(action)
        assert env.action(move) == action
        observation, reward, terminated, truncated, info = env.step(action)
        total, over = total + reward, terminated or truncated
    record = env.record()
    assert total == info["score"] == record.score and not info["action_mask"].any()
    assert morpion.verify(record).left == 0 and observation[0].sum() == 24 + total
    assert env.render().shape[2] == 3


def test_illegal_actions_raise_in_the_words_of_the_environment():
    env = MorpionEnv("5T")
    env.reset()
    with pytest.raises(morpion.IllegalMoveError, match="action 0 of game 0 is not legal"):
        env.step(0)
    assert env.record().score == 0
    with pytest.raises(ValueError, match="choose raise or end"):
        MorpionEnv("5T", illegal="ignore")
    with pytest.raises(morpion.GameError, match="a board of side 5 does not do"):
        MorpionEnv("5T", side=5)


def test_single_and_vector_play_the_same_games():
    envs = MorpionVectorEnv(3, "5D")
    env = MorpionEnv("5D")
    observations, infos = envs.reset(seed=5)
    for game in range(3):
        envs.reset(seed=5)
        env.reset(seed=5 + game)
        for _ in range(20):
            actions = envs.sample()
            assert env.sample() == actions[game]
            observations, rewards, *_, infos = envs.step(actions)
            observation, reward, *_, info = env.step(int(actions[game]))
            assert (observations[game] == observation).all() and rewards[game] == reward
            assert (infos["action_mask"][game] == info["action_mask"]).all()


def test_autoreset_in_the_same_step_with_the_last_observation():
    envs = gymnasium.make_vec("Morpion-v0", num_envs=8, game="4D")
    assert envs.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.SAME_STEP
    start, _ = envs.reset(seed=1)
    lengths = np.zeros(8, int)
    ended = 0
    for _ in range(100):
        observations, rewards, terminated, truncated, infos = envs.step(envs.unwrapped.sample())
        lengths += 1
        for game in np.flatnonzero(terminated | truncated):
            assert infos["_final_info"][game] and infos["_final_obs"][game]
            assert infos["final_info"]["score"][game] == lengths[game]
            assert infos["final_obs"][game][0].sum() == 24 + lengths[game]
            assert (observations[game] == start[game]).all() and infos["score"][game] == 0
            lengths[game] = 0
            ended += 1
    assert ended > 8


def test_arrays_are_copies_or_changed_in_place():
    copied, shared = MorpionVectorEnv(2, "5D"), MorpionVectorEnv(2, "5D", copy=False)
    for envs, same in ((copied, False), (shared, True)):
        first, infos = envs.reset(seed=1)
        second, *_, later = envs.step(envs.sample())
        assert (first is second) == same
        assert (infos["action_mask"] is later["action_mask"]) == same


def test_some_games_are_reset():
    envs = MorpionVectorEnv(2, "5D")
    envs.reset(seed=1)
    envs.step(envs.sample())
    _, infos = envs.reset(options={"reset_mask": np.array([True, False])})
    assert infos["score"].tolist() == [0, 1]


def test_merged_actions_are_dots():
    env = MorpionEnv("5T", merged=True)
    _, info = env.reset(seed=1)
    assert env.action_space.n == 900 and info["action_mask"].sum() == 28
    shared = []
    while not shared:
        moves = {int(action): env.moves(int(action)) for action in env.legal_actions()}
        position = env.record().position()
        assert sorted(sum(moves.values(), [])) == sorted(position.legal_moves)
        assert all(len({move.dot for move in meant}) == 1 for meant in moves.values())
        shared = [action for action, meant in moves.items() if len(meant) > 1]
        env.step(shared[0] if shared else env.sample())
    assert env.record().moves[-1] in moves[shared[0]]


def test_any_start_and_any_side():
    env = MorpionEnv("4T", start=[(0, 0), (1, 0), (2, 0)], side=6)
    env.reset(seed=1)
    over = False
    while not over:
        _, _, terminated, truncated, _ = env.step(env.sample())
        over = terminated or truncated
    assert morpion.verify(env.record())
