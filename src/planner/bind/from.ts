import type { FileTable } from '../../catalog/file_table.ts';
import { INT64 } from '../../common/data_type.ts';
import { unsupported, userError } from '../../common/error.ts';
import type { DerivedTable, Identifier, Join, TableAlias, TableFunction, TableName, TableRef } from '../../sql/ast.ts';
import type { ComputedColumn, LogicalColumn, LogicalNode, ScanColumn } from '../logical/node.ts';
import { ONE_ROW, outputOf } from '../logical/node.ts';
import { noCalls } from './calls.ts';
import type { CommonTables, Source, SourceNode } from './context.ts';
import { bindExpression } from './expression.ts';
import { bindGenerator } from './generator.ts';
import { joinSides } from './join.ts';
import { asTable, bindQuery } from './query.ts';
import { bindRange } from './range.ts';
import { withSchema } from './read_schema.ts';
import type { QueryContext, Relation } from './relation.ts';
import type { Scope, ScopeTable } from './scope.ts';
import { EMPTY_SCOPE } from './scope.ts';
import { bindStatementTable } from './statement_table.ts';
import { asList } from './unnest.ts';

/** Rows and names of a FROM clause. */
export interface From {
  readonly node: LogicalNode;
  readonly scope: Scope;
}

/** No FROM is one row without columns. */
export function bindFrom(ref: TableRef | null, context: QueryContext): From {
  if (ref === null) return { node: ONE_ROW, scope: EMPTY_SCOPE };
  return bindTableRef(ref, context);
}

function bindTableRef(ref: TableRef, context: QueryContext): From {
  switch (ref.kind) {
    case 'table_name':
      return bindTableName(ref, context);
    case 'file_path':
      return single(bindSource(ref, context), ref.alias, fileName(ref.path));
    case 'table_function':
      return bindTableFunction(ref, context, null);
    case 'derived_table':
      return bindDerived(ref, context);
    case 'statement_table':
      return single(bindStatementTable(ref.statement, context), ref.alias, '');
    case 'join':
      return bindJoin(ref, context);
  }
}

/** A relation under an alias, or under a name of its own. */
function single(relation: Relation, alias: TableAlias | null, name: string): From {
  return { node: relation.node, scope: { tables: [scopeTable(relation, alias, name)], lambdas: [] } };
}

function scopeTable(relation: Relation, alias: TableAlias | null, name: string): ScopeTable {
  if (alias === null) return { name, columns: relation.columns };
  return { name: alias.name.name, columns: withNames(relation.columns, alias.columns, alias.name.name) };
}

/** The first columns get the names of `t(a, b)`. */
function withNames(
  columns: readonly LogicalColumn[],
  names: readonly Identifier[],
  table: string,
): readonly LogicalColumn[] {
  const extra = names[columns.length];
  if (extra !== undefined) {
    throw userError('binder', `"${table}" has ${columns.length} columns, ${names.length} names are given`, extra.span);
  }
  return columns.map((column, i) => ({ ...column, name: names[i]?.name ?? column.name }));
}

/** `dir/sales.parquet` is called sales. */
function fileName(path: string): string {
  const base = path.split('/').pop() ?? path;
  return base.replace(/\.[^.]*$/, '');
}

function bindTableName(ref: TableName, context: QueryContext): From {
  const [first, more] = ref.name as readonly [Identifier, Identifier | undefined];
  const last = ref.name[ref.name.length - 1] as Identifier;
  const common = more === undefined ? findCommonTable(context.commonTables, first.name) : null;
  if (common === null) return single(bindSource(ref, context), ref.alias, last.name);
  const { table } = common;
  const relation = asTable(bindQuery(table.query, { ...context, commonTables: common.outer, outer: common.rows }));
  const columns = withNames(relation.columns, table.columns, table.name.name);
  return single({ node: relation.node, columns }, ref.alias, last.name);
}

function findCommonTable(tables: CommonTables | null, name: string): CommonTables | null {
  for (let entry = tables; entry !== null; entry = entry.next) {
    if (entry.table.name.name.toLowerCase() === name.toLowerCase()) return entry;
  }
  return null;
}

/** Files or a view, as found before binding. */
function bindSource(ref: SourceNode, context: QueryContext): Relation {
  const source: Source | undefined = context.binder.input.sources.get(ref);
  if (source === undefined) throw userError('catalog', 'table not found', ref.span);
  if (source.kind === 'files') {
    const scan = scanOf(source.table, context);
    return source.schema === null ? scan : withSchema(scan, source.table, source.schema, ref.span, context);
  }
  const relation = asTable(bindQuery(source.query, { ...context, commonTables: null, outer: undefined }));
  return { node: relation.node, columns: withNames(relation.columns, source.columns, source.name) };
}

