import assert from 'node:assert/strict';
import test from 'node:test';

import { branches, end, enter, find, goTo, isTree, line, newTree, path, play, redo, sources, treeOf, turn, undo } from '../../assets/js/tree.js';

const move = (x) => ({ new: [x, 0], line: [[x, 0], 'E'] });

test('what is taken back comes again', () => {
  const tree = treeOf([1, 2, 3].map(move), 'mine');
  assert.ok(undo(tree) && undo(tree));
  assert.deepEqual(path(tree), [move(1)]);
  assert.ok(redo(tree) && redo(tree) && !redo(tree));
  assert.equal(path(tree).length, 3);
  goTo(tree, 0);
  assert.equal(undo(tree), false);
  assert.equal(path(tree, end(tree)).length, 3);
});

test('a move that was played before leads into its old branch', () => {
  const tree = treeOf([1, 2].map(move), 'mine');
  undo(tree);
  play(tree, move(9));
  undo(tree);
  play(tree, move(2));
  assert.equal(tree.nodes.length, 4);
  assert.ok(turn(tree, 1));
  assert.deepEqual(path(tree), [move(1), move(9)]);
  assert.deepEqual(branches(tree, 1).map(({ depth }) => depth), [1, 1]);
  enter(tree, 2);
  assert.deepEqual(line(tree), [1, 2]);
  goTo(tree, 0);
  assert.equal(turn(tree, 1), false);
});

test('moves are found wherever they branch off, and entering them leads there from the start', () => {
  const tree = treeOf([1, 2, 3].map(move), 'mine');
  goTo(tree, 0);
  play(tree, move(8));
  play(tree, move(9));
  goTo(tree, 0);
  const old = find(tree, [1, 2].map(move));
  assert.equal(old, 2);
  assert.equal(find(tree, [1, 9].map(move)), null);
  assert.equal(find(tree, []), 0);
  enter(tree, old);
  goTo(tree, 0);
  assert.deepEqual(path(tree, end(tree)), [1, 2, 3].map(move));
});

test('who played each move is known', () => {
  const tree = treeOf([1, 2].map(move), 'imported');
  play(tree, move(3));
  play(tree, move(4), 'search');
  assert.deepEqual(sources(tree), { mine: 1, search: 1, imported: 2 });
  undo(tree);
  assert.deepEqual(sources(tree), { mine: 1, search: 0, imported: 2 });
});

test('only a tree is taken for one', () => {
  assert.ok(isTree(newTree()) && isTree(JSON.parse(JSON.stringify(treeOf([1, 2].map(move))))));
  const bad = [null, {}, { nodes: [], at: 0 }, { nodes: [{}], at: 0 }, { ...newTree(), at: 3 }, { ...newTree(), at: -1 }];
  const loop = treeOf([move(1)]);
  loop.nodes[1].next.push(0);
  const stranger = treeOf([move(1)]);
  stranger.nodes[1].by = 'nobody';
  for (const tree of [...bad, loop, stranger]) assert.equal(isTree(tree), false, JSON.stringify(tree));
});
