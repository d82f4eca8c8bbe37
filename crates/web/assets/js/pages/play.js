/** Playing: what happens. What is seen of it is in play-view.js. */

import { act, change, isDark, keep, kept, on, say, state } from '../api.js';
import { pointAt } from '../board.js';
import { forgetDraft, keepHere, newDraft, saveSoon } from '../drafts.js';
import { pack, unpack } from '../link.js';
import { ask, askFile, native, save } from '../server.js';
import { t } from '../texts.js';
import { canRedo, isTree, newTree, path, play, redo, same, treeOf, turn, undo } from '../tree.js';

export { render } from './play-view.js';

/** @typedef {import('../api.js').Dot} Dot */
/** @typedef {import('../api.js').Move} Move */

state.play = {
  rules: '5T',
  /** `cross`, or the dots of a start of one's own. */
  start: 'cross',
  tree: newTree(),
  /** What the server said of each node of the tree: legal moves and their number. */
  positions: {},
  /** What the game is like: its start and the length of lines. */
  known: null,
  /** What is known of each usual game: the record, bounds. */
  games: {},
  showLegal: kept('legal') ?? false,
  showNumbers: kept('numbers') ?? true,
  /** Lines to choose from, when several go through a point. */
  choices: [],
  hint: null,
  /** What a search says can be reached. */
  reach: null,
  /** What the keyboard points at. */
  cursor: null,
  /** The dots of a start that is being drawn, or null. */
  editing: null,
  /** What is going on: `hint` or `finish`, or null. */
  busy: null,
  link: null,
  note: null,
  /** The name of this game in the archive, once it is there. */
  archived: null,
  /** The number under which the server saves the game while it is played, and whether it has. */
  draft: newDraft(),
  saved: false,
};

/** Comes to the page, with a game in the address or with the last one. @param {string} rest */
export async function enter(rest) {
  if (rest) {
    try {
      const { rules, start, moves } = await unpack(rest);
      history.replaceState(null, '', '#play');
      await begin(rules, start, moves);
      return;
    } catch (error) {
      change((state) => { state.error = t('bad-link', error instanceof Error ? error.message : ''); });
    }
  }
  if (state.play.known) return;
  const last = kept('game');
  try {
    await begin(last?.rules ?? '5T', last?.start ?? 'cross', last?.moves ?? [], last ?? {});
  } catch {
    await begin('5T', 'cross', []);
  }
}

/**
 * Begins a game, with some moves if there are any, or goes on with a tree or a draft that was kept.
 * @param {string} rules @param {any} start @param {Move[]} moves @param {{tree?: any, draft?: number}} [before]
 */
export async function begin(rules, start, moves, before = {}) {
  const position = await ask('position', native(rules, start, moves));
  const usable = isTree(before.tree) && JSON.stringify(path(before.tree)) === JSON.stringify(moves);
  const tree = usable ? before.tree : treeOf(moves);
  const draft = Number.isSafeInteger(before.draft) ? before.draft : newDraft();
  change(({ play }) => {
    Object.assign(play, { rules, start, tree, draft, saved: false, positions: {}, choices: [], hint: null, reach: null, cursor: null, editing: null, link: null, note: null, archived: null });
    play.known = { length: position.length, start: position.start };
    remember(play, position);
  });
  keepHere();
  if (start === 'cross' && !state.play.games[rules]) {
    // The game can be played while the server still goes through its proofs.
    ask(`games/${rules}`).then((game) => change(({ play }) => { play.games[rules] = game; }), () => {});
  }
}

/** Notes what the server said of the current node. @param {any} play @param {any} position */
function remember(play, position) {
  play.positions[play.tree.at] = { legal: position.legal, count: position.legal.length };
  let at = play.tree.at;
  for (let index = position.counts.length - 1; index >= 0 && at >= 0; index -= 1) {
    play.positions[at] ??= { legal: null, count: position.counts[index] };
    at = play.tree.nodes[at].parent;
  }
}

/** Asks for what is legal now, if it is not known yet. */
async function sync() {
  const { tree, rules, start, positions } = state.play;
  saveSoon();
  const at = tree.at;
  if (positions[at]?.legal) return;
  const position = await ask('position', native(rules, start, path(tree)));
  change(({ play }) => {
    if (play.tree === tree && play.tree.at === at) remember(play, position);
  });
}

