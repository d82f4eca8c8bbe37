/** A game to be looked at move by move: a board, a slider, a pace. */

import { act, change, on, state } from './api.js';
import { board } from './board.js';
import { h } from './dom.js';
import { icon } from './icons.js';
import { t } from './texts.js';

/** @typedef {import('./api.js').Move} Move */

/**
 * @typedef {object} Replay
 * @property {any} picture what board.js draws, with all moves
 * @property {number} at how many moves are shown
 * @property {boolean} playing
 * @property {number} pace moves in a second
 */

/** @type {ReturnType<typeof setTimeout>|undefined} */
let timer;

/** A game at its end. @param {any} picture @returns {Replay} */
export function newReplay(picture) {
  return { picture, at: picture.moves.length, playing: false, pace: 8 };
}

/** The replay that is on the page: every page has at most one. @returns {Replay|null} */
function current() {
  return state[state.page]?.replay ?? null;
}

function tick() {
  clearTimeout(timer);
  const replay = current();
  if (!replay?.playing) return;
  timer = setTimeout(() => {
    change(() => {
      replay.at = Math.min(replay.at + 1, replay.picture.moves.length);
      if (replay.at === replay.picture.moves.length) replay.playing = false;
    });
    tick();
  }, 1000 / replay.pace);
}

on({
  'replay-at': (_, event) => change(() => {
    const replay = current();
    if (replay) Object.assign(replay, { at: Number(/** @type {HTMLInputElement} */ (event?.target).value), playing: false });
  }),
  'replay-step': ({ by }) => change(() => {
    const replay = current();
    if (replay) Object.assign(replay, { at: Math.max(0, Math.min(replay.picture.moves.length, replay.at + Number(by))), playing: false });
  }),
  'replay-pace': (_, event) => change(() => {
    const replay = current();
    if (replay) replay.pace = Number(/** @type {HTMLSelectElement} */ (event?.target).value);
  }),
  'replay-play': () => {
    change(() => {
      const replay = current();
      if (!replay) return;
      replay.playing = !replay.playing;
      if (replay.playing && replay.at === replay.picture.moves.length) replay.at = 0;
    });
    tick();
  },
});

/** @param {Replay} replay */
export function replayView(replay) {
  const { picture, at, playing, pace } = replay;
  const all = picture.moves.length;
  const shown = { ...picture, moves: picture.moves.slice(0, at), frame: frame(picture) };
  if (picture.bad && at < picture.bad) shown.bad = undefined;
  return h('div', { class: 'stage' },
    board(shown, { role: 'img', 'aria-label': t('replay-says', at, all) }),
    all > 0 && h('div', { class: 'player' },
      h('div', { class: 'row' },
        h('button', { class: 'icon', 'data-do': 'replay-play', id: 'replay-play', 'aria-label': t(playing ? 'pause' : 'play') }, icon(playing ? 'pause' : 'play')),
        h('button', { class: 'icon', 'data-do': 'replay-step', 'data-by': -1, 'aria-label': t('undo') }, '‹'),
        h('input', { class: 'wide', type: 'range', min: 0, max: all, value: at, 'data-input': 'replay-at', id: 'replay-at', 'aria-label': t('move-number') }),
        h('button', { class: 'icon', 'data-do': 'replay-step', 'data-by': 1, 'aria-label': t('redo') }, '›'),
        h('span', { id: 'replay-number' }, `${at} / ${all}`)),
      h('label', { class: 'row small quiet' }, t('pace'),
        h('select', { class: 'wide', 'data-change': 'replay-pace', value: pace }, [2, 4, 8, 16, 32].map((value) => h('option', { value }, t('per-second', value)))))));
}

/** All of the game, so that the board stays where it is. @param {any} picture */
function frame({ start, moves }) {
  const dots = [...start, ...moves.map((/** @type {Move} */ move) => move.new)];
  if (!dots.length) return [[0, 0], [9, 9]];
  const xs = dots.map(([x]) => x);
  const ys = dots.map(([, y]) => y);
  const least = (/** @type {number[]} */ list) => list.reduce((a, b) => Math.min(a, b));
  const most = (/** @type {number[]} */ list) => list.reduce((a, b) => Math.max(a, b));
  return [[least(xs), least(ys)], [most(xs), most(ys)]];
}

/** Keys of all replays. @param {KeyboardEvent} event */
export function replayKeys(event) {
  if (!current()) return false;
  if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
    act('replay-step', /** @type {any} */ ({ by: event.key === 'ArrowLeft' ? '-1' : '1' }));
    return true;
  }
  return false;
}

/** Stops what plays, on leaving a page. */
export function pauseReplay() {
  clearTimeout(timer);
  const replay = current();
  if (replay) replay.playing = false;
}
