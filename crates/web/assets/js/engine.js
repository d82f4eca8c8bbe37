/**
 * Who answers questions. Nothing here knows the rules.
 *
 * Questions and answers are those of `docs/reference/openapi.json`. What a move needs is answered in the page,
 * by a small WebAssembly module; everything else by the server, or, where the pages are only files,
 * by files beside them or a larger module in a worker. Where there is no module the server answers
 * all.
 */

import { change, state } from './state.js';
import { Module } from './wasm.js';

/** @typedef {import('./types.js').GameRecord} GameRecord */
/** @typedef {import('./types.js').Move} Move */
/** @typedef {Record<string, any>} Query */

/** A refusal: its code and values, and the faulty move if there is one. */
export class Refused extends Error {
  /** @param {{error?: string, code?: string, values?: string[], move?: number}} view */
  constructor({ error, code, values, move }) {
    super(error ?? 'refused');
    this.code = code ?? '';
    this.values = values ?? [];
    this.move = move ?? null;
  }
}

/** Whether these pages have a server. */
export const served = document.querySelector('meta[name="morpion-server"]')?.getAttribute('content') !== 'none';

/** What the small module answers. */
const PLAY = new Set(['position', 'obstacle', 'link', 'open']);

/** What `scripts/pages` has written down, since it never changes. */
const WRITTEN = /^(records|bounds|games\/[3-6][TD])$/;

/** The module that plays, once it is there; null without one. @type {Promise<Module|null>} */
const player = Module.load('wasm/play.wasm').catch(() => null);

/**
 * Asks, and gives back JSON.
 * @param {string} path @param {any} [body] @param {Query} [query] @param {RequestInit} [more]
 * @returns {Promise<any>}
 */
export async function ask(path, body, query = {}, more = {}) {
  if (PLAY.has(path)) {
    const module = await player;
    if (module) return unwrap(module.ask(path, query, encoded(body))).json;
  }
  if (!served && WRITTEN.test(path)) return (await fetch(`answers/${path}.json`)).json();
  if (!served) return unwrap(await inWorker(path, query, body, more.signal)).json;
  return (await send(path, body, query, more)).json();
}

/** Asks, and gives back a file with its name. @param {string} path @param {any} body @param {Query} [query] */
export async function askFile(path, body, query = {}) {
  if (!served) {
    const { json, file } = unwrap(await inWorker(path, query, body));
    return { blob: new Blob([/** @type {BlobPart} */ (file ?? new Uint8Array())], { type: json.kind }), name: json.name };
  }
  const response = await send(path, body, query, {});
  const disposition = response.headers.get('content-disposition') ?? '';
  return { blob: await response.blob(), name: /filename="([^"]+)"/.exec(disposition)?.[1] ?? 'morpion' };
}

/** Whether moves are answered in the page. */
export async function isLocal() {
  return (await player) !== null;
}

/** @param {{failed: boolean, json: any, file?: Uint8Array}} answer */
function unwrap(answer) {
  if (answer.failed) throw new Refused(answer.json);
  return answer;
}

/** @param {any} body @returns {Uint8Array} */
function encoded(body) {
  if (body instanceof Uint8Array) return body;
  return new TextEncoder().encode(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));
}

/** @type {Worker|null} */
let worker = null;
/** @type {Map<number, (answer: any) => void>} */
const waiting = new Map();
let asked = 0;

/** Asks the larger module. @param {string} path @param {Query} query @param {any} body @param {AbortSignal|null} [signal] @returns {Promise<any>} */
async function inWorker(path, query, body, signal) {
  const bytes = body instanceof Blob ? new Uint8Array(await body.arrayBuffer()) : encoded(body);
  if (!worker) {
    worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }) => {
      waiting.get(data.id)?.(data);
      waiting.delete(data.id);
    });
  }
  const id = asked += 1;
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => { waiting.delete(id); worker?.postMessage({ stop: id }); reject(new DOMException('stopped', 'AbortError')); });
    waiting.set(id, resolve);
    worker?.postMessage({ id, path, query, body: bytes });
  });
}

/** Asks the server. @param {string} path @param {any} body @param {Query} query @param {RequestInit} more */
async function send(path, body, query, more) {
  const raw = body instanceof Blob || body instanceof Uint8Array || typeof body === 'string';
  const init = body === undefined ? more : { method: 'POST', body: raw ? /** @type {BodyInit} */ (body) : JSON.stringify(body), ...more };
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const search = new URLSearchParams(given.map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]));
  let response;
  try {
    response = await fetch(`api/${path}${given.length ? `?${search}` : ''}`, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    change((now) => { now.offline = true; });
    throw new Refused({ code: 'offline', error: 'the server does not answer' });
  }
  if (state.offline) change((now) => { now.offline = false; });
  if (response.ok) return response;
  throw new Refused(await response.json().catch(() => ({ error: `${response.status} ${response.statusText}` })));
}

/** A game in the native format. @param {string} rules @param {any} start @param {Move[]} moves @param {Record<string, unknown>} [provenance] */
export function native(rules, start, moves, provenance) {
  return { format: 'morpion-game/1', rules, start, moves, ...(provenance ? { provenance } : {}) };
}

/** Hands a file to the browser. @param {Blob} blob @param {string} name */
export function save(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
