/** The frame around all pages: which page, which language, what is dropped or pasted. */

import { Board } from './board.js';
import { h, patch } from './dom.js';
import { ask, isLocal, served } from './engine.js';
import { icon } from './icons.js';
import { act, change, drawWith, on, state, toast } from './state.js';
import { sentence, setLanguage, t, whole } from './texts.js';
import * as play from './pages/play.js';
import { enter } from './pages/play-links.js';
import { playView } from './pages/play-view.js';

/**
 * A page beside Play, loaded when it is first looked at.
 * @typedef {object} Page
 * @property {(state: import('./state.js').State) => any} render
 * @property {(rest: string) => any} [enter]
 * @property {() => void} [leave]
 * @property {(event: KeyboardEvent) => boolean} [keys]
 * @property {(root: Element) => void} [drawn] called after the document was changed
 */

const PAGES = ['play', 'records', 'search', 'proofs'];
const OTHERS = ['hard'];
const GAMES = ['5T', '5D', '4T', '4D', '6T', '6D', '3T', '3D'];
/** How often a server that is gone is asked whether it is back, in milliseconds. */
const AGAIN = 3000;

/** @type {Map<string, Page>} */
const pages = new Map();
/** @type {Board|null} */
let board = null;
/** @type {any} */
let drawnPen = null;

/** @param {string} name @returns {Promise<Page>} */
async function load(name) {
  let page = pages.get(name);
  if (!page) {
    page = /** @type {Page} */ (await import(`./pages/${name}.js`));
    await whole;
    pages.set(name, page);
  }
  return page;
}

async function go() {
  const [, wanted = '', rest = ''] = /^#?\/?([a-z]*)\/?(.*)$/.exec(location.hash) ?? [];
  const name = ['', 'g', 'e', 'play'].includes(wanted) ? 'play' : [...PAGES, ...OTHERS].includes(wanted) ? wanted : 'play';
  /** @type {Page|null} */
  let page = null;
  try {
    if (name !== 'play') page = await load(name);
  } catch (error) {
    // The address says what was asked for, until there is somebody to ask.
    if (!(error instanceof TypeError)) throw error;
    change((state) => { state.offline = true; });
    return false;
  }
  if (state.page !== name) {
    if (state.page === 'play') play.leave();
    else pages.get(state.page)?.leave?.();
  }
  change((state) => { state.page = name; state.help = false; });
  document.documentElement.classList.toggle('embed', wanted === 'e');
  try {
    if (page) await page.enter?.(rest);
    else await enter(rest, wanted === 'e');
  } catch (error) {
    if (!state.offline) toast(sentence(error), { kind: 'bad' });
  }
  return true;
}

function frame() {
  document.documentElement.dataset.theme = state.theme;
  document.documentElement.dataset.page = state.page;
  const { page } = state;
  document.title = page === 'play' ? `${state.play.rules} · Morpion` : `${t(`page-${page}`)} · Morpion`;
  const current = page === 'hard' ? 'proofs' : page;
  const link = (/** @type {string} */ name, /** @type {boolean} */ tab) =>
    h('a', { href: `#${name}`, 'aria-current': name === current && 'page' }, tab && icon(`page-${name}`), h('span', {}, t(`page-${name}`)));
  return [
    h('a', { class: 'skip', href: '#main', 'data-do': 'skip' }, t('skip')),
    h('header', { class: 'top' },
      h('a', { class: 'brand', href: '#play' }, h('img', { src: 'icon.svg', alt: '', width: 26, height: 26 }), h('span', {}, 'Morpion')),
      h('nav', { 'aria-label': t('pages') }, PAGES.map((name) => link(name, false))),
      h('div', { class: 'settings' },
        page === 'play' && h('label', { class: 'game', title: t('game') }, h('span', { 'aria-hidden': 'true' }, state.play.rules), h('select', { id: 'game', 'data-change': 'game', value: state.play.rules, 'aria-label': t('game') },
          [...new Set([...GAMES, state.play.rules])].map((name) => h('option', { value: name }, t('game-name', name))))),
        h('button', { class: 'plain', 'data-do': 'help', id: 'help', 'aria-expanded': String(state.help), 'aria-label': t('help'), title: t('help') }, '?'),
        h('button', { class: 'plain', 'data-do': 'theme', id: 'theme', 'aria-label': t('theme', t(`theme-${state.theme}`)), title: t('theme', t(`theme-${state.theme}`)) },
          { auto: '◐', light: '☀', dark: '☾' }[state.theme]),
        h('button', { class: 'plain', 'data-do': 'language', id: 'language', 'aria-label': t('language'), title: t('language') }, state.language === 'fr' ? 'EN' : 'FR'))),
    state.offline && h('div', { class: 'banner', role: 'alert', id: 'offline' }, h('span', {}, t(state.local ? 'offline-local' : 'offline')), h('button', { 'data-do': 'retry' }, t('retry'))),
    h('main', { key: page, id: 'main', tabindex: -1 }, page === 'play' ? playView(state) : pages.get(page)?.render(state)),
    toastView(),
    state.help && helpView(),
    state.dropping && h('div', { class: 'dropping', 'aria-hidden': 'true' }, h('b', {}, t('drop-here'))),
    h('nav', { class: 'tabs', 'aria-label': t('pages') }, PAGES.map((name) => link(name, true))),
  ];
}

