/** What of the plane is seen: its middle, and how many pixels lie between two dots. Pure. */

/** @typedef {import('./types.js').Dot} Dot */
/** @typedef {{x: number, y: number, unit: number}} Camera */
/** @typedef {{width: number, height: number, top?: number, bottom?: number}} Room in pixels; top and bottom are covered */
/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */

const [NEAR, FAR] = [90, 0.5];

/** The smallest box around dots. @param {Iterable<Dot>} dots @returns {Box|null} */
export function boxOf(dots) {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const [x, y] of dots) {
    box.left = Math.min(box.left, x); box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y); box.bottom = Math.max(box.bottom, y);
  }
  return box.left <= box.right ? box : null;
}

/** The camera that shows a box, with a margin. @param {Box} box @param {Room} room @param {number} [margin] @returns {Camera} */
export function fit(box, { width, height, top = 0, bottom = 0 }, margin = 1) {
  const free = Math.max(40, height - top - bottom);
  const unit = Math.max(FAR, Math.min(56, width / (box.right - box.left + 2 * margin), free / (box.bottom - box.top + 2 * margin)));
  return over({ unit }, box, { top, bottom });
}

/** The camera over the middle of a box, as near as before. @param {{unit: number}} camera @param {Box} box @param {{top?: number, bottom?: number}} room @returns {Camera} */
export function over({ unit }, box, { top = 0, bottom = 0 }) {
  return { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 + (bottom - top) / 2 / unit, unit };
}

/** Whether a box is in sight. @param {Camera} camera @param {Box} box @param {Room} room */
export function sees({ x, y, unit }, box, { width, height, top = 0, bottom = 0 }) {
  const [w, margin] = [width / 2 / unit, 0.4];
  return box.left - margin >= x - w && box.right + margin <= x + w
    && box.top - margin >= y - (height / 2 - top) / unit && box.bottom + margin <= y + (height / 2 - bottom) / unit;
}

/** The point of the plane at a pixel. @param {Camera} camera @param {Room} room @param {number} px @param {number} py @returns {Dot} */
export function pointAt({ x, y, unit }, { width, height }, px, py) {
  return [x + (px - width / 2) / unit, y + (py - height / 2) / unit];
}

/** The pixel of a point. @param {Camera} camera @param {Room} room @param {Dot} point @returns {Dot} */
export function pixelOf({ x, y, unit }, { width, height }, [px, py]) {
  return [(px - x) * unit + width / 2, (py - y) * unit + height / 2];
}

/** Nearer or farther, so that the point under a pixel stays there. @param {Camera} camera @param {Room} room @param {number} factor @param {number} px @param {number} py @returns {Camera} */
export function zoom(camera, room, factor, px, py) {
  const unit = Math.max(FAR, Math.min(NEAR, camera.unit * factor));
  const [x, y] = pointAt(camera, room, px, py);
  const by = camera.unit / unit;
  return { x: x + (camera.x - x) * by, y: y + (camera.y - y) * by, unit };
}

/** Moved by some pixels. @param {Camera} camera @param {number} dx @param {number} dy @returns {Camera} */
export function pan({ x, y, unit }, dx, dy) {
  return { x: x - dx / unit, y: y - dy / unit, unit };
}
