/** What is asked of the server. Nothing here knows the rules; the server does. */

/** @typedef {import('./api.js').Move} Move */

/** A refusal, with the number of the faulty move if there is one. */
export class Refused extends Error {
  /** @param {string} message @param {number|null} move */
  constructor(message, move) {
    super(message);
    this.move = move;
  }
}

/**
 * Asks, and gives back JSON.
 * @param {string} path @param {any} [body] @param {RequestInit} [more]
 */
export async function ask(path, body, more = {}) {
  const response = await send(path, body, more);
  return response.json();
}

/** Asks, and gives back a file with its name. @param {string} path @param {any} body */
export async function askFile(path, body) {
  const response = await send(path, body, {});
  const disposition = response.headers.get('content-disposition') ?? '';
  const name = /filename="([^"]+)"/.exec(disposition)?.[1] ?? 'morpion';
  return { blob: await response.blob(), name };
}

/** @param {string} path @param {any} body @param {RequestInit} more */
async function send(path, body, more) {
  const raw = body instanceof Blob || typeof body === 'string';
  const init = body === undefined ? more : { method: 'POST', body: raw ? body : JSON.stringify(body), ...more };
  const response = await fetch(`/api/${path}`, init);
  if (response.ok) return response;
  const reason = await response.json().catch(() => ({}));
  throw new Refused(reason.error ?? `${response.status} ${response.statusText}`, reason.move ?? null);
}

/** A game in the native format. @param {string} rules @param {any} start @param {Move[]} moves */
export function native(rules, start, moves) {
  return { format: 'morpion-game/1', rules, start, moves };
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
