/**
 * What a pointer means: of the moves that can be played, the one it is near.
 *
 * First the new dot that is nearest. If several lines go through it, a small movement away from the
 * dot chooses: every line has handles around the dot, and the nearest handle wins. Nothing here
 * knows a rule; it compares distances.
 */

/** @typedef {import('./types.js').Dot} Dot */
/** @typedef {import('./types.js').Move} Move */
/** @typedef {{move: Move, at: Dot}} Handle where a line is taken hold of, from the dot */

/** How far apart are the handles of lines on one axis, if there are three or more and a finger needs room. */
const APART = 0.9;

/** @type {Record<string, Dot>} */
export const STEPS = { E: [1, 0], S: [0, 1], SE: [1, 1], NE: [1, -1] };

/** Both ends of a line. @param {import('./types.js').Line} line @param {number} length @returns {[Dot, Dot]} */
export function ends([[x, y], direction], length) {
  const [dx, dy] = STEPS[direction];
  return [[x, y], [x + dx * (length - 1), y + dy * (length - 1)]];
}

/** The new dot nearest to a point, within reach. @param {Move[]} legal @param {Dot} point @param {number} [reach] @returns {Dot|null} */
export function spotAt(legal, [x, y], reach = 0.8) {
  let [found, near] = [/** @type {Dot|null} */ (null), reach];
  for (const { new: dot } of legal) {
    const away = Math.hypot(x - dot[0], y - dot[1]);
    if (away < near) [found, near] = [dot, away];
  }
  return found;
}

/** The moves with this new dot. @param {Move[]} legal @param {Dot|null} dot */
export function movesAt(legal, dot) {
  return dot ? legal.filter(({ new: [x, y] }) => x === dot[0] && y === dot[1]) : [];
}

/**
 * The handles of moves that share a dot. A line alone on its axis has one on both sides; lines on
 * the same axis lie side by side, in the order of their places: within distance 1, or, for fingers,
 * wide apart.
 * @param {Move[]} moves @param {number} length @param {boolean} [wide] @returns {Handle[]}
 */
export function handles(moves, length, wide = false) {
  /** @type {Handle[]} */
  const found = [];
  for (const [direction, [dx, dy]] of Object.entries(STEPS)) {
    const norm = Math.hypot(dx, dy);
    const along = (/** @type {number} */ by) => /** @type {Dot} */ ([dx / norm * by, dy / norm * by]);
    // How far the line begins before the dot: the larger, the more it lies behind.
    const behind = (/** @type {Move} */ { new: [x, y], line: [[sx, sy]] }) => Math.max(Math.abs(x - sx), Math.abs(y - sy));
    const axis = moves.filter(({ line }) => line[1] === direction).sort((one, other) => behind(other) - behind(one));
    if (axis.length === 1) {
      // The side on which most of the line lies comes first.
      const first = behind(axis[0]) * 2 > length - 1 ? -1 : 1;
      found.push({ move: axis[0], at: along(first) }, { move: axis[0], at: along(-first) });
    } else {
      // The first half behind the dot, the rest before it, so that the dot itself is not in the way.
      const half = Math.floor(axis.length / 2);
      axis.forEach((move, index) => {
        const place = index < half ? index - half : index - half + 1;
        const apart = wide && axis.length > 2 ? APART : 1 / (index < half ? half : axis.length - half);
        found.push({ move, at: along(place * apart) });
      });
    }
  }
  return found;
}

/** How far out the outermost handle is. @param {Handle[]} all */
export function reachOf(all) {
  return Math.max(1, ...all.map(({ at }) => Math.hypot(...at)));
}

/**
 * The move that a displacement from the dot means; `radius` is where the handles are.
 * @param {Move[]} moves @param {Dot} away @param {number} length @param {number} radius @param {boolean} [wide] @returns {Move|null}
 */
export function choose(moves, [x, y], length, radius, wide = false) {
  if (moves.length < 2) return moves[0] ?? null;
  const all = handles(moves, length, wide);
  // Beyond the handles only the direction counts.
  const far = Math.max(1, Math.hypot(x, y) / radius / reachOf(all));
  const [ux, uy] = [x / radius / far, y / radius / far];
  let [found, near] = [/** @type {Move|null} */ (null), Infinity];
  for (const { move, at } of all) {
    const away = Math.hypot(ux - at[0], uy - at[1]);
    if (away < near - 1e-9) [found, near] = [move, away];
  }
  return found;
}

/** @param {Move|null|undefined} one @param {Move|null|undefined} other */
export function same(one, other) {
  return one === other || (one != null && other != null && key(one) === key(other));
}

/** A move as a word. @param {Move} move */
export function key({ new: dot, line: [first, direction] }) {
  return `${dot}:${first}:${direction}`;
}
