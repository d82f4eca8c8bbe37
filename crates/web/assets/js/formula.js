/**
 * Formulas as people write them: `(a or b or not c) and (-a or c)`, `x1 ∨ ¬x2, x3`, or DIMACS.
 * Pure; whether a formula is satisfiable is for others to say.
 */

/** @typedef {{dimacs: string, names: string[]}} Parsed the formula, and the name of each variable */

/** Why a text is no formula; `at` is the word that is not understood. */
export class FormulaError extends Error {
  /** @param {string} code @param {string} at */
  constructor(code, at) {
    super(`${code}: \`${at}\``);
    this.code = code;
    this.values = [at];
  }
}

const AND = /\band\b|\bet\b|&+|∧|·/iu;
const OR = /\bor\b|\bou\b|\|+|∨|\+/iu;

/** What stands between operators. @param {string} text @param {RegExp} operator */
function sides(text, operator) {
  const found = text.split(operator).map((side) => side.trim());
  if (found.some((side) => !side)) throw new FormulaError('formula-missing', text.match(operator)?.[0] ?? '()');
  return found;
}

/** @param {string} text @returns {Parsed} */
export function parse(text) {
  if (/^\s*(c[^\n]*\n\s*)*p\s+cnf\s/.test(text)) {
    const variables = Number(/p\s+cnf\s+(\d+)/.exec(text)?.[1] ?? 0);
    return { dimacs: text, names: Array.from({ length: Math.min(variables, 1000) }, (_, index) => `x${index + 1}`) };
  }
  /** @type {string[]} */
  const names = [];
  // A clause may begin on the next line or after a comma; an operator needs both of its sides.
  const broken = text.replace(new RegExp(`[,;\\s]*(${AND.source})[,;\\s]*`, 'giu'), ' $1 ').trim();
  const clauses = broken.split(/[,;\n]+/).filter((part) => part.trim()).flatMap((part) => sides(part.replace(/[()[\]{}]/g, ' '), AND));
  const numbers = clauses.map((clause) => sides(clause, OR).map((word) => literal(word, names)));
  for (const clause of numbers) if (clause.length > 3) throw new FormulaError('formula-long', clause.map((one) => (one > 0 ? '' : '¬') + names[Math.abs(one) - 1]).join(' ∨ '));
  if (!numbers.length) throw new FormulaError('formula-empty', '');
  const lines = numbers.map((clause) => `${[...new Set(clause)].join(' ')} 0\n`);
  return { dimacs: `p cnf ${names.length} ${lines.length}\n${lines.join('')}`, names };
}

/** @param {string} word @param {string[]} names */
function literal(word, names) {
  const found = /^((?:[-!~¬]|not\b|non\b|\s)*)([\p{L}_][\p{L}\p{N}_]*)('?)$/iu.exec(word);
  if (!found) throw new FormulaError('formula-word', word);
  const [, signs, name, prime] = found;
  const negations = (signs.match(/[-!~¬]|not|non/giu) ?? []).length + (prime ? 1 : 0);
  let index = names.indexOf(name);
  if (index < 0) index = names.push(name) - 1;
  return (negations % 2 ? -1 : 1) * (index + 1);
}
