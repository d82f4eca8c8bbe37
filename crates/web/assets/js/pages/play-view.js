/** What is seen of the Play page besides the board. */

import { h } from '../dom.js';
import { served } from '../engine.js';
import { icon } from '../icons.js';
import { kept } from '../state.js';
import { t } from '../texts.js';
import { end, line, sources } from '../tree.js';
import { GLYPHS, canReturn, chips, spoken } from './play.js';

/** @typedef {import('./play.js').Play} Play */
/** @typedef {import('../types.js').Move} Move */

const FORMATS = ['png', 'svg', 'gif', 'json', 'pentasol', 'msr', 'text', 'tex'];

/** @param {import('../state.js').State} state */
export function playView(state) {
  const { play } = state;
  return h('div', { class: `play ${play.readOnly ? 'read-only' : ''} ${play.sheet ? 'sheet-open' : ''}`, id: 'play' },
    h('section', { class: 'stage', 'aria-label': t('board') },
      h('h1', { class: 'unseen' }, t('play-title', play.rules)),
      h('div', { 'data-own': 'board', id: 'board', tabindex: 0, role: 'application', 'aria-label': label(play) }),
      tip(state),
      play.readOnly && h('p', { class: 'embedded', id: 'embedded' }, h('b', {}, line(play.tree).length), ` ${t('moves-word', line(play.tree).length)} · ${t('play-title', play.rules)} · `, fullPage()),
      play.verdict && verdictView(play.verdict),
      play.party && h('div', { class: 'party', id: 'party', role: 'status' }, h('b', {}, play.party), play.positions[play.tree.at]?.count === 0 && h('button', { 'data-do': 'new-game' }, t('new-game')), h('button', { 'data-do': 'party-over', 'aria-label': t('close') }, '×')),
      play.editing ? editBar(play) : bar(play),
      play.sheet && h('div', { class: 'scrim', 'data-do': 'sheet' })),
    h('aside', { class: 'rail', id: 'rail', 'aria-label': t('about-game') }, rail(play)));
}

/** @param {Play} play */
function label({ rules, tree, positions }) {
  return t('board-says', rules, line(tree).length, positions[tree.at]?.count ?? '…');
}

/** What to do now, or what has just happened. @param {import('../state.js').State} state */
function tip({ play, toast }) {
  if (toast || play.party) return null;
  const { aimed, tree, positions, editing, length, readOnly } = play;
  const count = positions[tree.at]?.count;
  let text = '';
  if (editing) text = t('draw-start-says');
  else if (readOnly || play.verdict) text = '';
  else if (aimed?.how === 'keys') text = t('tip-keys', aimed.count);
  else if (aimed?.how === 'fan') text = t('tip-fan', aimed.count);
  else if (aimed && matchMedia('(pointer: coarse)').matches) text = t('tip-release');
  else if (aimed) text = aimed.count > 1 ? t('tip-choose', aimed.count) : t('tip-draw');
  else if (!tree.at && count) text = t('tip-first', length);
  else if (count === 0) text = t('over', line(tree).length);
  return text && h('p', { class: 'tip', id: 'tip' }, text);
}

/** @param {import('./play.js').Verdict} verdict */
function verdictView({ verdict, text, file, otherOrder }) {
  const good = verdict === 'legal' || verdict === 'ordered';
  return h('div', { class: `verdict ${good ? 'good' : 'bad'}`, id: 'verdict', 'data-verdict': verdict, role: 'status' },
    h('div', {}, h('b', {}, file && [file, t('colon')], t(`verdict-${verdict}`)), h('div', {}, text)),
    otherOrder && h('button', { 'data-do': 'take-order', id: 'take-order' }, t('take-order')),
    h('button', { class: 'icon', 'data-do': 'verdict-close', 'aria-label': t('close') }, '×'));
}

