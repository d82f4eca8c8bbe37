/** A command to copy. */

import { h } from './dom.js';
import { t } from './texts.js';

/** @param {string} text */
export function command(text) {
  return h('div', { class: 'command' }, h('pre', { tabindex: 0 }, text), h('button', { type: 'button', 'data-do': 'copy', 'data-text': text }, t('copy')));
}
