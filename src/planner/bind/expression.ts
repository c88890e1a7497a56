import { BOOL, INT64, INTERVAL, isVariant, STRING, struct, typeName } from '../../common/data_type.ts';
import { unsupported, userError } from '../../common/error.ts';
import { exhaustive } from '../../common/exhaustive.ts';
import type { SourceSpan } from '../../common/source_span.ts';
import type * as ast from '../../sql/ast.ts';
import type { BoundExpr } from '../logical/expression.ts';
import { boolLiteral, literal } from '../logical/expression.ts';
import { bindCall, buildCall } from './call.ts';
import { castTo } from './cast.ts';
import { bindColumnRef, bindPositional } from './column_ref.ts';
import { bindCase, unify } from './conditional.ts';
import type { ExpressionContext } from './expression_context.ts';
import { foldConstant } from './fold_constant.ts';
import { bindLiteral, intervalLiteral, intervalOf, negated, parameterLiteral, parseInterval } from './literal.ts';
import { mapLiteral } from './map_literal.ts';
import { bindArraySubquery, bindExists, bindInSubquery, bindQuantified, bindScalarSubquery } from './subquery.ts';
import { bindType } from './type_name.ts';

const TYPE_OF_UNIT: Readonly<Record<ast.IntervalUnit, readonly [fn: string, factor: bigint]>> = {
  millennium: ['to_years', 1000n],
  century: ['to_years', 100n],
  decade: ['to_years', 10n],
  year: ['to_years', 1n],
  quarter: ['to_quarters', 1n],
  month: ['to_months', 1n],
  week: ['to_weeks', 1n],
  day: ['to_days', 1n],
  hour: ['to_hours', 1n],
  minute: ['to_minutes', 1n],
  second: ['to_seconds', 1n],
  millisecond: ['to_milliseconds', 1n],
  microsecond: ['to_microseconds', 1n],
};

const BINARY_FUNCTIONS: Partial<Record<ast.BinaryOperator, string>> = {
  '~': 'regexp_full_match',
  '<->': 'list_distance',
  '<=>': 'list_cosine_distance',
  '<#>': 'list_negative_inner_product',
  '<+>': 'list_l1_distance',
  '@>': 'list_has_all',
  '&&': 'list_has_any',
};

/** Resolves names and types of an expression. */
export function bindExpression(node: ast.Expression, context: ExpressionContext): BoundExpr {
  const bind = (child: ast.Expression): BoundExpr => bindExpression(child, context);
  switch (node.kind) {
    case 'integer_literal':
    case 'decimal_literal':
    case 'double_literal':
    case 'string_literal':
    case 'blob_literal':
    case 'boolean_literal':
    case 'null_literal':
      return bindLiteral(node);
    case 'interval_literal':
      return bindInterval(node, context);
    case 'column_ref':
      return bindColumnRef(node, context);
    case 'positional_ref':
      return bindPositional(node, context);
    case 'parameter':
      return bindParameter(node, context);
    case 'unary':
      return bindUnary(node, context);
    case 'binary':
      return bindBinary(node, context);
    case 'logical':
      return logical(node.operator, node.operands.map(bind), node.span);
    case 'is_null':
      return buildCall(node.negated ? 'is_not_null' : 'is_null', [bind(node.operand)], node.span);
    case 'is_boolean':
      return bindIsBoolean(node, context);
    case 'between':
      return bindBetween(node, context);
    case 'in_list':
      return bindInList(node, context);
    case 'like':
      return bindLike(node, context);
    case 'case':
      return bindCase(node, context);
    case 'cast':
      return castTo(bind(node.operand), bindType(node.type), node.span, node.try);
    case 'function_call':
      return bindCall(node, context);
    case 'list_literal':
      return buildCall('list_value', node.elements.map(bind), node.span);
    case 'struct_literal':
      return structValue(
        node.fields.map((f) => ({ name: f.name.name, value: bind(f.value) })),
        node.span,
      );
    case 'map_literal':
      return bindMap(node, context);
    case 'row':
      return structValue(
        node.elements.map((element) => ({ name: '', value: bind(element) })),
        node.span,
      );
    case 'subscript':
      return bindSubscript(bind(node.operand), bind(node.index), node.span);
    case 'slice':
      return bindSlice(node, context);
    case 'field_access':
      return fieldOf(bind(node.operand), node.field, node.span);
    case 'star':
      throw userError('binder', '* stands only in a SELECT list and in count(*)', node.span);
    case 'columns':
      throw userError('binder', 'COLUMNS stands only in a SELECT list', node.span);
    case 'lambda':
      throw userError('binder', 'a lambda stands only as an argument of a list function', node.span);
    case 'collate':
      throw unsupported('COLLATE', node.span, 'text is compared by bytes');
    case 'in_subquery':
      return bindInSubquery(node, context);
    case 'scalar_subquery':
      return bindScalarSubquery(node, context);
    case 'exists':
      return bindExists(node, context);
    case 'quantified_comparison':
      return bindQuantified(node, context);
    case 'array_subquery':
      return bindArraySubquery(node, context);
    default:
      return exhaustive(node);
  }
}

