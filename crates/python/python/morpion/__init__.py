"""Morpion Solitaire (Join Five): play, search, verify, learn.

>>> import morpion
>>> p = morpion.Position("5T")
>>> p.play(0)
>>> p
<Position 5T: 1 moves, 27 legal>
>>> found = morpion.search("5D", playouts=300, seed=6)
>>> print(morpion.verify(found.record).verdict)
legal

Games are named like `5T` (lines of 5, touching) or `4D` (lines of 4, disjoint), any length from 2
to 16. `start` is `"cross"`, `"cross:6"`, a list of dots `(x, y)` or the path of a file of dots; x
grows right, y grows down. Files are given by their path, or by their content as bytes. What is
wrong raises a `MorpionError` with the words of the command line. Environments for agents are in
`morpion.gym`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from . import _core
from ._core import Move, Position, Record, Search
from ._errors import (
    CountError,
    FormulaError,
    GameError,
    IllegalMoveError,
    MethodError,
    MorpionError,
    ReadError,
    RefusedError,
    SearchError,
    WriteError,
)

__all__ = [
    "Bound",
    "CountError",
    "Endgame",
    "FormulaError",
    "GameError",
    "IllegalMoveError",
    "KnownRecord",
    "Method",
    "MethodError",
    "MorpionError",
    "Move",
    "Order",
    "Parameter",
    "Position",
    "ReadError",
    "Record",
    "Reduction",
    "RefusedError",
    "Search",
    "SearchError",
    "Source",
    "Start",
    "Verdict",
    "WriteError",
    "bound",
    "count",
    "endgame",
    "methods",
    "order",
    "proof",
    "records",
    "reduce",
    "search",
    "verify",
]

__version__: str = _core.PROGRAM.split()[-1]

Dot: TypeAlias = tuple[int, int]
Start: TypeAlias = str | Sequence[Dot] | os.PathLike[str]
Source: TypeAlias = Record | Position | bytes | str | os.PathLike[str]


@dataclass(frozen=True)
class Verdict:
    """What the verifier says of a game or a proof; true unless it refuses it."""

    verdict: str
    """`legal`, `proven`, `conditional` or `refused`."""
    words: str
    """The verdict in words."""
    game: str | None = None
    """The rules of a game, like `5T`."""
    moves: int | None = None
    """The number of moves of a game."""
    left: int | None = None
    """The number of legal moves that remain."""
    claim: str | None = None
    """What a proof proves, like `5D <= 121`."""
    reason: str | None = None
    """Why it is refused."""
    fault: str | None = None
    """The kind of fault, a name that never changes."""
    move: int | None = None
    """The faulty move, counted from 1."""
    record: Record | None = None
    """The game in canonical form, if it is legal."""

    def __bool__(self) -> bool:
        return self.verdict != "refused"

    def __str__(self) -> str:
        return self.words


def verify(source: Source, game: str | None = None, *, start: Start | None = None) -> Verdict:
    """Verifies a game in any format, or a proof, compressed or not.

    The verifier shares no code with the rest. `game` is for files that do not name theirs. What
    is neither a game nor a proof raises `ReadError`.

    >>> verify(b"5T\\n3,0 7,0\\n")  # doctest: +ELLIPSIS
    Verdict(verdict='legal', words='5T, 1 move, 26 legal moves remain', ...
    >>> refused = verify(b"5T\\n3,0 7,0\\n3,0 7,0\\n")
    >>> bool(refused), refused.move
    (False, 2)
    >>> print(verify(proof("4D-35.tree")))  # doctest: +SKIP
    4D = 35
    """
    view, words, record = _core.verify(source, game, start=start)
    fields = json.loads(view)
    names = ("verdict", "game", "moves", "left", "claim", "reason", "fault", "move")
    return Verdict(words=words, record=record, **{name: fields.get(name) for name in names})


@dataclass(frozen=True)
class Order:
    """Whether lines can be drawn, and how; true if they can."""

    verdict: str
    """`ordered`, `stuck` or `refused`."""
    order: list[int]
    """The playable lines by their numbers in the file, from 1, in an order of play."""
    stuck: list[int]
    """The lines that can never be played, by their numbers in the file."""
    reason: str | None
    """Why it is refused."""
    record: Record | None
    """The game in the order found."""

    def __bool__(self) -> bool:
        return self.record is not None


def order(source: Source, game: str | None = None, *, start: Start | None = None) -> Order:
    """Finds an order in which the lines of a drawing, or of any game, can be played.

    >>> moves = Position("5T").legal_moves
    >>> p = Position("5T", moves[:1] + moves[20:21])
    >>> found = order(p.record().drawing())
    >>> found.verdict, found.record.position() == p
    ('ordered', True)
    """
    view, record = _core.order(source, game, start=start)
    fields = json.loads(view)
    stuck = [line["line"] for line in fields["stuck"]]
    return Order(fields["verdict"], fields["order"], stuck, fields["reason"], record)


def count(
    game: str,
    moves: int,
    kind: str = "classes",
    *,
    threads: int = 1,
    memory: int = 1 << 32,
    start: Start | None = None,
) -> list[int]:
    """The number of positions after 0, 1, ..., `moves` moves.

    `kind` is `classes` (up to the symmetries of the start), `positions` or `sequences`, for which
    tables may take `memory` bytes. After Ctrl-C the count goes on in the background, unheard.

    >>> count("5T", 3)
    [1, 4, 56, 428]
    """
    return _core.count(game, moves, kind, threads, memory, start)


@dataclass(frozen=True)
class Bound:
    """What is known of a game."""

    game: str
    """The rules, like `5T`."""
    bound: int | None
    """The least certified upper bound; `None` if there is none."""
    by: str | None
    """The formula, or the kind of the proof."""
    proof: str | None
    """The file of the proof, if the bound follows from one."""
    argument: list[str]
    """The argument of the best formula, a line for each step."""
    record: str | None
    """The longest published game, like `178, Rosin 2011`."""
    endless: bool
    """Whether play need never end, which a proof shows."""


def bound(game: str, *, start: Start | None = None) -> Bound:
    """The least certified upper bound on the length of a game, and why.

    Proofs that come with the program are verified.

    >>> bound("6D").bound
    12
    >>> known = bound("4D")
    >>> known.bound, known.by
    (35, 'tree')
    """
    view, least, by, file, argument, endless = _core.bound(game, start)
    fields = json.loads(view)
    printed = fields["in_print"]
    record = f"{printed['moves']}, {printed['by']}" if printed else None
    return Bound(fields["rules"], least, by, file, argument, record, endless)


def proof(name: str) -> bytes:
    """The content of a proof that comes with the program, by the name that `bound` has.

    >>> verify(proof(bound("4D").proof)).claim
    '4D = 35'
    """
    return _core.proof(name)


@dataclass(frozen=True)
class KnownRecord:
    """A famous score, or a game that this program has found."""

    game: str
    """The rules, like `5T`."""
    moves: int
    """The number of moves."""
    author: str | None
    """Who found it; `None` for games of this program."""
    year: int | None
    """When it was published."""
    record: Record | None
    """The game, if this program has found it."""


def records(game: str | None = None) -> list[KnownRecord]:
    """Famous scores, and the games that this program has found; the longest first.

    >>> [(known.moves, known.author) for known in records("5D")]
    [(82, 'Rosin'), (82, None), (68, 'A. Langerman')]
    """
    view, own = _core.records()
    games = {(rules, moves): record for rules, moves, record in own}
    rows = [
        KnownRecord(
            row["game"],
            row["moves"],
            row["author"],
            row["year"],
            None if row["author"] else games.get((row["game"], row["moves"])),
        )
        for row in json.loads(view)
    ]
    return [row for row in rows if game is None or row.game == game]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a search method."""

    name: str
    meaning: str
    type: str
    """`integer` or `real`."""
    min: float
    max: float
    default: float
    """Its value for the game when none is given."""


@dataclass(frozen=True)
class Method:
    """A search method."""

    name: str
    summary: str
    source: str
    """The publication."""
    playout: str
    """What `playouts` counts."""
    parameters: list[Parameter]


def methods(game: str = "5T", *, start: Start | None = None) -> list[Method]:
    """The search methods, with their defaults for a game.

    >>> "nrpa" in [method.name for method in methods()]
    True
    """
    rows: list[dict[str, Any]] = json.loads(_core.methods(game, start))
    return [
        Method(**{**row, "parameters": [Parameter(**it) for it in row["parameters"]]})
        for row in rows
    ]


def search(
    game: str | Position = "5T",
    method: str = "auto",
    *,
    parameters: Mapping[str, float | str] | None = None,
    seconds: float | None = None,
    playouts: int | None = None,
    target: int | None = None,
    seed: int | None = None,
    threads: int = 1,
    start: Start | None = None,
    on_improve: Callable[[int, list[Move]], object] | None = None,
    on_progress: Callable[[int, int], object] | None = None,
) -> Search:
    """Searches for a long game, and returns the `Search`, which has its `record`.

    It ends after so many `seconds` or `playouts`, or with a game of `target` moves; with no limit
    after 60 seconds. Other threads of Python run meanwhile. To keep the best game after Ctrl-C,
    make a `Search` and `run` it.

    >>> found = search("5D", "random", playouts=200, seed=1)
    >>> found.playouts, found.record.score == found.score
    (200, True)
    >>> search("5D", "random", playouts=200, seed=1).record == found.record
    True
    """
    if seconds is None and playouts is None and target is None:
        seconds = 60.0
    new = Search(
        game, method, parameters=dict(parameters or {}), seed=seed, threads=threads, start=start
    )
    return new.run(
        seconds=seconds,
        playouts=playouts,
        target=target,
        on_improve=on_improve,
        on_progress=on_progress,
    )


@dataclass(frozen=True)
class Endgame:
    """The longest game with given first moves."""

    keep: int
    """The number of first moves."""
    moves: int
    """The length of the game given."""
    longest: int
    """The length of the longest game, which an exhaustive search has proven."""
    record: Record
    """A longest game: the one given if there is none longer."""


def endgame(
    source: Source, keep: int, game: str | None = None, *, start: Start | None = None
) -> Endgame:
    """The longest game that begins with the first `keep` moves of a game.

    The fewer moves are kept, the longer it takes; Ctrl-C ends it.

    >>> best = records("4D")[-1].record
    >>> endgame(best, 20).longest
    35
    """
    moves, record = _core.endgame(source, keep, game, start=start)
    return Endgame(keep, moves, record.score, record)


class Reduction(_core.Reduction):
    """A 3-SAT formula as dots: a game of `threshold` moves exists if and only if it has a model.

    A notebook draws the pattern.
    """

    variables: int
    clauses: int
    dots: int
    threshold: int
    statement: str
    """The theorem about this pattern."""
    ceiling: int
    """The most moves of a game without a model."""

    def __init__(self, formula: bytes, length: int, gap: float) -> None:
        fields = json.loads(self.view())
        for name in ("variables", "clauses", "dots", "threshold", "statement", "ceiling"):
            setattr(self, name, fields[name])

    def model(self, record: Record) -> list[int]:
        """The model that a game of this pattern stands for."""
        found: list[int] = json.loads(self.read(record))["model"]
        return found


def reduce(formula: str | bytes, *, length: int = 5, gap: float = 1.0) -> Reduction:
    """Turns a 3-SAT formula in DIMACS into a pattern of dots for lines of `length`, with a proof.

    >>> pattern = reduce("p cnf 3 1\\n1 -2 3 0\\n")
    >>> model = pattern.find_model()
    >>> game = pattern.play(model)
    >>> bool(verify(game)), game.score >= pattern.threshold, pattern.model(game) == model
    (True, True, True)
    """
    text = formula.encode() if isinstance(formula, str) else formula
    return Reduction(text, length, gap)


# Whoever has imported Gymnasium before finds `Morpion-v0` there; otherwise import `morpion.gym`.
if "gymnasium" in sys.modules:
    from . import gym as gym
