/** The words of the pages, in the language chosen. One file for each language. */

import { en } from './texts/en.js';
import { fr } from './texts/fr.js';

/** @type {Record<string, Record<string, any>>} */
const LANGUAGES = { en, fr };
let words = en;

/** @param {string} language */
export function setLanguage(language) {
  words = LANGUAGES[language] ?? en;
  document.documentElement.lang = language;
}

/** The text of this name, with these values in it. @param {string} name @param {...any} values @returns {string} */
export function t(name, ...values) {
  const text = words[name];
  if (text === undefined) throw new Error(`no text ${name}`);
  return typeof text === 'function' ? text(...values) : text;
}
