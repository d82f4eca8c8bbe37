/** Play: the board and what belongs to it. The game is a tree; who plays a move is known. */

import { STEPS, same } from '../aim.js';
import { ask, askFile, native, save } from '../engine.js';
import { act, change, isDark, keep, kept, on, say, state, toast } from '../state.js';
import { reason, t } from '../texts.js';
import { flushDraft, keepGame, keepHere, newDraft, provenance, saveDraft } from '../drafts.js';
import { branches, end, enter as enterBranch, find, goTo, line, newTree, path, play, redo, sources, turn, undo } from '../tree.js';

/** @typedef {import('../types.js').Dot} Dot */
/** @typedef {import('../types.js').Move} Move */
/** @typedef {import('../types.js').Source} Source */
/** @typedef {import('../types.js').Start} Start */
/** @typedef {import('../types.js').GameRecord} GameRecord */
/** @typedef {{legal: Move[]|null, count: number}} Known what is known of a node */
/** @typedef {{rules: string, start: Start, tree: import('../tree.js').Tree, draft: number}} Kept a game with its branches */
/** @typedef {{verdict: string, game: string, moves: number, left: number|null, text: string, bad?: number, lines: import('../types.js').Line[], stuck: Set<number>, missing: Dot[], otherOrder: GameRecord|null, file: string|null, board: {start: Dot[], moves: Move[], length: number}|null}} Verdict, with what is refused: it lies over the game, and leaves it alone */

/**
 * @typedef {object} Play
 * @property {string} rules
 * @property {Start} start
 * @property {number} length how many dots a line has
 * @property {Dot[]} dots the dots of the start
 * @property {import('../tree.js').Tree} tree
 * @property {Record<number, Known>} positions by node
 * @property {number} draft
 * @property {boolean} showLegal
 * @property {boolean} numbers
 * @property {Move|null} hint
 * @property {{node: number, score: number}|null} reach a length that a search has reached from a node
 * @property {string|null} busy what a search is for
 * @property {{move: Move, count: number, how: 'keys'|'fan'|'pointer'}|null} aimed by keys, with a fan of lines to tap, or by a pointer
 * @property {Record<string, any>} games what is known of games, by their rules
 * @property {any[]} records
 * @property {Dot[]|null} editing the dots of a start being drawn
 * @property {Verdict|null} verdict on what was dropped
 * @property {number} kept the node of the game that is in the archive, or -1
 * @property {Kept|null} before the game before this one
 * @property {boolean} readOnly
 * @property {boolean} sheet whether the sheet is open on a small screen
 * @property {string|null} party the score that is celebrated
 * @property {boolean} replaying
 */

/** @type {Play} */
const first = {
  rules: '5T', start: 'cross', length: 5, dots: [], tree: newTree(), positions: {}, draft: newDraft(),
  showLegal: kept('legal') ?? true, numbers: kept('numbers') ?? true,
  hint: null, reach: null, busy: null, aimed: null, games: {}, records: [], editing: null, verdict: null, kept: -1,
  before: null, readOnly: false, sheet: false, party: null, replaying: false,
};
state.play = first;

/** What is asked about the current position; taps before the answer wait for it. @type {Promise<void>|null} */
let pending = null;
/** The taps that wait, one after the other. @type {Promise<any>} */
let turns = Promise.resolve();
/** @type {ReturnType<typeof setTimeout>|undefined} */
let thinking;
/** @type {AbortController|null} */
let thought = null;
/** @type {ReturnType<typeof setTimeout>|undefined} */
let ticking;
/** The address that the page itself has set. */
export let address = '';

export function leave() {
  stopThinking();
  stopReplay();
}

/**
 * Opens a game that somebody is known to have found.
 * @param {GameRecord} record @param {Source} by @param {number} [from] how many first moves were given: they are whose they were
 */
export async function openGame({ rules, start, moves }, by, from = 0) {
  const { play: now } = state;
  const here = now.rules === rules && JSON.stringify(now.start) === JSON.stringify(start) ? find(now.tree, moves.slice(0, from)) : null;
  const whose = here === null ? [] : line(now.tree, here).map((node) => now.tree.nodes[node].by);
  const tree = newTree();
  moves.forEach((move, index) => play(tree, move, index < from ? whose[index] ?? 'imported' : by));
  await act('to-play');
  await begin(rules, start, { tree });
}

/**
 * Begins a game, or goes on with one.
 * @param {string} rules @param {Start} start
 * @param {{tree?: import('../tree.js').Tree, draft?: number, push?: boolean, at?: number}} [more]
 */
