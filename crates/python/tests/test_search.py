"""Searches: repeatable, watched, interrupted, saved and resumed."""

import os
import signal
import subprocess
import sys
import threading

import morpion
import pytest


def test_the_same_seed_finds_the_same_game():
    def one(seed, threads=1):
        found = morpion.search(
            "5D", "nrpa", parameters={"level": 2}, playouts=300, seed=seed, threads=threads
        )
        return found.record

    assert one(1) == one(1) and one(1, 2) == one(1, 2) and one(1) != one(2)


@pytest.mark.parametrize("method", [method.name for method in morpion.methods()])
def test_every_method_searches_any_start(method):
    found = morpion.search("4T", method, playouts=200, seed=1, start=[(0, 0), (1, 0), (2, 0)])
    assert found.score >= 1 and morpion.verify(found.record)


def test_callbacks_see_every_improvement_and_the_progress():
    scores, progress = [], []

    def on_improve(score, moves):
        assert len(moves) == score
        scores.append(score)

    found = morpion.search(
        "5D",
        "random",
        playouts=2000,
        seed=2,
        on_improve=on_improve,
        on_progress=lambda score, playouts: progress.append((score, playouts)),
    )
    assert scores == sorted(set(scores)) and scores[-1] == found.score
    assert progress[-1][0] == found.score and found.playouts == 2000


def test_an_exception_in_a_callback_ends_the_search_and_keeps_the_game():
    search = morpion.Search("5T", seed=1)

    def fail(score, moves):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        search.run(on_improve=fail)
    assert search.score > 0 and morpion.verify(search.record)


def test_threads_run_while_a_search_runs():
    search = morpion.Search("5T", seed=1)
    ran = threading.Thread(target=search.run)
    ran.start()
    # This thread counts while the other one searches without a limit.
    while search.playouts == 0:
        pass
    with pytest.raises(RuntimeError, match="is running"):
        search.run(playouts=1)
    search.stop()
    ran.join(60)
    assert not ran.is_alive() and search.playouts > 0


def test_a_search_goes_on_where_it_was_saved(tmp_path):
    def new():
        return morpion.Search("5D", "nrpa", parameters={"level": 2}, seed=3, threads=2)

    whole = new().run(playouts=1200)
    part = new().run(playouts=500)
    part.save(tmp_path / "search")
    resumed = morpion.Search.load(tmp_path / "search")
    assert (resumed.playouts, resumed.record.moves) == (500, part.record.moves)
    resumed.run(playouts=700)
    part.run(playouts=700)
    assert resumed.record == part.record == whole.record
    assert resumed.playouts == part.playouts == whole.playouts == 1200
    assert [path.name for path in tmp_path.iterdir()] == ["search"]


def test_what_cannot_be_searched_or_resumed(tmp_path):
    with pytest.raises(morpion.MethodError, match="no such method; there is auto"):
        morpion.Search("5T", "magic")
    with pytest.raises(morpion.MethodError, match="no parameter `depth`"):
        morpion.Search("5T", "nrpa", parameters={"depth": 3})
    with pytest.raises(morpion.MethodError, match="`0` is no value of `level`"):
        morpion.Search("5T", "nrpa", parameters={"level": 0})
    (tmp_path / "broken").write_bytes(b"x")
    with pytest.raises(morpion.SearchError, match="not a saved search"):
        morpion.Search.load(tmp_path / "broken")
    with pytest.raises(RuntimeError, match="nothing to save yet"):
        morpion.Search("5T").save(tmp_path / "empty")
    with pytest.raises(ValueError, match="seconds"):
        morpion.Search("5T").run(seconds=-1)


def test_a_search_plays_on_from_a_position():
    p = morpion.Position("5D", morpion.records("5D")[1].record.moves[:40])
    found = morpion.search(p, playouts=300, seed=1)
    assert found.record.moves[:40] == p.moves and found.score > 40
    p.play(0)
    assert morpion.Search(p).score == 41


PROGRAM = """
import sys, threading, time, morpion
search = morpion.Search("5T", seed=1)
is_ready = threading.Event()
def ready(score, moves):
    # Once: the signal must not come in the middle of another line.
    if not is_ready.is_set():
        is_ready.set()
        print("ready", flush=True)
try:
    search.run(on_improve=ready)
except KeyboardInterrupt:
    print("kept", search.score, bool(morpion.verify(search.record)), flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_ends_a_search_and_keeps_the_best_game():
    process = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=60)
    word, score, verified = rest.splitlines()[-1].split()
    assert word == "kept" and int(score) > 0 and verified == "True"
