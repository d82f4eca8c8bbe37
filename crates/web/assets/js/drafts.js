/** What is kept of the games that are played: in this browser, and by the server as drafts and in the archive. */

import { ask, native } from './engine.js';
import { change, keep, kept, state } from './state.js';
import { end, isTree, path, sources } from './tree.js';

/** @typedef {import('./pages/play.js').Kept} Kept */

/** What a browser sends on while the page is left has a limit of 64 KiB; beyond it nothing is sent at all. */
const MOST_ALIVE = 60_000;

/** @type {ReturnType<typeof setTimeout>|undefined} */
let drafting;
/** What the server was asked of drafts last: such questions arrive one after the other. @type {Promise<any>} */
let drafts = Promise.resolve();

/** A number for a new draft: by chance, since other browsers save theirs too. */
export function newDraft() {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return high * 2 ** 20 + (low >>> 12);
}

/** The games that were kept: of this tab, then of this browser, which another tab may go on with. @returns {Kept[]} */
export function keptGames() {
  const own = kept('game', () => sessionStorage);
  const any = kept('game');
  return [own, any && { ...any, draft: newDraft() }].filter((one) => isTree(one?.tree));
}

/** Keeps the game in this tab and in this browser. */
export function keepHere() {
  const { rules, start, tree, draft, readOnly } = state.play;
  if (readOnly) return;
  const game = { rules, start, tree, draft };
  keep('game', game, sessionStorage);
  keep('game', game);
}

/** Has the server save the game soon, with the moves that were taken back. */
export function saveDraft() {
  clearTimeout(drafting);
  drafting = setTimeout(draftNow, 800);
}

/** Saves what waits to be saved, before another game takes its place. */
export function flushDraft() {
  if (drafting !== undefined) draftNow();
}

function draftNow() {
  clearTimeout(drafting);
  drafting = undefined;
  const { rules, start, tree, draft, readOnly } = state.play;
  const moves = path(tree, end(tree));
  if (!moves.length || readOnly || end(tree) === state.play.kept) return;
  keep('drafts', [draft, ...ownDrafts().filter((one) => one !== draft)].slice(0, 500));
  const game = JSON.stringify(native(rules, start, moves));
  drafts = drafts.then(() => ask(`drafts/${draft}`, game, {}, { method: 'PUT', keepalive: game.length < MOST_ALIVE })).catch(() => null);
}

/** The numbers of the drafts of this browser. @returns {number[]} */
export function ownDrafts() {
  return kept('drafts') ?? [];
}

/** Who played the game, for the archive. */
export function provenance() {
  const { mine, search, imported } = sources(state.play.tree);
  const who = [[mine, 'by hand'], [search, 'search'], [imported, 'imported']].filter(([count]) => count).map(([, name]) => name);
  return { method: who.join(' and '), moves_by: { mine, search, imported } };
}

/** Puts the game into the archive. @returns {Promise<any>} */
export async function keepGame() {
  const { rules, start, tree, draft } = state.play;
  const { at } = tree;
  const kept = await ask('archive', native(rules, start, path(tree), provenance()));
  change(({ play }) => { if (play.tree === tree) play.kept = at; });
  drafts = drafts.then(() => ask(`drafts/${draft}`, undefined, {}, { method: 'DELETE' })).catch(() => null);
  return kept;
}

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') flushDraft();
});