export async function begin(rules, start, { tree = newTree(), draft = newDraft(), push = true, at } = {}) {
  const position = await ask('position', native(rules, start, path(tree)));
  stopReplay();
  flushDraft();
  change((all) => {
    const { play } = all;
    // What a message offers is about the game before.
    if (all.toast?.action) all.toast = null;
    if (play.tree.nodes.length > 1) play.before = { rules: play.rules, start: play.start, tree: play.tree, draft: play.draft };
    Object.assign(play, { rules, start, tree, draft, positions: {}, hint: null, reach: null, editing: null, verdict: null, kept: -1, party: null, aimed: null, sheet: false, length: position.length, dots: position.start });
    remember(play, position);
    if (at !== undefined) goTo(play.tree, at);
  });
  if (at !== undefined) await sync(push);
  else await settled(push);
  if (!state.play.records.length) ask('records').then((records) => change(({ play }) => { play.records = records; }), () => {});
  if (start === 'cross' && !state.play.games[rules]) {
    // The game can be played while the server still goes through its proofs.
    ask(`games/${rules}`).then((game) => change(({ play }) => { play.games[rules] = game; }), () => {});
  }
}

/** Notes what was said of the current node. @param {Play} play @param {import('../types.js').Position} position */
function remember(play, position) {
  play.positions[play.tree.at] = { legal: position.legal, count: position.legal.length };
  let at = play.tree.at;
  for (let index = position.counts.length - 1; index >= 0 && at >= 0; index -= 1) {
    play.positions[at] ??= { legal: null, count: position.counts[index] };
    at = play.tree.nodes[at].parent;
  }
}

/** Learns what is legal now, if it is not known yet. */
async function learn() {
  const { tree, rules, start, positions } = state.play;
  const { at } = tree;
  if (positions[at]?.legal) return;
  const position = await ask('position', native(rules, start, path(tree)));
  change(({ play }) => { if (play.tree === tree && play.tree.at === at) remember(play, position); });
}

/** Learns, and says so. @param {boolean} [push] whether Back leads to the address before */
export async function sync(push = false) {
  const { tree, tree: { at } } = state.play;
  await learn();
  if (state.play.tree === tree && tree.at === at) await settled(push);
}

/** Learns what could not be learnt while the server was gone. */
export async function refresh() {
  if (state.play.dots.length) await sync();
}

/** What follows once a position is known. @param {boolean} push */
async function settled(push) {
  const { tree, positions } = state.play;
  const [count, score] = [positions[tree.at]?.count ?? 0, line(tree).length];
  say(count ? t('say-score', score, count) : t('say-over', score));
  keepHere();
  thinkSoon();
  await tellAddress(push);
}

/** Changes the game, and learns what is legal then. @param {(play: Play) => void} how */
async function go(how) {
  change((all) => {
    if (all.toast?.kind === 'bad' || all.play.hint) all.toast = null;
    Object.assign(all.play, { hint: null, verdict: null, party: null });
    how(all.play);
  });
  /** Now, and not with the answer: until then another game may have begun. */
  saveDraft();
  stopThinking();
  const { tree, tree: { at } } = state.play;
  const mine = pending = learn();
  try {
    await mine;
  } finally {
    if (pending === mine) pending = null;
  }
  if (state.play.tree === tree && tree.at === at) await settled(false);
}

/** Waits until the current position is known. */
async function asked() {
  for (let now = pending; now; now = pending === now ? null : pending) await now.catch(() => {});
}

/** Lets a tap wait for those before it, and for the position that they lead to. @param {(picture: import('../types.js').Picture) => void} tap */
function inTurn(tap) {
  turns = turns.then(async () => {
    await asked();
    tap(picture(state.play));
    await asked();
  }).catch(() => {});
  return turns;
}

/** The address of what is seen: the game with what redo leads to, and where in it. @param {boolean} push */
export async function tellAddress(push) {
  const { rules, start, tree, readOnly } = state.play;
  if (state.page !== 'play') return;
  const [here, last] = [line(tree).length, end(tree)];
  const all = line(tree, last).length;
  const { link } = await ask('link', native(rules, start, path(tree, last)));
  if (state.play.tree !== tree || state.page !== 'play') return;
  address = here === all ? link : `${link}@${here}`;
  const whole = `#${readOnly ? 'e' : 'g'}/${address}`;
  if (location.hash === whole) return;
  /** Where no address can hold it, a reload finds what the browser has kept. */
  const hash = link.length > 20_000 ? '#play' : whole;
  // What `to-play` has pushed is completed.
  if (push && location.hash !== '#g/') history.pushState(null, '', hash);
  else history.replaceState(null, '', hash);
}

