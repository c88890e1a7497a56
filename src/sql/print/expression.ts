import { identifierText } from '../../common/keywords.ts';
import type {
  Argument,
  Expression,
  ExpressionKind,
  FrameBound,
  FunctionCall,
  Identifier,
  QualifiedName,
  Query,
  SortItem,
  Star,
  Window,
  WindowFrame,
} from '../ast.ts';
import { quoted, type Style, words } from './style.ts';
import { typeText } from './type.ts';

/** Texts of an expression and its parts in one style. Every operator is put in parentheses, so that precedence never matters. */
export interface Printer {
  readonly style: Style;
  expression(node: Expression): string;
  query(node: Query): string;
}

export function nameText(name: QualifiedName): string {
  return name.map((part) => identifierText(part.name)).join('.');
}

function names(list: readonly Identifier[]): string {
  return list.map((name) => identifierText(name.name)).join(', ');
}

function list(nodes: readonly Expression[], p: Printer): string {
  return nodes.map((node) => p.expression(node)).join(', ');
}

type Print<K extends ExpressionKind> = (node: Extract<Expression, { kind: K }>, p: Printer) => string;

const OPERATOR_WORDS: Readonly<Record<string, string>> = {
  is_distinct_from: 'IS DISTINCT FROM',
  is_not_distinct_from: 'IS NOT DISTINCT FROM',
};

const LIKE_WORDS = { like: 'LIKE', ilike: 'ILIKE', glob: 'GLOB', similar_to: 'SIMILAR TO' } as const;

/** Operands that can stand before `[` and `.` without parentheses. */
function isPrimary(node: Expression): boolean {
  switch (node.kind) {
    case 'column_ref':
    case 'function_call':
    case 'parameter':
    case 'subscript':
    case 'slice':
    case 'list_literal':
    case 'cast':
      return true;
    default:
      return false;
  }
}

function subscripted(node: Expression, p: Printer): string {
  const text = p.expression(node);
  return p.style === 'name' || isPrimary(node) || text.startsWith('(') ? text : `(${text})`;
}

function negated(flag: boolean): string {
  return flag ? 'NOT ' : '';
}

/** The SQL text of each kind of expression; a forgotten kind does not compile. */
export const EXPRESSION_TEXT: { readonly [K in ExpressionKind]: Print<K> } = {
  integer_literal: (node) => node.text,
  decimal_literal: (node) => node.text,
  double_literal: (node) => node.text,
  string_literal: (node) => quoted(node.value),
  blob_literal: (node) => `x'${node.hex}'`,
  boolean_literal: (node) => (node.value ? 'TRUE' : 'FALSE'),
  null_literal: () => 'NULL',
  interval_literal: (node, p) => {
    const bare = node.value.kind === 'string_literal' || node.value.kind === 'integer_literal';
    const value = bare ? p.expression(node.value) : `(${p.expression(node.value)})`;
    return words('INTERVAL', value, node.unit?.toUpperCase() ?? '');
  },
  column_ref: (node) => nameText(node.parts),
  positional_ref: (node) => `#${node.index}`,
  parameter: (node) => `$${node.name}`,
  star: (node, p) => starText(node, p),
  columns: (node, p) => `${node.unpack ? '*' : ''}COLUMNS(${p.expression(node.argument)})`,
  unary: (node, p) => {
    if (node.operator === 'not') return `(NOT ${p.expression(node.operand)})`;
    return `(${node.operator} ${p.expression(node.operand)})`;
  },
  binary: (node, p) => {
    const operator = OPERATOR_WORDS[node.operator] ?? node.operator;
    return `(${p.expression(node.left)} ${operator} ${p.expression(node.right)})`;
  },
  logical: (node, p) => {
    const operands = node.operands.map((operand) => p.expression(operand));
    return `(${operands.join(` ${node.operator.toUpperCase()} `)})`;
  },
  is_null: (node, p) => `(${p.expression(node.operand)} IS ${negated(node.negated)}NULL)`,
  is_boolean: (node, p) => {
    const value = node.value ? 'TRUE' : 'FALSE';
    return `(${p.expression(node.operand)} IS ${negated(node.negated)}${value})`;
  },
  between: (node, p) => {
    const bounds = `${p.expression(node.low)} AND ${p.expression(node.high)}`;
    return `(${p.expression(node.operand)} ${negated(node.negated)}BETWEEN ${bounds})`;
  },
  in_list: (node, p) => {
    // A lone subquery needs a comma to stay an element.
    const comma = node.items.length === 1 && node.items[0]!.kind === 'scalar_subquery' ? ',' : '';
    return `(${p.expression(node.operand)} ${negated(node.negated)}IN (${list(node.items, p)}${comma}))`;
  },
  in_subquery: (node, p) => `(${p.expression(node.operand)} ${negated(node.negated)}IN (${p.query(node.query)}))`,
  like: (node, p) => {
    const ending = node.escape === null ? '' : ` ESCAPE ${p.expression(node.escape)}`;
    const operator = `${negated(node.negated)}${LIKE_WORDS[node.operator]}`;
    return `(${p.expression(node.operand)} ${operator} ${p.expression(node.pattern)}${ending})`;
  },
  case: (node, p) => {
    const branches = node.branches.map((b) => `WHEN ${p.expression(b.condition)} THEN ${p.expression(b.result)}`);
    const operand = node.operand === null ? '' : p.expression(node.operand);
    const otherwise = node.otherwise === null ? '' : `ELSE ${p.expression(node.otherwise)}`;
    return words('CASE', operand, ...branches, otherwise, 'END');
  },
  cast: (node, p) => {
    return `${node.try ? 'TRY_CAST' : 'CAST'}(${p.expression(node.operand)} AS ${typeText(node.type, p.style)})`;
  },
  collate: (node, p) => `(${p.expression(node.operand)} COLLATE ${nameText(node.collation)})`,
  function_call: (node, p) => callText(nameText(node.name), node, p),
  lambda: (node, p) => `(LAMBDA ${names(node.parameters)}: ${p.expression(node.body)})`,
  scalar_subquery: (node, p) => `(${p.query(node.query)})`,
  exists: (node, p) => `EXISTS(${p.query(node.query)})`,
  quantified_comparison: (node, p) => {
    const quantifier = node.quantifier.toUpperCase();
    return `(${p.expression(node.operand)} ${node.operator} ${quantifier}(${p.query(node.query)}))`;
  },
  array_subquery: (node, p) => `ARRAY(${p.query(node.query)})`,
  list_literal: (node, p) => `[${list(node.elements, p)}]`,
  struct_literal: (node, p) => {
    const fields = node.fields.map((field) => `${quoted(field.name.name)}: ${p.expression(field.value)}`);
    return `{${fields.join(', ')}}`;
  },
  map_literal: (node, p) => {
    const entries = node.entries.map((entry) => `${p.expression(entry.key)}: ${p.expression(entry.value)}`);
    return `MAP {${entries.join(', ')}}`;
  },
  row: (node, p) => `ROW(${list(node.elements, p)})`,
  subscript: (node, p) => `${subscripted(node.operand, p)}[${p.expression(node.index)}]`,
  slice: (node, p) => {
    const from = node.from === null ? '' : p.expression(node.from);
    const open = node.step === null ? '' : '-';
    const to = node.to === null ? open : p.expression(node.to);
    const step = node.step === null ? '' : `:${p.expression(node.step)}`;
    return `${subscripted(node.operand, p)}[${from}:${to}${step}]`;
  },
  field_access: (node, p) => `(${p.expression(node.operand)}).${identifierText(node.field.name)}`,
};

