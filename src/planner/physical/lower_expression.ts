import { QuernError } from '../../common/error.ts';
import type { PlanExpr, PlanSortKey } from '../../operators/expression.ts';
import type { BoundExpr, BoundLambda, ColumnId } from '../logical/expression.ts';
import { columnsOf, visitExpr } from '../logical/expression.ts';
import type { LogicalColumn, LogicalSortKey } from '../logical/node.ts';

/** Where each column stands in a node's input. */
export type Positions = ReadonlyMap<ColumnId, number>;

export function positionsOf(columns: readonly LogicalColumn[]): Positions {
  return new Map(columns.map((column, i) => [column.id, i]));
}

/** The expression with columns as positions. */
export function lowerExpr(expr: BoundExpr, positions: Positions): PlanExpr {
  const lower = (child: BoundExpr): PlanExpr => lowerExpr(child, positions);
  switch (expr.kind) {
    case 'column': {
      const index = positions.get(expr.column);
      if (index === undefined) throw missing(expr.name);
      return { kind: 'column', index, name: expr.name, type: expr.type };
    }
    case 'literal':
      return { kind: 'literal', value: expr.value, type: expr.type };
    case 'call':
      return { kind: 'call', fn: expr.fn, args: expr.args.map(lower), type: expr.type, span: expr.span };
    case 'cast':
      return { kind: 'cast', operand: lower(expr.operand), try: expr.try, type: expr.type, span: expr.span };
    case 'and':
    case 'or':
    case 'coalesce':
      return { kind: expr.kind, args: expr.args.map(lower), type: expr.type };
    case 'case': {
      const branches = expr.branches.flatMap((branch) => [lower(branch.condition), lower(branch.result)]);
      return { kind: 'case', args: [...branches, lower(expr.otherwise)], type: expr.type };
    }
    case 'in':
      return { kind: 'in', args: [lower(expr.operand), ...expr.items.map(lower)], type: expr.type };
    case 'lambda':
      return lowerLambda(expr, positions);
  }
}

/** The body runs on a batch of parameters, then captures: columns of the rows around it that it reads. */
function lowerLambda(lambda: BoundLambda, positions: Positions): PlanExpr {
  const captured = [...columnsOf(lambda)];
  const inner: Positions = new Map([...lambda.parameters, ...captured].map((id, i) => [id, i]));
  const found = new Map<ColumnId, BoundExpr>();
  visitExpr(lambda.body, (expr) => {
    if (expr.kind === 'column') found.set(expr.column, expr);
  });
  return {
    kind: 'lambda',
    body: lowerExpr(lambda.body, inner),
    captures: captured.map((id) => lowerExpr(found.get(id) as BoundExpr, positions)),
    parameters: lambda.parameters.length,
    type: lambda.type,
  };
}

export function lowerSortKey(key: LogicalSortKey, positions: Positions): PlanSortKey {
  return { expr: lowerExpr(key.expr, positions), descending: key.descending, nullsFirst: key.nullsFirst };
}

function missing(name: string): QuernError {
  return new QuernError({
    source: 'internal',
    code: 'internal',
    message: `the plan reads a column that its input does not have: ${name}`,
  });
}
