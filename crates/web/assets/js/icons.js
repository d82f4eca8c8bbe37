/** The few pictures on buttons. */

import { h } from './dom.js';

/** @type {Record<string, string>} */
const PATHS = {
  undo: 'M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6',
  redo: 'm15 7 5 5-5 5m5-5H10a6 6 0 0 0-6 6',
  'undo-all': 'M11 6 5 12l6 6M19 6l-6 6 6 6',
  'redo-all': 'm13 6 6 6-6 6M5 6l6 6-6 6',
  play: 'M8 5v14l11-7z',
  pause: 'M8 5v14M16 5v14',
};

/** @param {string} name */
export function icon(name) {
  return h('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, h('path', { d: PATHS[name] }));
}