/** A condition: BOOLEAN, or something that DuckDB casts to it. */
export function bindCondition(node: ast.Expression, context: ExpressionContext): BoundExpr {
  return asCondition(bindExpression(node, context));
}

export function asCondition(expr: BoundExpr): BoundExpr {
  if (expr.type.kind === 'list' || expr.type.kind === 'struct' || expr.type.kind === 'map') {
    throw userError('type', `a condition is a BOOLEAN, not ${typeName(expr.type)}`, expr.span);
  }
  return castTo(expr, BOOL);
}

/** AND or OR over conditions, flattened. */
export function logical(kind: 'and' | 'or', operands: readonly BoundExpr[], span: SourceSpan): BoundExpr {
  const args = operands.map(asCondition).flatMap((arg) => (arg.kind === kind ? arg.args : [arg]));
  return args.length === 1 ? (args[0] as BoundExpr) : { kind, args, type: BOOL, span };
}

function bindParameter(node: ast.Parameter, context: ExpressionContext): BoundExpr {
  const { parameters } = context.binder.input;
  const value = parameters.get(node.name);
  if (value === undefined) {
    const known = [...parameters.keys()].map((name) => `$${name}`).join(', ');
    throw userError(
      'binder',
      `no value for parameter $${node.name}`,
      node.span,
      known === '' ? `-p ${node.name}=VALUE gives one` : `there is ${known}`,
    );
  }
  return parameterLiteral(value, node.span);
}

function bindUnary(node: ast.Unary, context: ExpressionContext): BoundExpr {
  const operand = bindExpression(node.operand, context);
  if (node.operator === 'not') return negate(asCondition(operand), node.span);
  if (operand.kind === 'literal' && node.operator === '-') {
    const folded = negated(operand, node.span);
    if (folded !== null) return folded;
  }
  if (node.operator === '+') return operand;
  return buildCall(node.operator, [operand], node.span);
}

const OPPOSITE: Readonly<Record<string, string>> = {
  is_null: 'is_not_null',
  is_not_null: 'is_null',
  is_distinct_from: 'is_not_distinct_from',
  is_not_distinct_from: 'is_distinct_from',
  eq: 'ne',
  ne: 'eq',
  lt: 'ge',
  ge: 'lt',
  gt: 'le',
  le: 'gt',
};

/** NOT; comparisons have an opposite that says the same, also for NULL and NaN. */
export function negate(expr: BoundExpr, span: SourceSpan): BoundExpr {
  const opposite = expr.kind === 'call' ? OPPOSITE[expr.fn] : undefined;
  if (expr.kind === 'call' && opposite !== undefined) return { ...expr, fn: opposite };
  return buildCall('not', [expr], span);
}

