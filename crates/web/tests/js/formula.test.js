import assert from 'node:assert/strict';
import test from 'node:test';

import { FormulaError, parse } from '../../assets/js/formula.js';

const clauses = (text) => parse(text).dimacs.split('\n').slice(1, -1).map((row) => row.split(' ').slice(0, -1).map(Number));

test('formulas are read as people write them', () => {
  for (const text of ['(a or b or not c) and (not a or c)', '(a ∨ b ∨ ¬c) ∧ (¬a ∨ c)', 'a|b|!c & !a|c', 'a + b + c\', a\' + c', '(a ou b ou non c) et (non a ou c)', 'a or b or ~c\n-a or c']) {
    assert.deepEqual(clauses(text), [[1, 2, -3], [-1, 3]], text);
  }
  assert.deepEqual(parse('x1 or x2').names, ['x1', 'x2']);
  assert.deepEqual(clauses('not not a or a'), [[1]]);
});

test('DIMACS stays as it is', () => {
  const text = 'c a comment\np cnf 2 1\n1 -2 0\n';
  assert.deepEqual(parse(text), { dimacs: text, names: ['x1', 'x2'] });
});

test('an operator may stand at the end of a line, but not without both of its sides', () => {
  for (const text of ['a and\nb', 'a\nand b', 'a,\nb', '(a) and (b);', 'a\n\n  b']) assert.deepEqual(clauses(text), [[1], [2]], text);
});

test('what is no formula is refused with the word that is wrong', () => {
  for (const [text, code] of [['', 'formula-empty'], ['a or', 'formula-missing'], ['(a or b) and and', 'formula-missing'], ['and a', 'formula-missing'], ['a and ()', 'formula-missing'], ['a or 1 2', 'formula-word'], ['a or b or c or d', 'formula-long'], ['a or $b', 'formula-word']]) {
    assert.throws(() => parse(text), (error) => error instanceof FormulaError && error.code === code, text);
  }
});