function toastView() {
  const { toast: shown } = state;
  if (!shown) return null;
  return h('div', { class: `toast ${shown.kind}`, id: 'toast', 'data-at': shown.at ? shown.at.join() : null, key: shown.text },
    h('span', {}, shown.text), shown.action && h('button', { 'data-do': shown.action, 'data-toast': 'close' }, shown.label ?? ''),
    h('button', { class: 'icon plain', 'data-do': 'toast-close', 'aria-label': t('close') }, '×'));
}

function helpView() {
  const keys = ['arrows', 'branch', 'next', 'cycle', 'enter', 'ends', 'zoom', 'legal', 'hint', 'help'];
  const { rules, length } = state.play;
  const there = Array.from({ length }, (_, cx) => cx);
  return h('dialog', { class: 'help', 'aria-label': t('help'), id: 'help-box' },
    h('div', { class: 'card stack' },
      h('div', { class: 'row' }, h('h2', { class: 'grow' }, t('how-to')), h('button', { class: 'icon', 'data-do': 'help', 'aria-label': t('close') }, '×')),
      h('svg', { class: 'how', viewBox: `-.6 -.6 ${length + 0.2} 1.2`, 'aria-hidden': 'true' }, h('path', { d: `M0 0H${length - 1}` }), there.map((cx) => h('circle', cx === length >> 1 ? { class: 'added', cx, cy: 0, r: 0.27 } : { cx, cy: 0, r: 0.19 }))),
      h('p', {}, t('how-to-says', rules, length)), h('p', {}, t('how-to-choose')),
      h('dl', { class: 'keys' }, keys.map((name) => [h('dt', {}, t(`key-${name}`)), h('dd', {}, t(`key-${name}-does`))])),
      h('p', { class: 'small quiet' }, h('a', { href: '#hard' }, t('page-hard')), ' · ', t('about'))));
}

/** Makes the document look like the state; the board is drawn apart. */
function draw() {
  // Closed before it goes, a dialog gives the focus back.
  if (!state.help) dialog()?.close();
  const focused = /** @type {HTMLElement|null} */ (document.activeElement);
  const inList = Boolean(focused?.closest('#legal-list'));
  patch(/** @type {Element} */ (document.getElementById('app')), h('div', {}, frame()).children);
  if (state.help && !dialog()?.open) dialog()?.showModal();
  // Where the list of moves has become shorter, the focus stays in it.
  if (inList && !focused?.isConnected) /** @type {HTMLElement|null} */ (document.querySelector('#legal-list li:last-child button, #legal-list summary'))?.focus();
  // In the list of what was played it follows the current move.
  if (focused?.closest('#moves')) /** @type {HTMLElement|null} */ (document.querySelector('#moves [tabindex="0"]'))?.focus();
  const host = document.getElementById('board');
  // A button that has had its last effect would leave the focus nowhere.
  if (focused?.matches('.bar :disabled')) host?.focus();
  if (host) {
    const pen = state.play.editing ? play.startPen : play.pen;
    if (!board || board.host !== host) {
      board?.destroy();
      board = new Board(host, pen, margins());
      drawnPen = pen;
    }
    if (drawnPen !== pen) board.pen = drawnPen = pen;
    board.settings = margins();
    board.update(play.picture(state.play));
  } else if (board) {
    board.destroy();
    board = null;
  }
  const toastBox = document.getElementById('toast');
  if (toastBox && state.toast) placeToast(toastBox, state.toast.at);
  // Once the document has its layout: asking before would make the browser work it out twice.
  setTimeout(showMove);
  pages.get(state.page)?.drawn?.(/** @type {Element} */ (document.getElementById('main')));
}

