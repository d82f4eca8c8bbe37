import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { choose, handles, key, movesAt, reachOf, same, spotAt } from '../../assets/js/aim.js';
import { boxOf, fit, pixelOf, pointAt } from '../../assets/js/camera.js';
import { CROSS, legalMoves } from './rules.js';

const { moves } = JSON.parse(readFileSync(new URL('../../../../games/5T-169.json', import.meta.url), 'utf8'));
/** Of the board: where its handles are for a finger, and what counts as still. */
const [FINGER, STILL] = [46, 12];

/** Numbers between 0 and 1, the same each time. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

test('the plain rules of these tests know the first moves and the game', () => {
  assert.equal(legalMoves([]).length, 28);
  moves.forEach((move, index) => assert.ok(legalMoves(moves.slice(0, index)).some((other) => same(move, other)), `move ${index + 1}`));
  assert.equal(legalMoves(moves).length, 0);
});

test('99 % of all legal moves of a long game are hit by a finger that errs by six pixels', () => {
  const random = generator(7);
  const err = ([x, y]) => {
    const [angle, far] = [2 * Math.PI * random(), 6 * Math.sqrt(random())];
    return [x + far * Math.cos(angle), y + far * Math.sin(angle)];
  };
  const room = { width: 390, height: 640, top: 44, bottom: 74 };
  let [all, once, twice, ambiguous] = [0, 0, 0, 0];
  for (let played = 0; played < moves.length; played += 1) {
    const now = moves.slice(0, played);
    const legal = legalMoves(now);
    const camera = fit(boxOf([...CROSS, ...now.map((move) => move.new), ...legal.map((move) => move.new)]), room, 1.3);
    const reach = Math.max(0.75, Math.min(1.4, 18 / camera.unit));
    for (const wanted of legal) {
      const there = movesAt(legal, wanted.new);
      const [px, py] = pixelOf(camera, room, wanted.new);
      const handle = handles(there, 5, true).find(({ move }) => same(move, wanted)).at;
      // Press at the dot, slide to the handle, release: both with an error.
      const attempt = () => {
        const spot = spotAt(legal, pointAt(camera, room, ...err([px, py])), reach);
        if (!spot) return null;
        const found = movesAt(legal, spot);
        const [sx, sy] = pixelOf(camera, room, spot);
        if (found.length === 1) return found[0];
        const [x, y] = err([px + handle[0] * FINGER, py + handle[1] * FINGER]);
        return choose(found, [x - sx, y - sy], 5, FINGER, true);
      };
      all += 1;
      if (there.length > 1) ambiguous += 1;
      if (same(attempt(), wanted)) once += 1;
      else if (same(attempt(), wanted)) twice += 1;
    }
  }
  const share = (once + twice) / all;
  console.log(`${all} moves, ${ambiguous} of them with a choice: ${(100 * once / all).toFixed(2)} % at once, ${(100 * share).toFixed(2)} % in two tries`);
  assert.ok(ambiguous > 100);
  assert.ok(share >= 0.99, `${share}`);
});

test('every line through a dot has a handle of its own, far enough from the others', () => {
  for (let played = 0; played < moves.length; played += 1) {
    const legal = legalMoves(moves.slice(0, played));
    for (const { new: dot } of legal) {
      const there = movesAt(legal, dot);
      const found = handles(there, 5);
      assert.deepEqual(new Set(found.map(({ move }) => key(move))), new Set(there.map(key)));
      for (const one of found) {
        assert.ok(same(choose(there, [one.at[0] * FINGER, one.at[1] * FINGER], 5, FINGER), one.move));
        for (const other of found) {
          if (same(one.move, other.move)) continue;
          assert.ok(Math.hypot(one.at[0] - other.at[0], one.at[1] - other.at[1]) * FINGER > STILL, 'handles lie apart');
        }
      }
    }
  }
});

test('for a finger no handle lies on another, however many lines go one way', () => {
  for (const count of [1, 2, 3, 4, 5]) {
    const there = Array.from({ length: count }, (_, step) => ({ new: [0, 0], line: [[-step, 0], 'E'] }));
    there.push({ new: [0, 0], line: [[0, 0], 'S'] }, { new: [0, 0], line: [[0, 0], 'SE'] });
    const found = handles(there, 5, true);
    for (const one of found) {
      assert.ok(same(choose(there, [one.at[0] * FINGER, one.at[1] * FINGER], 5, FINGER, true), one.move));
      for (const other of found) {
        if (one !== other) assert.ok(Math.hypot(one.at[0] - other.at[0], one.at[1] - other.at[1]) * FINGER > 30, `${count}`);
      }
    }
    assert.ok(reachOf(found) < 3);
  }
});

test('far from every new dot nothing is meant, and between two the nearer is', () => {
  const legal = legalMoves([]);
  assert.equal(spotAt(legal, [40, 40]), null);
  assert.deepEqual(spotAt(legal, [2.1, 0.2]), [2, 0]);
});
