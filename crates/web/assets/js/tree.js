/**
 * A game with all its branches, as data: what was taken back is kept.
 *
 * Node 0 is the start. Every other node is a move after its parent; of its next moves a node
 * remembers which was played last, for redo.
 */

/** @typedef {import('./api.js').Move} Move */
/** @typedef {{move: Move|null, parent: number, next: number[], last: number}} Node */
/** @typedef {{nodes: Node[], at: number}} Tree */

/** @returns {Tree} */
export function newTree() {
  return { nodes: [{ move: null, parent: -1, next: [], last: -1 }], at: 0 };
}

/** A tree of one game, at its end. @param {Move[]} moves */
export function treeOf(moves) {
  const tree = newTree();
  moves.forEach((move) => play(tree, move));
  return tree;
}

/** Plays a move, in an old branch if it was played here before. @param {Tree} tree @param {Move} move */
export function play(tree, move) {
  const here = tree.nodes[tree.at];
  let next = here.next.find((index) => same(tree.nodes[index].move, move));
  if (next === undefined) {
    next = tree.nodes.length;
    tree.nodes.push({ move, parent: tree.at, next: [], last: -1 });
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

/** The moves up to here. @param {Tree} tree @returns {Move[]} */
export function path(tree) {
  /** @type {Move[]} */
  const moves = [];
  for (let at = tree.at; at > 0; at = tree.nodes[at].parent) moves.push(/** @type {Move} */ (tree.nodes[at].move));
  return moves.reverse();
}

/** Where redo leads to in the end. @param {Tree} tree */
export function end(tree) {
  let { at } = tree;
  while (tree.nodes[at].last >= 0) at = tree.nodes[at].last;
  return at;
}

/** The moves up to here and those that redo leads to. @param {Tree} tree */
export function whole(tree) {
  return path({ ...tree, at: end(tree) });
}

/** Whether this is a tree, such as one that was kept. @param {any} tree */
export function isTree(tree) {
  const known = (/** @type {any} */ index) => Number.isInteger(index) && index < tree.nodes.length;
  return Array.isArray(tree?.nodes) && known(tree.at) && tree.at >= 0
    && tree.nodes.every((/** @type {Node} */ { parent, next, last }, /** @type {number} */ index) =>
      known(parent) && parent < index && known(last) && (last < 0 || last > index) && next.every(known));
}

/** Where this move is among those played after the same ones. @param {Tree} tree */
export function branch(tree) {
  const { parent } = tree.nodes[tree.at];
  const siblings = parent < 0 ? [tree.at] : tree.nodes[parent].next;
  return { index: siblings.indexOf(tree.at), count: siblings.length };
}

/** Goes to the branch beside this one. @param {Tree} tree @param {number} by */
export function turn(tree, by) {
  const { parent } = tree.nodes[tree.at];
  if (parent < 0) return;
  const siblings = tree.nodes[parent].next;
  const index = (siblings.indexOf(tree.at) + by + siblings.length) % siblings.length;
  tree.nodes[parent].last = siblings[index];
  tree.at = siblings[index];
}

/** Whether a move can be redone. @param {Tree} tree */
export function canRedo(tree) {
  return tree.nodes[tree.at].last >= 0;
}

/** @param {Move|null} one @param {Move|null} other */
export function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}
