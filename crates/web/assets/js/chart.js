/** Small charts: curves over one axis, and a line for what is to be beaten. */

import { h } from './dom.js';
import { decimal } from './texts.js';

const [LEFT, BELOW] = [34, 20];

/**
 * @typedef {object} Chart
 * @property {{name: string, points: [number, number][]}[]} curves by the names of their classes
 * @property {boolean} [steps]
 * @property {number} [record] a value to be beaten
 * @property {string} label
 * @property {string} across
 * @property {number} [least]
 * @property {boolean} [wide] over the whole page
 */

/** @param {Chart} wanted */
export function chart({ curves, steps = false, record, label, across, least = 0, wide = false }) {
  const [width, height] = wide && innerWidth > 760 ? [1100, 240] : [420, 150];
  const all = curves.flatMap(({ points }) => points);
  const ys = all.map(([, y]) => y);
  const high = Math.max(least + 1, record ?? 0, ...ys);
  const near = Math.min(0, ...all.map(([x]) => x));
  const far = Math.max(near + 1e-9, ...all.map(([x]) => x));
  const px = (/** @type {number} */ x) => LEFT + (width - LEFT - 6) * ((x - near) / (far - near));
  const py = (/** @type {number} */ y) => 8 + (height - BELOW - 8) * (1 - (y - least) / (high - least));
  const way = (/** @type {[number, number][]} */ points) => points.map(([x, y], index) => {
    if (index === 0) return `M${round(px(x))} ${round(py(y))}`;
    return steps ? `H${round(px(x))}V${round(py(y))}` : `L${round(px(x))} ${round(py(y))}`;
  }).join('');
  const floor = height - BELOW;
  return h('svg', { class: 'chart', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label },
    h('line', { class: 'axis', x1: LEFT, x2: width - 6, y1: floor, y2: floor }),
    h('text', { x: LEFT - 5, y: py(high) + 4, 'text-anchor': 'end' }, short(high)),
    h('text', { x: LEFT - 5, y: floor, 'text-anchor': 'end' }, short(least)),
    h('text', { x: width - 6, y: height - 4, 'text-anchor': 'end' }, `${short(far)} ${across}`),
    record !== undefined && h('line', { class: 'record', x1: LEFT, x2: width - 6, y1: py(record), y2: py(record) }),
    curves.map(({ name, points }) => h('path', { class: `curve ${name}`, d: way(points) })));
}

/** Which of four colours the curves of these ids have: those that had one keep it. @param {Map<number, number>} before @param {number[]} ids */
export function colours(before, ids) {
  const kept = new Map(ids.filter((id) => before.has(id)).map((id) => [id, before.get(id)]));
  for (const id of ids) if (!kept.has(id)) kept.set(id, [0, 1, 2, 3].find((one) => ![...kept.values()].includes(one)));
  return /** @type {Map<number, number>} */ (kept);
}

function round(/** @type {number} */ value) {
  return Math.round(value * 10) / 10;
}

/** A number in few letters: 1234567 as 1.2M. @param {number} value */
export function short(value) {
  for (const [unit, size] of /** @type {[string, number][]} */ ([['G', 1e9], ['M', 1e6], ['k', 1e4]])) {
    const few = round(value / (unit === 'k' ? 1e3 : size));
    if (value >= size) return `${decimal(few, Number.isInteger(few) ? 0 : 1)}${unit}`;
  }
  return value >= 10 || Number.isInteger(value) ? String(Math.round(value)) : decimal(value);
}
