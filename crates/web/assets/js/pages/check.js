/** Verifies a game or a drawing of any format. */

import { change, on, state } from '../api.js';
import { between, board, pointAt } from '../board.js';
import { h } from '../dom.js';
import { newReplay, pauseReplay, replayKeys, replayView } from '../replay.js';
import { ask } from '../server.js';
import { said, t } from '../texts.js';
import { begin } from './play.js';

/** @typedef {import('../api.js').Dot} Dot */

const GAMES = ['5T', '5D', '4T', '4D', '6T', '6D'];
/** Larger files are refused before they are sent. */
const LARGEST = 8 << 20;

state.check = {
  text: '',
  /** The game of files that do not name it; empty to guess. */
  game: '',
  file: null,
  verdict: null,
  replay: null,
  busy: false,
  /** A drawing in progress: rules, dots of the start, lines, and the first end of the next line. */
  drawing: null,
};

export const keys = replayKeys;
export const leave = pauseReplay;

/** Verifies a file. @param {Blob|string} body @param {string|null} file */
async function check(body, file) {
  change(({ check }) => Object.assign(check, { busy: true, verdict: null, replay: null, file }));
  try {
    const { game } = state.check;
    const verdict = await ask(`verify${game ? `?game=${game}` : ''}`, body instanceof Blob ? body : new Blob([body]));
    change(({ check }) => {
      check.verdict = verdict;
      check.replay = verdict.board ? newReplay(picture(verdict)) : null;
    });
  } finally {
    change(({ check }) => { check.busy = false; });
  }
}

/** What is drawn of a verdict. @param {any} verdict */
function picture({ board: { start, length, moves }, lines, stuck, move: bad }) {
  const missing = stuck.flatMap((/** @type {any} */ line) => line.missing);
  return { start, length, moves, lines, bad: lines.length && stuck.length ? undefined : bad, stuck: new Set(stuck.map((/** @type {any} */ line) => line.line - 1)), missing };
}

on({
  'check-text': (_, event) => change(({ check }) => { check.text = /** @type {HTMLTextAreaElement} */ (event?.target).value; }),
  'check-game': (_, event) => change(({ check }) => { check.game = /** @type {HTMLSelectElement} */ (event?.target).value; }),
  'check-now': () => check(state.check.text, null),
  'check-file': async (_, event) => {
    const transfer = event instanceof DragEvent ? event.dataTransfer : /** @type {HTMLInputElement} */ (event?.target);
    const file = transfer?.files?.[0];
    if (!file) {
      const text = event instanceof DragEvent ? event.dataTransfer?.getData('text') : '';
      if (text) await check(text, null);
      return;
    }
    if (file.size > LARGEST) throw new Error(t('file-too-large'));
    await check(file, file.name);
  },
  'check-play': async () => {
    const { rules, start, moves } = state.check.verdict.record;
    await begin(rules, start, moves);
    location.hash = '#play';
  },
  'draw-lines': async () => {
    const rules = state.check.game || '5T';
    const { start, length } = await ask(`games/${rules}`);
    change(({ check }) => Object.assign(check, { drawing: { rules, start, length, lines: [], end: null }, verdict: null, replay: null }));
  },
  'draw-tap': (_, event) => {
    const svg = /** @type {Element} */ (event?.target).closest('svg');
    const { dot } = pointAt(/** @type {SVGSVGElement} */ (svg), /** @type {MouseEvent} */ (event));
    change(({ check: { drawing } }) => {
      if (!drawing.end) {
        drawing.end = dot;
        return;
      }
      const line = between(drawing.end, dot, drawing.length);
      drawing.end = line ? null : dot;
      if (line) drawing.lines.push(line);
    });
  },
  'draw-undo': () => change(({ check: { drawing } }) => { if (drawing.end) drawing.end = null; else drawing.lines.pop(); }),
  'draw-stop': () => change(({ check }) => { check.drawing = null; }),
  'draw-check': () => {
    const { rules, lines } = state.check.drawing;
    return check(JSON.stringify({ format: 'morpion-game/1', rules, start: 'cross', lines }), null);
  },
});

