/** The words of the pages, in the language chosen. One file for each language, loaded when it is wanted. */

/** @type {Record<string, any>} */
let words = {};
/** @type {Record<string, string>} */
let translated = {};

/** @param {string} language */
export async function setLanguage(language) {
  const name = language === 'fr' ? 'fr' : 'en';
  ({ texts: words, said: translated } = await import(`./texts/${name}.js`));
  document.documentElement.lang = name;
}

/** The text of this name, with these values in it. @param {string} name @param {...any} values @returns {string} */
export function t(name, ...values) {
  const text = words[name];
  if (text === undefined) throw new Error(`no text ${name}`);
  return typeof text === 'function' ? text(...values) : text;
}

/** What the server says in English, translated if the language has it; `#` stands there for any number. @param {string} text */
export function said(text) {
  const numbers = text.match(/-?\d+/g) ?? [];
  const form = translated[text] ?? translated[text.replace(/-?\d+/g, '#')];
  return form?.replace(/#/g, () => numbers.shift() ?? '#') ?? text;
}
