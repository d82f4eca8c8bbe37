import assert from 'node:assert/strict';
import test from 'node:test';

import { boxOf, fit, over, pan, pixelOf, pointAt, sees, zoom } from '../../assets/js/camera.js';

const room = { width: 390, height: 640, top: 40, bottom: 80 };
const box = { left: 0, top: 0, right: 9, bottom: 9 };

test('what is fitted is seen, clear of what covers the board', () => {
  const camera = fit(box, room);
  assert.ok(sees(camera, box, room));
  const [, top] = pixelOf(camera, room, [0, 0]);
  const [, bottom] = pixelOf(camera, room, [9, 9]);
  assert.ok(top > room.top && bottom < room.height - room.bottom);
  assert.ok(!sees(camera, { ...box, right: 30 }, room));
});

test('zooming keeps the point under the pointer, panning moves with it', () => {
  const camera = fit(box, room);
  const before = pointAt(camera, room, 100, 200);
  const after = pointAt(zoom(camera, room, 1.5, 100, 200), room, 100, 200);
  before.forEach((value, axis) => assert.ok(Math.abs(value - after[axis]) < 1e-9));
  const [x, y] = pixelOf(pan(camera, 10, -5), room, [3, 3]);
  const [ox, oy] = pixelOf(camera, room, [3, 3]);
  assert.ok(Math.abs(x - ox - 10) < 1e-9 && Math.abs(y - oy + 5) < 1e-9);
});

test('of no dots there is no box', () => {
  assert.equal(boxOf([]), null);
  assert.deepEqual(boxOf([[1, 2], [-3, 5]]), { left: -3, top: 2, right: 1, bottom: 5 });
});

test('a camera over a box shows it as near as before', () => {
  const near = { x: 0, y: 0, unit: 60 };
  const line = { left: 40, top: 7, right: 44, bottom: 7 };
  assert.ok(!sees(near, line, room));
  const moved = over(near, line, room);
  assert.ok(sees(moved, line, room) && moved.unit === near.unit);
});
