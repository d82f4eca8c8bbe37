/** Formulas as dots: a 3-SAT formula becomes a pattern, a model becomes a game. */

import { change, isDark, on, state } from '../api.js';
import { h } from '../dom.js';
import { newReplay, pauseReplay, replayKeys, replayView } from '../replay.js';
import { ask } from '../server.js';
import { said, t } from '../texts.js';

const EXAMPLE = 'p cnf 3 3\n1 2 -3 0\n-1 3 0\n-2 -3 0\n';

state.reduce = { text: EXAMPLE, busy: false, pattern: null, picture: null, model: [], played: null, replay: null };

export const keys = replayKeys;
export const leave = pauseReplay;

on({
  'formula-text': (_, event) => change(({ reduce }) => { reduce.text = /** @type {HTMLTextAreaElement} */ (event?.target).value; }),
  'formula-reduce': () => busy(async () => {
    const pattern = await ask(`reduce?theme=${isDark() ? 'dark' : 'light'}`, new Blob([state.reduce.text]));
    const picture = URL.createObjectURL(new Blob([pattern.picture], { type: 'image/svg+xml' }));
    change(({ reduce }) => {
      if (reduce.picture) URL.revokeObjectURL(reduce.picture);
      const model = Array.from({ length: pattern.variables }, (_, index) => index + 1);
      Object.assign(reduce, { pattern, picture, model, played: null, replay: null, formula: reduce.text });
    });
  }),
  'formula-flip': ({ index }) => change(({ reduce }) => {
    reduce.model[Number(index)] *= -1;
    Object.assign(reduce, { played: null, replay: null });
  }),
  'formula-play': () => busy(async () => {
    const { formula, model, pattern } = state.reduce;
    const played = await ask('reduce/play', { formula, model });
    change(({ reduce }) => {
      reduce.played = played;
      reduce.replay = newReplay({ start: pattern.record.start, moves: played.record.moves, length: parseInt(pattern.record.rules, 10), numbers: false, grid: false });
    });
  }),
});

/** @param {() => Promise<void>} work */
async function busy(work) {
  change(({ reduce }) => { reduce.busy = true; });
  try {
    await work();
  } finally {
    change(({ reduce }) => { reduce.busy = false; });
  }
}

/** @param {any} state */
export function render({ reduce }) {
  const { pattern, played } = reduce;
  return h('div', { class: 'stack' },
    h('h1', {}, t('reduce-title')), h('p', { class: 'quiet' }, t('reduce-says')),
    h('div', { class: 'two even' },
      h('section', { class: 'stack' },
        h('label', { class: 'field' }, t('formula'), h('textarea', { rows: 8, 'data-input': 'formula-text', id: 'formula', value: reduce.text, spellcheck: 'false' })),
        h('div', { class: 'row' }, h('button', { class: 'main', 'data-do': 'formula-reduce', id: 'formula-reduce', disabled: reduce.busy }, reduce.busy ? t('working') : t('make-pattern')))),
      h('section', { class: 'stack' }, pattern ? model(reduce) : h('p', { class: 'quiet' }, t('no-pattern')))),
    pattern && h('p', { class: 'notice', id: 'statement' }, said(pattern.statement)),
    played ? replayView(reduce.replay) : reduce.picture && h('img', { class: 'picture', src: reduce.picture, alt: t('pattern-picture', pattern.dots), id: 'pattern' }));
}

/** @param {any} reduce */
function model({ pattern, model, played, busy }) {
  const holds = (/** @type {number[]} */ clause) => clause.some((literal) => model.includes(literal));
  return h('div', { class: 'card stack' },
    h('h2', {}, t('model')), h('p', { class: 'small quiet' }, t('model-says')),
    h('div', { class: 'models' }, model.map((/** @type {number} */ literal, /** @type {number} */ index) =>
      h('button', { 'data-do': 'formula-flip', 'data-index': index, 'aria-pressed': String(literal > 0) }, t('variable', index + 1, literal > 0)))),
    h('div', { class: 'clauses' }, pattern.formula.map((/** @type {number[]} */ clause) =>
      h('span', { class: `tag ${holds(clause) ? 'good' : 'bad'}` }, clause.map((literal) => (literal > 0 ? `x${literal}` : `¬x${-literal}`)).join(' ∨ ') || '⊥'))),
    h('button', { 'data-do': 'formula-play', id: 'formula-play', disabled: busy }, t('play-model')),
    played && h('p', { class: `notice ${played.reaches ? 'good' : 'bad'}`, id: 'played' }, t(played.reaches ? 'model-reaches' : 'model-fails', played.moves, played.threshold)));
}
