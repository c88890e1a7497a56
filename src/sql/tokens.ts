import { createToken, Lexer, type TokenType } from 'chevrotain';
import { keywordClass, keywordsOfClass } from '../common/keywords.ts';

/*
 * Every word is lexed as one token type and takes its keyword type afterwards from a table: 150 patterns fewer to
 * prepare at start. Categories say where a word may stand.
 */

/** A word that may be a column, table or alias: not a keyword, unreserved or column_name. */
export const Name = createToken({ name: 'Name', pattern: Lexer.NA });
/** A word that may be an output name after AS or a field after a dot: all words. */
export const Label = createToken({ name: 'Label', pattern: Lexer.NA });
/** Whatever can begin an expression: to the grammar an expression is one such token (see expression_grammar.ts). */
export const ExpressionStart = createToken({ name: 'ExpressionStart', pattern: Lexer.NA });

/** A string literal in any of its spellings. */
export const AnyString = createToken({ name: 'AnyString', pattern: Lexer.NA });

const NAME = [Name, Label, ExpressionStart];
const STRING = [AnyString, ExpressionStart];

// ---------------------------------------------------------------------------------------------------------------
// Blanks and comments

export const WhiteSpace = createToken({ name: 'WhiteSpace', pattern: /\s+/, group: Lexer.SKIPPED, line_breaks: true });

export const LineComment = createToken({ name: 'LineComment', pattern: /--[^\n\r]*/, group: Lexer.SKIPPED });

/** The possibly nested block comment at `offset`, null when it does not end. */
function blockComment(text: string, offset: number): [string] | null {
  if (!text.startsWith('/*', offset)) return null;
  const edge = /\/\*|\*\//g;
  edge.lastIndex = offset + 2;
  let open = 1;
  for (let match = edge.exec(text); match !== null; match = edge.exec(text)) {
    open += match[0] === '/*' ? 1 : -1;
    if (open === 0) return [text.slice(offset, edge.lastIndex)];
  }
  return null;
}

export const BlockComment = createToken({
  name: 'BlockComment',
  pattern: { exec: blockComment },
  start_chars_hint: ['/'],
  group: Lexer.SKIPPED,
  line_breaks: true,
});

/** Runs to the end of the text, as do its kin below: what follows an unclosed mark means nothing. */
export const UnterminatedComment = createToken({
  name: 'UnterminatedComment',
  pattern: /\/\*[\s\S]*/,
  line_breaks: true,
});

// ---------------------------------------------------------------------------------------------------------------
// Strings and quoted names, by hand: a regular expression would need stack for each doubled quote. The unterminated
// twins come after them and make the error message.

/** End of a text in quotes that opens at `open`; a doubled quote does not close it. -1 when nothing does. */
function quotedEnd(text: string, open: number, quote: string): number {
  for (let at = text.indexOf(quote, open + 1); at >= 0; at = text.indexOf(quote, at + 2)) {
    if (text[at + 1] !== quote) return at + 1;
  }
  return -1;
}

function quotedText(text: string, offset: number, open: number): [string] | null {
  const end = quotedEnd(text, open, text[open]!);
  return end < 0 ? null : [text.slice(offset, end)];
}

export const PlainString = createToken({
  name: 'PlainString',
  pattern: { exec: (text: string, offset: number) => (text[offset] === "'" ? quotedText(text, offset, offset) : null) },
  start_chars_hint: ["'"],
  line_breaks: true,
  categories: STRING,
});

/** `E'\n'`: a backslash takes the next character along. */
function escapeString(text: string, offset: number): [string] | null {
  if (text[offset + 1] !== "'") return null;
  const stop = /[\\']/g;
  stop.lastIndex = offset + 2;
  for (let match = stop.exec(text); match !== null; match = stop.exec(text)) {
    const doubled = text[match.index + 1] === "'";
    if (match[0] === "'" && !doubled) return [text.slice(offset, stop.lastIndex)];
    stop.lastIndex = match.index + 2;
  }
  return null;
}

export const EscapeString = createToken({
  name: 'EscapeString',
  pattern: { exec: escapeString },
  start_chars_hint: ['e', 'E'],
  line_breaks: true,
  categories: STRING,
});

/** `x'00FF'` */
export const BlobString = createToken({
  name: 'BlobString',
  pattern: /[xX]'[^']*'/,
  line_breaks: true,
  categories: [ExpressionStart],
});

