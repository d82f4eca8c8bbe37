/** Proofs: how long a game can be, what is certified, and the certificates. */

import { command } from '../command.js';
import { h } from '../dom.js';
import { Refused, ask, served } from '../engine.js';
import { change, isDark, on, state } from '../state.js';
import { LARGEST_PROOF } from '../files.js';
import { decimal, reason, said, t } from '../texts.js';

/** @typedef {{verdict: string, claim: string|null, reason: string|null, fault?: string, seconds?: number}} Checked */
/**
 * @typedef {object} Proofs
 * @property {any[]|null} rows
 * @property {any[]} records
 * @property {Record<string, Checked|'busy'>} checks
 * @property {{file: string|null, checked: Checked|'busy'}|null} own a proof that was dropped or opened
 * @property {string} wanted the game whose row the address asks for
 * @property {{game: string, board: string, busy: boolean, solved: any, picture: string|null}} lp
 */
/** @type {Proofs} */
const first = { rows: null, records: [], checks: {}, own: null, wanted: '', lp: { game: '5T', board: 'square:14', busy: false, solved: null, picture: null } };
state.proofs = first;

const FIRST = ['5T', '5D', '4T', '4D'];
/** What the server answers about files that nobody can read. */
const UNREADABLE = new Set(['not-gzip', 'not-utf-8', 'not-accepted']);
/** Boards to begin with. */
const BOARDS = ['square:14', 'octagon:8,6,8,6,8,6,8,6', 'box:3,2,2,2'];

/** @param {string} rest what follows `proofs/` in the address */
export async function enter(rest) {
  change(({ proofs }) => { proofs.wanted = rest; });
  if (state.proofs.rows) return;
  const [rows, records] = await Promise.all([ask('bounds'), ask('records')]);
  change(({ proofs }) => Object.assign(proofs, { rows, records }));
}

/** Has a proof verified that was dropped or opened. @param {Blob} sent @param {string|null} file */
export async function take(sent, file) {
  const own = { file, checked: /** @type {Checked|'busy'} */ ('busy') };
  change(({ proofs }) => { proofs.own = own; });
  const began = performance.now();
  try {
    const checked = await ask('proofs', sent);
    change(() => { own.checked = { seconds: (performance.now() - began) / 1000, ...checked }; });
  } catch (error) {
    // Damaged is a verdict, too; that nobody could say is not.
    const damaged = error instanceof Refused && UNREADABLE.has(error.code) ? error : null;
    change(({ proofs }) => {
      if (damaged) own.checked = { verdict: 'refused', claim: null, reason: damaged.message, fault: damaged.code };
      else if (proofs.own === own) proofs.own = null;
    });
    if (!damaged) throw error;
  }
}

/** A claim as people write it. @param {string|null} claim */
function written(claim) {
  return (claim ?? '').replace('<=', '≤').replace('>=', '≥');
}