/** Undo, redo, and the curve of possible moves, which is a slider. @param {Play} play */
function bar(play) {
  const { tree, readOnly, replaying, busy } = play;
  const [here, all] = [line(tree).length, line(tree, end(tree)).length];
  const button = (/** @type {string} */ name, /** @type {boolean} */ disabled, picture = name, says = t(name)) =>
    h('button', { class: 'icon', 'data-do': name, id: name, disabled, 'aria-label': says, title: says }, icon(picture));
  return h('div', { class: 'bar', id: 'bar' },
    button('undo', here === 0 && !canReturn(play), 'undo', canReturn(play) ? t('undo-new') : undefined), button('redo', here === all),
    h('div', { class: 'time' }, curve(play, here, all),
      h('input', { type: 'range', id: 'time', min: 0, max: all, value: here, 'data-input': 'slide-to', 'aria-label': t('move-number'), disabled: all === 0 })),
    all > 0 && button('replay', false, replaying ? 'pause' : 'play', replaying ? t('pause') : undefined),
    !readOnly && h('button', { class: 'icon phone', 'data-do': 'hint', disabled: busy !== null, 'aria-label': t('hint'), title: t('hint') }, icon('hint')),
    h('button', { class: 'icon', 'data-do': 'fit', id: 'fit', 'aria-label': t('fit'), title: t('fit') }, icon('fit')),
    !readOnly && h('button', { class: 'icon phone', 'data-do': 'sheet', id: 'sheet', 'aria-expanded': String(play.sheet), 'aria-label': t('more'), title: t('more') }, icon('more')));
}

