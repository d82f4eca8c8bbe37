import assert from 'node:assert/strict';
import test from 'node:test';

import { colours } from '../../assets/js/chart.js';

test('a curve keeps its colour when another comes, and no two have the same', () => {
  let now = colours(new Map(), [1]);
  for (const ids of [[2, 1], [3, 2, 1], [4, 3, 2, 1], [9, 4, 3, 2], [9, 4, 3], [9, 4, 3, 1]]) {
    const next = colours(now, ids);
    for (const [id, colour] of next) assert.equal(now.get(id) ?? colour, colour, `${ids}`);
    assert.equal(new Set(next.values()).size, ids.length);
    now = next;
  }
});
