import type { ColumnFacts } from '../estimate/column_facts.ts';
import { expressionFacts } from '../estimate/column_facts.ts';
import { baseRows, estimateRows } from '../estimate/rows.ts';
import type { BoundExpr, ColumnId } from '../logical/expression.ts';
import { columnsOf, exprKey } from '../logical/expression.ts';
import type { LogicalJoin, LogicalNode } from '../logical/node.ts';
import { outputOf } from '../logical/node.ts';

/** Relations as bits of a number: at most 30 are ordered together. */
export type RelationSet = number;

export interface Relation {
  readonly node: LogicalNode;
  readonly set: RelationSet;
  readonly rows: number;
  /** of its largest table, before filters */
  readonly tableRows: number;
  readonly dependence: Dependence | null;
}

/**
 * The right side of a join that looks at one left row at a time: semi, anti, mark and left joins give the same wherever
 * they stand, once the relations that they read are joined.
 */
export interface Dependence {
  readonly join: LogicalJoin;
  /** relations of the left side that its conditions read */
  readonly reads: RelationSet;
  /** rows that come out for each left row */
  readonly factor: number;
}

/** An expression of one relation that is equal to the others of its class. */
export interface Member {
  readonly expr: BoundExpr;
  readonly set: RelationSet;
  /** of its values; a domain that is unknown is as large as its table, as if it were its key */
  readonly facts: ColumnFacts;
}

/** Expressions that equalities make equal, directly or through others: a = b AND b = c is one class of three. */
export interface EqualityClass {
  readonly members: readonly Member[];
  /** an equality of the class: what stands for all of them */
  readonly example: Extract<BoundExpr, { kind: 'call' }>;
}

/** A condition over several relations that is no equality between two of them. */
export interface Residual {
  readonly condition: BoundExpr;
  readonly set: RelationSet;
}

export interface JoinGraph {
  readonly relations: readonly Relation[];
  readonly classes: readonly EqualityClass[];
  readonly residuals: readonly Residual[];
}

/** Rows of a relation of which nothing is known. */
const UNKNOWN_ROWS = 100_000;
/** Share of rows that a semi or anti join of unknown inputs is taken to keep. */
const UNKNOWN_SHARE = 0.5;

/** `hanging` are joins of which the right side is a relation beside `nodes`; their left sides are not looked at. */
export function joinGraph(
  nodes: readonly LogicalNode[],
  conditions: readonly BoundExpr[],
  hanging: readonly LogicalJoin[] = [],
): JoinGraph {
  const sets = new Map<ColumnId, RelationSet>();
  [...nodes, ...hanging.map((join) => join.right)].forEach((node, i) => {
    for (const column of outputOf(node)) sets.set(column.id, 2 ** i);
  });
  hanging.forEach(({ mark }, i) => {
    if (mark !== null) sets.set(mark.id, 2 ** (nodes.length + i));
  });
  const setOf = (expr: BoundExpr): RelationSet => {
    let set = 0;
    for (const id of columnsOf(expr)) set |= sets.get(id) ?? 0;
    return set;
  };
  const relation = (node: LogicalNode, i: number): Relation => {
    const rows = Math.max(1, estimateRows(node) ?? UNKNOWN_ROWS);
    return { node, set: 2 ** i, rows, tableRows: Math.max(rows, baseRows(node) ?? rows), dependence: null };
  };
  const relations = [
    ...nodes.map(relation),
    ...hanging.map((join, i): Relation => {
      const right = relation(join.right, nodes.length + i);
      const read = [...join.keys.map((key) => key.condition), ...join.residual].map(setOf);
      const reads = read.reduce((all, set) => all | set, 0) & ~right.set;
      return { ...right, dependence: { join, reads, factor: rowFactor(join) } };
    }),
  ];
  const classes = new ClassBuilder(relations);
  const residuals: Residual[] = [];
  for (const condition of conditions) {
    const [left, right] = equalSides(condition) ?? [];
    const [a, b] = [left === undefined ? 0 : setOf(left), right === undefined ? 0 : setOf(right)];
    if (left !== undefined && right !== undefined && isSingle(a) && isSingle(b) && a !== b) {
      classes.add(condition as EqualityClass['example'], [left, a], [right, b]);
    } else {
      residuals.push({ condition, set: setOf(condition) });
    }
  }
  return { relations, classes: classes.build(), residuals };
}

/** Rows of a join for each of its left side. */
function rowFactor(join: LogicalJoin): number {
  const [all, left] = [estimateRows(join), estimateRows(join.left)];
  if (all !== null && left !== null && left > 0) return all / left;
  return join.type === 'semi' || join.type === 'anti' ? UNKNOWN_SHARE : 1;
}

const isSingle = (set: RelationSet): boolean => set !== 0 && (set & (set - 1)) === 0;

function equalSides(condition: BoundExpr): readonly [BoundExpr, BoundExpr] | null {
  if (condition.kind !== 'call' || !['eq', 'is_not_distinct_from'].includes(condition.fn)) return null;
  return condition.args as readonly [BoundExpr, BoundExpr];
}

type Side = readonly [expr: BoundExpr, set: RelationSet];

class ClassBuilder {
  readonly #relations: readonly Relation[];
  #classes: { members: Map<string, Side>; example: EqualityClass['example'] }[] = [];

  constructor(relations: readonly Relation[]) {
    this.#relations = relations;
  }

  add(condition: EqualityClass['example'], ...sides: readonly [Side, Side]): void {
    const keys = sides.map(([expr]) => exprKey(expr));
    const members = new Map<string, Side>();
    // where NULL equals NULL the class is of its own: what is equal there may differ by =
    const joined =
      condition.fn === 'eq'
        ? this.#classes.filter((one) => one.example.fn === 'eq' && keys.some((key) => one.members.has(key)))
        : [];
    for (const one of joined) for (const [key, member] of one.members) members.set(key, member);
    sides.forEach((side, i) => {
      members.set(keys[i] as string, side);
    });
    this.#classes = [...this.#classes.filter((one) => !joined.includes(one)), { members, example: condition }];
  }

  build(): EqualityClass[] {
    return this.#classes.map(({ members, example }) => ({
      members: [...members.values()].map(([expr, set]) => {
        const { node, tableRows } = this.#relations.find((one) => one.set === set) as Relation;
        const facts = expressionFacts(expr, node);
        return { expr, set, facts: { ...facts, domain: facts.domain ?? tableRows } };
      }),
      example,
    }));
  }
}
