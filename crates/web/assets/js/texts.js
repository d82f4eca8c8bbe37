/** The words of the pages, in the language chosen. One file for each language, loaded when it is wanted. */

/** @type {Record<string, any>} */
let words = {};

/** @param {string} language */
export async function setLanguage(language) {
  const name = language === 'fr' ? 'fr' : 'en';
  words = (await import(`./texts/${name}.js`)).texts;
  document.documentElement.lang = name;
}

/** The text of this name, with these values in it. @param {string} name @param {...any} values @returns {string} */
export function t(name, ...values) {
  const text = words[name];
  if (text === undefined) throw new Error(`no text ${name}`);
  return typeof text === 'function' ? text(...values) : text;
}

/** The text of this name if there is one, else another. @param {string} name @param {string} other */
export function tOr(name, other) {
  return words[name] ?? other;
}
