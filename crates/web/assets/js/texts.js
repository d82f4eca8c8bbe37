/** The words of the pages, in the language chosen. One file for each language, loaded when it is wanted. */

/** @type {Record<string, any>} */
let words = {};
/** @type {Record<string, string>} */
let translated = {};
/** @type {Record<string, string>} */
let errors = {};

/** When all words of the language are there. @type {Promise<any>} */
export let whole = Promise.resolve();

/** @param {string} language */
export async function setLanguage(language) {
  const name = language === 'fr' ? 'fr' : 'en';
  ({ texts: words, errors } = await import(`./texts/${name}.js`));
  // Methods, formulas and errors speak English; what translates them is large, and comes later.
  whole = name === 'en' ? Promise.resolve({ said: {}, errors: {} }) : import('./texts/fr-said.js');
  whole = whole.then(({ said, errors: more }) => { translated = said; errors = { ...errors, ...more }; }, () => {});
  document.documentElement.lang = name;
}

/** A number with so many digits after the point, or comma. @param {number} value @param {number} [digits] */
export function decimal(value, digits = 1) {
  return value.toLocaleString(document.documentElement.lang, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });
}

/** The text of this name, with these values in it. @param {string} name @param {...any} values @returns {string} */
export function t(name, ...values) {
  const text = words[name];
  if (text === undefined) throw new Error(`no text ${name}`);
  return typeof text === 'function' ? text(...values) : text;
}

/** What methods and formulas say of themselves, translated if the language has it; `#` stands there for any number. @param {string} text */
export function said(text) {
  const numbers = text.match(/-?\d+/g) ?? [];
  const form = translated[text] ?? translated[text.replace(/-?\d+/g, '#')];
  return form?.replace(/#/g, () => numbers.shift() ?? '#') ?? text;
}

/** Why something failed, by its code and values: `$1` is the first value. @param {any} error */
export function reason(error) {
  const message = error instanceof Error ? error.message : String(error?.error ?? error);
  const form = errors[error?.code ?? ''];
  if (!form) return said(message);
  const values = error.values?.length ? error.values : valuesOf(message);
  return form.replace(/\$(\d)/g, (_, index) => values[Number(index) - 1] ?? '?').replace('$message', said(message));
}

/** The same as a sentence of its own. @param {any} error */
export function sentence(error) {
  return reason(error).replace(/^./, (first) => first.toUpperCase());
}

/** The numbers and quotations of a message, in their order. @param {string} message @returns {string[]} */
export function valuesOf(message) {
  return [...message.matchAll(/`([^`]*)`|(-?\d+)/g)].map(([, quoted, number]) => quoted ?? number);
}
