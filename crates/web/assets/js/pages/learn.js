/** Learning: how trainings of `morpion learn` go, while they go on. */

import { change, state } from '../api.js';
import { board } from '../board.js';
import { chart } from '../chart.js';
import { h } from '../dom.js';
import { ask } from '../server.js';
import { t } from '../texts.js';

/** How often the server is asked, in milliseconds. */
const PAUSE = 2000;

state.learn = { trainings: null, now: 0 };

/** @type {ReturnType<typeof setTimeout>|undefined} */
let timer;

export async function enter() {
  clearTimeout(timer);
  timer = undefined;
  await look();
}

export function leave() {
  clearTimeout(timer);
  timer = undefined;
}

/** Asks how they stand, now and again as long as somebody may look. */
async function look() {
  try {
    if (document.visibilityState === 'visible') {
      const trainings = await ask('training-runs');
      change(({ learn }) => Object.assign(learn, { trainings, now: Date.now() / 1000 }));
    }
  } finally {
    if (state.page === 'learn') {
      clearTimeout(timer);
      // A server that is gone for a moment may come back.
      timer = setTimeout(() => look().catch(() => {}), PAUSE);
    }
  }
}

/** @param {any} state */
export function render({ learn }) {
  const { trainings, now } = learn;
  return h('div', { class: 'stack' },
    h('h1', {}, t('learn-title')), h('p', { class: 'quiet' }, t('learn-says')),
    trainings === null ? h('p', { class: 'quiet' }, t('loading')) : trainings.length === 0 ? how() : null,
    h('div', { class: 'hunts', id: 'trainings' }, (trainings ?? []).map((/** @type {any} */ one) => card(one, now))));
}

/** How a training comes here. */
function how() {
  return h('div', { class: 'card stack', id: 'no-trainings' }, h('p', {}, t('no-trainings')),
    h('pre', {}, 'morpion learn train 5D --preset small --for 2h --out training\nmorpion serve --training training'));
}

/** @param {any} training @param {number} now */
function card({ name, changed, curve, best }, now) {
  const last = (/** @type {string} */ column) => curve[column]?.at(-1);
  const along = (/** @type {string} */ column) => (curve[column] ?? []).map((/** @type {number} */ value, /** @type {number} */ index) => [curve.iteration[index], value]);
  const iterations = last('iteration') ?? 0;
  const means = along('mean');
  const lowest = Math.min(...(curve.mean ?? []), ...(curve.threshold ?? []));
  return h('article', { class: 'card hunt', key: name, 'data-iterations': iterations, 'data-best': last('best') ?? 0 },
    h('header', {}, h('h2', {}, best ? `${name} · ${best.game}` : name), h('span', { class: 'tag' }, t('ago', Math.max(0, Math.round(now - changed))))),
    h('div', { class: 'numbers' }, number(iterations, t('iterations', iterations)),
      means.length > 0 && [number(`${last('mean').toFixed(1)} ± ${last('error95').toFixed(1)}`, t('mean-word')), number(last('best'), t('best-word')), number(last('threshold'), t('threshold-word'))]),
    means.length > 1 && [
      h('figure', {}, h('figcaption', { class: 'small' }, ['mean', 'best', 'threshold'].map((kind) => h('span', { class: `legend ${kind}` }, t(`${kind}-word`)))),
        chart({ points: means, others: { best: along('best'), threshold: along('threshold') }, label: t('learning-curve'), across: t('iterations', iterations), least: Math.max(0, Math.floor(lowest) - 3) })),
      h('figure', {}, h('figcaption', { class: 'small' }, h('span', { class: 'legend mean' }, t('policy-loss')), h('span', { class: 'legend best' }, t('value-loss'))),
        chart({ points: along('policy_loss'), others: { best: along('value_loss') }, label: t('losses'), across: t('iterations', iterations) })),
    ],
    best && board({ start: best.start, length: best.length, moves: best.moves }, { key: 'board', role: 'img', 'aria-label': t('best-game', best.score) }),
    best && h('details', { class: 'small' }, h('summary', {}, t('parameters')),
      h('dl', { class: 'keys' }, h('dt', {}, t('wish-seed')), h('dd', {}, best.seed ?? '–'),
        Object.entries(best.parameters).map(([parameter, value]) => [h('dt', {}, parameter), h('dd', {}, String(value))]))));
}

function number(/** @type {any} */ value, /** @type {string} */ word) {
  return h('div', {}, h('b', {}, value), h('span', { class: 'small quiet' }, word));
}