/** The link of the game, to be played (`g`) or shown (`e`). @param {'g'|'e'} kind */
async function linkAs(kind) {
  await tellAddress(false);
  const { origin, pathname, hash } = location;
  if (hash === '#play') throw new Error(t('no-link'));
  return `${origin}${pathname}#${kind}${hash.slice(2)}`;
}

/** What a move of one's own leads to: the end of the game, a personal best, a record. */
async function celebrate() {
  const { rules, start, tree, positions, games } = state.play;
  const score = line(tree).length;
  const by = sources(tree);
  const over = positions[tree.at]?.count === 0;
  const record = start === 'cross' ? games[rules]?.in_print?.moves ?? Infinity : Infinity;
  const best = kept(`best.${rules}`) ?? 0;
  const own = start === 'cross' && by.search === 0 && by.imported === 0;
  if (own && score > best) keep(`best.${rules}`, score);
  const known = start === 'cross' ? games[rules] : null;
  const bound = known?.proven ?? known?.bound;
  if (score > record) party(t('party-record', score));
  else if (score === bound) party(t('party-proven', score));
  else if (over && score === record) party(t('party-equal', score));
  else if (over && own && best > 0 && score > best) party(t('party-best', score));
  if (!over) return;
  try {
    await keepGame();
    const { party: shown } = state.play;
    if (shown) party(`${shown} ${t('kept')}`);
    else toast(t('over-kept', score), { kind: 'good', action: 'new-game', label: t('new-game') });
  } catch (error) {
    const { code } = /** @type {any} */ (error);
    const away = code === 'no-archive' || code === 'not-found' || code === 'offline';
    if (!away || !state.play.party) toast(away ? t('over', score) : reason(error), { action: 'new-game', label: t('new-game') });
  }
}

/** Celebrates for a moment. @param {string} text */
function party(text) {
  change(({ play }) => { play.party = text; });
  say(text);
  setTimeout(() => change(({ play }) => { if (play.party === text) play.party = null; }), 8000);
}

// Searching from here.

function stopThinking() {
  clearTimeout(thinking);
  thought?.abort();
  thought = null;
}

/** After a while without a move: how long a game from here a short search finds. */
function thinkSoon() {
  stopThinking();
  const { tree, positions, reach, readOnly } = state.play;
  if (!tree.at || readOnly || !positions[tree.at]?.count || reach?.node === tree.at) return;
  thinking = setTimeout(async () => {
    if (state.page !== 'play' || state.play.busy || document.visibilityState === 'hidden') return;
    const found = await search(null, 1).catch(() => null);
    if (found) change(({ play }) => { play.reach = { node: play.tree.at, score: found.score }; });
  }, 1800);
}

/** Searches from here; null if the game has moved on. @param {string|null} what @param {number} seconds */
async function search(what, seconds) {
  stopThinking();
  const { tree, rules, start } = state.play;
  const { at } = tree;
  thought = new AbortController();
  if (what) change(({ play }) => { play.busy = what; });
  try {
    const found = await ask('continue', native(rules, start, path(tree)), { seconds }, { signal: thought.signal });
    return state.play.tree === tree && tree.at === at ? found : null;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    throw error;
  } finally {
    if (what) change(({ play }) => { play.busy = null; });
  }
}

// Replay.

function stopReplay() {
  clearTimeout(ticking);
  if (state.play.replaying) change(({ play }) => { play.replaying = false; });
}

function tick() {
  clearTimeout(ticking);
  ticking = setTimeout(async () => {
    if (!state.play.replaying) return;
    const more = state.play.tree.nodes[state.play.tree.at].last >= 0;
    if (!more) return stopReplay();
    await go(({ tree }) => redo(tree));
    return tick();
  }, 130);
}

// What the pen says.

/** The pen of the board. @type {import('../board.js').Pen} */
export const pen = {
  turn: inTurn,
  play: (move) => act('draw-now', { move: JSON.stringify(move) }),
  aim: (move, count, how) => {
    change(({ play }) => { play.aimed = move ? { move, count, how } : null; });
    const { length, hint, reach } = state.play;
    if (move && how === 'keys') say(spoken(move, length, count) + (same(move, hint) ? `. ${t('hint-says', reach?.score)}` : ''));
  },
  pick: (number) => (state.play.verdict?.board ? undefined : act('go-to', { number: String(number) })),
  miss: (dot, at) => act('miss', { dot: JSON.stringify(dot), at: JSON.stringify(at) }),
};

