"""An agent for `morpion experiment anytime`: it cuts its best game and finishes it at random.

morpion experiment anytime --game 5D --for 10s --seeds 3 --method random \
    --method 'external:python crates/python/examples/own_agent.py'
"""

import morpion.agent

best = []


def play(position, generator):
    """Repeats the beginning of the best game, then samples moves uniformly."""
    for move in best[: generator.randint(0, len(best))]:
        yield move
    while not position.is_over:
        yield generator.choice(position.legal_moves)
    if position.score >= len(best):
        best[:] = position.moves


if __name__ == "__main__":
    morpion.agent.run(play)
