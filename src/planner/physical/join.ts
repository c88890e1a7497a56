import { unsupported } from '../../common/error.ts';
import type { ConditionalJoin } from '../../operators/conditional_join.ts';
import type { HashJoin, PlanJoinType } from '../../operators/hash_join.ts';
import { estimateRows } from '../estimate/rows.ts';
import type { LogicalJoin, LogicalNode } from '../logical/node.ts';
import { outputOf } from '../logical/node.ts';
import type { JoinFilterPlan } from './join_filters.ts';
import { joinSearch } from './join_search.ts';
import { lowerExpr, positionsOf } from './lower_expression.ts';

/** The side that streams, then the side that becomes a table: that of fewer rows, where the join lets choose. */
export function joinInputs(node: LogicalJoin): readonly [probe: LogicalNode, build: LogicalNode] {
  return buildsLeft(node) ? [node.right, node.left] : [node.left, node.right];
}

function buildsLeft(node: LogicalJoin): boolean {
  if (!['inner', 'left', 'full'].includes(node.type)) return false;
  const [left, right] = [estimateRows(node.left), estimateRows(node.right)];
  return left !== null && right !== null && left < right;
}

/** A left join that builds its left side is a right join. */
export function joinTypeOf(node: LogicalJoin): PlanJoinType {
  return buildsLeft(node) && node.type === 'left' ? 'right' : node.type;
}

export function joinParams(node: LogicalJoin, filters: JoinFilterPlan): HashJoin | ConditionalJoin {
  const flipped = buildsLeft(node);
  const [first, second] = joinInputs(node);
  const [probe, build] = [outputOf(first), outputOf(second)];
  const [probePositions, buildPositions] = [positionsOf(probe), positionsOf(build)];
  const both = positionsOf([...probe, ...build]);
  const type = joinTypeOf(node);
  const span = node.type === 'single' ? node.span : null;
  const residual = node.residual.map((condition) => lowerExpr(condition, both));
  if (node.nullAware && (node.keys.length !== 1 || residual.length > 0)) {
    throw unsupported('IN with a correlated or many-column subquery as a value', node.span, 'use EXISTS');
  }
  const keep = node.columns
    .filter((column) => column.id !== node.mark?.id)
    .map((column) => both.get(column.id) as number);
  if (node.keys.length === 0) {
    const search = joinSearch(node.residual, first, second, both);
    return { kind: 'conditional_join', type, residual, search, keep, span };
  }
  return {
    kind: 'hash_join',
    type,
    keys: node.keys.map((key) => ({
      probe: lowerExpr(flipped ? key.right : key.left, probePositions),
      build: lowerExpr(flipped ? key.left : key.right, buildPositions),
      nullSafe: key.nullSafe,
      filter: filters.ofKey(key),
    })),
    residual,
    keep,
    nullAware: node.nullAware,
    span,
  };
}
