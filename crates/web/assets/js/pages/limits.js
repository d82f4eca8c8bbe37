/** What is known: the longest games in print against what is proven. */

import { change, on, state } from '../api.js';
import { h } from '../dom.js';
import { ask } from '../server.js';
import { t } from '../texts.js';

state.limits = { rows: null, checks: {} };

export async function enter() {
  if (state.limits.rows) return;
  const rows = await ask('limits');
  change(({ limits }) => { limits.rows = rows; });
}

on({
  'check-proof': async ({ name }) => {
    change(({ limits }) => { limits.checks[/** @type {string} */ (name)] = { busy: true }; });
    try {
      const checked = await ask(`proofs/${name}`, '');
      change(({ limits }) => { limits.checks[/** @type {string} */ (name)] = checked; });
    } catch (error) {
      change(({ limits }) => { delete limits.checks[/** @type {string} */ (name)]; });
      throw error;
    }
  },
});

/** @param {any} state */
export function render({ limits }) {
  return h('div', { class: 'stack' },
    h('h1', {}, t('limits-title')), h('p', { class: 'quiet' }, t('limits-says')),
    limits.rows
      ? h('div', { class: 'card table' }, h('table', { id: 'limits' },
        h('thead', {}, h('tr', {}, ['game', 'dots-word', 'longest', 'at-most', 'room', 'proof'].map((name) => h('th', { scope: 'col', class: name === 'dots-word' ? 'n' : '' }, t(name))))),
        h('tbody', {}, limits.rows.filter(seen).map((/** @type {any} */ row) => line(row, limits.checks[row.proof])))))
      : h('p', { class: 'quiet' }, t('judging')),
    h('p', { class: 'small quiet' }, t('longer-lines')));
}

/** Lines of six and more are all alike. @param {any} row */
function seen({ game }) {
  return parseInt(game, 10) <= 6;
}

/** @param {any} row @param {any} checked */
function line(row, checked) {
  const bound = row.proven ?? row.bound;
  const best = row.in_print?.moves;
  return h('tr', {},
    h('th', { scope: 'row' }, row.game),
    h('td', { class: 'n' }, row.dots),
    h('td', {}, row.endless ? t('endless') : best ? [h('b', {}, best), h('div', { class: 'small quiet' }, row.in_print.by)] : '–'),
    h('td', {}, row.endless ? '∞' : bound ? [h('b', {}, bound), row.exact ? [' ', h('span', { class: 'tag good' }, t('exact'))] : null,
      h('details', { class: 'small' }, h('summary', {}, row.proven ? t('by-proof') : t('by-formula', row.by)), row.proven && h('p', {}, t('formula-says', row.bound, row.by)), row.argument.map((/** @type {string} */ text) => h('p', {}, text)))] : '–'),
    h('td', {}, !row.endless && best && bound ? bar(best / bound) : ''),
    h('td', {}, row.proof ? proof(row, checked) : h('span', { class: 'small quiet' }, row.bound ? t('argument-only') : '')));
}

/** How much of the bound is reached. @param {number} share */
function bar(share) {
  return h('svg', { class: 'bar', viewBox: '0 0 180 14', role: 'img', 'aria-label': `${Math.round(100 * share)} %` },
    h('rect', { class: 'room', x: 0.5, y: 0.5, width: 179, height: 13, rx: 6 }), h('rect', { class: 'best', x: 0, y: 0, width: Math.max(6, 180 * Math.min(1, share)), height: 14, rx: 6 }));
}

/** @param {any} row @param {any} checked */
function proof(row, checked) {
  return h('div', { class: 'stack' },
    h('span', { class: 'small' }, row.claim),
    h('div', { class: 'row' },
      h('button', { 'data-do': 'check-proof', 'data-name': row.proof, disabled: checked?.busy }, checked?.busy ? t('judging') : t('check-it')),
      checked?.verdict && h('span', { class: `tag ${checked.verdict === 'proven' ? 'good' : 'bad'}` }, checked.verdict === 'proven' ? t('proven-in', checked.seconds.toFixed(2)) : checked.reason)));
}