function scanOf(table: FileTable, context: QueryContext): Relation {
  const columns = table.columns.map((column, index): ScanColumn => {
    const base = { id: context.binder.newId(), name: column.name, type: column.type, index };
    return column.unsupported === null ? base : { ...base, unsupported: column.unsupported };
  });
  return { node: { kind: 'scan', table, columns, filter: [], limit: null }, columns };
}

function bindDerived(ref: DerivedTable, context: QueryContext): From {
  return single(asTable(bindQuery(ref.query, context)), ref.alias, ref.alias === null ? 'unnamed_subquery' : '');
}

/** unnest beside a table may take a list of its columns. */
function bindJoin(written: Join, context: QueryContext): From {
  const join = beforeUnnest(written);
  const left = bindTableRef(join.left, context);
  if (join.right.kind === 'table_function' && isUnnest(join.right) && isCheapUnnest(join)) {
    return bindTableFunction(join.right, context, { left, outer: join.type === 'left' });
  }
  const right = bindTableRef(join.right, { ...context, outer: { scope: left.scope, next: context.outer } });
  return joinSides(join, left, right, context);
}

/** `t, (unnest(t.l) u JOIN c)`, which is what a comma before a join means, as `(t, unnest(t.l) u) JOIN c`. */
function beforeUnnest(join: Join): Join {
  const { right } = join;
  if (join.type !== 'cross' || right.kind !== 'join' || !startsWithUnnest(right)) return join;
  return { ...right, left: beforeUnnest({ ...join, right: right.left }) };
}

function startsWithUnnest(join: Join): boolean {
  if (join.type === 'right' || join.type === 'full') return false;
  const { left } = join;
  return left.kind === 'join' ? startsWithUnnest(left) : left.kind === 'table_function' && isUnnest(left);
}

const isUnnest = (ref: TableFunction): boolean => ['unnest', 'explode'].includes(tableFunctionName(ref));

/** `t, unnest(…)`, and INNER and LEFT JOIN unnest(…) ON true: an operator over t, no join. */
function isCheapUnnest(join: Join): boolean {
  const { condition } = join;
  if (join.type === 'cross') return true;
  return (
    (join.type === 'left' || join.type === 'inner') &&
    condition?.kind === 'join_on' &&
    condition.expression.kind === 'boolean_literal' &&
    condition.expression.value
  );
}

export function tableFunctionName(ref: TableFunction): string {
  return ref.name[ref.name.length - 1]?.name.toLowerCase() ?? '';
}

interface Lateral {
  readonly left: From;
  readonly outer: boolean;
}

function bindTableFunction(ref: TableFunction, context: QueryContext, lateral: Lateral | null): From {
  const name = tableFunctionName(ref);
  if (isUnnest(ref)) return bindUnnest(ref, context, lateral);
  if (ref.ordinality) throw unsupported(`WITH ORDINALITY of ${name}`, ref.span);
  if (name === 'range' || name === 'generate_series') return single(bindRange(ref, name, context), ref.alias, name);
  if (name === 'tpcds') {
    const relation = bindGenerator(ref, name, context);
    return single(relation, ref.alias, name);
  }
  return single(bindSource(ref, context), ref.alias, name);
}

/** `FROM unnest(list)`, beside the table on its left when it has one. */
function bindUnnest(ref: TableFunction, context: QueryContext, lateral: Lateral | null): From {
  const { binder } = context;
  const left = lateral?.left ?? { node: ONE_ROW, scope: EMPTY_SCOPE };
  const [argument, extra] = ref.arguments;
  if (argument === undefined || extra !== undefined) throw userError('binder', 'unnest takes one list', ref.span);
  const list = asList(
    bindExpression(argument.value, { ...context, scope: left.scope, aliases: [], calls: noCalls('FROM') }),
  );
  const element = list.type.kind === 'list' ? list.type.element : list.type;
  const column: ComputedColumn = { id: binder.newId(), name: 'unnest', type: element, expr: list };
  const ordinality: LogicalColumn | null = ref.ordinality
    ? { id: binder.newId(), name: 'ordinality', type: INT64 }
    : null;
  const outer = lateral?.outer ?? false;
  const keep = outputOf(left.node);
  const node: LogicalNode = { kind: 'unnest', input: left.node, keep, lists: [column], ordinality, outer };
  const columns = ordinality === null ? [column] : [column, ordinality];
  const table = scopeTable({ node, columns }, ref.alias, 'unnest');
  return { node, scope: { ...left.scope, tables: [...left.scope.tables, table] } };
}