/** @returns {HTMLDialogElement|null} */
function dialog() {
  return /** @type {HTMLDialogElement|null} */ (document.getElementById('help-box'));
}

/** What was last shown of the list of moves: which one, in a list of which height. */
let shown = '';

/** Keeps the current move in sight, in the list of moves. */
function showMove() {
  const at = /** @type {HTMLElement|null} */ (document.querySelector('#moves .at'));
  const list = at?.parentElement;
  if (!at || !list) return;
  const now = `${at.textContent}:${list.clientHeight}`;
  if (now !== shown) list.scrollTop = at.offsetTop - list.clientHeight + 2 * at.offsetHeight;
  shown = now;
}

/** What covers the board above and below. */
function margins() {
  const small = innerWidth < 760;
  return document.documentElement.classList.contains('embed') ? { top: 40, bottom: 74 } : { top: small ? 44 : 56, bottom: small ? 74 : 82 };
}

/** At the dot that it is about, or at the top of the board. @param {HTMLElement} box @param {[number, number]} [at] */
function placeToast(box, at) {
  const host = document.getElementById('board')?.getBoundingClientRect();
  const main = document.getElementById('main')?.getBoundingClientRect();
  const middle = host ? host.left + host.width / 2 : innerWidth / 2;
  const half = box.offsetWidth / 2 + 6;
  const x = at && host ? Math.max(half, Math.min(innerWidth - half, host.left + at[0])) : middle;
  const y = at && host ? host.top + at[1] + (at[1] > 120 ? -64 : 26) : (host?.top ?? main?.top ?? 60) + 12;
  box.style.left = `${x}px`;
  box.style.top = `${Math.max(8, y)}px`;
}

on({
  /** Shows the Play page without asking the address, which follows. */
  'to-play': () => {
    if (state.page === 'play') return;
    pages.get(state.page)?.leave?.();
    history.pushState(null, '', '#g/');
    change((state) => { state.page = 'play'; });
  },
  fit: () => board?.fit(),
  copy: async ({ text }) => {
    await navigator.clipboard?.writeText(/** @type {string} */ (text)).catch(() => {});
    toast(t('copied'), { kind: 'good' });
  },
  retry,
  skip: (_, event) => {
    event?.preventDefault();
    document.getElementById(state.page === 'play' ? 'board' : 'main')?.focus();
  },
  'open-file': (_, event) => {
    const field = /** @type {HTMLInputElement} */ (event?.target);
    const file = field.files?.[0];
    field.value = '';
    return file && take(file);
  },
});

/** Takes a file or a text: any format, a link, a picture. @param {File|string} what */
async function take(what) {
  const files = await import('./files.js');
  await files.take(what);
}

/** The element with an action at or around a target. @param {EventTarget|null} target @param {string} name @returns {HTMLElement|null} */
function withAction(target, name) {
  return target instanceof Element ? target.closest(`[data-${name}]`) : null;
}

for (const [type, name] of [['click', 'do'], ['change', 'change'], ['input', 'input'], ['submit', 'submit']]) {
  document.addEventListener(type, (event) => {
    const element = withAction(event.target, name);
    if (!element || (element instanceof HTMLButtonElement && element.disabled)) return;
    if (type === 'submit') event.preventDefault();
    if (element.dataset.toast) change((state) => { state.toast = null; });
    act(/** @type {string} */ (element.dataset[name]), element.dataset, event);
  });
}