function bindBinary(node: ast.Binary, context: ExpressionContext): BoundExpr {
  const left = bindExpression(node.left, context);
  const right = bindExpression(node.right, context);
  switch (node.operator) {
    case '!~':
      return negate(buildCall('regexp_full_match', [left, right], node.span), node.span);
    case '~*':
    case '!~*': {
      const match = buildCall('regexp_full_match', [left, right, literal('i', STRING, node.span)], node.span);
      return node.operator === '~*' ? match : negate(match, node.span);
    }
    case '<@':
      return buildCall('list_has_all', [right, left], node.span);
    case '->':
    case '->>':
      throw unsupported(`JSON access with ${node.operator}`, node.operatorSpan);
    default:
      return buildCall(BINARY_FUNCTIONS[node.operator] ?? node.operator, [left, right], node.span);
  }
}

function bindIsBoolean(node: ast.IsBoolean, context: ExpressionContext): BoundExpr {
  const operand = asCondition(bindExpression(node.operand, context));
  const fn = node.negated ? 'is_distinct_from' : 'is_not_distinct_from';
  return buildCall(fn, [operand, boolLiteral(node.value, node.span)], node.span);
}

function bindBetween(node: ast.Between, context: ExpressionContext): BoundExpr {
  const bound = [node.operand, node.low, node.high].map((child) => bindExpression(child, context));
  const [operand, low, high] = (unify(bound) ?? bound) as [BoundExpr, BoundExpr, BoundExpr];
  const both = logical(
    'and',
    [buildCall('>=', [operand, low], node.span), buildCall('<=', [operand, high], node.span)],
    node.span,
  );
  return node.negated ? negate(both, node.span) : both;
}

function bindInList(node: ast.InList, context: ExpressionContext): BoundExpr {
  const bound = [node.operand, ...node.items].map((child) => foldConstant(bindExpression(child, context)));
  const [first, ...rest] = bound as [BoundExpr, ...BoundExpr[]];
  const unified = unify(bound);
  const [operand, ...items] = (unified ?? bound) as [BoundExpr, ...BoundExpr[]];
  const constants = items.flatMap((item) => (item.kind === 'literal' ? [item] : []));
  let result: BoundExpr;
  if (unified !== null && constants.length === items.length) {
    result = { kind: 'in', operand, items: constants, type: BOOL, span: node.span };
  } else {
    const pairs = unified === null ? rest.map((item) => [first, item]) : items.map((item) => [operand, item]);
    result = logical(
      'or',
      pairs.map((pair) => buildCall('=', pair, node.span)),
      node.span,
    );
  }
  return node.negated ? negate(result, node.span) : result;
}

function bindLike(node: ast.Like, context: ExpressionContext): BoundExpr {
  const args = [node.operand, node.pattern, ...(node.escape === null ? [] : [node.escape])];
  const bound = args.map((child) => bindExpression(child, context));
  const result = likeCall(node.operator, bound, node.span);
  return node.negated ? negate(result, node.span) : result;
}

function likeCall(operator: ast.Like['operator'], args: readonly BoundExpr[], span: SourceSpan): BoundExpr {
  if (operator === 'similar_to') return buildCall('regexp_full_match', args.slice(0, 2), span);
  return buildCall(operator, args, span);
}

/** Constants become one interval; `INTERVAL (x) DAY` is a call. */
function bindInterval(node: ast.IntervalLiteral, context: ExpressionContext): BoundExpr {
  const value = bindExpression(node.value, context);
  if (node.unit === null) {
    const parsed = value.kind === 'literal' && typeof value.value === 'string' ? parseInterval(value.value) : null;
    return parsed === null ? castTo(value, INTERVAL, node.span) : intervalLiteral(parsed, node.span);
  }
  const count = wholeNumber(value);
  const constant = count === null ? null : intervalOf(count, node.unit);
  if (constant !== null) return intervalLiteral(constant, node.span);
  const [fn, factor] = TYPE_OF_UNIT[node.unit];
  const argument = value.type.kind === 'string' ? castTo(value, { kind: 'float64' }, node.span) : value;
  const exact =
    fn === 'to_seconds' || fn === 'to_milliseconds' ? argument : castTo(argument, { kind: 'int64' }, node.span);
  const scaled =
    factor === 1n ? exact : buildCall('*', [exact, literal(factor, { kind: 'int64' }, node.span)], node.span);
  return buildCall(fn, [scaled], node.span);
}

