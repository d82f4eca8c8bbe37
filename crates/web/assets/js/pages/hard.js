/** Why it is hard: a formula becomes dots, a model becomes a game. */

import { same } from '../aim.js';
import { Board } from '../board.js';
import { h } from '../dom.js';
import { ask } from '../engine.js';
import { parse } from '../formula.js';
import { change, on, state } from '../state.js';
import { said, t } from '../texts.js';

/** @typedef {import('../types.js').Move} Move */
/**
 * @typedef {object} Hard
 * @property {string} text
 * @property {number} length
 * @property {boolean} busy
 * @property {any} pattern
 * @property {string[]} names
 * @property {string} formula in DIMACS, as it was compiled
 * @property {number} built the dots per line of the pattern that is shown
 * @property {number[]} model
 * @property {any} played
 * @property {number} at how many moves are shown
 * @property {boolean} playing
 * @property {Map<string, string>} tints
 * @property {import('../types.js').Picture['labels']} labels
 * @property {number|null} lit the variable whose parts stand out, from 0
 */
/** @type {Hard} */
const first = { text: t('formula-first'), length: 5, busy: false, pattern: null, names: [], formula: '', built: 5, model: [], played: null, at: 0, playing: false, tints: new Map(), labels: [], lit: null };
state.hard = first;

/** The colours of gadgets, by their kinds. @type {Record<string, string>} */
const TINTS = { rail: 'var(--quiet)', variable: 'var(--hot)', column: 'var(--pen)', tap: 'var(--legal)', treasure: 'var(--warn)', checker: 'var(--accent)' };

/** @type {Board|null} */
let board = null;
/** @type {ReturnType<typeof setTimeout>|undefined} */
let timer;
let asked = 0;
let made = 0;

export async function enter() {
  if (!state.hard.pattern) await make();
}

export function leave() {
  clearTimeout(timer);
  board?.destroy();
  board = null;
  change(({ hard }) => { hard.playing = false; });
}

/** A formula from a file. @param {string} text */
export async function take(text) {
  change(({ hard }) => { hard.text = text; });
  await make();
}

/** Compiles the formula, and plays a model if there is one. */
async function make() {
  const { text, length } = state.hard;
  const { dimacs, names } = parse(text);
  const mine = made += 1;
  change(({ hard }) => { hard.busy = true; });
  try {
    const pattern = await ask('reduce', new Blob([dimacs]), { length });
    if (mine !== made) return;
    const model = pattern.model ? [...pattern.model] : Array.from({ length: pattern.variables }, (_, index) => index + 1);
    change(({ hard }) => Object.assign(hard, { pattern, names, model, formula: dimacs, built: length, played: null, at: 0, tints: tintsOf(pattern, null), labels: labelsOf(pattern, names), lit: null }));
    await playModel();
  } finally {
    if (mine === made) change(({ hard }) => { hard.busy = false; });
  }
}

/** The colours of the parts; those of a variable stand out if it is lit. @param {any} pattern @param {number|null} lit */
function tintsOf(pattern, lit) {
  const mine = lit === null ? null : new RegExp(`^(variable|rail of|tap from) -?${lit + 1}\\b`);
  const tints = new Map();
  for (const { kind, name, dots } of pattern.parts ?? []) {
    const tint = mine === null ? TINTS[kind] ?? 'var(--ink)' : mine.test(name) ? 'var(--hot)' : 'var(--faint)';
    for (const dot of dots) if (mine === null || tint === 'var(--hot)' || !tints.has(String(dot))) tints.set(String(dot), tint);
  }
  return tints;
}

/** Lights the parts of a variable, or none. @param {number|null} lit */
function light(lit) {
  const { pattern, lit: before } = state.hard;
  if (!pattern || lit === before) return;
  change(({ hard }) => Object.assign(hard, { lit, tints: tintsOf(pattern, lit) }));
}

for (const type of ['pointerover', 'focusin']) {
  document.addEventListener(type, ({ target }) => {
    const index = target instanceof Element ? target.closest('[data-do="formula-flip"]')?.getAttribute('data-index') : null;
    light(index && !state.hard.playing ? Number(index) : null);
  });
}

/**
 * Plays what is chosen; an answer that comes too late is left. Its game is shown at once, or, if it
 * is to be watched, from where it leaves the game before.
 */
async function playModel(watch = false) {
  const { formula, model, built: length, played: before } = state.hard;
  const mine = asked += 1;
  const played = await ask('reduce/play', { formula, model, length });
  if (mine !== asked) return;
  const { moves } = played.record;
  const playing = watch && !matchMedia('(prefers-reduced-motion: reduce)').matches;
  const parting = moves.findIndex((/** @type {Move} */ move, /** @type {number} */ index) => !same(move, before?.record.moves[index]));
  change(({ hard }) => Object.assign(hard, { played, at: playing && parting >= 0 ? parting : moves.length, playing }));
  tick();
}

function tick() {
  clearTimeout(timer);
  const { playing, at, played } = state.hard;
  if (!playing || !played) return;
  const all = played.record.moves.length;
  if (at >= all) {
    change(({ hard }) => { hard.playing = false; });
    return;
  }
  timer = setTimeout(() => {
    change(({ hard }) => { hard.at = Math.min(all, hard.at + Math.max(1, Math.round(all / 400))); });
    tick();
  }, 30);
}

