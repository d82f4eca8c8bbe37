/** Known results: the longest published games and the proven bounds. */

import { change, isDark, on, state } from '../api.js';
import { h } from '../dom.js';
import { ask } from '../server.js';
import { said, t } from '../texts.js';

state.limits = { rows: null, checks: {}, board: { game: '5T', board: 'square:14', busy: false, solved: null, picture: null } };

export async function enter() {
  if (state.limits.rows) return;
  const rows = await ask('bounds');
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

/** @param {string} name @param {string} value */
function chooseBoard(name, value) {
  change(({ limits }) => { limits.board[name] = value; });
}

on({
  'board-game': (_, event) => chooseBoard('game', /** @type {HTMLSelectElement} */ (event?.target).value),
  'board-name': (_, event) => chooseBoard('board', /** @type {HTMLInputElement} */ (event?.target).value.trim()),
  'board-solve': async () => {
    const { game, board } = state.limits.board;
    change(({ limits }) => { limits.board.busy = true; });
    try {
      const query = new URLSearchParams({ game, board, theme: isDark() ? 'dark' : 'light' });
      const solved = await ask(`lp-solution?${query}`, '');
      const picture = URL.createObjectURL(new Blob([solved.picture], { type: 'image/svg+xml' }));
      change(({ limits }) => {
        if (limits.board.picture) URL.revokeObjectURL(limits.board.picture);
        Object.assign(limits.board, { solved, picture });
      });
    } finally {
      change(({ limits }) => { limits.board.busy = false; });
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
    h('p', { class: 'small quiet' }, t('longer-lines')),
    boardCard(limits.board));
}

/** A board and the bound of its linear program. @param {any} board */
function boardCard({ game, board, busy, solved, picture }) {
  return h('form', { class: 'card stack', 'data-submit': 'board-solve', key: 'board' },
    h('h2', {}, t('board-title')), h('p', { class: 'small quiet' }, t('board-about')),
    h('div', { class: 'form' },
      h('label', { class: 'field' }, t('game'), h('select', { 'data-change': 'board-game', value: game }, ['5T', '5D', '4T', '4D'].map((name) => h('option', { value: name }, t('game-name', name))))),
      h('label', { class: 'field' }, t('board-word'), h('input', { 'data-change': 'board-name', value: board, id: 'board-name', maxlength: 60 }), h('small', {}, 'square:14 · octagon:10,8,10,12,10,8,10,12 · box:3,2,2,2'))),
    h('div', { class: 'row' }, h('button', { class: 'main', id: 'board-solve', disabled: busy }, busy ? t('working') : t('board-solve')),
      solved && h('span', { class: 'tag good' }, t('board-proven', solved.claim, solved.value.toFixed(3)))),
    picture && h('img', { class: 'picture', src: picture, alt: t('board-picture'), id: 'shades' }));
}

/** Games with lines of six dots and more are all alike. @param {any} row */
function seen({ game }) {
  return parseInt(game, 10) <= 6;
}

/** @param {any} row @param {any} checked */
function line(row, checked) {
  const bound = row.proven ?? row.bound;
  const best = row.in_print?.moves;
  return h('tr', {},
    h('th', { scope: 'row' }, row.game),
    cell('dots-word', row.dots, 'n'),
    cell('longest', row.endless ? t('endless') : best ? h('div', {}, h('b', {}, best), h('div', { class: 'small quiet' }, said(row.in_print.by))) : '–'),
    cell('at-most', row.endless ? '∞' : bound ? h('div', {}, h('b', {}, bound), row.exact ? [' ', h('span', { class: 'tag good' }, t('exact'))] : null,
      h('details', { class: 'small' }, h('summary', {}, row.proven ? t('by-proof') : t('by-formula', said(row.by))), row.proven && h('p', {}, t('formula-says', row.bound, said(row.by))), row.argument.map((/** @type {string} */ text) => h('p', { lang: 'en' }, text)))) : '–'),
    cell('room', !row.endless && best && bound ? bar(best / bound) : null),
    cell('proof', row.proof ? proof(row, checked) : row.bound ? h('span', { class: 'small quiet' }, t('argument-only')) : null));
}

/** A cell that can also stand alone, with its label. @param {string} label @param {any} content */
function cell(label, content, kind = '') {
  return h('td', { class: kind, 'data-label': t(label) }, content);
}

/** The share of the bound that is reached. @param {number} share */
function bar(share) {
  return h('svg', { class: 'bar', viewBox: '0 0 180 14', role: 'img', 'aria-label': `${Math.round(100 * share)} %` },
    h('rect', { class: 'room', x: 0.5, y: 0.5, width: 179, height: 13, rx: 6 }), h('rect', { class: 'best', x: 0, y: 0, width: Math.max(6, 180 * Math.min(1, share)), height: 14, rx: 6 }));
}

/** @param {any} row @param {any} checked */
function proof(row, checked) {
  return h('div', { class: 'stack' },
    h('span', { class: 'small' }, row.endless ? `${row.game} : ${t('endless')}` : row.claim),
    h('div', { class: 'row' },
      h('button', { 'data-do': 'check-proof', 'data-name': row.proof, disabled: checked?.busy }, checked?.busy ? t('judging') : t('check-it')),
      checked?.verdict && h('span', { class: `tag ${checked.verdict === 'refused' ? 'bad' : 'good'}` }, checked.verdict !== 'refused' ? t('proven-in', checked.seconds.toFixed(2)) : checked.reason)));
}
