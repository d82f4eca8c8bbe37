"""Own agents in fair comparisons: a callable as a method of `morpion experiment anytime`.

A program that ends with

    morpion.agent.run(play)

is a method: `morpion experiment anytime --method 'external:python agent.py' --method nrpa ...`. Its
games are verified, and its CPU time is what the others have too. `play(position, generator)` is
called for one game after the other and yields the moves it chooses, each played on `position`
before it goes on.

>>> import io, random
>>> def first(position, generator):
...     while not position.is_over:
...         yield position.legal_moves[0]
>>> state = '{"game": "5D", "over": false}'
>>> sent = io.StringIO()
>>> run(first, io.StringIO(state + chr(10)), sent)
>>> sent.getvalue()
'{"play": {"new": [-1, 3], "line": [[-1, 3], "E"]}}\\n'
"""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Callable, Iterable
from typing import TextIO

from . import Move, Position

__all__ = ["Player", "run"]

Player = Callable[[Position, random.Random], Iterable[Move]]


def run(play: Player, input: TextIO | None = None, output: TextIO | None = None) -> None:
    """Plays one game after the other, until the other side has had enough."""
    lines, out = input or sys.stdin, output or sys.stdout
    generator = random.Random(int(os.environ.get("MORPION_SEED", "1")))
    line = lines.readline()
    while line:
        name = str(json.loads(line)["game"])
        # A position of its own, so that the agent need not read what it knows.
        position = Position(name)
        for move in play(position, generator):
            first, direction = move.line
            answer = {"new": list(move.dot), "line": [list(first), direction]}
            out.write(json.dumps({"play": answer}) + "\n")
            out.flush()
            position.play(move)
            line = lines.readline()
            if not line:
                return
        out.write(json.dumps({"new": name}) + "\n")
        out.flush()
        line = lines.readline()
