/** Proofs: how long a game can be, what is certified, and the certificates. */

import { h } from '../dom.js';
import { ask, save, served } from '../engine.js';
import { change, isDark, on, state } from '../state.js';
import { said, t } from '../texts.js';

/** @typedef {{verdict: string, claim: string|null, reason: string|null, seconds?: number}} Checked */
/**
 * @typedef {object} Proofs
 * @property {any[]|null} rows
 * @property {any[]} records
 * @property {Record<string, Checked|'busy'>} checks
 * @property {Record<string, string>} sums SHA-256 by the names of proofs
 * @property {{game: string, board: string, busy: boolean, solved: any, picture: string|null}} lp
 */
/** @type {Proofs} */
const first = { rows: null, records: [], checks: {}, sums: {}, lp: { game: '5T', board: 'square:14', busy: false, solved: null, picture: null } };
state.proofs = first;

const FIRST = ['5T', '5D', '4T', '4D'];
/** Bounds of others that this program does not certify: the bound, by whom. @type {Record<string, [number, string]>} */
const PUBLISHED = { '5T': [485, 'Michalewski, Nagórko, Pawlewicz 2015'], '5D': [84, 'Michalewski, Nagórko, Pawlewicz 2016'], '4T': [62, 'Quist 2008'], '4D': [35, 'Quist 2008'] };
/** Proofs that are too large for the program, in the folder `proofs`. @type {Record<string, {file: string, bound: number}>} */
const BESIDE = { '4T': { file: '4T-62.tree.gz', bound: 62 }, '5D': { file: '5D-110.extents.gz', bound: 110 } };

export async function enter() {
  if (state.proofs.rows) return;
  const [rows, records] = await Promise.all([ask('bounds'), ask('records')]);
  change(({ proofs }) => Object.assign(proofs, { rows, records }));
}

