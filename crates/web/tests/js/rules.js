/** Plain rules, for tests alone: what is legal after any moves of 5T. */

import { STEPS } from '../../assets/js/aim.js';

/** The usual cross. */
export const CROSS = [];
for (const [x, y, dx, dy] of [[3, 0, 1, 0], [6, 0, 0, 1], [6, 3, 1, 0], [9, 3, 0, 1], [9, 6, -1, 0], [6, 6, 0, 1], [6, 9, -1, 0], [3, 9, 0, -1], [3, 6, -1, 0], [0, 6, 0, -1], [0, 3, 1, 0], [3, 3, 0, -1]]) {
  for (let step = 0; step < 3; step += 1) CROSS.push([x + dx * step, y + dy * step]);
}

export function legalMoves(moves, length = 5) {
  const dots = new Set([...CROSS, ...moves.map((move) => move.new)].map(String));
  const used = new Set();
  const each = ([[x, y], direction], count) => Array.from({ length: count }, (_, step) => [x + STEPS[direction][0] * step, y + STEPS[direction][1] * step]);
  for (const { line } of moves) for (const dot of each(line, length - 1)) used.add(`${dot}${line[1]}`);
  const [found, seen] = [[], new Set()];
  for (const name of dots) {
    const [x, y] = name.split(',').map(Number);
    for (const [direction, [dx, dy]] of Object.entries(STEPS)) {
      for (let back = 0; back < length; back += 1) {
        const line = [[x - dx * back, y - dy * back], direction];
        if (seen.has(String(line))) continue;
        seen.add(String(line));
        const missing = each(line, length).filter((dot) => !dots.has(String(dot)));
        if (missing.length === 1 && !each(line, length - 1).some((dot) => used.has(`${dot}${direction}`))) found.push({ new: missing[0], line });
      }
    }
  }
  return found;
}
