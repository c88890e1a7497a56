/** range and generate_series in FROM: whole numbers, or moments a constant interval apart. */
import type { DataType } from '../../common/data_type.ts';
import { INT64, INTERVAL, list, TIMESTAMP, typeName } from '../../common/data_type.ts';
import { unsupported, userError } from '../../common/error.ts';
import type { IntervalValue, LiteralValue } from '../../common/literal.ts';
import { floorDivide } from '../../common/literal.ts';
import type { SourceSpan } from '../../common/source_span.ts';
import type { FunctionCall, TableFunction } from '../../sql/ast.ts';
import type { BoundExpr } from '../logical/expression.ts';
import { columnsOf, literal } from '../logical/expression.ts';
import type { ComputedColumn, LogicalColumn, LogicalNode } from '../logical/node.ts';
import { columnRef, ONE_ROW } from '../logical/node.ts';
import { buildCall } from './call.ts';
import { noCalls } from './calls.ts';
import { castTo } from './cast.ts';
import { bindExpression } from './expression.ts';
import { foldConstant, shiftDay } from './fold_constant.ts';
import type { QueryContext, Relation } from './relation.ts';
import { EMPTY_SCOPE } from './scope.ts';

/** range(stop), range(start, stop[, step]); generate_series has its last value inside. */
export function bindRange(ref: TableFunction, name: string, context: QueryContext): Relation {
  const bound = ref.arguments.map(({ value }) =>
    foldConstant(bindExpression(value, { ...context, scope: EMPTY_SCOPE, aliases: [], calls: noCalls('FROM') })),
  );
  if (bound.some(({ type }) => type.kind === 'date' || type.kind === 'timestamp'))
    return bound.some((value) => columnsOf(value).size > 0)
      ? momentsOfRows(ref, name, context)
      : moments(bound, name, ref.span, context);
  if (bound.length < 1 || bound.length > 3) {
    throw userError('binder', `${name} takes 1 to 3 whole numbers, not ${bound.length} arguments`, ref.span);
  }
  const numbers = bound.map((value) => foldConstant(castTo(value, INT64)));
  if (numbers.some((value) => columnsOf(value).size > 0)) return rangeOfRows(numbers, name, ref.span, context);
  const values = numbers.map((value) => constantOf(value, name) as bigint | null);
  const [start, end, step = 1n] = values.length === 1 ? [0n, ...values] : values;
  const column: LogicalColumn = { id: context.binder.newId(), name, type: INT64 };
  if (start === null || end === null || end === undefined || step === null) return nothing(column);
  if (step === 0n) throw userError('binder', `the step of ${name} is not 0`, ref.arguments[2]?.span ?? ref.span);
  return { node: rangeNode(column, { start: start as bigint, end, step, name }, ref.span), columns: [column] };
}

const nothing = (column: LogicalColumn): Relation => ({
  node: { kind: 'values', columns: [column], rows: [] },
  columns: [column],
});

function constantOf(value: BoundExpr, name: string): LiteralValue {
  if (value.kind !== 'literal') throw unsupported(`${name} of values that are not constant`, value.span);
  return value.value;
}

interface Steps {
  readonly start: bigint;
  readonly end: bigint;
  readonly step: bigint;
  readonly name: string;
}

function rangeNode(column: LogicalColumn, { start, end, step, name }: Steps, span: SourceSpan): LogicalNode {
  const stop = name === 'range' ? end : end + (step > 0n ? 1n : -1n);
  if (BigInt.asIntN(64, stop) !== stop) throw unsupported(`${name} up to the last BIGINT`, span);
  return { kind: 'range', column, start, stop, step };
}

/** range of columns of the rows around is the elements of the list that the function of its name makes. */
function rangeOfRows(args: readonly BoundExpr[], name: string, span: SourceSpan, { binder }: QueryContext): Relation {
  return elements({ id: binder.newId(), name, type: INT64, expr: buildCall(name, args, span) });
}

const PLAIN_CALL = {
  kind: 'function_call',
  distinct: false,
  orderBy: [],
  withinGroup: false,
  nulls: null,
  filter: null,
  over: null,
} as const;

/** The same of dates and an interval. */
function momentsOfRows(ref: TableFunction, name: string, context: QueryContext): Relation {
  const { span } = ref;
  const call: FunctionCall = { ...PLAIN_CALL, name: ref.name, arguments: ref.arguments, span };
  const rows = { ...context, scope: EMPTY_SCOPE, aliases: [], calls: noCalls('FROM') };
  const expr = bindExpression(call, rows);
  return elements({ id: context.binder.newId(), name, type: TIMESTAMP, expr });
}

