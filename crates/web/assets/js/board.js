/**
 * The board as SVG. It draws what it is given and knows no rules; its unit is the distance of two dots.
 */

import { h } from './dom.js';

/** @typedef {import('./api.js').Dot} Dot */
/** @typedef {import('./api.js').Move} Move */
/** @typedef {[Dot, string]} Line */

/** @type {Record<string, Dot>} */
const STEPS = { E: [1, 0], S: [0, 1], SE: [1, 1], NE: [1, -1] };

/**
 * @typedef {object} Picture
 * @property {Dot[]} start
 * @property {Move[]} moves
 * @property {number} length how many dots a line has
 * @property {Line[]} [lines] lines of a drawing, without an order
 * @property {Dot[]} [legal] points where a move can be made, once for each move
 * @property {Dot|null} [hint]
 * @property {Dot|null} [cursor]
 * @property {Move[]} [wishes] moves to choose from
 * @property {number} [bad] the number of a faulty move or line, from 1
 * @property {Set<number>} [stuck] lines that no order reaches, from 0
 * @property {Dot[]} [missing] dots that are not there
 * @property {boolean} [numbers]
 * @property {boolean} [grid]
 * @property {number} [margin]
 * @property {[Dot, Dot]} [frame] what must be within
 */

/** Both ends of a line. @param {Line} line @param {number} length @returns {[Dot, Dot]} */
export function ends([[x, y], direction], length) {
  const [dx, dy] = STEPS[direction];
  return [[x, y], [x + dx * (length - 1), y + dy * (length - 1)]];
}

/** The line between two dots, if they are a line's length apart. @param {Dot} one @param {Dot} other @param {number} length @returns {Line|null} */
export function between(one, other, length) {
  for (const [a, b] of [[one, other], [other, one]]) {
    for (const direction of Object.keys(STEPS)) {
      const [, end] = ends([a, direction], length);
      if (end[0] === b[0] && end[1] === b[1]) return [a, direction];
    }
  }
  return null;
}

/** What of the plane is seen. @param {Picture} picture @returns {{left: number, top: number, width: number, height: number}} */
export function bounds({ start, moves, lines = [], length, legal = [], frame, margin = 1.5 }) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const take = (/** @type {Dot} */ [x, y]) => {
    left = Math.min(left, x); right = Math.max(right, x);
    top = Math.min(top, y); bottom = Math.max(bottom, y);
  };
  start.forEach(take);
  moves.forEach((move) => take(move.new));
  legal.forEach(take);
  frame?.forEach(take);
  lines.forEach((line) => ends(line, length).forEach(take));
  if (left > right) [left, top, right, bottom] = [0, 0, 9, 9];
  return { left: left - margin, top: top - margin, width: right - left + 2 * margin, height: bottom - top + 2 * margin };
}

/** Draws a board. @param {Picture} picture @param {Record<string, any>} [attributes] of the svg element */
export function board(picture, attributes = {}) {
  const { start, moves, length, lines = [], legal = [], hint, cursor, wishes = [], bad, stuck, missing = [] } = picture;
  const { numbers = true, grid = true } = picture;
  const { left, top, width, height } = bounds(picture);
  const last = bad ? -1 : moves.length - 1;
  const faint = (/** @type {number} */ index) => (bad && index >= bad ? 'faint' : '');
  const kind = (/** @type {number} */ index) => (index + 1 === bad ? 'bad' : index === last ? 'last' : faint(index));
  const segment = (/** @type {Line} */ line, /** @type {string} */ name) => {
    const [[x1, y1], [x2, y2]] = ends(line, length);
    return h('line', { class: `line ${name}`, x1, y1, x2, y2 });
  };
  const disc = (/** @type {Dot} */ [cx, cy], /** @type {string} */ name, /** @type {number} */ r) => h('circle', { class: name, cx, cy, r });
  return h('svg', { class: 'board', viewBox: `${left} ${top} ${width} ${height}`, ...attributes },
    grid && h('path', { class: 'grid', d: squares(left - width, top - height / 2, 3 * width, 2 * height) }),
    h('g', {}, lines.map((line, index) => segment(line, stuck?.has(index) ? 'stuck' : index + 1 === bad ? 'bad' : ''))),
    h('g', {}, moves.map((move, index) => segment(move.line, kind(index)))),
    h('g', { class: 'wishes' }, wishes.map((move) => segment(move.line, 'wish'))),
    h('g', {}, start.map((dot) => disc(dot, 'start', 0.2))),
    h('g', {}, drawnDots(lines, length, start).map((dot) => disc(dot, 'played', 0.18))),
    h('g', {}, missing.map((dot) => disc(dot, 'missing', 0.27))),
    h('g', {}, spots(legal).map(([dot, count]) => disc(dot, `legal ${count > 1 ? 'many' : ''}`, 0.24))),
    h('g', {}, moves.map((move, index) => disc(move.new, `played ${kind(index)}`, 0.34))),
    numbers && h('g', {}, moves.map(({ new: [x, y] }, index) => h('text', { class: index < 99 ? 'number' : 'number long', x, y }, index + 1))),
    h('g', {}, hint && disc(hint, 'hint', 0.42), cursor && h('rect', { class: 'cursor', x: cursor[0] - 0.45, y: cursor[1] - 0.45, width: 0.9, height: 0.9, rx: 0.15 })),
    h('g', { class: 'wishes' }, wishes.map((move, index) => tag(move, index, length, wishes))),
  );
}

