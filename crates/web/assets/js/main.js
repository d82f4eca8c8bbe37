/** The frame around the pages: which one is shown, and where events go. */

import { act, change, drawWith, state } from './api.js';
import { h, patch } from './dom.js';
import { setLanguage, t } from './texts.js';
import * as play from './pages/play.js';

/** @typedef {{enter?: (rest: string) => any, leave?: () => void, render: (state: any) => any, keys?: (event: KeyboardEvent) => boolean}} Page */

const PAGES = ['play', 'check', 'hunt', 'gallery', 'limits', 'reduce', 'learn'];
/** @type {Map<string, Page>} */
const pages = new Map([['play', play]]);

/** Loads a page when it is first looked at. @param {string} name @returns {Promise<Page>} */
async function load(name) {
  let page = pages.get(name);
  if (!page) {
    page = /** @type {Page} */ (await import(`./pages/${name}.js`));
    pages.set(name, page);
  }
  return page;
}

async function go() {
  const [, wanted = 'play', rest = ''] = /^#?\/?([a-z]*)\/?(.*)$/.exec(location.hash) ?? [];
  const name = PAGES.includes(wanted) ? wanted : 'play';
  const page = await load(name);
  if (state.page !== name) pages.get(state.page)?.leave?.();
  change((state) => { state.page = name; });
  await page.enter?.(rest);
}

function frame() {
  document.documentElement.dataset.theme = state.theme;
  document.title = `${t(`page-${state.page}`)} · Morpion`;
  const link = (/** @type {string} */ name) =>
    h('a', { href: `#${name}`, 'aria-current': name === state.page && 'page' }, t(`page-${name}`));
  return [
    h('header', { class: 'top' },
      h('a', { class: 'brand', href: '#play' }, h('img', { src: '/icon.svg', alt: '', width: 28, height: 28 }), 'Morpion'),
      h('nav', { 'aria-label': t('pages') }, PAGES.map(link)),
      h('div', { class: 'settings' },
        h('button', { 'data-do': 'theme', id: 'theme', 'aria-label': t('theme', t(`theme-${state.theme}`)), title: t('theme', t(`theme-${state.theme}`)) },
          { auto: '◐', light: '☀', dark: '☾' }[/** @type {'auto'} */ (state.theme)]),
        h('button', { 'data-do': 'language', id: 'language', 'aria-label': t('language'), title: t('language') }, state.language === 'fr' ? 'EN' : 'FR'))),
    h('main', { key: state.page },
      state.error && h('div', { class: 'notice bad row', role: 'alert' }, h('span', { class: 'wide' }, state.error),
        h('button', { 'data-do': 'dismiss', 'aria-label': t('close') }, '×')),
      pages.get(state.page)?.render(state)),
  ];
}

/** The element with an action at or around a target. @param {EventTarget|null} target @param {string} name @returns {HTMLElement|null} */
function withAction(target, name) {
  return target instanceof Element ? target.closest(`[data-${name}]`) : null;
}

for (const [type, name] of [['click', 'do'], ['change', 'change'], ['input', 'input'], ['submit', 'submit'], ['drop', 'drop']]) {
  document.addEventListener(type, (event) => {
    const element = withAction(event.target, name);
    if (!element || (element instanceof HTMLButtonElement && element.disabled)) return;
    if (type === 'submit' || type === 'drop') event.preventDefault();
    act(/** @type {string} */ (element.dataset[name]), element.dataset, event);
  });
}
for (const type of ['dragover', 'dragleave']) {
  document.addEventListener(type, (event) => {
    const element = withAction(event.target, 'drop');
    if (!element) return;
    event.preventDefault();
    element.classList.toggle('over', type === 'dragover');
  });
}
document.addEventListener('keydown', (event) => {
  const typing = event.target instanceof Element && event.target.matches('input, textarea, select');
  if (!typing && !event.altKey && !event.metaKey && pages.get(state.page)?.keys?.(event)) event.preventDefault();
});

setLanguage(state.language).then(() => {
  drawWith(() => patch(/** @type {Element} */ (document.getElementById('app')), frame()));
  addEventListener('hashchange', go);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => change(() => {}));
  go();
});
