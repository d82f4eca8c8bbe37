"""What the command line answers too."""

import gzip
from pathlib import Path

import morpion
import pytest

ROOT = Path(__file__).parents[3]


def test_games_of_the_repository_are_legal():
    for known in morpion.records():
        if known.record:
            verdict = morpion.verify(known.record)
            assert verdict and verdict.moves == known.moves and verdict.game == known.game
    path = ROOT / "games" / "5D-82.json"
    assert morpion.verify(str(path)).words == "5D, 82 moves, no legal moves remain"


def test_a_refused_game_says_which_move_and_why():
    verdict = morpion.verify(b"5T\n3,0 7,0\n3,0 7,0\n")
    assert not verdict and verdict.verdict == "refused" and verdict.move == 2
    assert verdict.fault and verdict.reason == str(verdict)
    with pytest.raises(morpion.RefusedError) as refused:
        morpion.endgame(b"5T\n3,0 7,0\n3,0 7,0\n", 1)
    assert refused.value.move == 2 and refused.value.fault == verdict.fault
    with pytest.raises(morpion.ReadError):
        morpion.verify(b"not a game")


def test_a_proof_is_verified_and_a_changed_one_refused():
    bound = morpion.bound("4D")
    proof = morpion.proof(bound.proof)
    assert bound.bound == 35 and morpion.verify(proof).claim == "4D = 35"
    text = gzip.decompress(proof) if proof[:2] == b"\x1f\x8b" else proof
    lines = text.splitlines(keepends=True)
    changed = b"".join(lines[: len(lines) // 2])
    try:
        verdict = morpion.verify(changed)
    except morpion.ReadError:
        return
    assert not verdict and verdict.reason
    with pytest.raises(KeyError, match="no proof `x`"):
        morpion.proof("x")


def test_bounds_of_any_game():
    assert morpion.bound("6D").by == "potential" or morpion.bound("6D").bound == 12
    own = morpion.bound("5D", start=[(0, 0), (1, 0), (2, 0), (3, 0)])
    assert own.bound is not None and own.argument
    assert morpion.bound("3T").bound is None or morpion.bound("3T").endless


def test_counts():
    assert morpion.count("5T", 2, "positions")[1] == 28
    assert morpion.count("5D", 3, "sequences", threads=2)[3] == 18416
    assert morpion.count("4D", 3, "positions")[3] == 9392
    with pytest.raises(ValueError, match="no kind `all`"):
        morpion.count("5T", 2, "all")
    with pytest.raises(morpion.CountError, match="needs about"):
        morpion.count("5T", 8, "sequences", memory=1000)


def test_a_drawing_is_ordered_or_stuck():
    game = morpion.records("5D")[1].record
    found = morpion.order(game.drawing())
    assert found and sorted(found.order) == list(range(1, 83)) and found.record.score == 82
    lines = b"5T\n3,0 7,0\n20,20 24,20\n"
    stuck = morpion.order(lines)
    assert not stuck and stuck.verdict == "stuck" and stuck.stuck == [2]


def test_an_endgame_is_proven():
    game = morpion.records("5D")[1].record
    end = morpion.endgame(game, 60)
    assert end.moves == 82 and end.longest >= 82 and morpion.verify(end.record)
    with pytest.raises(ValueError, match="has only 82 moves"):
        morpion.endgame(game, 83)


def test_methods_have_defaults_for_the_game():
    by_name = {method.name: method for method in morpion.methods("4D")}
    assert {"auto", "nrpa", "nmcs", "random"} <= set(by_name)
    level = next(it for it in by_name["nrpa"].parameters if it.name == "level")
    assert level.type == "integer" and level.min <= level.default <= level.max


def test_a_formula_becomes_dots_and_a_game_its_model():
    pattern = morpion.reduce("p cnf 3 2\n1 2 3 0\n-1 -2 -3 0\n", length=4)
    model = pattern.find_model()
    game = pattern.play(model)
    assert morpion.verify(game) and game.score >= pattern.threshold
    assert pattern.model(game) == model and pattern._repr_svg_().startswith("<svg")
    assert len(pattern.record().start) == pattern.dots
    with pytest.raises(morpion.FormulaError):
        morpion.reduce("p cnf x\n")
    with pytest.raises(morpion.FormulaError):
        pattern.play([7])