/** @param {any} state */
export function render({ check }) {
  return h('div', { class: 'two even' },
    h('section', { class: 'stack' },
      h('h1', {}, t('check-title')), h('p', { class: 'quiet' }, t('check-says')),
      check.drawing ? drawing(check) : input(check)),
    h('section', { class: 'stack', 'aria-live': 'polite' }, verdict(check)));
}

/** @param {any} check */
function input(check) {
  return h('div', { class: 'stack' },
    h('div', { class: 'drop', 'data-drop': 'check-file', id: 'drop' },
      h('textarea', { rows: 10, 'data-input': 'check-text', id: 'check-text', value: check.text, spellcheck: 'false', 'aria-label': t('paste-here'), placeholder: t('paste-here') }, ),
      h('label', { class: 'field' }, t('or-file'), h('input', { type: 'file', 'data-change': 'check-file', id: 'check-file' }))),
    h('div', { class: 'row' },
      h('label', { class: 'field wide' }, t('if-unsaid'), h('select', { 'data-change': 'check-game', value: check.game },
        h('option', { value: '' }, t('guess')), GAMES.map((name) => h('option', { value: name }, t('game-name', name)))))),
    h('div', { class: 'row' },
      h('button', { class: 'main wide', 'data-do': 'check-now', id: 'check-now', disabled: check.busy || !check.text.trim() }, t('check-now')),
      h('button', { class: 'wide', 'data-do': 'draw-lines', id: 'draw-lines' }, t('draw-lines'))));
}

/** @param {any} check */
function drawing({ drawing, busy }) {
  const wait = drawing.end ? [drawing.end] : [];
  return h('div', { class: 'stack' },
    h('p', { class: 'quiet' }, t('draw-says', drawing.length)),
    h('div', { class: 'stage' }, board({ start: drawing.start, moves: [], lines: drawing.lines, length: drawing.length, cursor: wait[0] ?? null, frame: [[-3, -3], [12, 12]] },
      { class: 'board live', 'data-do': 'draw-tap', id: 'drawing', role: 'application', 'aria-label': t('draw-lines') })),
    h('div', { class: 'row' },
      h('button', { 'data-do': 'draw-undo', disabled: !drawing.lines.length && !drawing.end }, t('undo')),
      h('button', { 'data-do': 'draw-stop' }, t('cancel')),
      h('button', { class: 'main wide', 'data-do': 'draw-check', id: 'draw-check', disabled: busy || !drawing.lines.length }, t('find-order', drawing.lines.length))));
}

/** @param {any} check */
function verdict({ verdict, replay, busy, file }) {
  if (busy) return h('p', { class: 'quiet' }, t('judging'));
  if (!verdict) return h('p', { class: 'quiet' }, t('no-verdict'));
  const good = verdict.verdict === 'legal' || verdict.verdict === 'ordered';
  return [
    h('div', { class: `notice ${good ? 'good' : 'bad'}`, id: 'verdict', 'data-verdict': verdict.verdict, 'data-move': verdict.move },
      h('b', {}, file ? `${file}: ` : '', t(`verdict-${verdict.verdict}`)),
      h('div', {}, good ? t('legal-says', verdict.game, verdict.moves, verdict.left) : said(verdict.reason)),
      verdict.guessed && h('div', {}, t('guessed', verdict.game)),
      verdict.other_order && h('div', {}, t('other-order'))),
    h('p', { class: 'small quiet' }, t('format-is', said(verdict.format))),
    replay && replayView(replay),
    verdict.stuck.length > 0 && h('ul', { class: 'list scroll small' }, verdict.stuck.map((/** @type {any} */ { line, missing }) =>
      h('li', {}, t('stuck-line', line), ' ', missing.length ? t('stuck-missing', missing.map((/** @type {Dot} */ dot) => `(${dot})`).join(' ')) : t('stuck-full')))),
    good && h('button', { 'data-do': 'check-play', id: 'check-play' }, t('go-on-playing')),
  ];
}