on({
  'own-close': () => change(({ proofs }) => { proofs.own = null; }),
  'verify-proof': async ({ name = '' }) => {
    change(({ proofs }) => { proofs.checks[name] = 'busy'; });
    try {
      const began = performance.now();
      const checked = served ? await ask(`proofs/${name}`, '') : await ask('proofs', await (await fetch(`proofs/${name}`)).blob());
      change(({ proofs }) => { proofs.checks[name] = { seconds: (performance.now() - began) / 1000, ...checked }; });
    } catch (error) {
      change(({ proofs }) => { delete proofs.checks[name]; });
      throw error;
    }
  },
  'lp-game': (_, event) => change(({ proofs }) => { proofs.lp.game = /** @type {HTMLSelectElement} */ (event?.target).value; }),
  'lp-board': (_, event) => change(({ proofs }) => { proofs.lp.board = /** @type {HTMLInputElement} */ (event?.target).value.trim(); }),
  'lp-example': ({ board = '' }) => change(({ proofs }) => { proofs.lp.board = board; }),
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
    proofs.own && ownView(proofs.own),
    rows ? h('div', { class: 'games', id: 'bounds' }, FIRST.map((name) => rows.find((/** @type {any} */ row) => row.game === name)).filter(Boolean).map((row) => game(row, proofs))) : h('p', { class: 'quiet' }, t('verifying')),
    h('a', { class: 'card', href: '#hard', id: 'to-hard' }, h('b', {}, t('page-hard')), h('p', { class: 'quiet' }, t('hard-says'))),
    rows && h('details', { class: 'card', open: Boolean(proofs.wanted) }, h('summary', {}, t('other-games')), h('div', { class: 'table' }, h('table', {},
      h('thead', {}, h('tr', {}, ['game', 'longest', 'at-most', 'by-what'].map((name) => h('th', { scope: 'col' }, t(name))))),
      h('tbody', {}, rows.filter((/** @type {any} */ row) => !FIRST.includes(row.game) && parseInt(row.game, 10) <= 7).map((/** @type {any} */ row) => h('tr', { id: `row-${row.game}` }, h('th', { scope: 'row' }, row.game),
        h('td', {}, row.endless ? t('endless') : row.in_print?.moves ?? '–'), h('td', {}, row.endless ? '∞' : row.proven ?? row.bound ?? '–'),
        h('td', {}, row.proof ? proofTools({ proof: row.proof }, proofs) : row.by ? said(row.by) : '')))))), h('p', { class: 'small quiet' }, t('longer-lines'))),
    h('section', { class: 'card row' }, h('div', { class: 'grow' }, h('h2', {}, t('verify-own')), h('p', { class: 'small quiet' }, t('verify-own-says', LARGEST_PROOF >> 20))),
      h('label', { class: 'button' }, t('open-file'), h('input', { type: 'file', class: 'unseen', id: 'proof-file', 'data-change': 'open-file' }))),
    served && h('form', { class: 'card stack', 'data-submit': 'lp-solve' }, h('h2', {}, t('lp-title')), h('p', { class: 'small quiet' }, t('lp-says')),
      h('div', { class: 'form' }, h('label', { class: 'field' }, t('game'), h('select', { 'data-change': 'lp-game', value: lp.game }, FIRST.map((name) => h('option', { value: name }, name)))),
        h('label', { class: 'field' }, t('lp-board'), h('input', { 'data-change': 'lp-board', value: lp.board, id: 'lp-board', maxlength: 60 }), h('small', {}, t('lp-board-says')))),
      h('div', { class: 'row' }, BOARDS.map((name) => h('button', { type: 'button', class: 'small', 'data-do': 'lp-example', 'data-board': name, 'aria-pressed': String(name === lp.board) }, name))),
      h('div', { class: 'row' }, h('button', { class: 'main', id: 'lp-solve', disabled: lp.busy }, lp.busy ? t('working') : t('lp-solve')), lp.solved && h('span', { class: 'tag good', id: 'lp-claim' }, t('lp-proven', written(lp.solved.claim), decimal(lp.solved.value, 3)))),
      lp.picture && h('img', { class: 'picture', src: lp.picture, alt: t('lp-picture'), id: 'lp-picture' })));
}

/** What was last brought into view: a verdict, or the row of a game. @type {any} */
let seen = null;

/** @param {Element} root */
export function drawn(root) {
  const { own, wanted, rows } = state.proofs;
  // Once more with the verdict, and with what stands around it.
  const now = own ? [own.file, own.checked === 'busy', rows !== null].join() : rows && wanted;
  if (now && now !== seen) root.querySelector(own ? '#own-proof' : `#row-${CSS.escape(wanted)}`)?.scrollIntoView({ block: 'nearest' });
  seen = now;
}

/** The verdict on a proof that was dropped or opened. @param {{file: string|null, checked: Checked|'busy'}} own */
function ownView({ file, checked }) {
  const busy = checked === 'busy';
  const proven = !busy && checked.verdict !== 'refused';
  return h('section', { class: `notice row ${busy ? '' : proven ? 'good' : 'bad'}`, id: 'own-proof', role: 'status', 'data-verdict': busy ? 'busy' : checked.verdict },
    h('div', { class: 'grow' }, file && h('b', {}, file, t('colon')), busy ? t('verifying') : proven ? h('b', {}, t('proof-proven', written(checked.claim))) : h('b', {}, t('proof-refused')),
      !busy && h('div', {}, proven ? t('in-seconds', decimal(checked.seconds ?? 0)) : reason({ code: checked.fault, error: checked.reason ?? '' }))),
    !busy && h('button', { class: 'icon', 'data-do': 'own-close', 'aria-label': t('close') }, '×'));
}

