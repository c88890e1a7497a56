import type { DataType } from '../../common/data_type.ts';
import {
  DATE,
  INT64,
  list,
  NULL_TYPE,
  STRING,
  sameType,
  TIME,
  TIMESTAMP,
  TIMESTAMPTZ,
  typeName,
} from '../../common/data_type.ts';
import { unsupported, userError } from '../../common/error.ts';
import { floorDivide } from '../../common/literal.ts';
import type { SourceSpan } from '../../common/source_span.ts';
import type { Resolution } from '../../functions/index.ts';
import { findFunction, resolveCall, unknownFunction } from '../../functions/index.ts';
import { findMacro } from '../../functions/macros.ts';
import type { Expression, FunctionCall } from '../../sql/ast.ts';
import type { BoundExpr } from '../logical/expression.ts';
import { literal, nullLiteral } from '../logical/expression.ts';
import { argumentOf, castTo } from './cast.ts';
import { bindCoalesce, caseOf } from './conditional.ts';
import { datePart } from './date_parts.ts';
import { asCondition, bindExpression, structValue } from './expression.ts';
import type { ExpressionContext } from './expression_context.ts';
import { foldConstant } from './fold_constant.ts';
import { bindLambdaCall } from './lambda_call.ts';
import { isLambdaFunction, LAMBDA_FUNCTIONS } from './lambda_names.ts';
import { expandMacro } from './macro.ts';
import { isRange, rangeList } from './moment_list.ts';
import { timestampOfText } from './strptime.ts';
import { structContains, structKeys, structPosition, structValues, withNamedValues } from './struct_call.ts';
import { atTimeZone, instantOfParts } from './time_zone.ts';

/** A function call of the text: scalar, aggregate, or one of the forms that are expressions of their own. */
export function bindCall(node: FunctionCall, context: ExpressionContext): BoundExpr {
  const method = bindMethod(node, context);
  if (method !== null) return method;
  const name = functionName(node);
  if (node.over !== null) throw unsupported('window functions', node.over.span);
  if (name === 'unnest' || name === 'explode') return context.calls.unnest(node, context);
  if (isGrouping(name)) return context.calls.grouping(node, context);
  const macro = findMacro(name);
  if (macro !== undefined) return bindExpression(expandMacro(macro, node), context);
  const row = findFunction(name);
  if (row?.kind === 'aggregate' || AGGREGATE_FORMS.has(name)) return context.calls.aggregate(node, context);
  if (node.distinct || node.filter !== null || node.orderBy.length > 0) {
    throw userError('binder', `DISTINCT, ORDER BY and FILTER belong to aggregates, ${name} is none`, node.span);
  }
  if (isLambdaFunction(name)) return bindLambdaCall(name, node, context);
  if (name === 'date_part' || name === 'datepart') return datePart(node, context);
  if (isRange(name)) return rangeList(node, context);
  const form = FORMS[name];
  if (form !== undefined) return form(node, context);
  if (row === undefined) throw unknownFunction(name, node.span, FORM_NAMES);
  return buildCall(name, bindArguments(node, context), node.span);
}

/** Aggregates that the binder turns into others. */
const AGGREGATE_FORMS: ReadonlySet<string> = new Set(['count_if', 'countif']);

/** Whether calls of this name are computed over groups of rows. */
export function isAggregate(name: string): boolean {
  return findFunction(name)?.kind === 'aggregate' || findMacro(name)?.kind === 'aggregate' || AGGREGATE_FORMS.has(name);
}

/** Says by which keys a group is made. */
export function isGrouping(name: string): boolean {
  return name === 'grouping' || name === 'grouping_id';
}

/** Lower case, without a schema. */
export function functionName(node: FunctionCall): string {
  const last = node.name[node.name.length - 1];
  return (last?.name ?? '').toLowerCase();
}

/** `x.f(a)` where x is a column: f(x, a). A schema before the name is not looked at. */
function bindMethod(node: FunctionCall, context: ExpressionContext): BoundExpr | null {
  const parts = node.name.slice(0, -1);
  const last = node.name[node.name.length - 1];
  const [schema] = parts;
  if (schema === undefined || last === undefined) return null;
  if (parts.length === 1 && ['main', 'pg_catalog', 'system'].includes(schema.name.toLowerCase())) return null;
  const value: Expression = {
    kind: 'column_ref',
    parts,
    span: { start: schema.span.start, end: (parts[parts.length - 1] ?? schema).span.end },
  };
  const self = { kind: 'argument', name: null, value, span: value.span } as const;
  return bindCall({ ...node, name: [last], arguments: [self, ...node.arguments] }, context);
}