/** The number of a line to choose, at the end of the line that is farther from the new dot. */
function tag(/** @type {Move} */ move, /** @type {number} */ index, /** @type {number} */ length, /** @type {Move[]} */ wishes) {
  const far = (/** @type {Dot} */ [x, y]) => Math.max(Math.abs(x - move.new[0]), Math.abs(y - move.new[1]));
  const taken = new Set(wishes.slice(0, index).map((other) => String(place(other, far, length))));
  const both = ends(move.line, length);
  let [x, y] = place(move, far, length);
  if (taken.has(String([x, y]))) [x, y] = /** @type {Dot} */ (both.find((end) => String(end) !== String([x, y])) ?? both[0]);
  return h('g', { 'data-do': 'choose', 'data-index': index },
    h('circle', { cx: x, cy: y, r: 0.46 }), h('text', { x, y }, index + 1));
}

function place(/** @type {Move} */ move, /** @type {(dot: Dot) => number} */ far, /** @type {number} */ length) {
  const [one, other] = ends(move.line, length);
  return far(one) >= far(other) ? one : other;
}

/** The points of moves, each once, with how many moves there are. @param {Dot[]} dots @returns {[Dot, number][]} */
function spots(dots) {
  /** @type {Map<string, [Dot, number]>} */
  const found = new Map();
  for (const dot of dots) {
    const spot = found.get(String(dot));
    if (spot) spot[1] += 1;
    else found.set(String(dot), [dot, 1]);
  }
  return [...found.values()];
}

/** The dots that the lines of a drawing add. @param {Line[]} lines @param {number} length @param {Dot[]} start @returns {Dot[]} */
function drawnDots(lines, length, start) {
  const there = new Set(start.map(String));
  /** @type {Dot[]} */
  const dots = [];
  for (const [[x, y], direction] of lines) {
    for (let step = 0; step < length; step += 1) {
      const dot = /** @type {Dot} */ ([x + STEPS[direction][0] * step, y + STEPS[direction][1] * step]);
      if (!there.has(String(dot))) {
        there.add(String(dot));
        dots.push(dot);
      }
    }
  }
  return dots;
}

/** Squared paper. */
function squares(/** @type {number} */ left, /** @type {number} */ top, /** @type {number} */ width, /** @type {number} */ height) {
  if (width > 400 || height > 400) return '';
  let d = '';
  for (let x = Math.ceil(left); x <= left + width; x += 1) d += `M${x} ${top}v${height}`;
  for (let y = Math.ceil(top); y <= top + height; y += 1) d += `M${left} ${y}h${width}`;
  return d;
}

/** The grid point under a pointer. @param {SVGSVGElement} svg @param {MouseEvent} event @returns {{exact: Dot, dot: Dot}} */
export function pointAt(svg, event) {
  const matrix = svg.getScreenCTM();
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix?.inverse());
  return { exact: [x, y], dot: [Math.round(x), Math.round(y)] };
}
