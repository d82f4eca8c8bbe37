/**
 * A game with all its branches, as data: what was taken back is kept.
 *
 * Node 0 is the start. Every other node is a move after its parent, with who played it; of its next
 * moves a node remembers which was played last, for redo.
 */

import { same } from './aim.js';

/** @typedef {import('./types.js').Move} Move */
/** @typedef {import('./types.js').Source} Source */
/** @typedef {{move: Move|null, by: Source, parent: number, next: number[], last: number}} Node */
/** @typedef {{nodes: Node[], at: number}} Tree */

/** @returns {Tree} */
export function newTree() {
  return { nodes: [{ move: null, by: 'mine', parent: -1, next: [], last: -1 }], at: 0 };
}

/** A tree of one game, at its end. @param {Move[]} moves @param {Source} [by] */
export function treeOf(moves, by = 'imported') {
  const tree = newTree();
  moves.forEach((move) => play(tree, move, by));
  return tree;
}

/** Plays a move, in an old branch if it was played here before. @param {Tree} tree @param {Move} move @param {Source} [by] */
export function play(tree, move, by = 'mine') {
  const here = tree.nodes[tree.at];
  let next = here.next.find((index) => same(tree.nodes[index].move, move));
  if (next === undefined) {
    next = tree.nodes.length;
    tree.nodes.push({ move, by, parent: tree.at, next: [], last: -1 });
    here.next.push(next);
  }
  here.last = next;
  tree.at = next;
}

/** @param {Tree} tree */
export function undo(tree) {
  const { parent } = tree.nodes[tree.at];
  if (parent >= 0) tree.at = parent;
  return parent >= 0;
}

/** @param {Tree} tree */
export function redo(tree) {
  const { last } = tree.nodes[tree.at];
  if (last >= 0) tree.at = last;
  return last >= 0;
}

/** The nodes from the first move up to here. @param {Tree} tree @returns {number[]} */
export function line(tree, at = tree.at) {
  const nodes = [];
  for (let node = at; node > 0; node = tree.nodes[node].parent) nodes.push(node);
  return nodes.reverse();
}

/** The moves up to here. @param {Tree} tree @returns {Move[]} */
export function path(tree, at = tree.at) {
  return line(tree, at).map((node) => /** @type {Move} */ (tree.nodes[node].move));
}

/** Where redo leads to in the end. @param {Tree} tree */
export function end(tree) {
  let { at } = tree;
  while (tree.nodes[at].last >= 0) at = tree.nodes[at].last;
  return at;
}

/** Goes to the place after so many moves of the line that redo follows. @param {Tree} tree @param {number} number */
export function goTo(tree, number) {
  const nodes = [0, ...line(tree, end(tree))];
  tree.at = nodes[Math.max(0, Math.min(nodes.length - 1, number))];
}

/** Who played the moves up to here, and how many. @param {Tree} tree @returns {Record<Source, number>} */
export function sources(tree, at = tree.at) {
  const found = { mine: 0, search: 0, imported: 0 };
  for (const node of line(tree, at)) found[tree.nodes[node].by] += 1;
  return found;
}

/** Whether this is a tree, such as one that was kept. @param {any} tree @returns {tree is Tree} */
export function isTree(tree) {
  const known = (/** @type {any} */ index) => Number.isInteger(index) && index < tree.nodes.length;
  const isMove = (/** @type {any} */ move) => Array.isArray(move?.new) && move.new.length === 2 && Array.isArray(move.line) && Array.isArray(move.line[0]);
  return Array.isArray(tree?.nodes) && tree.nodes.length > 0 && known(tree.at) && tree.at >= 0
    && tree.nodes.every((/** @type {Node} */ { move, by, parent, next, last }, /** @type {number} */ index) =>
      ['mine', 'search', 'imported'].includes(by) && (index === 0 ? move === null && parent === -1 : isMove(move) && known(parent) && parent >= 0 && parent < index)
      && known(last) && (last < 0 || last > index) && Array.isArray(next) && next.every((one) => known(one) && one > index));
}

/** The branches at a node: each next move, with how many moves its line has. @param {Tree} tree @param {number} node */
export function branches(tree, node) {
  return tree.nodes[node].next.map((next) => {
    let [at, depth] = [next, 1];
    while (tree.nodes[at].last >= 0) [at, depth] = [tree.nodes[at].last, depth + 1];
    return { node: next, depth };
  });
}

/** Goes to the branch beside this one. @param {Tree} tree @param {number} by @returns {boolean} */
export function turn(tree, by) {
  const { parent } = tree.nodes[tree.at];
  if (parent < 0 || tree.nodes[parent].next.length < 2) return false;
  const siblings = tree.nodes[parent].next;
  const index = (siblings.indexOf(tree.at) + by + siblings.length) % siblings.length;
  tree.nodes[parent].last = siblings[index];
  tree.at = siblings[index];
  return true;
}

/** Goes into a branch, so that redo leads there from the start, too. @param {Tree} tree @param {number} node */
export function enter(tree, node) {
  for (const one of line(tree, node)) tree.nodes[tree.nodes[one].parent].last = one;
  tree.at = node;
}

/** The node of these moves. @param {Tree} tree @param {Move[]} moves @returns {number|null} */
export function find({ nodes }, moves) {
  let at = 0;
  for (const move of moves) {
    const next = nodes[at].next.find((index) => same(nodes[index].move, move));
    if (next === undefined) return null;
    at = next;
  }
  return at;
}
