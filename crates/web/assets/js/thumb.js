/** A small picture of a game: lines and dots, nothing to touch. */

import { ends } from './aim.js';
import { ink } from './board.js';
import { boxOf } from './camera.js';
import { h } from './dom.js';

/** @typedef {{start: import('./types.js').Dot[], moves: import('./types.js').Move[], length: number}} Small */

/** @param {Small} game */
export function thumb({ start, moves, length }) {
  const box = boxOf([...start, ...moves.map((move) => move.new)]) ?? { left: 0, top: 0, right: 9, bottom: 9 };
  const [width, height] = [box.right - box.left + 1.6, box.bottom - box.top + 1.6];
  // One path for each of a few ages: hundreds of thumbs stay light.
  const ages = 8;
  const paths = Array.from({ length: ages }, () => '');
  moves.forEach((move, index) => {
    const [[x1, y1], [x2, y2]] = ends(move.line, length);
    paths[Math.floor(index / moves.length * ages)] += `M${x1} ${y1}L${x2} ${y2}`;
  });
  const dots = (/** @type {import('./types.js').Dot[]} */ list, /** @type {number} */ r) => list.map(([x, y]) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`).join('');
  return h('div', { class: 'thumb' }, h('svg', { viewBox: `${box.left - 0.8} ${box.top - 0.8} ${width} ${height}`, width: '100%', height: '100%', 'aria-hidden': 'true' },
    paths.map((d, age) => d && h('path', { d, fill: 'none', 'stroke-width': 0.14, 'stroke-linecap': 'round', stroke: ink(age, ages) })),
    h('path', { class: 'start', d: dots(start, 0.2), fill: 'currentColor' }),
    h('path', { d: dots(moves.map((move) => move.new), 0.13), fill: 'currentColor', opacity: 0.7 })));
}
