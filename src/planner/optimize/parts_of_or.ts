import { BOOL } from '../../common/data_type.ts';
import type { BoundExpr } from '../logical/expression.ts';
import { columnsOf, conjuncts } from '../logical/expression.ts';
import { isFallible } from '../logical/fallible.ts';
import type { LogicalNode } from '../logical/node.ts';
import { outputOf } from '../logical/node.ts';

/**
 * What an OR over several inputs says of one of them: `(a.x = 1 AND b.y = 2) OR (a.x = 3 AND b.y = 4)` says
 * `a.x = 1 OR a.x = 3` of a. Nothing where a branch leaves that input open.
 */
export function partsOfOr(condition: BoundExpr, side: LogicalNode): readonly BoundExpr[] {
  if (condition.kind !== 'or') return [];
  const columns = new Set(outputOf(side).map((column) => column.id));
  const { span } = condition;
  const branches: BoundExpr[] = [];
  for (const branch of condition.args) {
    const parts = conjuncts(branch).filter((part) => {
      const read = columnsOf(part);
      return read.size > 0 && [...read].every((id) => columns.has(id)) && !isFallible(part);
    });
    const [first] = parts;
    if (first === undefined) return [];
    branches.push(parts.length === 1 ? first : { kind: 'and', args: parts, type: BOOL, span });
  }
  return [{ kind: 'or', args: branches, type: BOOL, span }];
}