on({
  'formula-text': (_, event) => change(({ hard }) => { hard.text = /** @type {HTMLTextAreaElement} */ (event?.target).value; }),
  'formula-length': (_, event) => {
    change(({ hard }) => { hard.length = Number(/** @type {HTMLSelectElement} */ (event?.target).value); });
    return make();
  },
  'formula-reduce': () => make(),
  'formula-flip': async ({ index }) => {
    // From now on the signal is what is to be seen.
    light(null);
    change(({ hard }) => { hard.model[Number(index)] *= -1; });
    await playModel(true);
  },
  'formula-model': async () => {
    change(({ hard }) => { if (hard.pattern.model) hard.model = [...hard.pattern.model]; });
    await playModel();
  },
  'formula-at': (_, event) => change(({ hard }) => Object.assign(hard, { at: Number(/** @type {HTMLInputElement} */ (event?.target).value), playing: false })),
  'formula-play': () => {
    change(({ hard }) => {
      hard.playing = !hard.playing;
      if (hard.playing && hard.at >= (hard.played?.record.moves.length ?? 0)) hard.at = 0;
    });
    tick();
  },
  'formula-fit': () => board?.fit(),
});

/** @param {import('../state.js').State} state */
export function render({ hard }) {
  const { pattern, played, model, names } = hard;
  const all = played?.record.moves.length ?? 0;
  const word = (/** @type {number} */ literal) => `${literal > 0 ? '' : '¬'}${names[Math.abs(literal) - 1] ?? `x${Math.abs(literal)}`}`;
  const holds = (/** @type {number[]} */ clause) => clause.some((literal) => model.includes(literal));
  return h('div', { class: 'stack' },
    h('p', {}, h('a', { href: '#proofs' }, `‹ ${t('page-proofs')}`)),
    h('h1', {}, t('page-hard')), h('p', { class: 'quiet' }, t('hard-says')),
    h('div', { class: 'hard' },
      h('div', { class: 'stack' },
        h('label', { class: 'field' }, t('formula'), h('textarea', { rows: 4, 'data-input': 'formula-text', id: 'formula', value: hard.text, spellcheck: 'false' }), h('small', {}, t('formula-how'))),
        h('div', { class: 'row' }, h('button', { class: 'main', 'data-do': 'formula-reduce', id: 'formula-reduce', disabled: hard.busy }, hard.busy ? t('working') : t('make-pattern')),
          h('label', { class: 'row' }, t('line-length'), h('select', { id: 'formula-length', 'data-change': 'formula-length', value: hard.length }, [5, 4].map((value) => h('option', { value }, value))))),
        pattern && h('section', { class: 'card stack' },
          h('h2', {}, t('model')), h('p', { class: 'small quiet' }, t('model-says')),
          h('div', { class: 'literals' }, model.map((/** @type {number} */ literal, /** @type {number} */ index) => h('button', { 'data-do': 'formula-flip', 'data-index': index, 'aria-pressed': String(literal > 0) }, t('variable', word(Math.abs(literal)), literal > 0)))),
          h('div', { class: 'literals', id: 'clauses' }, pattern.formula.map((/** @type {number[]} */ clause) => h('span', { class: `tag ${holds(clause) ? 'good' : 'bad'}` }, clause.map(word).join(' ∨ ') || '⊥'))),
          h('div', { class: 'row' }, h('button', { 'data-do': 'formula-model', id: 'formula-model', disabled: !pattern.model }, pattern.model ? t('find-model') : t('no-model'))),
          played && h('p', { class: `notice ${played.reaches ? 'good' : 'bad'}`, id: 'played' }, played.reaches ? t('model-reaches', played.moves, played.threshold) : t('model-fails', played.moves, played.threshold, played.unsatisfied[0] ?? '?')))),
      pattern && h('div', { class: 'stack' },
        h('div', { class: 'reduction' }, h('div', { 'data-own': 'board', id: 'reduction', role: 'img', 'aria-label': t('pattern-picture', pattern.dots), tabindex: 0 })),
        legend(pattern),
        played && h('div', { class: 'row' }, h('button', { 'data-do': 'formula-play', id: 'formula-play' }, t(hard.playing ? 'pause' : 'replay')), h('button', { 'data-do': 'formula-fit' }, t('fit')),
          h('span', { class: 'grow time-at' }, h('input', { type: 'range', min: 0, max: all, value: hard.at, 'data-input': 'formula-at', 'aria-label': t('move-number'), id: 'formula-at' }), h('span', {}, `${hard.at} / ${all}`))),
        h('p', { class: 'notice', id: 'statement' }, `${said(pattern.statement)}.`))));
}

/** What the colours are. @param {any} pattern */
function legend({ parts }) {
  const kinds = new Set((parts ?? []).map((/** @type {any} */ part) => part.kind));
  return h('p', { class: 'row small', id: 'legend' }, Object.entries(TINTS).filter(([kind]) => kinds.has(kind)).map(([kind, fill]) =>
    h('span', { class: 'swatch' }, h('svg', { viewBox: '0 0 10 10', 'aria-hidden': 'true' }, h('circle', { cx: 5, cy: 5, r: 5, fill })), ` ${said(kind)} `)));
}

/** The names of the variables, each at the part of its literal. @param {any} pattern @param {string[]} names */
function labelsOf({ parts }, names) {
  return (parts ?? []).flatMap((/** @type {any} */ { kind, name, dots }) => {
    const literal = kind === 'variable' && /-?\d+$/.exec(name)?.[0];
    return literal && dots.length ? [{ at: dots[0], text: names[Math.abs(Number(literal)) - 1] ?? `x${literal}` }] : [];
  });
}

/** The board of the pattern. */
export function drawn() {
  const host = document.getElementById('reduction');
  const { pattern, played, at, tints, labels, lit } = state.hard;
  if (!host || !pattern?.record) return;
  if (!board || board.host !== host) {
    board?.destroy();
    board = new Board(host, {}, {});
  }
  board.update({ start: pattern.record.start, moves: (played?.record.moves ?? []).slice(0, at), length: parseInt(pattern.record.rules, 10), numbers: false, tints, labels, lit: lit !== null });
}
