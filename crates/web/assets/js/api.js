/**
 * The state of the pages, and the only way to change it.
 *
 * `state` is plain data. Pages name actions (`data-do="undo"` on an element, or `act` from code);
 * an action changes the state through `change`, and what is seen follows from the state alone.
 */

import { said, setLanguage } from './texts.js';

/** @typedef {[number, number]} Dot */
/** @typedef {{new: Dot, line: [Dot, string]}} Move */

/** @type {Record<string, any>} */
export const state = {
  page: 'play',
  language: kept('language') ?? (navigator.language.startsWith('fr') ? 'fr' : 'en'),
  theme: kept('theme') ?? 'auto',
  error: null,
};

/** @type {Map<string, (data: DOMStringMap, event?: Event) => any>} */
const actions = new Map();
/** @type {() => void} */
let render = () => {};
let waiting = false;

/** Says how the state is drawn. @param {() => void} draw */
export function drawWith(draw) {
  render = draw;
}

/** Changes the state; it is drawn soon after, once. @param {(state: Record<string, any>) => void} how */
export function change(how) {
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

/** Does something by its name; what goes wrong is shown. @param {string} name */
export async function act(name, data = /** @type {DOMStringMap} */ ({}), event = /** @type {Event|undefined} */ (undefined)) {
  const action = actions.get(name);
  if (!action) throw new Error(`no action ${name}`);
  try {
    if (state.error) change((state) => { state.error = null; });
    await action(data, event);
  } catch (error) {
    change((state) => { state.error = said(error instanceof Error ? error.message : String(error)); });
  }
}

/** Says something to those who do not see the page. @param {string} text */
export function say(text) {
  const said = document.getElementById('said');
  if (said) said.textContent = text;
}

/** Keeps a setting for the next visit. @param {string} name @param {any} value */
export function keep(name, value) {
  try {
    localStorage.setItem(`morpion.${name}`, JSON.stringify(value));
  } catch { /* Without storage, nothing is kept. */ }
}

/** What was kept. @param {string} name */
export function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(`morpion.${name}`) ?? 'null');
  } catch {
    return null;
  }
}

on({
  language: async () => {
    const language = state.language === 'fr' ? 'en' : 'fr';
    await setLanguage(language);
    change((state) => { state.language = language; });
    keep('language', language);
  },
  theme: () => change((state) => {
    const next = { auto: 'light', light: 'dark', dark: 'auto' };
    state.theme = next[/** @type {'auto'} */ (state.theme)] ?? 'auto';
    keep('theme', state.theme);
  }),
  dismiss: () => change((state) => { state.error = null; }),
});

/** Whether the page is dark now. */
export function isDark() {
  if (state.theme !== 'auto') return state.theme === 'dark';
  return matchMedia('(prefers-color-scheme: dark)').matches;
}
