/**
 * The game on the Play page, saved as it goes on: here with all its branches, and by the server, one
 * draft for each game, which is replaced until the game is over.
 */

import { change, keep, state } from './api.js';
import { ask, native } from './server.js';
import { end, path, whole } from './tree.js';

/** The delay before a draft is saved, in milliseconds. */
const PAUSE = 800;

/** @type {ReturnType<typeof setTimeout>|undefined} */
let timer;
/** What the server was asked last: questions about drafts must arrive one after the other. */
/** @type {Promise<any>} */
let asked = Promise.resolve();

/** A number for a new draft: by chance, since other browsers save theirs too. */
export function newDraft() {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return high * 2 ** 20 + (low >>> 12);
}

/** Keeps the game in this browser. */
export function keepHere() {
  const { rules, start, tree, draft } = state.play;
  keep('game', { rules, start, moves: path(tree), tree, draft });
}

/** Keeps the game here now, and has the server save it soon. */
export function saveSoon() {
  keepHere();
  clearTimeout(timer);
  timer = setTimeout(saveNow, PAUSE);
}

/** Has the server save the game with the moves that were taken back; one that is over is in the archive. */
async function saveNow() {
  clearTimeout(timer);
  timer = undefined;
  const { rules, start, tree, draft, positions } = state.play;
  const moves = whole(tree);
  if (!moves.length || positions[end(tree)]?.count === 0) return;
  const saved = await inTurn(() => ask(`drafts/${draft}`, native(rules, start, moves), { method: 'PUT', keepalive: true }));
  change(({ play }) => { if (play.draft === draft) play.saved = saved?.kept ?? false; });
}

/** Forgets the draft of a game that is kept otherwise. */
export async function forgetDraft() {
  clearTimeout(timer);
  timer = undefined;
  const { draft } = state.play;
  await inTurn(() => ask(`drafts/${draft}`, undefined, { method: 'DELETE' }));
  change(({ play }) => { if (play.draft === draft) play.saved = false; });
}

/** Asks after all that was asked before; what fails is tried again with the next move. @param {() => Promise<any>} question */
function inTurn(question) {
  asked = asked.then(question).catch(() => null);
  return asked;
}

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden' && timer !== undefined) saveNow();
});