function elements(column: ComputedColumn): Relation {
  const node: LogicalNode = {
    kind: 'unnest',
    input: ONE_ROW,
    keep: [],
    lists: [column],
    ordinality: null,
    outer: false,
  };
  return { node, columns: [column] };
}

const DAY_MICROS = 86_400_000_000n;
/** Infinities of TIMESTAMP are the ends of its 64 bits. */
const INFINITE = 2n ** 63n - 1n;
/** Steps of months are counted out in the plan. */
const MOST_MONTHS = 1_000_000;

/** range(start, stop, interval) of dates and timestamps: TIMESTAMP, each a step after the one before. */
function moments(args: readonly BoundExpr[], name: string, span: SourceSpan, context: QueryContext): Relation {
  const [start, end, step] = momentArguments(args, name, span);
  const column: LogicalColumn = { id: context.binder.newId(), name, type: TIMESTAMP };
  if (start === null || end === null || step === null) return nothing(column);
  if ([start, end].some((moment) => moment >= INFINITE || moment <= -INFINITE))
    throw userError('binder', `the ends of ${name} are finite`, span);
  const signs = new Set([step.months, step.days, Number(step.micros)].map(Math.sign).filter((sign) => sign !== 0));
  if (signs.size === 0) throw userError('binder', `the step of ${name} is not 0`, args[2]?.span ?? span);
  if (signs.size > 1) throw userError('binder', `the step of ${name} goes one way`, args[2]?.span ?? span);
  if (step.months !== 0) {
    const inside = insideOf(end, signs.has(1), name === 'range');
    const values = literal(countedOut(start, step, inside, name, span), list(TIMESTAMP), span);
    return elements({ ...column, expr: values });
  }
  const micros: LogicalColumn = { id: context.binder.newId(), name, type: INT64 };
  const steps = { start, end, step: BigInt(step.days) * DAY_MICROS + step.micros, name };
  const input = rangeNode(micros, steps, span);
  const moment: ComputedColumn = { ...column, expr: buildCall('make_timestamp', [columnRef(micros, span)], span) };
  return { node: { kind: 'project', input, columns: [moment] }, columns: [moment] };
}

function momentArguments(
  args: readonly BoundExpr[],
  name: string,
  span: SourceSpan,
): readonly [bigint | null, bigint | null, IntervalValue | null] {
  const [start, end, step] = args;
  const types = args.map(({ type }) => typeName(type)).join(', ');
  if (start === undefined || end === undefined || step === undefined || args.length > 3)
    throw userError('type', `no overload fits: ${name}(${types})`, span, `${name}(start, stop, interval)`);
  const isMoment = ({ kind }: DataType): boolean => ['date', 'timestamp', 'null'].includes(kind);
  if (![start, end].every(({ type }) => isMoment(type)) || !['interval', 'null'].includes(step.type.kind))
    throw userError('type', `no overload fits: ${name}(${types})`, span, `${name}(start, stop, interval)`);
  if (args.some(({ type }) => type.kind === 'timestamp' && type.zone))
    throw unsupported(`${name} of TIMESTAMP WITH TIME ZONE`, span, 'cast to TIMESTAMP');
  const moment = (value: BoundExpr): bigint | null =>
    constantOf(foldConstant(castTo(value, TIMESTAMP)), name) as bigint | null;
  return [moment(start), moment(end), constantOf(foldConstant(castTo(step, INTERVAL)), name) as IntervalValue | null];
}

/** Whether a moment is not yet behind the end. */
function insideOf(end: bigint, forward: boolean, isOpen: boolean): (moment: bigint) => boolean {
  if (forward) return isOpen ? (moment) => moment < end : (moment) => moment <= end;
  return isOpen ? (moment) => moment > end : (moment) => moment >= end;
}

/** January 31st, February 29th, March 29th: a day that a month has not got is lost for those behind. */
function countedOut(
  start: bigint,
  step: IntervalValue,
  inside: (moment: bigint) => boolean,
  name: string,
  span: SourceSpan,
): bigint[] {
  const values: bigint[] = [];
  let moment: bigint | undefined = start;
  while (moment !== undefined && inside(moment)) {
    if (values.length === MOST_MONTHS) throw unsupported(`${name} of more than ${MOST_MONTHS} steps of months`, span);
    values.push(moment);
    const day = floorDivide(moment, DAY_MICROS);
    const next: bigint | undefined = shiftDay(day, step.months, step.days);
    moment = next === undefined ? undefined : next * DAY_MICROS + (moment - day * DAY_MICROS) + step.micros;
  }
  return values;
}