/** Changes the game and asks what is legal then. @param {(play: any) => void} how */
async function move(how) {
  change(({ play }) => {
    Object.assign(play, { choices: [], hint: null, reach: null, link: null, note: null, archived: null });
    how(play);
  });
  await sync();
  const { tree, positions } = state.play;
  const count = positions[tree.at]?.count ?? 0;
  if (count === 0 && tree.nodes[tree.at].next.length === 0) await keepGame().then(forgetDraft).catch(() => {});
  say(count ? t('say-score', path(tree).length, count) : t('say-over', path(tree).length));
}

/** Puts the game into the archive; a game that is over goes there by itself. */
async function keepGame() {
  const { rules, start, tree } = state.play;
  if (!tree.at) return;
  const at = tree.at;
  const { id } = await ask('archive', native(rules, start, path(tree)));
  change(({ play }) => { if (play.tree === tree && tree.at === at) play.archived = id; });
}

/** The moves that add this dot. @param {Dot} dot @returns {Move[]} */
function movesAt(dot) {
  const { tree, positions } = state.play;
  return (positions[tree.at]?.legal ?? []).filter((/** @type {Move} */ move) => same(/** @type {any} */ (move.new), /** @type {any} */ (dot)));
}

/** A tap at a point: plays the only line, or lets choose. @param {Dot} dot */
async function tap(dot) {
  const moves = movesAt(dot);
  if (moves.length === 1) {
    await move(({ tree }) => play(tree, moves[0]));
    return;
  }
  change((state) => {
    state.play.choices = moves;
    state.play.note = moves.length ? null : t('no-line');
  });
  say(moves.length ? t('say-choose', moves.length) : t('no-line'));
}

/** The point meant by a tap: that of the nearest legal move if it is near, else the nearest. @param {Dot} exact @param {Dot} dot @returns {Dot} */
function meant(exact, dot) {
  const { tree, positions } = state.play;
  let [best, distance] = [dot, 0.8];
  for (const { new: spot } of positions[tree.at]?.legal ?? []) {
    const away = Math.hypot(spot[0] - exact[0], spot[1] - exact[1]);
    if (away < distance) [best, distance] = [spot, away];
  }
  return best;
}

/** Searches from here. @param {string} what @param {number} seconds */
async function search(what, seconds) {
  if (state.play.busy) return null;
  const { tree, rules, start } = state.play;
  const at = tree.at;
  change((state) => { state.play.busy = what; });
  try {
    const found = await ask(`continue?seconds=${seconds}`, native(rules, start, path(tree)));
    return state.play.tree === tree && tree.at === at ? found : null;
  } finally {
    change((state) => { state.play.busy = null; });
  }
}

on({
  game: (_, event) => begin(/** @type {HTMLSelectElement} */ (event?.target).value, 'cross', []),
  'new-game': () => begin(state.play.rules, state.play.start, []),
  tap: (_, event) => {
    const svg = /** @type {Element} */ (event?.target).closest('svg');
    const { exact, dot } = pointAt(/** @type {SVGSVGElement} */ (svg), /** @type {MouseEvent} */ (event));
    if (state.play.editing) return act('toggle-dot', /** @type {any} */ ({ dot: JSON.stringify(dot) }));
    return tap(meant(exact, dot));
  },
  choose: ({ index }) => {
    const chosen = state.play.choices[Number(index)];
    return chosen && move(({ tree }) => play(tree, chosen));
  },
  'choose-none': () => change((state) => { state.play.choices = []; }),
  undo: () => move(({ tree }) => undo(tree)),
  redo: () => move(({ tree }) => redo(tree)),
  'undo-all': () => move(({ tree }) => { while (undo(tree)); }),
  'redo-all': () => move(({ tree }) => { while (redo(tree)); }),
  branch: ({ by }) => move(({ tree }) => turn(tree, Number(by))),
  legal: () => change(({ play }) => { play.showLegal = !play.showLegal; keep('legal', play.showLegal); }),
  numbers: () => change(({ play }) => { play.showNumbers = !play.showNumbers; keep('numbers', play.showNumbers); }),
  hint: async () => {
    const found = await search('hint', 1);
    const next = found?.moves[path(state.play.tree).length];
    if (!found) return;
    change(({ play }) => {
      Object.assign(play, next ? { hint: next.new, choices: movesAt(next.new).length > 1 ? [next] : [], reach: found.score } : { note: t('nothing-left') });
    });
    if (next) say(t('hint-says', found.score));
  },
  finish: async () => {
    const found = await search('finish', 4);
    if (!found) return;
    await move(({ tree }) => found.moves.slice(path(tree).length).forEach((/** @type {Move} */ next) => play(tree, next)));
    change(({ play }) => { play.note = t('finished', found.score); });
  },
  'edit-start': () => change(({ play }) => {
    play.editing = play.start === 'cross' ? [] : [...play.start];
    Object.assign(play, { choices: [], hint: null, note: null });
  }),
  'toggle-dot': ({ dot }) => change(({ play }) => {
    const index = play.editing.findIndex((/** @type {Dot} */ other) => JSON.stringify(other) === dot);
    if (index >= 0) play.editing.splice(index, 1);
    else play.editing.push(JSON.parse(/** @type {string} */ (dot)));
  }),
  'edit-cross': () => change(({ play }) => { play.editing = [...play.known.start]; }),
  'edit-cancel': () => change(({ play }) => { play.editing = null; }),
  'edit-done': () => begin(state.play.rules, state.play.editing, []),
  'edit-rules': (_, event) => change(({ play }) => { play.rules = /** @type {HTMLSelectElement} */ (event?.target).value; }),
  'keep-game': () => keepGame(),
  link: async () => {
    const { rules, start, tree } = state.play;
    const link = `${location.origin}/#play/${await pack({ rules, start, moves: path(tree) })}`;
    change(({ play }) => { play.link = link; });
    await navigator.clipboard?.writeText(link).then(() => change(({ play }) => { play.note = t('link-copied'); }), () => {});
  },
  share: async ({ format }) => {
    const { rules, start, tree, showNumbers } = state.play;
    const look = `theme=${isDark() ? 'dark' : 'light'}&numbers=${showNumbers}`;
    const { blob, name } = await askFile(`convert/${format}?${look}`, native(rules, start, path(tree)));
    save(blob, name);
  },
});

