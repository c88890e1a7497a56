import type { DataType } from '../../common/data_type.ts';
import { decimal, FLOAT64, holdsVariant, INT64, list, STRING, typeName } from '../../common/data_type.ts';
import type { SourceSpan } from '../../common/source_span.ts';
import { isNumeric } from '../../functions/argument.ts';
import { findFunction, resolveCall } from '../../functions/index.ts';
import type { BoundExpr } from '../logical/expression.ts';
import { literal } from '../logical/expression.ts';
import type { AggregateColumn, ComputedColumn, LogicalColumn, LogicalNode } from '../logical/node.ts';
import { columnRef } from '../logical/node.ts';
import { buildCall, resolutionArguments } from './call.ts';
import { argumentOf, castTo } from './cast.ts';
import type { QueryContext, Relation } from './relation.ts';

const PERCENT = decimal(9, 2);

/** One row a column: name, type, extremes, distinct values, mean, deviation, quartiles, rows, share of NULLs. */
export function bindSummarize(input: Relation, span: SourceSpan, context: QueryContext): Relation {
  const { binder } = context;
  const aggregates: AggregateColumn[] = [];
  const aggregate = (name: string, args: readonly BoundExpr[]): BoundExpr => {
    const row = findFunction(name);
    if (row === undefined) return literal(null, STRING, span);
    const resolution = resolveCall(row, args.map(argumentOf), span);
    const call = {
      fn: resolution.fn,
      args: resolutionArguments(resolution, args, span),
      distinct: false,
      filter: null,
      order: [],
      span,
    };
    const column: AggregateColumn = { id: binder.newId(), name, type: resolution.type, call };
    aggregates.push(column);
    return columnRef(column, span);
  };
  const rowCount = aggregate('count', []);
  const cells = input.columns.map((column) => summaryOf(column, rowCount, aggregate, span));
  const grouped: LogicalNode = { kind: 'aggregate', input: input.node, keys: [], aggregates };
  const lists = SUMMARY.map(
    ([name, type], i): ComputedColumn => ({
      id: binder.newId(),
      name,
      type,
      expr: {
        kind: 'call',
        fn: 'list_value',
        args: cells.map((row) => castTo(row[i] as BoundExpr, type)),
        type: list(type),
        fallible: false,
        span,
      },
    }),
  );
  const unnest: LogicalNode = { kind: 'unnest', input: grouped, keep: [], lists, ordinality: null, outer: false };
  const columns = lists.map(
    (column): ComputedColumn => ({ ...column, id: binder.newId(), expr: columnRef(column, span) }),
  );
  return { node: { kind: 'project', input: unnest, columns }, columns };
}

const SUMMARY: readonly (readonly [name: string, type: DataType])[] = [
  ['column_name', STRING],
  ['column_type', STRING],
  ['min', STRING],
  ['max', STRING],
  ['approx_unique', INT64],
  ['avg', STRING],
  ['std', STRING],
  ['q25', STRING],
  ['q50', STRING],
  ['q75', STRING],
  ['count', INT64],
  ['null_percentage', PERCENT],
];

type MakeAggregate = (name: string, args: readonly BoundExpr[]) => BoundExpr;

function summaryOf(
  column: LogicalColumn,
  rowCount: BoundExpr,
  aggregate: MakeAggregate,
  span: SourceSpan,
): BoundExpr[] {
  const reference = columnRef(column, span);
  // Variants can only be compared as text.
  const value = holdsVariant(column.type) ? castTo(reference, STRING) : reference;
  const none = literal(null, STRING, span);
  const numeric = isNumeric(column.type);
  const text = (expr: BoundExpr): BoundExpr => castTo(expr, STRING);
  const quantile = (fraction: number): BoundExpr =>
    numeric ? text(aggregate('quantile_disc', [value, literal(fraction, FLOAT64, span)])) : none;
  const known = column.unsupported === undefined;
  const count = known ? aggregate('count', [value]) : literal(0n, INT64, span);
  return [
    literal(column.name, STRING, span),
    literal(typeName(column.type), STRING, span),
    known ? text(aggregate('min', [value])) : none,
    known ? text(aggregate('max', [value])) : none,
    known ? aggregate('approx_count_distinct', [value]) : none,
    numeric ? text(aggregate('avg', [value])) : none,
    numeric ? text(aggregate('stddev', [castTo(value, FLOAT64)])) : none,
    quantile(0.25),
    quantile(0.5),
    quantile(0.75),
    rowCount,
    nullShare(rowCount, count, span),
  ];
}

/** Percent of NULLs; 0 of no rows. */
function nullShare(rows: BoundExpr, known: BoundExpr, span: SourceSpan): BoundExpr {
  const missing = castTo(buildCall('-', [rows, known], span), FLOAT64);
  const share = buildCall(
    '/',
    [buildCall('*', [missing, literal(100, FLOAT64, span)], span), castTo(rows, FLOAT64)],
    span,
  );
  const isEmpty = buildCall('=', [rows, literal(0n, INT64, span)], span);
  return castTo(
    {
      kind: 'case',
      branches: [{ condition: isEmpty, result: literal(0, FLOAT64, span) }],
      otherwise: share,
      type: FLOAT64,
      span,
    },
    PERCENT,
  );
}