document.addEventListener('dragover', (event) => {
  event.preventDefault();
  if (!state.dropping) change((state) => { state.dropping = true; });
});
document.addEventListener('dragleave', (event) => {
  if (!event.relatedTarget) change((state) => { state.dropping = false; });
});
document.addEventListener('drop', (event) => {
  event.preventDefault();
  change((state) => { state.dropping = false; });
  const file = event.dataTransfer?.files?.[0];
  const text = event.dataTransfer?.getData('text');
  if (file) take(file);
  else if (text) take(text);
});
document.addEventListener('paste', (event) => {
  if (event.target instanceof Element && event.target.matches('input, textarea')) return;
  const file = event.clipboardData?.files?.[0];
  const text = event.clipboardData?.getData('text');
  if (file) take(file);
  else if (text?.trim()) take(text);
});

/** Keys of the Play page, as on lichess. @param {KeyboardEvent} event @returns {boolean} */
function playKeys(event) {
  const onBoard = event.target instanceof Element && (event.target === document.body || event.target.id === 'board' || event.target.id === 'main');
  const pressing = event.target instanceof Element && event.target.matches('button, a, summary, input');
  if (event.ctrlKey || event.metaKey) {
    const key = event.key.toLowerCase();
    const name = key === 'y' || (key === 'z' && event.shiftKey) ? 'redo' : key === 'z' ? 'undo' : null;
    if (name) act(name);
    return name !== null;
  }
  switch (event.key) {
    case 'ArrowLeft': case 'u': case 'Backspace': act('undo'); return true;
    case 'ArrowRight': case 'r': act('redo'); return true;
    case 'ArrowUp': act('branch', { by: '-1' }); return true;
    case 'ArrowDown': act('branch', { by: '1' }); return true;
    case 'Home': act('undo-all'); return true;
    case 'End': act('redo-all'); return true;
    case 'n': case 'p': document.getElementById('board')?.focus(); board?.inTurn(() => board?.next(event.key === 'n' ? 1 : -1)); return true;
    case 'Tab': return onBoard && board?.aimed ? board.cycle(event.shiftKey ? -1 : 1) : false;
    case 'Enter': case ' ': if (!pressing) board?.inTurn(() => board?.confirm()); return !pressing;
    case 'Escape': if (state.play.sheet) act('sheet'); board?.setAim(null); return true;
    case '+': case '=': board?.zoomBy(1.25); return true;
    case '-': board?.zoomBy(0.8); return true;
    case '0': board?.fit(); return true;
    case 'l': act('legal'); return true;
    case 'h': act('hint'); return true;
    default: return false;
  }
}

// What Enter would draw is shown as long as Enter would draw it.
document.addEventListener('focusin', ({ target }) => {
  if (state.play.aimed?.how === 'keys' && target instanceof Element && target.matches('button, a, summary, input, select')) board?.setAim(null);
});

document.addEventListener('keydown', (event) => {
  const typing = event.target instanceof Element && event.target.matches('input:not([type=range]), textarea, select');
  if (typing || event.altKey) return;
  if (event.key === '?') act('help');
  else if (state.help) return;
  else if (state.page === 'play' ? playKeys(event) : pages.get(state.page)?.keys?.(event)) event.preventDefault();
});

// Does not bubble: a dialog that the browser closes, by Escape.
document.addEventListener('close', ({ target }) => { if (target === dialog()) change((state) => { state.help = false; }); }, true);

/** Goes on, if the server is back. */
async function retry() {
  if (served) await ask('hunts');
  change((state) => { state.offline = false; });
  // What was asked for; scripts that could not be loaded may be refused until the page is loaded again.
  if (!await go()) location.reload();
  await play.refresh();
}

/** While the server is gone, asks now and then. */
async function lookAgain() {
  if (state.offline && served) await retry().catch(() => {});
  setTimeout(lookAgain, AGAIN);
}

setLanguage(state.language).then(() => {
  drawWith(draw);
  setTimeout(lookAgain, AGAIN);
  // What the browser's own print shows; it does not wait for a script.
  setTimeout(() => import('./print.js').catch(() => {}), 500);
  addEventListener('hashchange', go);
  isLocal().then((local) => change((state) => { state.local = local; }));
  // Pages without a server work without a network, too.
  if (!served && 'serviceWorker' in navigator) navigator.serviceWorker.register('offline.js').catch(() => {});
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => change());
  go();
});
