import type { BoundExpr, ColumnId } from '../logical/expression.ts';
import { columnsOf, exprKey } from '../logical/expression.ts';
import type { LogicalNode } from '../logical/node.ts';
import { outputOf } from '../logical/node.ts';
import { expressionFacts } from '../estimate/column_facts.ts';
import { baseRows, estimateRows } from '../estimate/rows.ts';

/** Relations as bits of a number: at most 30 are ordered together. */
export type RelationSet = number;

export interface Relation {
  readonly node: LogicalNode;
  readonly set: RelationSet;
  readonly rows: number;
  /** of its largest table, before filters */
  readonly tableRows: number;
}

/** An expression of one relation that is equal to the others of its class. */
export interface Member {
  readonly expr: BoundExpr;
  readonly set: RelationSet;
  readonly distinct: number;
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

export function joinGraph(nodes: readonly LogicalNode[], conditions: readonly BoundExpr[]): JoinGraph {
  const relations = nodes.map((node, i): Relation => {
    const rows = Math.max(1, estimateRows(node) ?? UNKNOWN_ROWS);
    return { node, set: 2 ** i, rows, tableRows: Math.max(rows, baseRows(node) ?? rows) };
  });
  const owner = new Map<ColumnId, Relation>();
  for (const relation of relations) for (const column of outputOf(relation.node)) owner.set(column.id, relation);
  const setOf = (expr: BoundExpr): RelationSet => {
    let set = 0;
    for (const id of columnsOf(expr)) set |= owner.get(id)?.set ?? 0;
    return set;
  };
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

const isSingle = (set: RelationSet): boolean => set !== 0 && (set & (set - 1)) === 0;

function equalSides(condition: BoundExpr): readonly [BoundExpr, BoundExpr] | null {
  if (condition.kind !== 'call' || !['eq', 'is_not_distinct_from'].includes(condition.fn)) return null;
  return condition.args as readonly [BoundExpr, BoundExpr];
}

type Side = readonly [expr: BoundExpr, set: RelationSet];

class ClassBuilder {
  readonly #relations: readonly Relation[];
  #classes: { members: Map<string, Member>; example: EqualityClass['example'] }[] = [];

  constructor(relations: readonly Relation[]) {
    this.#relations = relations;
  }

  add(condition: EqualityClass['example'], ...sides: readonly [Side, Side]): void {
    const keys = sides.map(([expr]) => exprKey(expr));
    const members = new Map<string, Member>();
    // where NULL equals NULL the class is of its own: what is equal there may differ by =
    const joined =
      condition.fn === 'eq'
        ? this.#classes.filter((one) => one.example.fn === 'eq' && keys.some((key) => one.members.has(key)))
        : [];
    for (const one of joined) for (const [key, member] of one.members) members.set(key, member);
    sides.forEach(([expr, set], i) => {
      const key = keys[i] as string;
      if (!members.has(key)) members.set(key, { expr, set, distinct: this.#distinct(expr, set) });
    });
    this.#classes = [...this.#classes.filter((one) => !joined.includes(one)), { members, example: condition }];
  }

  #distinct(expr: BoundExpr, set: RelationSet): number {
    const relation = this.#relations.find((one) => one.set === set) as Relation;
    // unknown: as if it were the key of its table
    return expressionFacts(expr, relation.node).distinct ?? relation.tableRows;
  }

  build(): EqualityClass[] {
    return this.#classes.map(({ members, example }) => ({ members: [...members.values()], example }));
  }
}
