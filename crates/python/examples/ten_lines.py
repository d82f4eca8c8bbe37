"""Play, search, verify and learn in ten lines."""

import random

import gymnasium
import morpion

p = morpion.Position("5T")
while not p.is_over:
    p.play(random.choice(p.legal_moves))
p.undo()
print(p)  # a notebook draws it
found = morpion.search("5D", seconds=3, seed=6, on_improve=lambda score, moves: print(score))
assert morpion.verify(found.record)
envs = gymnasium.make_vec("Morpion-v0", num_envs=256, game="5D", copy=False)
envs.reset(seed=1)
