import { BARE_FUNCTIONS, identifierText } from '../../common/keywords.ts';
import type {
  Binary,
  ComparisonOperator,
  Expression,
  ExpressionKind,
  FunctionCall,
  IntervalLiteral,
  IntervalUnit,
  Like,
  Unary,
} from '../ast.ts';
import { callText, EXPRESSION_TEXT, type Printer } from './expression.ts';
import { queryText } from './query.ts';
import { quoted } from './style.ts';

type Text = (node: Expression, p: Printer) => string;
type Overrides = { readonly [K in ExpressionKind]?: (node: Extract<Expression, { kind: K }>, p: Printer) => string };

const NEGATION: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  '=': '<>',
  '<>': '=',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
  is_distinct_from: 'is_not_distinct_from',
  is_not_distinct_from: 'is_distinct_from',
};

function isComparison(operator: string): operator is ComparisonOperator {
  return Object.hasOwn(NEGATION, operator);
}

function comparisonSign(operator: string): string {
  return operator === '<>' ? '!=' : operator;
}

function isNumber(node: Expression): boolean {
  return node.kind === 'integer_literal' || node.kind === 'decimal_literal' || node.kind === 'double_literal';
}

/** `%g`-like text of a double with 17 digits at most: 1.0, 1e+20, 1e-05. */
export function doubleText(text: string): string {
  const value = Number(text);
  if (!Number.isFinite(value)) return text;
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) {
    return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  }
  return Number.isInteger(value) ? `${value}.0` : `${value}`;
}

const UNIT_FUNCTIONS: Readonly<Record<IntervalUnit, readonly [name: string, type: string]>> = {
  year: ['to_years', 'INTEGER'],
  quarter: ['to_quarters', 'INTEGER'],
  month: ['to_months', 'INTEGER'],
  week: ['to_weeks', 'INTEGER'],
  day: ['to_days', 'INTEGER'],
  hour: ['to_hours', 'BIGINT'],
  minute: ['to_minutes', 'BIGINT'],
  second: ['to_seconds', 'DOUBLE'],
  millisecond: ['to_milliseconds', 'DOUBLE'],
  microsecond: ['to_microseconds', 'BIGINT'],
  decade: ['to_decades', 'INTEGER'],
  century: ['to_centuries', 'INTEGER'],
  millennium: ['to_millennia', 'INTEGER'],
};

function intervalName(node: IntervalLiteral, p: Printer): string {
  const value = p.expression(node.value);
  if (node.unit === null) return `CAST(${value} AS INTERVAL)`;
  const [name, type] = UNIT_FUNCTIONS[node.unit];
  const double = `CAST(${value} AS DOUBLE)`;
  return type === 'DOUBLE' ? `${name}(${double})` : `${name}(CAST(trunc(${double}) AS ${type}))`;
}

/** DuckDB turns NOT over a comparison or IN into its opposite while parsing, from the inside out. */
function withoutNot(node: Unary): Expression {
  const isNot = node.operand.kind === 'unary' && node.operand.operator === 'not';
  const operand = isNot ? withoutNot(node.operand as Unary) : node.operand;
  if (operand.kind === 'binary' && isComparison(operand.operator)) {
    return { ...operand, operator: NEGATION[operand.operator] };
  }
  if (operand.kind === 'is_boolean') return { ...operand, negated: !operand.negated };
  if (operand.kind === 'in_list' && !operand.negated) return { ...operand, negated: true };
  return { ...node, operand };
}

/** A sign before a number becomes part of the number. */
function unaryName(node: Unary, p: Printer): string {
  if (node.operator === 'not') {
    const opposite = withoutNot(node);
    const stays = opposite.kind === 'unary' && opposite.operator === 'not';
    return stays ? `(NOT ${p.expression(opposite.operand)})` : p.expression(opposite);
  }
  const { operand, operator } = node;
  const text = p.expression(operand);
  if (operator === '-' && isNumber(operand)) return `-${text}`;
  if (operator === '-' && isNegativeNumber(operand)) return text.slice(1);
  return `${operator}(${text})`;
}

function isNegativeNumber(node: Expression): boolean {
  return node.kind === 'unary' && node.operator === '-' && isNumber(node.operand);
}

function binaryName(node: Binary, p: Printer): string {
  const left = p.expression(node.left);
  const right = p.expression(node.right);
  switch (node.operator) {
    case '~':
      return `regexp_full_match(${left}, ${right})`;
    case '!~':
      return `(NOT regexp_full_match(${left}, ${right}))`;
    case 'is_distinct_from':
      return `(${left} IS DISTINCT FROM ${right})`;
    case 'is_not_distinct_from':
      return `(${left} IS NOT DISTINCT FROM ${right})`;
    default:
      return `(${left} ${comparisonSign(node.operator)} ${right})`;
  }
}

const LIKE_SIGNS = { like: '~~', ilike: '~~*', glob: '~~~' } as const;

function likeName(node: Like, p: Printer): string {
  const operand = p.expression(node.operand);
  const pattern = p.expression(node.pattern);
  if (node.operator === 'similar_to') {
    const call = `regexp_full_match(${operand}, ${pattern})`;
    return node.negated ? `(NOT ${call})` : call;
  }
  if (node.escape !== null) {
    const name = `${node.negated ? 'not_' : ''}${node.operator}_escape`;
    return `main.${name}(${operand}, ${pattern}, ${p.expression(node.escape)})`;
  }
  return `(${operand} ${node.negated ? '!' : ''}${LIKE_SIGNS[node.operator]} ${pattern})`;
}

