/** The few pictures on buttons. */

import { h } from './dom.js';

/** @type {Record<string, string>} */
const PATHS = {
  undo: 'M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6',
  redo: 'm15 7 5 5-5 5m5-5H10a6 6 0 0 0-6 6',
  play: 'M8 5v14l11-7z',
  pause: 'M8 5v14M16 5v14',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  hint: 'M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c1 1 1 1.5 1 2.5h6c0-1 0-1.5 1-2.5A6 6 0 0 0 12 3z',
  more: 'M5 7h14M5 12h14M5 17h14',
  'page-play': 'M4 8h16M4 16h16M8 4v16M16 4v16',
  'page-records': 'm12 3 2.7 5.8 6.3.8-4.6 4.3 1.2 6.2L12 17l-5.6 3.1 1.2-6.2L3 9.6l6.3-.8z',
  'page-search': 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM20 20l-4.8-4.8',
  'page-proofs': 'M5 4h14v16H5zM9 9h6M9 13l2 2 4-4',
};

/** @param {string} name */
export function icon(name) {
  return h('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, h('path', { d: PATHS[name] }));
}
