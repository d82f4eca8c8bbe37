/** Playing: what is seen. Draws the state and decides nothing. */

import { board } from '../board.js';
import { chart } from '../chart.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import { said, t } from '../texts.js';
import { branch, canRedo, path } from '../tree.js';

/** @typedef {import('../api.js').Dot} Dot */
/** @typedef {import('../api.js').Move} Move */

const GAMES = ['5T', '5D', '4T', '4D', '6T', '6D'];
const FORMATS = [['png', 'PNG'], ['svg', 'SVG'], ['gif', 'GIF'], ['json', 'JSON'], ['pentasol', 'Pentasol'], ['text', 'Text']];

/** @param {any} state */
export function render({ play }) {
  if (!play.known) return h('p', { class: 'quiet' }, t('loading'));
  if (play.editing) return editor(play);
  const moves = path(play.tree);
  const position = play.positions[play.tree.at] ?? {};
  return h('div', { class: 'play' },
    h('section', { class: 'stage', 'aria-label': t('board') }, theBoard(play, moves, position), tools(play, moves)),
    h('section', { class: 'stack' },
      gameCard(play, moves, position),
      play.choices.length > 0 && choiceCard(play),
      help(play, position),
      shareCard(play),
      keyCard()));
}

/** @param {any} play @param {Move[]} moves @param {any} position */
function theBoard(play, moves, position) {
  const { start, length } = play.known;
  return board({
    start, moves, length,
    legal: play.showLegal ? (position.legal ?? []).map((/** @type {Move} */ move) => move.new) : [],
    hint: play.hint,
    cursor: play.cursor,
    wishes: play.choices,
    numbers: play.showNumbers,
    frame: roomy(start, length),
  }, {
    class: 'board live', id: 'board', tabindex: 0, role: 'application', 'data-do': 'tap',
    'aria-label': t('board-says', play.rules, moves.length, position.count ?? 0),
  });
}

/** The start with room around it, so that the first moves do not move the board. @param {Dot[]} dots @param {number} length @returns {[Dot, Dot]} */
function roomy(dots, length) {
  const xs = dots.map(([x]) => x);
  const ys = dots.map(([, y]) => y);
  const more = dots.length > 500 ? 0 : Math.min(3, length - 2);
  if (!dots.length) return [[0, 0], [9, 9]];
  return [[Math.min(...xs) - more, Math.min(...ys) - more], [Math.max(...xs) + more, Math.max(...ys) + more]];
}

/** @param {any} play @param {Move[]} moves */
function tools(play, moves) {
  const { index, count } = branch(play.tree);
  const button = (/** @type {string} */ name, /** @type {boolean} */ enabled) =>
    h('button', { class: 'icon', 'data-do': name, id: name, disabled: !enabled, 'aria-label': t(name), title: t(name) }, icon(name));
  return h('div', { class: 'tools', role: 'toolbar', 'aria-label': t('moves-tools') },
    button('undo-all', moves.length > 0), button('undo', moves.length > 0),
    button('redo', canRedo(play.tree)), button('redo-all', canRedo(play.tree)),
    count > 1 && h('span', { class: 'row small' },
      h('button', { class: 'icon', 'data-do': 'branch', 'data-by': -1, 'aria-label': t('branch-before') }, '‹'),
      t('branch', index + 1, count),
      h('button', { class: 'icon', 'data-do': 'branch', 'data-by': 1, 'aria-label': t('branch-after') }, '›')),
    h('button', { 'data-do': 'legal', id: 'legal', 'aria-pressed': String(play.showLegal) }, t('show-legal')),
    h('button', { 'data-do': 'numbers', 'aria-pressed': String(play.showNumbers), 'aria-label': t('show-numbers'), title: t('show-numbers') }, '123'));
}

/** @param {any} play @param {Move[]} moves @param {any} position */
function gameCard(play, moves, position) {
  const { in_print: printed, bound, proven } = (play.start === 'cross' && play.games[play.rules]) || {};
  const least = proven && !(bound < proven) ? proven : bound;
  const counts = pathCounts(play);
  return h('div', { class: 'card stack' },
    h('div', { class: 'row' },
      h('label', { class: 'field wide' }, t('game'),
        h('select', { 'data-change': 'game', id: 'game', value: play.start === 'cross' ? play.rules : 'own' },
          options(play.rules).map((name) => h('option', { value: name }, t('game-name', name))),
          play.start === 'cross' ? null : h('option', { value: 'own' }, t('own-start', play.rules, play.start.length))))),
    h('div', { class: 'row' },
      h('button', { class: 'wide', 'data-do': 'new-game', id: 'new-game' }, t('new-game')),
      h('button', { class: 'wide', 'data-do': 'edit-start', id: 'edit-start' }, t('draw-start'))),
    h('div', { class: 'score' }, h('b', { id: 'score' }, moves.length), h('span', { class: 'quiet' }, t('moves-word', moves.length),
      h('br'), h('span', { id: 'left' }, position.count === undefined ? '…' : position.count ? t('left', position.count) : t('over')))),
    printed && h('div', { class: 'stack small' },
      meter(moves.length / printed.moves),
      h('span', { class: 'quiet' }, t('in-print', printed.moves, said(printed.by)), ' ', least && least !== printed.moves ? t(least === proven ? 'proven-says' : 'bound-says', least) : '')),
    counts.length > 1 && h('div', {}, h('h2', {}, t('curve')),
      chart({ points: counts.map((count, index) => [index, count]), now: moves.length, label: t('curve'), across: t('moves-axis') })));
}