/** Arguments by position; names are an error except where a form takes them. */
export function bindArguments(node: FunctionCall, context: ExpressionContext): BoundExpr[] {
  return node.arguments.map((argument) => {
    if (argument.name !== null) {
      throw userError('binder', `${functionName(node)} takes no named arguments: ${argument.name.name}`, argument.span);
    }
    return bindExpression(argument.value, context);
  });
}

/** A call of a SQL function or operator over bound arguments; constants of lists are folded. */
export function buildCall(name: string, args: readonly BoundExpr[], span: SourceSpan): BoundExpr {
  const row = findFunction(name);
  if (row === undefined) throw unsupported(`function ${name}`, span);
  return applyResolution(resolveCall(row, args.map(argumentOf), span), args, span);
}

/** The engine's call with arguments cast to exactly what it takes. */
export function applyResolution(resolution: Resolution, args: readonly BoundExpr[], span: SourceSpan): BoundExpr {
  const cast = resolutionArguments(resolution, args, span);
  if (resolution.fn === 'list_value' && cast.every((arg) => arg.kind === 'literal')) {
    return literal(
      cast.map((arg) => (arg.kind === 'literal' ? arg.value : null)),
      resolution.type,
      span,
    );
  }
  return {
    kind: 'call',
    fn: resolution.fn,
    args: cast,
    type: resolution.type,
    fallible: resolution.fallible,
    span,
  };
}

export function resolutionArguments(resolution: Resolution, args: readonly BoundExpr[], span: SourceSpan): BoundExpr[] {
  return resolution.args.map((arg) =>
    'index' in arg ? castTo(args[arg.index] as BoundExpr, arg.type) : literal(arg.value, arg.type, span),
  );
}

type Form = (node: FunctionCall, context: ExpressionContext) => BoundExpr;

/** Calls that are expressions of their own, or constants. */
const FORMS: Readonly<Record<string, Form>> = {
  coalesce: (node, context) => bindCoalesce(bindArguments(node, context), node.span),
  ifnull: (node, context) => bindCoalesce(exactly(2, node, context), node.span),
  nvl: (node, context) => bindCoalesce(exactly(2, node, context), node.span),
  nullif: (node, context) => bindNullif(node, context),
  if: (node, context) => conditional(node, context),
  iff: (node, context) => conditional(node, context),
  typeof: (node, context) => {
    const [value] = exactly(1, node, context);
    return literal(typeName((value as BoundExpr).type), STRING, node.span);
  },
  struct_pack: (node, context) =>
    structValue(
      node.arguments.map((argument) => {
        if (argument.name === null)
          throw userError('binder', 'struct_pack takes named arguments: struct_pack(a := 1)', argument.span);
        return { name: argument.name.name, value: bindExpression(argument.value, context) };
      }),
      node.span,
    ),
  row: (node, context) =>
    structValue(
      bindArguments(node, context).map((value) => ({ name: '', value })),
      node.span,
    ),
  date_add: (node, context) => buildCall('+', exactly(2, node, context), node.span),
  add: (node, context) => buildCall('+', exactly(2, node, context), node.span),
  subtract: (node, context) => buildCall('-', exactly(2, node, context), node.span),
  multiply: (node, context) => buildCall('*', exactly(2, node, context), node.span),
  age: (node, context) => {
    const args = bindArguments(node, context);
    const today = castTo(literal(today0(context), DATE, node.span), { kind: 'timestamp', unit: 'us', zone: false });
    return buildCall('age', args.length === 1 ? [today, ...args] : args, node.span);
  },
  struct_insert: (node, context) => withNamedValues('struct_concat', node, context),
  struct_update: (node, context) => withNamedValues('struct_update', node, context),
  struct_keys: structKeys,
  struct_values: structValues,
  struct_position: structPosition,
  struct_indexof: structPosition,
  struct_contains: structContains,
  struct_has: structContains,
  timezone: atTimeZone,
  strptime: timestampOfText,
  try_strptime: timestampOfText,
  make_timestamptz: instantOfParts,
  map: (node, context) =>
    node.arguments.length === 0
      ? literal([], { kind: 'map', key: NULL_TYPE, value: NULL_TYPE }, node.span)
      : buildCall('map_from_lists', exactly(2, node, context), node.span),
  range: (node, context) => constantRange(node, context),
  generate_series: (node, context) => constantRange(node, context),
  current_date: (node, context) => literal(today0(context), DATE, constant(node)),
  today: (node, context) => literal(today0(context), DATE, constant(node)),
  now: (node, context) => literal(context.binder.input.now, TIMESTAMPTZ, constant(node)),
  current_timestamp: (node, context) => literal(context.binder.input.now, TIMESTAMPTZ, constant(node)),
  get_current_timestamp: (node, context) => literal(context.binder.input.now, TIMESTAMPTZ, constant(node)),
  transaction_timestamp: (node, context) => literal(context.binder.input.now, TIMESTAMPTZ, constant(node)),
  current_localtimestamp: (node, context) => clock(context, constant(node), TIMESTAMP),
  current_localtime: (node, context) => clock(context, constant(node), TIME),
};