/** `$$text$$`, `$tag$text$tag$` */
function dollarString(text: string, offset: number): [string] | null {
  const tag = /\$(?:[A-Za-z_]\w*)?\$/y;
  tag.lastIndex = offset;
  const open = tag.exec(text);
  if (open === null) return null;
  const close = text.indexOf(open[0], tag.lastIndex);
  return close < 0 ? null : [text.slice(offset, close + open[0].length)];
}

export const DollarString = createToken({
  name: 'DollarString',
  pattern: { exec: dollarString },
  start_chars_hint: ['$'],
  line_breaks: true,
  categories: STRING,
});

export const UnterminatedString = createToken({
  name: 'UnterminatedString',
  pattern: /[eExX]?'[\s\S]*/,
  line_breaks: true,
});

export const UnterminatedDollar = createToken({
  name: 'UnterminatedDollar',
  pattern: /\$(?:[A-Za-z_]\w*)?\$[\s\S]*/,
  line_breaks: true,
});

/** `"name"`, or with backticks as Spark writes it */
export const QuotedName = createToken({
  name: 'QuotedName',
  pattern: {
    exec: (text: string, offset: number) => (/["`]/.test(text[offset]!) ? quotedText(text, offset, offset) : null),
  },
  start_chars_hint: ['"', '`'],
  line_breaks: true,
  categories: NAME,
});

export const UnterminatedName = createToken({ name: 'UnterminatedName', pattern: /["`][\s\S]*/, line_breaks: true });

// ---------------------------------------------------------------------------------------------------------------
// Numbers and parameters

export const Integer = createToken({
  name: 'Integer',
  pattern: /(?:0[xX][0-9a-fA-F]+(?:_[0-9a-fA-F]+)*|0[bB][01]+(?:_[01]+)*|\d+(?:_\d+)*)(?![\w$])/,
  categories: [ExpressionStart],
});

export const Decimal = createToken({
  name: 'Decimal',
  pattern: /(?:\d+(?:_\d+)*\.(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?![\w$])/,
  categories: [ExpressionStart],
});

export const Double = createToken({
  name: 'Double',
  pattern: /(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)[eE][+-]?\d+(?![\w$])/,
  categories: [ExpressionStart],
});

/** A number that runs into a word: `1abc`, `1e`, `0xg`. */
export const NumberJunk = createToken({
  name: 'NumberJunk',
  pattern: /(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)[A-Za-z_$][\w$]*/,
});

/** `$name`, `$1`, `?` */
export const Parameter = createToken({
  name: 'Parameter',
  pattern: /\$(?:[A-Za-z_]\w*|\d+)|\?/,
  categories: [ExpressionStart],
});

/** `#1` */
export const Position = createToken({ name: 'Position', pattern: /#\d+/, categories: [ExpressionStart] });

// ---------------------------------------------------------------------------------------------------------------
// Punctuation and operators

export const LParen = createToken({ name: 'LParen', pattern: /\(/, categories: [ExpressionStart] });
export const RParen = createToken({ name: 'RParen', pattern: /\)/ });
export const LBracket = createToken({ name: 'LBracket', pattern: /\[/, categories: [ExpressionStart] });
export const RBracket = createToken({ name: 'RBracket', pattern: /]/ });
export const LBrace = createToken({ name: 'LBrace', pattern: /\{/, categories: [ExpressionStart] });
export const RBrace = createToken({ name: 'RBrace', pattern: /}/ });
export const Comma = createToken({ name: 'Comma', pattern: /,/ });
export const Semicolon = createToken({ name: 'Semicolon', pattern: /;/ });
export const Dot = createToken({ name: 'Dot', pattern: /\./ });
export const Colon = createToken({ name: 'Colon', pattern: /:/ });
export const DoubleColon = createToken({ name: 'DoubleColon', pattern: /::/ });
export const ColonEquals = createToken({ name: 'ColonEquals', pattern: /:=/ });
export const FatArrow = createToken({ name: 'FatArrow', pattern: /=>/ });
export const Equals = createToken({ name: 'Equals', pattern: /==?/ });
/** `*` begins a select item, not an expression. */
export const Asterisk = createToken({ name: 'Asterisk', pattern: /\*/ });
/** `+`, `-`, `~`, `@`: also prefix operators. */
export const PrefixOperator = createToken({
  name: 'PrefixOperator',
  pattern: /[+\-~@]/,
  categories: [ExpressionStart],
});
/** Operators that are only binary; told apart by their text. */
export const Operator = createToken({
  name: 'Operator',
  pattern:
    /<->|<=>|<#>|<\+>|->>|->|@>|<@|&&|\^@|!~~\*|!~~|!~\*|!~|~~~|~~\*|~~|~\*|\|\||<<|>>|<=|>=|<>|!=|\/\/|\*\*|[/%^&|<>]/,
});

// ---------------------------------------------------------------------------------------------------------------
// Words

/** All characters outside ASCII but blanks are letters. */
const LETTERS = /(?:[A-Za-z_]|(?!\s)[\u00a1-\uffff])(?:[\w$]+|(?!\s)[\u00a1-\uffff])*/;

/** First characters of words: each below U+0100, then one code of each of the 255-code buckets that chevrotain sorts by. */
function letterHints(): number[] {
  const hints: number[] = [];
  for (let code = 0x41; code < 0x100; code++) {
    if (LETTERS.test(String.fromCharCode(code))) hints.push(code);
  }
  for (let code = 0x100; code <= 0xffff; code += 255) hints.push(code);
  hints.push(0xffff);
  return hints;
}

export const Word = createToken({
  name: 'Word',
  pattern: LETTERS,
  start_chars_hint: letterHints(),
  line_breaks: false,
  categories: NAME,
});

/** A reserved word without a token type of its own: only a label. */
const ReservedWord = createToken({ name: 'ReservedWord', pattern: Lexer.NA, categories: [Label] });
/** A type_function word without a token type of its own: a function name. */
const FunctionWord = createToken({
  name: 'FunctionWord',
  pattern: Lexer.NA,
  categories: [Label, ExpressionStart],
});

/** The keywords that the grammar tells apart. */
const GRAMMAR_KEYWORDS = [
  ...['ALL', 'ANALYZE', 'AND', 'ANTI', 'ANY', 'ARRAY', 'AS', 'ASC', 'ASOF', 'AT', 'BETWEEN', 'BOTH', 'BY', 'CASE'],
  ...['CAST', 'COLLATE', 'COLUMNS', 'COPY', 'CREATE', 'CROSS', 'CUBE', 'CURRENT', 'DEFAULT', 'DESC', 'DESCRIBE'],
  ...['DISTINCT', 'DOUBLE', 'DROP', 'ELSE', 'END', 'ESCAPE', 'EXCEPT', 'EXCLUDE', 'EXISTS', 'EXPLAIN', 'EXTRACT'],
  ...['FALSE', 'FETCH', 'FILTER', 'FIRST', 'FOLLOWING', 'FOR', 'FROM', 'FULL', 'GLOB', 'GROUP', 'GROUPING'],
  ...['GROUPS', 'HAVING', 'IF', 'IGNORE', 'ILIKE', 'IN', 'INNER', 'INTERSECT', 'INTERVAL', 'IS', 'ISNULL', 'JOIN'],
  ...['LAMBDA', 'LAST', 'LATERAL', 'LEADING', 'LEFT', 'LIKE', 'LIMIT', 'MAP', 'MATERIALIZED', 'NAME', 'NATURAL'],
  ...['NEXT', 'NO', 'NOT', 'NOTNULL', 'NULL', 'NULLS', 'OFFSET', 'ON', 'ONLY', 'OR', 'ORDER', 'ORDINALITY', 'OTHERS'],
  ...['OUTER', 'OVER', 'OVERLAY', 'PARTITION', 'PERCENT', 'PIVOT', 'PLACING', 'POSITION', 'POSITIONAL', 'PRECEDING'],
  ...['PRECISION', 'QUALIFY', 'RANGE', 'RECURSIVE', 'RENAME', 'REPLACE', 'RESET', 'RESPECT', 'RIGHT', 'ROLLUP'],
  ...['ROW', 'ROWS', 'SELECT', 'SEMI', 'SET', 'SETS', 'SHOW', 'SIMILAR', 'SOME', 'STRUCT', 'SUBSTRING', 'SUMMARIZE'],
  ...['SYMMETRIC', 'TABLE', 'TABLES', 'TABLESAMPLE', 'TEMP', 'TEMPORARY', 'THEN', 'TIES', 'TIME', 'TIMESTAMP', 'TO'],
  ...['TRAILING', 'TRIM', 'TRUE', 'TRY_CAST', 'UNBOUNDED', 'UNION', 'UNKNOWN', 'UNPIVOT', 'USING', 'VALUES', 'VIEW'],
  ...['WHEN', 'WHERE', 'WINDOW', 'WITH', 'WITHIN', 'WITHOUT', 'ZONE'],
] as const;

export type GrammarKeyword = (typeof GRAMMAR_KEYWORDS)[number];

/** Reserved words that begin an expression. */
const EXPRESSION_WORDS = new Set(['ARRAY', 'CASE', 'CAST', 'FALSE', 'LAMBDA', 'NOT', 'NULL', 'TRUE']);

/** type_function words that DuckDB takes as columns and tables as well. */
const ALSO_NAMES = new Set(['COLUMNS', 'GENERATED', 'MAP', 'STRUCT', 'TRY_CAST']);

function keywordCategories(word: string): TokenType[] {
  if (ALSO_NAMES.has(word)) return NAME;
  switch (keywordClass(word)) {
    case 'reserved':
      return EXPRESSION_WORDS.has(word) ? [Label, ExpressionStart] : [Label];
    case 'type_function':
      return [Label, ExpressionStart];
    default:
      return NAME;
  }
}

/**
 * Categories are set after creation, so that they are expanded once by the parser and not again for each token: with
 * createToken's own option 140 keywords cost 5 ms.
 */
function keywordToken(word: string): TokenType {
  const token = createToken({ name: word, pattern: Lexer.NA });
  token.CATEGORIES = keywordCategories(word);
  return token;
}

/** Token type of each keyword of the grammar: `K.SELECT`. */
export const K = Object.fromEntries(GRAMMAR_KEYWORDS.map((word) => [word, keywordToken(word)])) as Readonly<
  Record<GrammarKeyword, TokenType>
>;

const WORD_TYPES = new Map<string, TokenType>([
  ...keywordsOfClass('reserved').map((word) => [word.toUpperCase(), ReservedWord] as const),
  ...keywordsOfClass('type_function').map((word) => [word.toUpperCase(), FunctionWord] as const),
  ['GENERATED', Word],
  ...Object.entries(K),
]);

/** Token type of an unquoted word in any case. */
export function wordType(image: string): TokenType {
  return WORD_TYPES.get(image.toUpperCase()) ?? Word;
}

/** Upper-case keywords that the grammar knows: for hints and completion. */
export const KEYWORDS: readonly string[] = GRAMMAR_KEYWORDS;

/** In the order in which they are tried: longer ones before their beginnings. */
export const LEXER_TOKENS: TokenType[] = [
  ...[WhiteSpace, LineComment, BlockComment, UnterminatedComment],
  ...[PlainString, EscapeString, BlobString, DollarString, UnterminatedString, UnterminatedDollar],
  ...[Word, QuotedName, UnterminatedName],
  ...[Double, Decimal, Integer, NumberJunk, Parameter, Position],
  ...[ColonEquals, DoubleColon, Colon, FatArrow, Operator, Equals, Asterisk, PrefixOperator],
  ...[LParen, RParen, LBracket, RBracket, LBrace, RBrace, Comma, Semicolon, Dot],
];

/** All token types of the grammar. */
export const VOCABULARY: TokenType[] = [
  ...LEXER_TOKENS,
  ...[Name, Label, ExpressionStart, AnyString, ReservedWord, FunctionWord],
  ...Object.values(K),
];
