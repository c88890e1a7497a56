import type { DataType } from '../../common/data_type.ts';
import { STRING, typeName } from '../../common/data_type.ts';
import { unsupported } from '../../common/error.ts';
import type { SourceSpan } from '../../common/source_span.ts';
import type { Describe, Query, Show, Summarize, TableRef } from '../../sql/ast.ts';
import type { BoundExpr } from '../logical/expression.ts';
import { literal } from '../logical/expression.ts';
import type { LogicalColumn } from '../logical/node.ts';
import { bindQuery } from './query.ts';
import type { QueryContext, Relation } from './relation.ts';
import { bindSummarize } from './summarize.ts';

/** DESCRIBE, SUMMARIZE and SHOW as tables. */
export function bindStatementTable(statement: Describe | Summarize | Show, context: QueryContext): Relation {
  switch (statement.kind) {
    case 'describe':
      return describe(bindTarget(statement.target, context).columns, statement.span, context);
    case 'summarize':
      return bindSummarize(bindTarget(statement.target, context), statement.span, context);
    case 'show':
      throw unsupported('SHOW in FROM', statement.span);
  }
}

/** `DESCRIBE t` is DESCRIBE SELECT * FROM t. */
function bindTarget(target: Query | TableRef, context: QueryContext): Relation {
  return bindQuery(target.kind === 'query' ? target : selectAll(target), context);
}

/** SELECT * FROM ref */
export function selectAll(ref: TableRef): Query {
  const { span } = ref;
  const star = { kind: 'star', qualifier: null, exclude: [], replace: [], rename: [], span } as const;
  return {
    kind: 'query',
    recursive: false,
    with: [],
    body: {
      kind: 'select',
      distinct: null,
      items: [{ kind: 'select_item', expression: star, alias: null, span }],
      from: ref,
      where: null,
      groupBy: null,
      having: null,
      qualify: null,
      windows: [],
      span,
    },
    orderBy: [],
    limit: null,
    offset: null,
    span,
  };
}

function describe(columns: readonly LogicalColumn[], span: SourceSpan, context: QueryContext): Relation {
  const rows = columns.map((column) => [column.name, shownType(column.type), 'YES', null, null, null]);
  return textTable(['column_name', 'column_type', 'null', 'key', 'default', 'extra'], rows, span, context);
}

/** NULL has no type of its own; as a result it is an INTEGER. */
export function shownType(type: DataType): string {
  return typeName(resultType(type));
}

/** The type under which a column leaves the engine. */
export function resultType(type: DataType): DataType {
  if (type.kind === 'null') return { kind: 'int32' };
  return type.kind === 'list' ? { kind: 'list', element: resultType(type.element) } : type;
}

/** A table of constant texts. */
export function textTable(
  names: readonly string[],
  rows: readonly (readonly (string | null)[])[],
  span: SourceSpan,
  context: QueryContext,
): Relation {
  const columns = names.map((name): LogicalColumn => ({ id: context.binder.newId(), name, type: STRING }));
  const cells = rows.map((row) => row.map((text): BoundExpr => literal(text, STRING, span)));
  return { node: { kind: 'values', columns, rows: cells }, columns };
}
