import { STRING } from '../../common/data_type.ts';
import { userError } from '../../common/error.ts';
import type { SourceSpan } from '../../common/source_span.ts';
import type { LogicalColumn, LogicalPlan } from '../logical/node.ts';
import { columnRef } from '../logical/node.ts';
import { castTo } from './cast.ts';
import type { Binder } from './context.ts';

/** Columns whose values name the folders that rows are written to. */
export interface PartitionBy {
  /** in the order of the folders, outermost first */
  readonly names: readonly string[];
  /** whether the files hold the columns as well */
  readonly keepColumns: boolean;
  readonly span: SourceSpan;
}

/** The rows of `plan` with the partition columns as text at the end, and themselves left out unless they are kept. */
export function partitioned(plan: LogicalPlan, by: PartitionBy, binder: Binder): LogicalPlan {
  const keys = by.names.map((name) => keyColumn(plan.columns, name, by.span));
  const repeated = keys.find((key, i) => keys.indexOf(key) < i);
  if (repeated !== undefined) throw userError('binder', `PARTITION_BY names a column twice: ${repeated.name}`, by.span);
  const stored = by.keepColumns ? plan.columns : plan.columns.filter((column) => !keys.includes(column));
  if (stored.length === 0) {
    throw userError(
      'binder',
      'PARTITION_BY leaves no column for the files',
      by.span,
      'WRITE_PARTITION_COLUMNS true keeps the partition columns in them',
    );
  }
  const columns = [
    ...stored.map((column) => ({ ...column, id: binder.newId(), expr: columnRef(column, by.span) })),
    ...keys.map((column) => ({
      id: binder.newId(),
      name: column.name,
      type: STRING,
      expr: castTo(columnRef(column, by.span), STRING),
    })),
  ];
  return { root: { kind: 'project', input: plan.root, columns }, columns };
}

function keyColumn(columns: readonly LogicalColumn[], name: string, span: SourceSpan): LogicalColumn {
  const found = columns.filter((column) => column.name.toLowerCase() === name.toLowerCase());
  if (found.length > 1) throw userError('binder', `PARTITION_BY: more than one column is named ${name}`, span);
  if (found[0] !== undefined) return found[0];
  throw userError(
    'binder',
    `PARTITION_BY: no column ${name}`,
    span,
    `columns: ${columns.map((c) => c.name).join(', ')}`,
  );
}