/** @param {Play} play @param {number} here @param {number} all */
function curve({ tree, positions }, here, all) {
  const counts = [0, ...line(tree, end(tree))].map((node) => positions[node]?.count);
  const most = Math.max(8, ...counts.map((count) => count ?? 0));
  const x = (/** @type {number} */ index) => (all ? index / all * 100 : 0);
  const points = counts.map((count, index) => (count === undefined ? null : `${round(x(index))} ${round(29 - count / most * 27)}`)).filter((one) => one !== null);
  const d = points.length > 1 ? `M0 30L${points.join('L')}L${round(x(counts.length - 1))} 30Z` : 'M0 29.5H100';
  return h('svg', { class: 'curve', viewBox: '0 0 100 30', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    h('path', { class: 'area', d }), h('rect', { class: 'now', x: round(Math.min(99.2, x(here))), y: 0, width: 0.8, height: 30 }));
}

function round(/** @type {number} */ value) {
  return Math.round(value * 10) / 10;
}

/** @param {Play} play */
function editBar({ editing, rules }) {
  return h('div', { class: 'bar', id: 'edit-bar' },
    h('b', { id: 'dots' }, t('dots', editing?.length ?? 0)), h('span', { class: 'quiet' }, rules), h('span', { class: 'grow' }),
    h('button', { 'data-do': 'edit-cross' }, t('take-cross')), h('button', { 'data-do': 'edit-cancel' }, t('cancel')),
    h('button', { class: 'main', 'data-do': 'edit-done', id: 'edit-done' }, t('begin')));
}

/** @param {Play} play */
function rail(play) {
  const { tree, positions, reach, busy, start, rules, readOnly } = play;
  if (play.editing) return [h('h2', {}, t('draw-start')), h('p', { class: 'quiet' }, t('own-start', rules, play.editing.length))];
  const score = line(tree).length;
  const count = positions[tree.at]?.count;
  const by = sources(tree);
  return [
    h('button', { class: 'icon plain sheet-close', 'data-do': 'sheet', 'aria-label': t('close') }, '×'),
    h('div', { class: 'score' }, h('b', { id: 'score' }, score),
      h('div', {}, h('span', {}, t('moves-word', score)), h('span', { id: 'left', class: count === 0 ? 'over' : '' }, count === 0 ? t('none-possible') : count === undefined ? '…' : t('left', count)),
        reach && reach.node === tree.at && h('span', { id: 'reach', class: 'reach' }, t('reach', reach.score)))),
    ladder(play, score),
    start !== 'cross' && h('p', { class: 'small quiet' }, t('own-start', rules, play.dots.length)),
    h('div', { class: 'row moves-head' }, line(tree, end(tree)).length > 0 && h('h2', {}, t('moves-title')), score > 0 && (by.search > 0 || by.imported > 0) && h('span', { class: 'small quiet', id: 'by' }, t('by', by.mine, by.search, by.imported))),
    moves(play),
    !readOnly && h('div', { class: 'row two' },
      h('button', { 'data-do': 'hint', id: 'hint', disabled: busy !== null || count === 0 }, busy === 'hint' ? t('searching') : t('hint')),
      h('button', { 'data-do': 'finish', id: 'finish', disabled: busy !== null || count === 0 }, busy === 'finish' ? t('searching') : t('finish'))),
    h('div', { class: 'row three' },
      h('button', { 'data-do': 'share', id: 'share' }, t('share')),
      !served && h('button', { 'data-do': 'embed', id: 'embed' }, t('embed')),
      h('button', { 'data-do': 'print', 'data-sheet': 'game', id: 'print' }, t('print')),
      served && !readOnly ? h('button', { 'data-do': 'keep', id: 'keep', disabled: score === 0 || tree.at === play.kept, title: t(tree.at === play.kept ? 'kept' : 'keep-says') }, t('keep')) : h('button', { 'data-do': 'save-as', 'data-format': 'png' }, 'PNG')),
    !readOnly && h('div', { class: 'row two' },
      h('button', { 'data-do': 'new-game', id: 'new-game' }, t('new-game')),
      score > 40 ? h('button', { 'data-do': 'take-back', 'data-number': 40 }, t('take-back', 40)) : h('button', { 'data-do': 'edit-start', id: 'edit-start' }, t('draw-start'))),
    h('details', { class: 'more' }, h('summary', {}, t('more')),
      h('div', { class: 'row' },
        h('button', { 'data-do': 'legal', id: 'legal', 'aria-pressed': String(play.showLegal) }, t('show-legal')),
        h('button', { 'data-do': 'numbers', id: 'numbers', 'aria-pressed': String(play.numbers) }, t('show-numbers'))),
      h('p', { class: 'small quiet' }, t('save-as')),
      h('div', { class: 'row formats' }, FORMATS.map((format) => h('button', { 'data-do': 'save-as', 'data-format': format }, format.toUpperCase()))),
      h('p', { class: 'small quiet' }, t('print-sheets')),
      h('div', { class: 'row' }, h('button', { 'data-do': 'print', 'data-sheet': 'empty' }, t('print-empty')), h('button', { 'data-do': 'print', 'data-sheet': 'puzzle', disabled: score < 21 }, t('print-puzzle'))),
      score > 40 && h('div', { class: 'row' }, h('button', { 'data-do': 'edit-start', id: 'edit-start' }, t('draw-start'))),
      h('p', { class: 'small quiet' }, t('drop-says')),
      h('label', { class: 'button' }, t('open-file'), h('input', { type: 'file', class: 'unseen', id: 'file', 'data-change': 'open-file' }))),
    !readOnly && h('details', { class: 'more', id: 'legal-list' }, h('summary', {}, t('legal-list', count ?? '…')), legalList(play)),
  ];
}

/** The way from an embedded game to its page. */
function fullPage() {
  return h('a', { href: location.hash.replace('#e/', '#g/'), target: '_blank' }, t('open-here'));
}

/** The legal moves that were last known: while others are asked for, the list stays, and with it the focus. @type {Move[]} */
let listed = [];

/** The legal moves as buttons. @param {Play} play */
function legalList({ tree, positions, length }) {
  listed = positions[tree.at]?.legal ?? listed;
  return h('ul', { class: 'legal-moves' }, listed.map((move) => h('li', {}, h('button', { 'data-do': 'draw', 'data-move': JSON.stringify(move) }, spoken(move, length)))));
}

/** The rungs above: your best, what others reached, what nobody can pass. @param {Play} play @param {number} score */
function ladder({ rules, start, records, games }, score) {
  if (start !== 'cross') return null;
  const best = kept(`best.${rules}`) ?? 0;
  const known = games[rules];
  const bound = known?.proven ?? known?.bound;
  const ours = records.find((record) => record.game === rules && record.link);
  /** @type {{moves: number, who: string, kind: string, link?: string}[]} */
  const rungs = records.filter((record) => record.game === rules && (record.author || record === ours)).map((record) => ({ moves: record.moves, who: record.author ? `${record.author} ${record.year}` : t('ours'), kind: record.author ? 'famous' : 'ours', link: record.link }));
  if (!rungs.some(({ kind }) => kind === 'famous') && known?.in_print) rungs.push({ moves: known.in_print.moves, who: known.in_print.by, kind: 'famous' });
  const record = Math.max(...rungs.map(({ moves }) => moves));
  // While a game is the best one itself, it is no rung of its own.
  if (best > score) rungs.push({ moves: best, who: t('your-best'), kind: 'best' });
  rungs.sort((one, other) => other.moves - one.moves);
  const most = Math.max(score, rungs[0]?.moves ?? 0, 20);
  // Where nobody can go further, the bar is full.
  const top = most === bound ? most : most * 1.04;
  const at = (/** @type {number} */ value) => round(Math.min(100, value / top * 100));
  const next = [...rungs].reverse().find((rung) => rung.moves > score);
  return h('div', { class: 'ladder', id: 'ladder' },
    h('svg', { class: 'scale', viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      h('rect', { class: 'groove', x: 0, y: 3, width: 100, height: 5 }), h('rect', { class: 'mine', x: 0, y: 3, width: at(score), height: 5 }),
      rungs.map((rung) => h('rect', { class: `tick ${rung.kind}`, x: at(rung.moves) - 0.3, y: 0, width: 0.6, height: 10 }))),
    h('p', { class: 'small' }, score === 0 && rungs[0] ? t('record-rung', rungs[0].moves, rungs[0].who) : next ? t('next-rung', next.moves - score, next.moves, next.who) : score > record && record > 0 ? t('top-rung') : ''),
    h('ol', { class: 'rungs' },
      known?.endless && h('li', { class: 'bound' }, h('b', {}, '∞'), h('span', {}, t('endless-says')), h('a', { href: `#proofs/${rules}` }, t('see-proof'))),
      bound && h('li', { class: 'bound' }, h('b', {}, `≤ ${bound}`), h('span', {}, known.proven ? t('proven-bound') : t('formula-bound')), h('a', { href: '#proofs' }, t('see-proof'))),
      rungs.map((rung) => h('li', { class: `${rung.kind} ${score >= rung.moves ? 'reached' : ''}` }, h('b', {}, rung.moves), h('span', {}, rung.who, score >= rung.moves && ' ✓'), rung.link && h('a', { href: `#g/${rung.link}@play` }, t('replay'))))));
}

/** The entries of the list of moves by what they say: those that say the same are not drawn again. @type {Map<string, import('../dom.js').Vnode>} */
let entries = new Map();

/** @param {{node: number, depth: number}} branch */
function chip({ node, depth }) {
  const says = t('branch-says', depth);
  return h('button', { class: 'chip', tabindex: -1, 'data-do': 'enter-branch', 'data-node': node, title: says, 'aria-label': says }, `+${depth}`);
}

/** The moves, with branches as chips. @param {Play} play */
function moves(play) {
  const { tree } = play;
  const nodes = line(tree, end(tree));
  const aside = chips(play);
  const here = line(tree).length;
  // One stop of Tab for all: the arrows lead from move to move.
  const stop = Math.max(1, here);
  /** @type {typeof entries} */
  const used = new Map();
  const list = nodes.map((node, index) => {
    const { move, by } = tree.nodes[node];
    const glyph = GLYPHS[/** @type {Move} */ (move).line[1]];
    const says = [index, Math.sign(index + 1 - here), index + 1 === stop, by, glyph, t('moves-title'), ...aside[index].map(({ node: other, depth }) => `${other}+${depth}`)].join();
    const entry = entries.get(says) ?? h('li', { class: `${index + 1 === here ? 'at' : ''} ${index >= here ? 'ahead' : ''}` },
      h('button', { 'data-do': 'go-to', 'data-number': index + 1, tabindex: index + 1 === stop ? 0 : -1, 'aria-current': index + 1 === here && 'step', title: t(`by-${by}`) }, h('span', { class: `n ${by}` }, index + 1), ' ', glyph),
      aside[index].map(chip));
    used.set(says, entry);
    return entry;
  });
  entries = used;
  return h('ol', { class: 'moves', id: 'moves' }, list, aside[nodes.length]?.length > 0 && h('li', {}, aside[nodes.length].map(chip)));
}
