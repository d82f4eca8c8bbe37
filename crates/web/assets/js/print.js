/**
 * Sheets of A4: an empty cross, a game, or a puzzle with its last moves missing.
 *
 * The sheet is an element of its own that only print sees (pages.css), drawn as SVG in millimetres;
 * it is gone when the printing is over. The browser's own print of the Play page shows the game, of
 * any other page the page itself, in ink on white.
 */

import { ends } from './aim.js';
import { boxOf } from './camera.js';
import { h, patch } from './dom.js';
import { change, state } from './state.js';
import { t } from './texts.js';
import { path } from './tree.js';

/** @typedef {import('./types.js').Move} Move */
/** @typedef {{rules: string, start: any, dots: import('./types.js').Dot[], length: number, moves: Move[]}} Sheet */

const [WIDTH, HEIGHT] = [180, 235];
/** How many moves a puzzle leaves out. */
export const MISSING = 20;

/** What is on a sheet. @param {string} kind @param {Sheet} sheet */
export function sheetOf(kind, { rules, dots, length, moves }) {
  const shown = kind === 'empty' ? [] : kind === 'puzzle' ? moves.slice(0, -MISSING) : moves;
  const all = kind === 'empty' ? [] : moves;
  const box = boxOf([...dots, ...all.map((move) => move.new)]) ?? { left: 0, top: 0, right: 9, bottom: 9 };
  const margin = kind === 'empty' ? 6 : 1.5;
  const unit = Math.min(WIDTH / (box.right - box.left + 2 * margin), HEIGHT / (box.bottom - box.top + 2 * margin), 9);
  const [columns, rows] = [Math.floor(WIDTH / unit), Math.floor(HEIGHT / unit)];
  const left = Math.round((box.left + box.right - columns) / 2);
  const top = Math.round((box.top + box.bottom - rows) / 2);
  return { shown, unit, columns, rows, left, top, length, dots, title: t(`sheet-${kind}`, rules, shown.length, moves.length - shown.length) };
}

/** Prints a sheet of the game that is played. @param {string} kind */
export function print(kind) {
  lay(kind);
  window.print();
}

addEventListener('beforeprint', () => {
  if (state.page === 'play' && !paper()) lay('game');
  document.documentElement.dataset.theme = 'light';
});
addEventListener('afterprint', () => {
  paper()?.remove();
  // The colours of before.
  change();
});

function paper() {
  return document.getElementById('sheet-paper');
}

/** Lays a sheet into the document. @param {string} kind */
function lay(kind) {
  const { rules, start, dots: all, length: long, tree } = state.play;
  const given = { rules, start, dots: all, length: long, moves: path(tree) };
  const { shown, unit, columns, rows, left, top, length, dots, title } = sheetOf(kind, given);
  const numbered = kind === 'game' && unit > 4;
  let grid = '';
  for (let x = 0; x <= columns; x += 1) grid += `M${left + x} ${top}v${rows}`;
  for (let y = 0; y <= rows; y += 1) grid += `M${left} ${top + y}h${columns}`;
  paper()?.remove();
  const box = document.createElement('section');
  box.id = 'sheet-paper';
  document.body.append(box);
  patch(box, [
    h('h1', {}, title),
    h('svg', { viewBox: `${left - 0.1} ${top - 0.1} ${columns + 0.2} ${rows + 0.2}`, width: `${columns * unit}mm`, height: `${rows * unit}mm` },
      h('path', { class: 'print-grid', d: grid }),
      shown.map((move) => {
        const [[x1, y1], [x2, y2]] = ends(move.line, length);
        return h('line', { class: 'print-line', x1, y1, x2, y2 });
      }),
      dots.map(([cx, cy]) => h('circle', { class: 'print-start', cx, cy, r: 0.18 })),
      shown.map(({ new: [cx, cy] }) => h('circle', { class: numbered ? 'print-dot' : 'print-start', cx, cy, r: numbered ? 0.3 : 0.14 })),
      numbered && shown.map(({ new: [x, y] }, index) => h('text', { class: index < 99 ? 'print-number' : 'print-number long', x, y }, index + 1))),
    h('p', {}, kind === 'puzzle' ? t('sheet-puzzle-says', MISSING) : t('sheet-rules', length)),
  ]);
}