/** Names that no function row has, because the binder knows them. */
export const FORM_NAMES: readonly string[] = [
  ...Object.keys(FORMS),
  ...LAMBDA_FUNCTIONS,
  'unnest',
  'explode',
  ...AGGREGATE_FORMS,
];

function exactly(count: number, node: FunctionCall, context: ExpressionContext): BoundExpr[] {
  const args = bindArguments(node, context);
  if (args.length !== count) {
    throw userError('binder', `${functionName(node)} takes ${count} arguments, not ${args.length}`, node.span);
  }
  return args;
}

function constant(node: FunctionCall): SourceSpan {
  if (node.arguments.length > 0) throw userError('binder', `${functionName(node)} takes no arguments`, node.span);
  return node.span;
}

const DAY_MICROS = 86_400_000_000n;

function today0(context: ExpressionContext): bigint {
  return floorDivide(context.binder.input.now, DAY_MICROS);
}

/** The start of the statement by the clock of UTC. */
function clock(context: ExpressionContext, span: SourceSpan, type: DataType): BoundExpr {
  return castTo(literal(context.binder.input.now, TIMESTAMP, span), type);
}

function conditional(node: FunctionCall, context: ExpressionContext): BoundExpr {
  const [condition, then, otherwise] = exactly(3, node, context) as [BoundExpr, BoundExpr, BoundExpr];
  return caseOf([asCondition(condition)], [then], otherwise, node.span);
}

/** Elements of a list that is made while planning; longer ones are made by the engine. */
const MOST_ELEMENTS = 1_000_000;

/** range(stop), range(start, stop[, step]) of constants as a constant list; generate_series has its last value inside. */
function constantRange(node: FunctionCall, context: ExpressionContext): BoundExpr {
  const name = functionName(node);
  const type = list(INT64);
  const bound = bindArguments(node, context).map(foldConstant);
  if (bound.length < 1 || bound.length > 3) throw userError('binder', `${name} takes 1 to 3 whole numbers`, node.span);
  if (bound.some((arg) => arg.kind !== 'literal')) return buildCall(name, bound, node.span);
  const args = bound.map((arg) => foldConstant(castTo(arg, INT64)));
  const values = args.map((arg) => (arg.kind === 'literal' ? (arg.value as bigint | null) : null));
  if (values.includes(null)) return literal(null, type, node.span);
  const [start, end, step = 1n] = (values.length === 1 ? [0n, ...values] : values) as [bigint, bigint, bigint?];
  if (step === 0n) return literal([], type, node.span);
  const inside = name === 'generate_series' ? (step > 0n ? 1n : -1n) : 0n;
  const items: bigint[] = [];
  for (let value = start; step > 0n ? value < end + inside : value > end + inside; value += step) {
    if (items.push(value) > MOST_ELEMENTS) return buildCall(name, args, node.span);
  }
  return literal(items, type, node.span);
}

/** NULL where both are equal, else the first as it is. */
function bindNullif(node: FunctionCall, context: ExpressionContext): BoundExpr {
  const [value, other] = exactly(2, node, context) as [BoundExpr, BoundExpr];
  const call = buildCall('nullif', [value, other], node.span);
  if (sameType(call.type, value.type) || value.type.kind === 'null') return call;
  return caseOf([buildCall('=', [value, other], node.span)], [nullLiteral(node.span)], value, node.span);
}