function wholeNumber(value: BoundExpr): bigint | null {
  if (value.kind !== 'literal') return null;
  if (typeof value.value === 'bigint' && value.type.kind !== 'decimal') return value.value;
  return typeof value.value === 'string' && /^\s*[+-]?\d+\s*$/.test(value.value) ? BigInt(value.value.trim()) : null;
}

/** Bounds that are left out beside a step, which may go either way. */
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

function bindSlice(node: ast.Slice, context: ExpressionContext): BoundExpr {
  const bound = (child: ast.Expression | null, end: bigint): BoundExpr =>
    child === null ? literal(end, INT64, node.span) : bindExpression(child, context);
  const [first, last] = node.step === null ? [1n, -1n] : [INT64_MIN, INT64_MAX];
  const args = [bindExpression(node.operand, context), bound(node.from, first), bound(node.to, last)];
  const step = node.step === null ? [] : [bindExpression(node.step, context)];
  return buildCall('list_slice', [...args, ...step], node.span);
}

const bindSubscript = (operand: BoundExpr, index: BoundExpr, span: SourceSpan): BoundExpr =>
  buildCall(isVariant(operand.type) ? 'variant_extract' : 'list_extract', [operand, index], span);

/** `operand.field` of a struct or VARIANT. */
export function fieldOf(operand: BoundExpr, field: ast.Identifier, span: SourceSpan): BoundExpr {
  const name = { ...literal(field.name, STRING, field.span), adaptable: true as const };
  if (isVariant(operand.type)) return buildCall('variant_extract', [operand, name], span);
  if (operand.type.kind !== 'struct') {
    throw userError('type', `${typeName(operand.type)} has no fields: .${field.name}`, span);
  }
  return buildCall('struct_extract', [operand, name], span);
}

/** A struct; constant when all fields are. */
export function structValue(fields: readonly { name: string; value: BoundExpr }[], span: SourceSpan): BoundExpr {
  const seen = new Set<string>();
  for (const { name, value } of fields) {
    if (name !== '' && seen.has(name.toLowerCase())) {
      throw userError('binder', `a struct has one field of a name: "${name}"`, value.span);
    }
    seen.add(name.toLowerCase());
  }
  const type = struct(fields.map(({ name, value }) => ({ name, type: value.type })));
  const values = fields.map((field) => field.value);
  if (values.length > 0 && values.every((value) => value.kind === 'literal')) {
    return literal(
      values.map((value) => (value.kind === 'literal' ? value.value : null)),
      type,
      span,
    );
  }
  return { kind: 'call', fn: 'struct_pack', args: values, type, fallible: false, span };
}

function bindMap(node: ast.MapLiteral, context: ExpressionContext): BoundExpr {
  const keys = unifyOrThrow(
    node.entries.map((entry) => bindExpression(entry.key, context)),
    'keys of a map',
    node.span,
  );
  const values = unifyOrThrow(
    node.entries.map((entry) => bindExpression(entry.value, context)),
    'values of a map',
    node.span,
  );
  if (![...keys, ...values].every((part) => part.kind === 'literal')) {
    const lists = [buildCall('list_value', keys, node.span), buildCall('list_value', values, node.span)];
    return buildCall('map_from_lists', lists, node.span);
  }
  const constant = (part: BoundExpr | undefined) => (part?.kind === 'literal' ? part.value : null);
  const type = {
    kind: 'map',
    key: keys[0]?.type ?? { kind: 'null' },
    value: values[0]?.type ?? { kind: 'null' },
  } as const;
  return mapLiteral(keys.map(constant), values.map(constant), type, node.span);
}

function unifyOrThrow(exprs: readonly BoundExpr[], what: string, span: SourceSpan): readonly BoundExpr[] {
  const unified = unify(exprs);
  if (unified === null) throw userError('type', `the ${what} have no common type`, span);
  return unified;
}
