/** The larger module, apart from the page: questions that take a while, and searches. */

import { Module } from './wasm.js';

const module = Module.load('../wasm/lab.wasm');
/** @type {Set<number>} */
const stopped = new Set();

addEventListener('message', async ({ data }) => {
  if (data.stop) {
    stopped.add(data.stop);
    return;
  }
  const { id, path, query, body } = data;
  const lab = await module;
  if (!lab) postMessage({ id, failed: true, json: { code: 'offline' } });
  else if (path === 'continue') postMessage({ id, ...await search(lab, id, query, body) });
  else postMessage({ id, ...lab.ask(path, query, body) });
});

/** Short searches one after the other, until the time is over. @param {Module} lab @param {number} id @param {Record<string, any>} query @param {Uint8Array} body */
async function search(lab, id, { seconds = 1 }, body) {
  const until = performance.now() + 1000 * seconds;
  let best = null;
  for (let playouts = 2000; ; playouts = Math.min(200_000, playouts * 2)) {
    const [seed] = crypto.getRandomValues(new Uint32Array(1));
    const found = lab.ask('continue', { playouts, seed }, body);
    if (found.failed) return found;
    if (!best || found.json.score > best.json.score) best = found;
    // A moment for messages, such as that nobody waits any more.
    await new Promise((resolve) => { setTimeout(resolve, 0); });
    if (performance.now() >= until || stopped.delete(id)) return best;
  }
}
