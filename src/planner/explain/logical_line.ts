import { quoteIdentifier } from '../../common/data_type.ts';
import { expressionText } from '../../operators/expression.ts';
import type { BoundExpr } from '../logical/expression.ts';
import { visitExpr } from '../logical/expression.ts';
import type { AggregateColumn, ComputedColumn, LogicalNode, LogicalSortKey } from '../logical/node.ts';
import { lowerExpr } from '../physical/lower_expression.ts';

/** A bound expression as SQL-like text: columns by name. */
export function boundText(expr: BoundExpr): string {
  const positions = new Map<number, number>();
  visitExpr(expr, (part) => {
    if (part.kind === 'column') positions.set(part.column, 0);
  });
  return expressionText(lowerExpr(expr, positions));
}

/** One line for a node of a logical plan. */
export function logicalLine(node: LogicalNode): string {
  switch (node.kind) {
    case 'scan': {
      const columns = node.columns.map((column) => quoteIdentifier(column.name)).join(', ');
      const filter = node.filter.length === 0 ? '' : ` filter=[${node.filter.map(boundText).join(' AND ')}]`;
      return `scan ${node.table.label} columns=[${columns}]${filter}${node.limit === null ? '' : ` limit=${node.limit}`}`;
    }
    case 'values':
      return `values rows=${node.rows.length}`;
    case 'range':
      return `range start=${node.start} stop=${node.stop} step=${node.step}`;
    case 'generate':
      return `generate ${node.generator}`;
    case 'filter':
      return `filter ${node.predicate.map(boundText).join(' AND ')}`;
    case 'project':
      return `project [${node.columns.map(computedText).join(', ')}]`;
    case 'aggregate': {
      const keys = node.keys.length === 0 ? [] : [`keys=[${node.keys.map((key) => boundText(key.expr)).join(', ')}]`];
      const calls =
        node.aggregates.length === 0 ? [] : [`aggregates=[${node.aggregates.map(aggregateText).join(', ')}]`];
      return ['aggregate', ...keys, ...calls].join(' ');
    }
    case 'sort':
      return `sort [${node.keys.map(keyText).join(', ')}]`;
    case 'limit':
      return `limit limit=${node.limit ?? 'all'}${node.offset === 0 ? '' : ` offset=${node.offset}`}`;
    case 'top_k':
      return `top_k [${node.keys.map(keyText).join(', ')}] limit=${node.limit}${node.offset === 0 ? '' : ` offset=${node.offset}`}`;
    case 'union_all':
      return 'union_all';
    case 'shared':
      return 'shared';
    case 'join': {
      const conditions = [...node.keys.map((key) => key.condition), ...node.residual];
      return `join ${node.type}${conditions.length === 0 ? '' : ` [${conditions.map(boundText).join(' AND ')}]`}`;
    }
    case 'unnest': {
      const flags = `${node.outer ? ' outer' : ''}${node.ordinality === null ? '' : ' ordinality'}`;
      return `unnest [${node.lists.map((list) => boundText(list.expr)).join(', ')}]${flags}`;
    }
  }
}

function computedText(column: ComputedColumn): string {
  const text = boundText(column.expr);
  const name = quoteIdentifier(column.name);
  return text === name ? text : `${text} AS ${name}`;
}

function aggregateText({ call }: AggregateColumn): string {
  const name =
    call.fn === 'count_star'
      ? 'count(*)'
      : `${call.fn}(${call.distinct ? 'DISTINCT ' : ''}${call.args.map(boundText).join(', ')})`;
  return call.filter === null ? name : `${name} FILTER (WHERE ${boundText(call.filter)})`;
}

function keyText(key: LogicalSortKey): string {
  return `${boundText(key.expr)}${key.descending ? ' DESC' : ''}${key.nullsFirst ? ' NULLS FIRST' : ''}`;
}
