import { expect, test } from 'vitest';
import { keywordsOfClass } from '../../src/common/keywords.ts';
import { StatementGrammar } from '../../src/sql/grammar/statement_grammar.ts';
import { identifierText, KEYWORDS, keywordClass } from '../../src/sql/index.ts';
import { buildLexer } from '../../src/sql/lexer.ts';
import { duckdbRows } from './oracle.ts';

// At run time the checks of chevrotain are off because they cost more than building the parser.
test('the grammar has no ambiguity, left recursion or unreachable alternative, and few rules', () => {
  const grammar = new StatementGrammar(true);
  expect(Object.keys(grammar.getGAstProductions()).length).toBeLessThan(60);
});

test('every token pattern is valid and optimised by its first character', () => {
  const lexer = buildLexer(true);
  expect(lexer.lexerDefinitionErrors).toEqual([]);
});

test('keyword classes are those of DuckDB', async () => {
  const rows = await duckdbRows(
    "select keyword_category, string_agg(keyword_name, ' ' order by keyword_name) from duckdb_keywords() group by 1",
  );
  expect(rows.length).toBe(4);
  for (const [duckdbClass, words] of rows) {
    const name = `${duckdbClass}` as Parameters<typeof keywordsOfClass>[0];
    expect(keywordsOfClass(name).join(' ')).toBe(words);
  }
});

test('keywords of the grammar are upper case and have a class', () => {
  expect(KEYWORDS.length).toBeGreaterThan(100);
  for (const word of KEYWORDS) {
    expect(word).toBe(word.toUpperCase());
    expect(keywordClass(word), word).toBeDefined();
  }
});

test('an identifier is quoted when it would not read back as itself', () => {
  const texts = ['a', 'Abc_1', 'a b', 'a"b', '1a', '', 'select', 'Year', 'left', 'é', 'current_date'].map(
    identifierText,
  );
  expect(texts).toEqual([
    ...['a', 'Abc_1', '"a b"', '"a""b"', '"1a"', '""', '"select"', '"Year"', '"left"', '"é"', '"current_date"'],
  ]);
});
