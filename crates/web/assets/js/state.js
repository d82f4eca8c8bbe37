/**
 * The state of the pages, and the only way to change it.
 *
 * `state` is plain data. Pages name actions (`data-do="undo"` on an element, or `act` from code);
 * an action changes the state through `change`, and what is seen follows from the state alone.
 */

import { sentence, setLanguage, whole } from './texts.js';

/** @typedef {{text: string, kind: 'note'|'bad'|'good', action?: string, label?: string, at?: [number, number]}} Toast */

/**
 * What all pages share; each page adds its own part under its name.
 * @typedef {object} Shared
 * @property {string} page
 * @property {string} language
 * @property {'auto'|'light'|'dark'} theme
 * @property {Toast|null} toast
 * @property {boolean} offline whether the server was gone when it was last asked
 * @property {boolean} local whether moves are answered in the page
 * @property {boolean} help
 * @property {boolean} dropping
 */
/** @typedef {Shared & {play: import('./pages/play.js').Play} & Record<string, any>} State */

/** @type {State} */
export const state = /** @type {any} */ ({
  page: 'play',
  language: kept('language') ?? (navigator.language.startsWith('fr') ? 'fr' : 'en'),
  theme: kept('theme') ?? 'auto',
  toast: null,
  offline: false,
  local: false,
  help: false,
  dropping: false,
});

/** @type {Map<string, (data: DOMStringMap, event?: Event) => any>} */
const actions = new Map();
/** @type {() => void} */
let render = () => {};
let waiting = false;
/** @type {ReturnType<typeof setTimeout>|undefined} */
let fading;

/** Says how the state is drawn. @param {() => void} draw */
export function drawWith(draw) {
  render = draw;
}

/** Changes the state; it is drawn soon after, once. @param {(state: State) => void} [how] */
export function change(how = () => {}) {
  how(state);
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    render();
  });
}

/** Adds actions by name. @param {Record<string, (data: DOMStringMap, event?: Event) => any>} more */
export function on(more) {
  for (const [name, action] of Object.entries(more)) actions.set(name, action);
}

/** Does something by its name; what goes wrong is shown. @param {string} name @param {Record<string, string|undefined>} [data] @param {Event} [event] */
export async function act(name, data = {}, event = undefined) {
  const action = actions.get(name);
  if (!action) throw new Error(`no action ${name}`);
  try {
    await action(/** @type {DOMStringMap} */ (data), event);
  } catch (error) {
    // The banner says so already.
    if (/** @type {any} */ (error)?.code !== 'offline') toast(sentence(error), { kind: 'bad' });
  }
}

/** Says something for a moment, at the board. @param {string} text @param {Partial<Toast>} [more] */
export function toast(text, more = {}) {
  clearTimeout(fading);
  const shown = /** @type {Toast} */ ({ kind: 'note', ...more, text });
  change((state) => { state.toast = shown; });
  say(text);
  fading = setTimeout(() => change((state) => { if (state.toast === shown) state.toast = null; }), more.action ? 9000 : 2500 + 45 * text.length);
}

/** Says something to those who do not see the page. @param {string} text */
export function say(text) {
  const said = document.getElementById('said');
  if (said && said.textContent !== text) said.textContent = text;
}

/** Keeps a setting for the next visit. @param {string} name @param {any} value @param {Storage} [where] */
export function keep(name, value, where = localStorage) {
  try {
    where.setItem(`morpion.${name}`, JSON.stringify(value));
  } catch { /* Without storage, nothing is kept. */ }
}

/** What was kept. @param {string} name @param {() => Storage} [where] */
export function kept(name, where = () => localStorage) {
  try {
    return JSON.parse(where().getItem(`morpion.${name}`) ?? 'null');
  } catch {
    return null;
  }
}

on({
  language: async () => {
    const language = state.language === 'fr' ? 'en' : 'fr';
    await setLanguage(language);
    await whole;
    change((state) => Object.assign(state, { language, toast: null }));
    say('');
    keep('language', language);
  },
  theme: () => change((state) => {
    const next = /** @type {const} */ ({ auto: 'light', light: 'dark', dark: 'auto' });
    state.theme = next[state.theme] ?? 'auto';
    keep('theme', state.theme);
  }),
  help: () => change((state) => Object.assign(state, { help: !state.help, toast: null })),
  'toast-close': () => change((state) => { state.toast = null; }),
});

/** Whether the page is dark now. */
export function isDark() {
  if (state.theme !== 'auto') return state.theme === 'dark';
  return matchMedia('(prefers-color-scheme: dark)').matches;
}