/** @type {Record<string, string>} */
const KEYS = { u: 'undo', Backspace: 'undo', r: 'redo', Home: 'undo-all', End: 'redo-all', l: 'legal', h: 'hint', Escape: 'choose-none' };
/** @type {Record<string, Dot>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Whether a key means something here; does it if so. @param {KeyboardEvent} event */
export function keys(event) {
  const { play } = state;
  const pressing = event.target instanceof Element && event.target.matches('button, a, summary');
  if (event.ctrlKey) {
    const name = { z: 'undo', y: 'redo' }[event.key];
    if (name) act(name);
    return Boolean(name);
  }
  if (ARROWS[event.key]) {
    const [dx, dy] = ARROWS[event.key];
    const [x, y] = play.cursor ?? middle(play.known?.start ?? []);
    point([x + dx, y + dy]);
  } else if ((event.key === 'Enter' || event.key === ' ') && !pressing && play.cursor) {
    if (play.editing) act('toggle-dot', /** @type {any} */ ({ dot: JSON.stringify(play.cursor) }));
    else tap(play.cursor);
  } else if ((event.key === 'n' || event.key === 'p') && !play.editing) {
    jump(event.key === 'n' ? 1 : -1);
  } else if (/^[1-9]$/.test(event.key) && play.choices.length) {
    act('choose', /** @type {any} */ ({ index: String(Number(event.key) - 1) }));
  } else if (KEYS[event.key] && !play.editing) {
    act(KEYS[event.key]);
  } else {
    return false;
  }
  return true;
}

/** Points at a dot and says what can be done there. @param {Dot} dot */
function point(dot) {
  change(({ play }) => { play.cursor = dot; });
  say(t('say-point', dot[0], dot[1], movesAt(dot).length));
}

/** Points at the next point where a move is legal. @param {number} by */
function jump(by) {
  const { tree, positions, cursor } = state.play;
  /** @type {Dot[]} */
  const spots = (positions[tree.at]?.legal ?? []).map((/** @type {Move} */ move) => move.new);
  if (!spots.length) return;
  const each = [...new Map(spots.map((dot) => [String(dot), dot])).values()];
  each.sort((one, other) => one[1] - other[1] || one[0] - other[0]);
  const at = each.findIndex((dot) => String(dot) === String(cursor));
  point(each[(at + by + each.length + (at < 0 && by < 0 ? 1 : 0)) % each.length]);
}

/** @param {Dot[]} dots @returns {Dot} */
function middle(dots) {
  const mean = (/** @type {number} */ axis) => Math.round(dots.reduce((sum, dot) => sum + dot[axis], 0) / Math.max(1, dots.length));
  return [mean(0), mean(1)];
}

/** Whether anything can be redone. */
export function mayRedo() {
  return canRedo(state.play.tree);
}