/** @param {string} rules */
function options(rules) {
  return GAMES.includes(rules) ? GAMES : [...GAMES, rules];
}

/** How many moves were legal on the way to here, and on to where redo leads. @param {any} play @returns {number[]} */
function pathCounts(play) {
  const { nodes, at } = play.tree;
  const way = [];
  for (let node = at; node >= 0; node = nodes[node].parent) way.push(node);
  way.reverse();
  for (let node = nodes[at].last; node >= 0; node = nodes[node].last) way.push(node);
  const counts = way.map((node) => play.positions[node]?.count);
  const unknown = counts.indexOf(undefined);
  return unknown < 0 ? counts : counts.slice(0, unknown);
}

/** How far the game is, from 0 to 1. @param {number} share */
export function meter(share) {
  return h('div', { class: 'meter', 'aria-hidden': 'true' }, h('svg', { viewBox: '0 0 100 10', preserveAspectRatio: 'none' },
    h('rect', { x: 0, y: 0, height: 10, width: Math.min(100, 100 * share), class: share >= 1 ? 'full' : '' })));
}

/** @param {any} play */
function choiceCard(play) {
  return h('div', { class: 'card choice', id: 'choice' }, h('h2', {}, t('choose-line')),
    play.choices.map((/** @type {Move} */ move, /** @type {number} */ index) =>
      h('button', { 'data-do': 'choose', 'data-index': index }, h('b', {}, index + 1), t(`way-${move.line[1]}`), ' ',
        h('span', { class: 'quiet small' }, t('from-dot', move.line[0][0], move.line[0][1])))),
    h('button', { 'data-do': 'choose-none' }, t('cancel')));
}

/** @param {any} play @param {any} position */
function help(play, position) {
  const busy = (/** @type {string} */ name) => play.busy === name;
  return h('div', { class: 'stack', key: 'help' },
    h('div', { class: 'row' },
      h('button', { class: 'wide', 'data-do': 'hint', id: 'hint', disabled: play.busy || position.count === 0 }, busy('hint') ? t('searching') : t('hint')),
      h('button', { class: 'wide', 'data-do': 'finish', id: 'finish', disabled: play.busy || position.count === 0 }, busy('finish') ? t('searching') : t('finish'))),
    play.reach !== null && h('p', { class: 'notice' }, t('hint-says', play.reach)),
    play.note && h('p', { class: 'notice' }, play.note),
    play.archived && position.count === 0 && h('p', { class: 'notice good', id: 'archived' }, t('over-kept')),
    play.saved && h('p', { class: 'small quiet', id: 'saved' }, t('draft-saved'), ' ', h('a', { href: '#gallery' }, t('page-gallery')), '.'));
}

/** @param {any} play */
function shareCard(play) {
  return h('details', { class: 'card', key: 'share' }, h('summary', {}, t('share')),
    h('div', { class: 'stack' },
      h('div', { class: 'share' }, FORMATS.map(([format, name]) => h('button', { 'data-do': 'share', 'data-format': format }, name))),
      h('button', { 'data-do': 'keep-game', id: 'keep-game', disabled: play.tree.at === 0 || play.archived }, t(play.archived ? 'saved-as' : 'save-archive')),
      h('button', { 'data-do': 'link', id: 'link' }, t('make-link')),
      play.link && h('input', { readonly: true, value: play.link, id: 'the-link', 'aria-label': t('link') })));
}

function keyCard() {
  const keys = ['arrows', 'enter', 'next', 'undo', 'redo', 'legal', 'hint'];
  return h('details', { class: 'card', key: 'keys' }, h('summary', {}, t('keys')),
    h('dl', { class: 'keys' }, keys.map((name) => [h('dt', {}, t(`key-${name}`)), h('dd', {}, t(`key-${name}-does`))])));
}

/** A start of one's own. @param {any} play */
function editor(play) {
  const lengths = Array.from({ length: 15 }, (_, index) => index + 2);
  const rules = lengths.flatMap((length) => [`${length}T`, `${length}D`]);
  return h('div', { class: 'play' },
    h('section', { class: 'stage', 'aria-label': t('board') },
      board({ start: play.editing, moves: [], length: play.known.length, cursor: play.cursor, frame: [[-3, -3], [12, 12]] },
        { class: 'board live', id: 'board', tabindex: 0, role: 'application', 'data-do': 'tap', 'aria-label': t('draw-start') })),
    h('section', { class: 'stack' }, h('div', { class: 'card stack' },
      h('h2', {}, t('draw-start')), h('p', { class: 'quiet' }, t('draw-start-says')),
      h('label', { class: 'field' }, t('rules'), h('select', { 'data-change': 'edit-rules', value: play.rules }, rules.map((name) => h('option', { value: name }, t('game-name', name))))),
      h('p', { id: 'dots' }, t('dots', play.editing.length)),
      h('button', { 'data-do': 'edit-cross' }, t('take-cross')),
      h('div', { class: 'row' },
        h('button', { class: 'wide', 'data-do': 'edit-cancel' }, t('cancel')),
        h('button', { class: 'wide main', 'data-do': 'edit-done', id: 'edit-done' }, t('begin'))))));
}