/** @param {any} row @param {Proofs} proofs */
function game(row, proofs) {
  const { large, printed } = row;
  const certified = row.proven ?? row.bound;
  const record = row.in_print?.moves;
  const ours = Math.max(0, ...proofs.records.filter((one) => one.game === row.game && one.link).map((one) => one.moves));
  const games = [{ at: ours, word: t('our-best'), kind: '' }, { at: record, word: row.in_print ? said(row.in_print.by) : '', kind: 'print' }];
  const bounds = [{ at: certified, word: t('certified'), kind: 'bound' }, ...(printed && !row.exact ? [{ at: printed.bound, word: t('published'), kind: 'print' }] : [])];
  return h('section', { class: 'card stack', key: row.game, 'data-game': row.game },
    h('div', { class: 'row' }, h('h2', { class: 'grow' }, t('game-name', row.game)), row.exact && h('span', { class: 'tag good' }, t('exact'))),
    numberLine(games, bounds, row.exact),
    h('p', {}, row.exact ? t('is-exact', row.game, record) : t('is-open', record, certified)),
    printed && h('p', { class: 'small quiet' }, t('published-says', printed.bound, `${said(printed.by)} ${printed.year}`, printed.evidence === 'no certificate')),
    large ? h('div', { class: 'stack' }, h('p', { class: 'small' }, t('beside', large.file)), h('p', { class: 'sum' }, `SHA-256 ${large.sha256}`), command(`morpion verify proofs/${large.file}`)) : row.proof && proofTools(row, proofs),
    h('details', { class: 'small' }, h('summary', {}, t('by-formula', row.bound, said(row.by ?? ''))), row.argument.map((/** @type {string} */ text) => h('p', {}, said(text)))));
}

/** Verify it here, or take it along. @param {any} row @param {Proofs} proofs */
function proofTools({ proof: name, sha256 }, { checks }) {
  const file = name.split('/').at(-1);
  const checked = checks[name];
  return h('div', { class: 'stack' },
    h('div', { class: 'row' },
      h('button', { 'data-do': 'verify-proof', 'data-name': name, disabled: checked === 'busy' }, checked === 'busy' ? t('verifying') : t('verify-now')),
      h('a', { class: 'button', href: `${served ? 'api/' : ''}proofs/${name}`, download: file }, t('save-proof')),
      checked && checked !== 'busy' && h('span', { class: `tag ${checked.verdict === 'refused' ? 'bad' : 'good'}` }, checked.verdict === 'refused' ? t('verdict-refused') : t('proven-in', written(checked.claim), decimal(checked.seconds ?? 0)))),
    sha256 && h('div', { class: 'small stack' }, h('p', { class: 'sum' }, `SHA-256 ${sha256}`), command(`morpion verify ${file}`)));
}

/** @typedef {{at: number, word: string, kind: string}} Mark */

/** From our best to the bound: games above, bounds below. @param {Mark[]} games @param {Mark[]} bounds @param {boolean} exact */
function numberLine(games, bounds, exact) {
  const values = [...games, ...bounds].map(({ at }) => at).filter((at) => at > 0);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const width = innerWidth < 760 ? 330 : 440;
  const spare = Math.max(2, (high - low) * 0.35);
  const x = (/** @type {number} */ value) => width * (value - low + spare) / (high - low + 2 * spare);
  return h('svg', { class: 'number-line', viewBox: `0 0 ${width} 92`, role: 'img', 'aria-label': [...games, ...bounds].map(({ at, word }) => `${at} ${word}`).join(', ') },
    h('line', { class: 'axis', x1: 6, x2: width - 6, y1: 46, y2: 46 }),
    h('line', { class: exact ? 'done' : 'open', x1: x(low), x2: Math.max(x(low) + 1, x(high)), y1: 46, y2: 46 }),
    labels(games, x, 16, 30), labels(bounds, x, 70, 84));
}

/** Marks with a number and a word. Those of the same number share one; those that would touch lean apart. @param {Mark[]} marks @param {(value: number) => number} x @param {number} number @param {number} word */
function labels(marks, x, number, word) {
  /** @type {{at: number, words: string[], kind: string}[]} */
  const shown = [];
  for (const { at, word: text, kind } of marks.filter((mark) => mark.at > 0).sort((one, other) => one.at - other.at)) {
    const same = shown.find((one) => one.at === at);
    if (same) same.words.push(text);
    else shown.push({ at, words: [text], kind });
  }
  return shown.map(({ at, words, kind }, index) => {
    const [before, after] = [shown[index - 1], shown[index + 1]];
    const near = (/** @type {{at: number}|undefined} */ other) => other && Math.abs(x(other.at) - x(at)) < 100;
    const lean = near(after) ? { 'text-anchor': 'end', x: x(at) - 1 } : near(before) ? { 'text-anchor': 'start', x: x(at) + 1 } : { 'text-anchor': 'middle', x: x(at) };
    return [h('circle', { class: `mark ${kind}`, cx: x(at), cy: 46, r: 6 }), h('text', { ...lean, y: number }, at), h('text', { class: 'small', ...lean, y: word }, words.filter(Boolean).join(', '))];
  });
}