on({
  'verify-proof': async ({ name = '' }) => {
    change(({ proofs }) => { proofs.checks[name] = 'busy'; });
    try {
      const began = performance.now();
      const checked = await ask(`proofs/${name}`, '');
      change(({ proofs }) => { proofs.checks[name] = { seconds: (performance.now() - began) / 1000, ...checked }; });
    } catch (error) {
      change(({ proofs }) => { delete proofs.checks[name]; });
      throw error;
    }
  },
  'save-proof': async ({ name = '' }) => {
    const response = await fetch(served ? `api/proofs/${name}` : `proofs/${name}`);
    const bytes = await response.arrayBuffer();
    save(new Blob([bytes]), name.split('/').at(-1) ?? name);
    const digest = await crypto.subtle?.digest('SHA-256', bytes);
    const sum = digest ? [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('') : '';
    change(({ proofs }) => { proofs.sums[name] = sum; });
  },
  'lp-game': (_, event) => change(({ proofs }) => { proofs.lp.game = /** @type {HTMLSelectElement} */ (event?.target).value; }),
  'lp-board': (_, event) => change(({ proofs }) => { proofs.lp.board = /** @type {HTMLInputElement} */ (event?.target).value.trim(); }),
  'lp-solve': async () => {
    const { game, board } = state.proofs.lp;
    change(({ proofs }) => { proofs.lp.busy = true; });
    try {
      const solved = await ask('lp-solution', '', { game, board, theme: isDark() ? 'dark' : 'light' });
      const picture = URL.createObjectURL(new Blob([solved.picture], { type: 'image/svg+xml' }));
      change(({ proofs }) => {
        if (proofs.lp.picture) URL.revokeObjectURL(proofs.lp.picture);
        Object.assign(proofs.lp, { solved, picture });
      });
    } finally {
      change(({ proofs }) => { proofs.lp.busy = false; });
    }
  },
});

/** @param {import('../state.js').State} state */
export function render({ proofs }) {
  const { rows, lp } = proofs;
  return h('div', { class: 'stack' },
    h('h1', {}, t('proofs-title')), h('p', { class: 'quiet' }, t('proofs-says')),
    rows ? h('div', { class: 'games', id: 'proofs' }, FIRST.map((name) => rows.find((/** @type {any} */ row) => row.game === name)).filter(Boolean).map((row) => game(row, proofs))) : h('p', { class: 'quiet' }, t('verifying')),
    h('a', { class: 'card', href: '#hard', id: 'to-hard' }, h('b', {}, t('page-hard')), h('p', { class: 'quiet' }, t('hard-says'))),
    rows && h('details', { class: 'card' }, h('summary', {}, t('other-games')), h('div', { class: 'table' }, h('table', {},
      h('thead', {}, h('tr', {}, ['game', 'longest', 'at-most', 'by-what'].map((name) => h('th', { scope: 'col' }, t(name))))),
      h('tbody', {}, rows.filter((/** @type {any} */ row) => !FIRST.includes(row.game) && parseInt(row.game, 10) <= 7).map((/** @type {any} */ row) => h('tr', {}, h('th', { scope: 'row' }, row.game),
        h('td', {}, row.endless ? t('endless') : row.in_print?.moves ?? '–'), h('td', {}, row.endless ? '∞' : row.proven ?? row.bound ?? '–'),
        h('td', {}, row.proof ? proofTools(row.proof, proofs) : row.by ? said(row.by) : '')))))), h('p', { class: 'small quiet' }, t('longer-lines'))),
    served && h('form', { class: 'card stack', 'data-submit': 'lp-solve' }, h('h2', {}, t('lp-title')), h('p', { class: 'small quiet' }, t('lp-says')),
      h('div', { class: 'form' }, h('label', { class: 'field' }, t('game'), h('select', { 'data-change': 'lp-game', value: lp.game }, FIRST.map((name) => h('option', { value: name }, name)))),
        h('label', { class: 'field' }, t('lp-board'), h('input', { 'data-change': 'lp-board', value: lp.board, id: 'lp-board', maxlength: 60 }), h('small', {}, 'square:14 · octagon:10,8,10,12,10,8,10,12 · box:3,2,2,2'))),
      h('div', { class: 'row' }, h('button', { class: 'main', id: 'lp-solve', disabled: lp.busy }, lp.busy ? t('working') : t('lp-solve')), lp.solved && h('span', { class: 'tag good', id: 'lp-claim' }, t('lp-proven', lp.solved.claim, lp.solved.value.toFixed(3)))),
      lp.picture && h('img', { class: 'picture', src: lp.picture, alt: t('lp-picture'), id: 'lp-picture' })));
}

/** @param {any} row @param {Proofs} proofs */
function game(row, proofs) {
  const beside = BESIDE[row.game];
  const certified = beside && (!row.proven || beside.bound < row.proven) ? beside.bound : row.proven ?? row.bound;
  const record = row.in_print?.moves;
  const ours = Math.max(0, ...proofs.records.filter((one) => one.game === row.game && one.link).map((one) => one.moves));
  const [published, by] = PUBLISHED[row.game];
  const exact = certified === record;
  return h('section', { class: 'card stack', key: row.game, 'data-game': row.game },
    h('div', { class: 'row' }, h('h2', { class: 'grow' }, t('game-name', row.game)), exact && h('span', { class: 'tag good' }, t('exact'))),
    numberLine([{ at: ours, word: t('our-best'), kind: '' }, { at: record, word: row.in_print ? said(row.in_print.by) : '', kind: 'print' }, { at: published, word: t('published'), kind: 'print' }, { at: certified, word: t('certified'), kind: 'bound' }], exact),
    h('p', {}, exact ? t('is-exact', row.game, record) : t('is-open', record, certified)),
    h('p', { class: 'small quiet' }, t('published-says', published, by)),
    beside && certified === beside.bound ? h('div', { class: 'stack' }, h('p', { class: 'small' }, t('beside', beside.file)), h('pre', {}, `morpion verify proofs/${beside.file}`)) : row.proof && proofTools(row.proof, proofs),
    h('details', { class: 'small' }, h('summary', {}, t('by-formula', row.bound, said(row.by ?? ''))), row.argument.map((/** @type {string} */ text) => h('p', { lang: 'en' }, text))));
}

/** Verify it here, or take it along. @param {string} name @param {Proofs} proofs */
function proofTools(name, { checks, sums }) {
  const checked = checks[name];
  return h('div', { class: 'stack' },
    h('div', { class: 'row' },
      h('button', { 'data-do': 'verify-proof', 'data-name': name, disabled: checked === 'busy' }, checked === 'busy' ? t('verifying') : t('verify-now')),
      h('button', { 'data-do': 'save-proof', 'data-name': name }, t('save-proof')),
      checked && checked !== 'busy' && h('span', { class: `tag ${checked.verdict === 'refused' ? 'bad' : 'good'}` }, checked.verdict === 'refused' ? t('verdict-refused') : t('proven-in', checked.claim, (checked.seconds ?? 0).toFixed(1)))),
    sums[name] && h('div', { class: 'small' }, h('p', { class: 'sum' }, `SHA-256 ${sums[name]}`), h('pre', {}, `morpion verify ${name.split('/').at(-1)}`)));
}

/** From our best to the bound. @param {{at: number, word: string, kind: string}[]} marks @param {boolean} exact */
function numberLine(marks, exact) {
  const shown = marks.filter(({ at }) => at > 0).sort((one, other) => one.at - other.at);
  const [low, high] = [shown[0].at, shown.at(-1)?.at ?? 1];
  const [from, to] = [low - Math.max(2, (high - low) * 0.12), high + Math.max(2, (high - low) * 0.12)];
  const x = (/** @type {number} */ value) => 20 + 400 * (value - from) / (to - from);
  // Labels that would touch go to the next row, those of the same number share one.
  /** @type {{at: number, words: string[], kind: string, row: number}[]} */
  const labels = [];
  for (const { at, word, kind } of shown) {
    const same = labels.find((one) => one.at === at);
    if (same) same.words.push(word);
    else labels.push({ at, words: [word], kind, row: labels.filter((one) => x(at) - x(one.at) < 120).length % 3 });
  }
  const height = 72 + 34 * Math.max(...labels.map(({ row }) => row));
  return h('svg', { class: 'number-line', viewBox: `0 0 440 ${height}`, role: 'img', 'aria-label': shown.map(({ at, word }) => `${at} ${word}`).join(', ') },
    h('line', { class: 'axis', x1: 10, x2: 430, y1: 24, y2: 24 }),
    h('line', { class: exact ? 'done' : 'open', x1: x(low), x2: Math.max(x(low) + 1, x(high)), y1: 24, y2: 24 }),
    labels.map(({ at, words, kind, row }) => [
      h('circle', { class: `mark ${kind}`, cx: x(at), cy: 24, r: 6 }),
      h('line', { class: 'axis', x1: x(at), x2: x(at), y1: 30, y2: 38 + 34 * row, 'stroke-opacity': 0.5 }),
      h('text', { x: Math.max(40, Math.min(400, x(at))), y: 50 + 34 * row }, at),
      h('text', { class: 'small', x: Math.max(60, Math.min(380, x(at))), y: 63 + 34 * row }, words.filter(Boolean).join(', ')),
    ]));
}