/** @type {Record<string, string>} */
export const GLYPHS = { E: '—', S: '|', SE: '╲', NE: '╱' };

/** A move in words. @param {Move} move @param {number} length @param {number} [count] how many lines go through its dot */
export function spoken({ new: [x, y], line: [[sx, sy], direction] }, length, count = 1) {
  const [dx, dy] = STEPS[direction];
  const says = t('move-says', x, y, GLYPHS[direction], sx, sy, sx + dx * (length - 1), sy + dy * (length - 1));
  return count > 1 ? `${says}. ${t('lines-here', count)}` : says;
}

/** The pen while a start is drawn. @type {import('../board.js').Pen} */
export const startPen = { tap: (dot) => act('toggle-dot', { dot: JSON.stringify(dot) }) };

on({
  draw: (data) => inTurn(() => act('draw-now', data)),
  /** Draws, if the move is legal by now. */
  'draw-now': async ({ move }) => {
    const drawn = /** @type {Move} */ (JSON.parse(/** @type {string} */ (move)));
    const { tree: { at }, positions } = state.play;
    const legal = positions[at]?.legal;
    if (legal && !legal.some((one) => same(one, drawn))) return act('miss', { dot: JSON.stringify(drawn.new) });
    stopReplay();
    const going = go(({ tree }) => play(tree, drawn, 'mine'));
    const mine = state.play.tree.at;
    await going;
    return state.play.tree.at === mine ? celebrate() : undefined;
  },
  miss: async ({ dot, at = 'null' }) => {
    const { rules, start, tree, readOnly, verdict } = state.play;
    if (readOnly || verdict?.board) return undefined;
    const { kind, dots, needed } = await ask('obstacle', native(rules, start, path(tree)), { at: JSON.parse(/** @type {string} */ (dot)) });
    return toast(t(`miss-${kind}`, dots, needed), { kind: 'bad', at: JSON.parse(at) ?? undefined });
  },
  undo: () => { stopReplay(); return canReturn(state.play) ? act('game-before') : go(({ tree }) => undo(tree)); },
  redo: () => { stopReplay(); return go(({ tree }) => redo(tree)); },
  'undo-all': () => { stopReplay(); return go(({ tree }) => { tree.at = 0; }); },
  'redo-all': () => { stopReplay(); return go(({ tree }) => { tree.at = end(tree); }); },
  'go-to': ({ number }) => { stopReplay(); return go(({ tree }) => goTo(tree, Number(number))); },
  'slide-to': (_, event) => { stopReplay(); return go(({ tree }) => goTo(tree, Number(/** @type {HTMLInputElement} */ (event?.target).value))); },
  'take-back': ({ number }) => { stopReplay(); return go(({ tree }) => goTo(tree, line(tree).length - Number(number))); },
  branch: ({ by }) => (state.play.tree.at ? go(({ tree }) => turn(tree, Number(by))) : undefined),
  'enter-branch': ({ node }) => go(({ tree }) => { enterBranch(tree, Number(node)); tree.at = end(tree); }),
  replay: async () => {
    if (state.play.replaying) return stopReplay();
    const { tree } = state.play;
    if (tree.nodes[tree.at].last < 0) await go(({ tree: all }) => { all.at = 0; });
    change(({ play }) => { play.replaying = true; });
    return tick();
  },
  legal: () => change(({ play }) => { play.showLegal = !play.showLegal; keep('legal', play.showLegal); }),
  numbers: () => change(({ play }) => { play.numbers = !play.numbers; keep('numbers', play.numbers); }),
  sheet: () => change(({ play }) => { play.sheet = !play.sheet; }),
  'party-over': () => change(({ play }) => { play.party = null; }),
  hint: async () => {
    const found = await search('hint', 1);
    if (!found) return;
    const next = found.moves[line(state.play.tree).length];
    change(({ play }) => Object.assign(play, { hint: next ?? null, reach: { node: play.tree.at, score: found.score } }));
    toast(next ? t('hint-says', found.score) : t('nothing-left'));
    // There Enter draws it.
    document.getElementById('board')?.focus();
  },
  finish: async () => {
    const found = await search('finish', 4);
    if (!found) return;
    const from = line(state.play.tree).length;
    await go(({ tree }) => found.moves.slice(from).forEach((/** @type {Move} */ move) => play(tree, move, 'search')));
    lastMine = from;
    if (found.left && state.play.games[state.play.rules]?.endless) toast(t('stopped-endless', found.score, state.play.rules), { action: 'see-endless', label: t('see-proof') });
    else toast(t(found.left ? 'stopped' : 'finished', found.score), { action: 'back-to', label: t('back-to', from) });
  },
  'see-endless': () => { location.hash = `#proofs/${state.play.rules}`; },
  'back-to': () => go(({ tree }) => goTo(tree, lastMine)),
  game: (_, event) => fresh(/** @type {HTMLSelectElement} */ (event?.target).value, 'cross'),
  'new-game': () => fresh(state.play.rules, state.play.start),
  'game-before': async () => {
    const { before } = state.play;
    if (before) await begin(before.rules, before.start, { tree: before.tree, draft: before.draft });
  },
  share: async () => {
    const link = await linkAs('g');
    if (navigator.share && matchMedia('(pointer: coarse)').matches) return navigator.share({ title: 'Morpion Solitaire', url: link }).catch(() => {});
    await navigator.clipboard?.writeText(link).catch(() => {});
    return toast(t('link-copied', link.length), { kind: 'good' });
  },
  /** The game for another page. */
  embed: async () => {
    const link = await linkAs('e');
    await navigator.clipboard?.writeText(`<iframe src="${link}" width="480" height="520" style="border:0"></iframe>`).catch(() => {});
    toast(t('copied'), { kind: 'good' });
  },
  'save-as': async ({ format }) => {
    const { rules, start, tree, numbers } = state.play;
    const { blob, name } = await askFile(`convert/${format}`, native(rules, start, path(tree), provenance()), { theme: isDark() ? 'dark' : 'light', numbers, colours: true });
    save(blob, name);
  },
  keep: async () => {
    const { new: added } = await keepGame();
    toast(t(added ? 'kept' : 'kept-before'), { kind: 'good' });
  },
  print: async ({ sheet = 'game' }) => {
    const { print } = await import('../print.js');
    return print(sheet);
  },
  'edit-start': () => change((all) => {
    const { play } = all;
    all.toast = null;
    Object.assign(play, { party: null, editing: play.start === 'cross' ? [] : [...play.dots], sheet: false, hint: null, verdict: null });
  }),
  'edit-cross': () => change(({ play }) => { play.editing = [...play.dots]; }),
  'edit-cancel': () => change(({ play }) => { play.editing = null; }),
  'edit-done': () => fresh(state.play.rules, /** @type {Dot[]} */ (state.play.editing)),
  'toggle-dot': ({ dot }) => change(({ play }) => {
    const editing = play.editing ?? [];
    const index = editing.findIndex((other) => JSON.stringify(other) === dot);
    play.editing = index >= 0 ? editing.filter((_, at) => at !== index) : [...editing, JSON.parse(/** @type {string} */ (dot))];
  }),
  'verdict-close': () => change(({ play }) => { play.verdict = null; }),
});

