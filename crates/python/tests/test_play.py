"""Positions, moves, records and pickles."""

import copy
import pickle
import random

import morpion
import pytest


def played(game="5D", seed=1, start=None):
    generator = random.Random(seed)
    p = morpion.Position(game, start=start)
    while not p.is_over:
        p.play(generator.choice(p.legal_moves))
    return p


def test_a_game_is_played_undone_and_played_again():
    p = played()
    score, last = p.score, p.moves[-1]
    assert p.undo() == last and p.score == score - 1 and not p.is_over
    p.play(last)
    assert p.is_over and len(p.lines) == p.score and len(p.dots) == 36 + p.score
    assert morpion.verify(p).left == 0


def test_moves_by_index_from_either_end():
    p, q = morpion.Position("4T"), morpion.Position("4T")
    p.play(-1)
    q.play(q.legal_moves[-1])
    assert p == q
    for index in (99, -99):
        with pytest.raises(morpion.IllegalMoveError, match=f"no legal move {index}"):
            p.play(index)


def test_illegal_moves_say_why_and_change_nothing():
    p = morpion.Position("5T")
    move = morpion.Move((7, 0), ((3, 0), "E"))
    p.play(move)
    with pytest.raises(morpion.IllegalMoveError, match=r"there is a dot at \(7,0\) already"):
        p.play(move)
    assert p.score == 1
    with pytest.raises(IndexError):
        morpion.Position("5T").undo()
    with pytest.raises(ValueError, match="no direction"):
        morpion.Move((0, 0), ((0, 0), "W"))
    with pytest.raises(morpion.IllegalMoveError, match="not on the line"):
        morpion.Move((0, 1), ((0, 0), "E"))


@pytest.mark.parametrize(
    ("game", "start"),
    [("5T", None), ("6D", "cross:4"), ("4T", [(0, 0), (1, 0), (2, 0), (1, 2)]), ("9D", "cross")],
)
def test_any_game_from_any_start(game, start, tmp_path):
    p = played(game, start=start)
    assert morpion.verify(p)
    assert p == pickle.loads(pickle.dumps(p)) == copy.copy(p) == copy.deepcopy(p)
    record = p.record()
    assert morpion.Record.read(record.to_json().encode()) == record
    assert pickle.loads(pickle.dumps(record)) == record
    record.write(tmp_path / "game.svg")
    assert morpion.Record.read(tmp_path / "game.svg").position() == p
    assert played(game, start=tmp_path / "game.svg") == p


def test_symmetries_have_their_own_hashes_and_as_many_moves():
    p = played()
    images = p.symmetries()
    assert len(images) == 8 and images[0] == p and len({image.hash for image in images}) == 8
    q = morpion.Position("5D", p.moves)
    assert q.hash == p.hash and q == p
    with pytest.raises(TypeError):
        hash(p)


def test_moves_are_values():
    moves = morpion.Position("5T").legal_moves
    assert len(set(moves)) == 28 and pickle.loads(pickle.dumps(moves)) == moves
    assert eval(repr(moves[0]), {"Move": morpion.Move}) == moves[0]
    assert sorted(moves)[0] <= moves[0]


@pytest.mark.parametrize("format", ["json", "pentasol", "msr", "text", "svg", "png"])
def test_every_format_that_is_read_gives_the_game_back(format):
    record = played().record()
    again = morpion.Record.read(record.convert(format, theme="dark"), "5D")
    # Text has lines without an order, as they are copied from paper.
    assert again.is_drawing == (format == "text")
    if again.is_drawing:
        with pytest.raises(morpion.MorpionError, match="a drawing has no order of moves"):
            again.position()
        again = morpion.order(again).record
    assert again.position() == record.position()


def test_pictures():
    record = played().record()
    assert record._repr_svg_().startswith("<svg")
    assert record.convert("png", width=200)[:4] == b"\x89PNG"
    assert record.convert("gif", width=200)[:3] == b"GIF"
    assert b"tikz" in record.convert("tex")
    assert "5D" in str(record) and "5D" in str(record.position())


def test_files_that_cannot_be_read_or_written(tmp_path):
    with pytest.raises(morpion.ReadError, match="does not say which game"):
        morpion.Record.read(b"3,0 7,0\n")
    with pytest.raises(FileNotFoundError, match="absent.json"):
        morpion.Record.read(tmp_path / "absent.json")
    record = played("4T").record()
    with pytest.raises(morpion.WriteError, match="Pentasol holds only 5T and 5D"):
        record.convert("pentasol")
    with pytest.raises(morpion.WriteError, match=r"cannot tell the format from `.*grid\.pdf`"):
        record.write(tmp_path / "grid.pdf")
    with pytest.raises(morpion.WriteError, match="no format `pdf`"):
        record.convert("pdf")
    assert list(tmp_path.iterdir()) == []


def test_names_that_no_game_has():
    for game, start, words in [
        ("T5", None, "unknown game `T5`"),
        ("99T", None, "the line length must be from 2 to 16"),
        ("5T", "circle", "`circle` names no start"),
        ("5T", [(2**21, 0)], "beyond the coordinate limit"),
    ]:
        with pytest.raises(morpion.GameError, match=words):
            morpion.Position(game, start=start)
    assert issubclass(morpion.GameError, morpion.MorpionError)