function callName(node: FunctionCall, p: Printer): string {
  const parts = node.name.map((part) => part.name.toLowerCase());
  const word = parts.length === 1 ? parts[0]! : '';
  const values = node.arguments.map((argument) => argument.value);
  switch (word) {
    case 'coalesce':
    case 'try':
    case 'grouping':
      return callText(word.toUpperCase(), node, p);
    case 'grouping_id':
      return callText('GROUPING', node, p);
    case 'ifnull':
      return callText('COALESCE', node, p);
    case 'if':
      if (values.length !== 3) break;
      return `CASE  WHEN (${p.expression(values[0]!)}) THEN (${p.expression(values[1]!)}) ELSE ${p.expression(values[2]!)} END`;
    case 'count': {
      const star = values.length === 0 || (values.length === 1 && values[0]!.kind === 'star');
      if (!star) break;
      return callText(node.over === null ? 'count_star' : 'count', { ...node, arguments: [] }, p);
    }
    case 'position':
    case 'substring':
    case 'trim':
      return callText(`main."${word}"`, node, p);
    default:
      if (BARE_FUNCTIONS.has(word) && values.length === 0) return word;
  }
  return callText(parts.map(identifierText).join('.'), node, p);
}

/** Where DuckDB's text differs from canonical SQL. */
const NAMES: Overrides = {
  decimal_literal: (node) => node.text.replace(/\.$/, ''),
  double_literal: (node) => doubleText(node.text),
  boolean_literal: (node) => `CAST('${node.value ? 't' : 'f'}' AS BOOLEAN)`,
  interval_literal: intervalName,
  unary: unaryName,
  binary: binaryName,
  is_boolean: (node, p) => {
    const operator = node.negated ? 'IS DISTINCT FROM' : 'IS NOT DISTINCT FROM';
    return `(CAST(${p.expression(node.operand)} AS BOOLEAN) ${operator} ${node.value})`;
  },
  between: (node, p) => {
    const text = EXPRESSION_TEXT.between({ ...node, negated: false }, p);
    return node.negated ? `(NOT ${text})` : text;
  },
  in_list: (node, p) => {
    const items = node.items.map((item) => p.expression(item)).join(', ');
    return `(${p.expression(node.operand)} ${node.negated ? 'NOT IN' : 'IN'} (${items}))`;
  },
  in_subquery: (node, p) => {
    const text = `(${p.expression(node.operand)} = ANY(${p.query(node.query)}))`;
    return node.negated ? `(NOT ${text})` : text;
  },
  quantified_comparison: (node, p) => {
    const all = node.quantifier === 'all';
    const operator = comparisonSign(all ? NEGATION[node.operator] : node.operator);
    const text = `(${p.expression(node.operand)} ${operator} ANY(${p.query(node.query)}))`;
    return all ? `(NOT ${text})` : text;
  },
  like: likeName,
  case: (node, p) => {
    const operand = node.operand === null ? undefined : p.expression(node.operand);
    const branches = node.branches.map((branch) => {
      const text = p.expression(branch.condition);
      const condition = operand === undefined ? text : `(${operand} = ${text})`;
      return ` WHEN (${condition}) THEN (${p.expression(branch.result)})`;
    });
    const otherwise = node.otherwise === null ? 'NULL' : p.expression(node.otherwise);
    return `CASE ${branches.join('')} ELSE ${otherwise} END`;
  },
  collate: (node, p) => `${p.expression(node.operand)} COLLATE ${node.collation.map((c) => c.name).join('.')}`,
  function_call: callName,
  lambda: (node, p) => {
    const parameters = node.parameters.map((parameter) => identifierText(parameter.name));
    return `(lambda ${parameters.join(', ')}: ${p.expression(node.body)})`;
  },
  list_literal: (node, p) => `main.list_value(${node.elements.map((e) => p.expression(e)).join(', ')})`,
  struct_literal: (node, p) => {
    const fields = node.fields.map((f) => `${identifierText(f.name.name)} := ${p.expression(f.value)}`);
    return `main.struct_pack(${fields.join(', ')})`;
  },
  map_literal: (node, p) => {
    const keys = node.entries.map((entry) => p.expression(entry.key)).join(', ');
    const values = node.entries.map((entry) => p.expression(entry.value)).join(', ');
    return `main."map"(main.list_value(${keys}), main.list_value(${values}))`;
  },
  row: (node, p) => `main."row"(${node.elements.map((e) => p.expression(e)).join(', ')})`,
  string_literal: (node) => quoted(node.value),
};

export const NAME_PRINTER: Printer = {
  style: 'name',
  expression: (node) => ((NAMES[node.kind] ?? EXPRESSION_TEXT[node.kind]) as Text)(node, NAME_PRINTER),
  query: (node) => queryText(node, NAME_PRINTER),
};

/**
 * The output name of a SELECT item without an alias, as DuckDB 1.5.6 gives it: the last part of a column reference,
 * else the text of the expression. Where the tree does not keep the spelling (EXTRACT, AT TIME ZONE, `x -> e`, ARRAY[…]) it is
 * the name of the plain form: date_part(…), timezone(…), `lambda x: e`, list_value(…).
 */
export function defaultName(node: Expression): string {
  if (node.kind === 'column_ref') return node.parts.at(-1)!.name;
  return NAME_PRINTER.expression(node);
}