function starText(node: Star, p: Printer): string {
  const star = node.qualifier === null ? '*' : `${nameText(node.qualifier)}.*`;
  const replaced = node.replace.map((r) => `${p.expression(r.expression)} AS ${identifierText(r.name.name)}`);
  const renamed = node.rename.map((r) => `${nameText(r.from)} AS ${identifierText(r.to.name)}`);
  return words(
    star,
    node.exclude.length === 0 ? '' : `EXCLUDE (${node.exclude.map(nameText).join(', ')})`,
    replaced.length === 0 ? '' : `REPLACE (${replaced.join(', ')})`,
    renamed.length === 0 ? '' : `RENAME (${renamed.join(', ')})`,
  );
}

export function argumentText(node: Argument, p: Printer): string {
  const value = p.expression(node.value);
  return node.name === null ? value : `${identifierText(node.name.name)} := ${value}`;
}

/** A call under a given function name. */
export function callText(name: string, node: FunctionCall, p: Printer): string {
  const order = orderByText(node.orderBy, p);
  const inside = words(
    node.distinct ? 'DISTINCT' : '',
    node.arguments.map((argument) => argumentText(argument, p)).join(', '),
    node.withinGroup ? '' : order,
    node.nulls === null ? '' : `${node.nulls.toUpperCase()} NULLS`,
  );
  return words(
    `${name}(${inside})`,
    node.withinGroup ? `WITHIN GROUP (${order})` : '',
    node.filter === null ? '' : `FILTER (WHERE ${p.expression(node.filter)})`,
    node.over === null ? '' : `OVER ${overText(node.over, p)}`,
  );
}

export function sortItemText(node: SortItem, p: Printer): string {
  return words(
    p.expression(node.expression),
    node.direction?.toUpperCase() ?? '',
    node.nulls === null ? '' : `NULLS ${node.nulls.toUpperCase()}`,
  );
}

/** `ORDER BY …`, empty without items. */
export function orderByText(items: readonly SortItem[], p: Printer): string {
  return items.length === 0 ? '' : `ORDER BY ${items.map((item) => sortItemText(item, p)).join(', ')}`;
}

function overText(node: Window, p: Printer): string {
  const bare = node.partitionBy.length + node.orderBy.length === 0 && node.frame === null;
  return bare && node.base !== null ? identifierText(node.base.name) : windowText(node, p);
}

/** A window specification in its parentheses. */
export function windowText(node: Window, p: Printer): string {
  const inside = words(
    node.base === null ? '' : identifierText(node.base.name),
    node.partitionBy.length === 0 ? '' : `PARTITION BY ${list(node.partitionBy, p)}`,
    orderByText(node.orderBy, p),
    node.frame === null ? '' : frameText(node.frame, p),
  );
  return `(${inside})`;
}

const EXCLUSIONS: Readonly<Record<WindowFrame['exclude'], string>> = {
  no_others: '',
  current_row: 'EXCLUDE CURRENT ROW',
  group: 'EXCLUDE GROUP',
  ties: 'EXCLUDE TIES',
};

function frameText(node: WindowFrame, p: Printer): string {
  const bounds = `BETWEEN ${boundText(node.start, p)} AND ${boundText(node.end, p)}`;
  return words(node.unit.toUpperCase(), bounds, EXCLUSIONS[node.exclude]);
}

function boundText(node: FrameBound, p: Printer): string {
  const offset = node.offset === null ? '' : p.expression(node.offset);
  return words(offset, node.bound.replace('_', ' ').toUpperCase());
}