let lastMine = 0;

/** Whether Back leads to the game before: nothing has been played in this one. @param {Play} play */
export function canReturn({ tree, before, editing }) {
  return tree.nodes.length === 1 && before !== null && !editing;
}

/** Begins anew; the game before can be taken back. @param {string} rules @param {Start} start */
async function fresh(rules, start) {
  const had = state.play.tree.nodes.length > 1;
  // So that Back leads to where it was left.
  await asked();
  await tellAddress(false);
  await begin(rules, start);
  // All of the new game is seen, wherever the pen was in the old one.
  requestAnimationFrame(() => act('fit'));
  if (had) toast(t('new-game-says'), { action: 'game-before', label: t('undo-new') });
}

/** The picture of the board. @param {Play} play @returns {import('../types.js').Picture} */
export function picture(play) {
  const { dots, tree, length, positions, showLegal, numbers, hint, editing, verdict, readOnly } = play;
  if (editing) return { start: editing, moves: [], length, free: true };
  if (verdict?.board) return { ...verdict.board, numbers, bad: verdict.bad, lines: verdict.lines, stuck: verdict.stuck, missing: verdict.missing };
  return {
    start: dots, moves: path(tree), length, numbers, hint,
    legal: readOnly ? [] : positions[tree.at]?.legal ?? [], showLegal,
    coming: path(tree, end(tree)).slice(line(tree).length),
  };
}

/** The branches that leave the line before its last move, by the number of the move they replace. @param {Play} play */
export function chips({ tree }) {
  const whole = [0, ...line(tree, end(tree))];
  return whole.map((node, index) => branches(tree, node).filter(({ node: next }) => next !== whole[index + 1]));
}
