/** Small charts: a curve over an axis. */

import { h } from './dom.js';

const [WIDTH, HEIGHT, LEFT, BELOW] = [320, 110, 30, 18];

/**
 * A curve through points, with a mark at one of them, and other curves by the names of their classes.
 * @param {{points: [number, number][], others?: Record<string, [number, number][]>, now?: number, steps?: boolean, label: string, across: string, least?: number}} wanted
 */
export function chart({ points, others = {}, now, steps = false, label, across, least = 0 }) {
  const all = [points, ...Object.values(others)].flat();
  const xs = all.map(([x]) => x);
  const ys = all.map(([, y]) => y);
  const [low, high] = [least, Math.max(1, least + 1, ...ys)];
  const near = Math.min(...xs);
  const far = Math.max(near + 1e-9, ...xs);
  const px = (/** @type {number} */ x) => LEFT + (WIDTH - LEFT - 6) * ((x - near) / (far - near));
  const py = (/** @type {number} */ y) => 6 + (HEIGHT - BELOW - 6) * (1 - (y - low) / (high - low));
  const way = (/** @type {[number, number][]} */ curve) => curve.map(([x, y], index) => {
    if (index === 0) return `M${round(px(x))} ${round(py(y))}`;
    return steps ? `H${round(px(x))}V${round(py(y))}` : `L${round(px(x))} ${round(py(y))}`;
  }).join('');
  const d = way(points);
  const marked = now === undefined ? undefined : points[now];
  const floor = HEIGHT - BELOW;
  return h('svg', { class: 'chart', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label },
    h('line', { class: 'rule', x1: LEFT, x2: WIDTH - 6, y1: py(high), y2: py(high) }),
    h('line', { class: 'axis', x1: LEFT, x2: WIDTH - 6, y1: floor, y2: floor }),
    h('text', { x: LEFT - 5, y: py(high) + 4, 'text-anchor': 'end' }, short(high)),
    h('text', { x: LEFT - 5, y: floor, 'text-anchor': 'end' }, short(low)),
    h('text', { x: WIDTH - 6, y: HEIGHT - 4, 'text-anchor': 'end' }, `${short(far)} ${across}`),
    points.length > 1 && !steps ? h('path', { class: 'area', d: `${d}V${floor}H${round(px(points[0][0]))}Z` }) : null,
    Object.entries(others).map(([name, curve]) => h('path', { class: `curve ${name}`, d: way(curve) })),
    h('path', { class: 'curve', d }),
    marked ? h('circle', { class: 'now', cx: px(marked[0]), cy: py(marked[1]), r: 4 }) : null,
  );
}

function round(/** @type {number} */ value) {
  return Math.round(value * 10) / 10;
}

/** A number in few letters: 1234567 as 1.2M. @param {number} value */
export function short(value) {
  for (const [unit, size] of /** @type {[string, number][]} */ ([['G', 1e9], ['M', 1e6], ['k', 1e4]])) {
    if (value >= size) return `${round(value / (unit === 'k' ? 1e3 : size))}${unit}`;
  }
  return value >= 10 || Number.isInteger(value) ? String(Math.round(value)) : value.toFixed(1);
}
