"""The examples run: the ten lines, and an agent that talks to an environment."""

import json
import os
import subprocess
import sys
from pathlib import Path

import morpion

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_ten_lines():
    command = [sys.executable, EXAMPLES / "ten_lines.py"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    scores = [int(line) for line in output.splitlines() if line.isdigit()]
    assert scores == sorted(set(scores)) and scores[-1] >= 60


def played(seed, games):
    """Plays the other side of an agent, as `morpion experiment anytime` does."""
    environment = {**os.environ, "MORPION_SEED": str(seed)}
    command = [sys.executable, EXAMPLES / "own_agent.py"]
    pipe = subprocess.PIPE
    records = []
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment) as agent:
        position = morpion.Position("5D")
        while len(records) < games:
            state = {"game": "5D", "score": position.score, "over": position.is_over}
            agent.stdin.write(json.dumps(state) + "\n")
            agent.stdin.flush()
            request = json.loads(agent.stdout.readline())
            if "new" in request:
                records.append(position.record())
                position = morpion.Position(request["new"])
            else:
                (first, direction), dot = request["play"]["line"], request["play"]["new"]
                position.play(morpion.Move(tuple(dot), (tuple(first), direction)))
        agent.stdin.close()
        assert agent.wait(60) == 0
    return records


def test_an_agent_plays_legal_games_that_its_seed_decides():
    records = played(1, 5)
    assert all(morpion.verify(record).left == 0 for record in records)
    assert records == played(1, 5) != played(2, 5)
