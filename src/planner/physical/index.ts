import type { Schema } from '../../common/batch.ts';
import { unsupported } from '../../common/error.ts';
import { exhaustive } from '../../common/exhaustive.ts';
import type { PlanExpr } from '../../operators/expression.ts';
import type { OperatorParams, PhysicalNode } from '../../operators/index.ts';
import type { ScanFileColumn, ScanFiles } from '../../operators/scan_files.ts';
import { estimateRows } from '../estimate/rows.ts';
import type { LogicalColumn, LogicalNode, LogicalPlan, LogicalScan, SharedColumn } from '../logical/node.ts';
import { columnRef, inputsOf, outputOf } from '../logical/node.ts';
import { joinInputs, joinParams } from './join.ts';
import type { JoinFilterPlan } from './join_filters.ts';
import { planJoinFilters } from './join_filters.ts';
import { lowerExpr, lowerSortKey, positionsOf } from './lower_expression.ts';
import { reasonOf } from './reason.ts';

/** What the engine can run; comes in as a value so that plans do not depend on the machine that tests them. */
export interface PlannerCapabilities {
  readonly devices: readonly string[];
  readonly operators: readonly string[];
}

export interface PhysicalOptions {
  readonly capabilities: PlannerCapabilities;
  /** aggregates with DISTINCT become a group-by over a group-by where they can */
  readonly distinctAsGroups?: boolean;
}

/** Chooses an operator and a device for every node of a logical plan. Shared logical nodes stay shared. */
export function planPhysical(plan: LogicalPlan, options: PhysicalOptions): PhysicalNode {
  const known = new Map<LogicalNode, PhysicalNode>();
  const filters = planJoinFilters(plan.root);
  const lower = (node: LogicalNode): PhysicalNode => {
    const seen = known.get(node);
    if (seen !== undefined) return seen;
    const inputs = readInputs(node);
    const result = lowerNode(node, inputs.map(lower), options, filters);
    known.set(node, result);
    return result;
  };
  const root = lower(plan.root);
  return { ...root, output: schemaOf(plan.columns) };
}

function readInputs(node: LogicalNode): readonly LogicalNode[] {
  if (node.kind === 'shared') return [node.body];
  return node.kind === 'join' ? joinInputs(node) : inputsOf(node);
}

function schemaOf(columns: readonly LogicalColumn[]): Schema {
  return columns.map(({ name, type }) => ({ name, type }));
}

function lowerNode(
  node: LogicalNode,
  inputs: readonly PhysicalNode[],
  options: PhysicalOptions,
  filters: JoinFilterPlan,
): PhysicalNode {
  const params = paramsOf(node, filters);
  const [input] = inputs;
  if (params.kind === 'project' && input !== undefined && isRenaming(params.exprs, input)) {
    // a subplan of several readers stays one: names matter at the root only
    return input;
  }
  if (!options.capabilities.operators.includes(params.kind)) throw unsupported(`operator ${params.kind} in this build`);
  return {
    ...params,
    inputs,
    output: schemaOf(outputOf(node)),
    device: 'cpu',
    instances: 1,
    estimatedRows: estimateRows(node),
    reason: reasonOf(node),
  };
}

/** A projection to the columns of its input as they are needs no operator. */
function isRenaming(exprs: readonly PlanExpr[], input: PhysicalNode): boolean {
  return exprs.length === input.output.length && exprs.every((expr, i) => expr.kind === 'column' && expr.index === i);
}

function paramsOf(node: LogicalNode, filters: JoinFilterPlan): OperatorParams {
  switch (node.kind) {
    case 'scan':
      return { kind: node.table.format === 'parquet' ? 'scan_parquet' : 'scan_arrow', ...scanParams(node, filters) };
    case 'values':
      return { kind: 'values', rows: node.rows.map((row) => row.map((cell) => lowerExpr(cell, new Map()))) };
    case 'range':
      return { kind: 'range', start: node.start, stop: node.stop, step: node.step };
    case 'generate':
      return {
        kind: 'generate',
        generator: node.generator,
        scale: node.scale,
        seed: node.seed,
        columns: node.columns.map((column) => column.index),
      };
    case 'union_all':
      return { kind: 'union_all' };
    case 'join':
      return joinParams(node, filters);
    case 'limit':
      return { kind: 'limit', limit: node.limit, offset: node.offset };
    case 'shared': {
      const positions = positionsOf(outputOf(node.body));
      const source = (column: SharedColumn) => columnRef({ ...column, id: column.source }, { start: 0, end: 0 });
      return { kind: 'project', exprs: node.columns.map((column) => lowerExpr(source(column), positions)) };
    }
    default:
      return paramsOver(node);
  }
}

type OverInput = Exclude<
  LogicalNode,
  { kind: 'scan' | 'values' | 'range' | 'generate' | 'union_all' | 'limit' | 'join' | 'shared' }
>;

/** Nodes whose expressions read their one input. */
function paramsOver(node: OverInput): OperatorParams {
  const positions = positionsOf(outputOf(node.input));
  const lower = (expr: Parameters<typeof lowerExpr>[0]) => lowerExpr(expr, positions);
  switch (node.kind) {
    case 'filter':
      return { kind: 'filter', predicate: node.predicate.map(lower) };
    case 'project':
      return { kind: 'project', exprs: node.columns.map((column) => lower(column.expr)) };
    case 'aggregate':
      return {
        kind: 'hash_group_by',
        keys: node.keys.map((key) => lower(key.expr)),
        aggregates: node.aggregates.map(({ call, type }) => ({
          fn: call.fn,
          args: call.args.map(lower),
          distinct: call.distinct,
          filter: call.filter === null ? null : lower(call.filter),
          order: call.order.map((key) => lowerSortKey(key, positions)),
          type,
          span: call.span,
        })),
      };
    case 'sort':
      return { kind: 'sort', keys: node.keys.map((key) => lowerSortKey(key, positions)) };
    case 'top_k':
      return {
        kind: 'top_k',
        keys: node.keys.map((key) => lowerSortKey(key, positions)),
        limit: node.limit,
        offset: node.offset,
      };
    case 'unnest':
      return {
        kind: 'unnest',
        keep: node.keep.map((column) => positions.get(column.id) as number),
        lists: node.lists.map((list) => lower(list.expr)),
        ordinality: node.ordinality !== null,
        outer: node.outer,
      };
    default:
      return exhaustive(node);
  }
}

function scanParams(node: LogicalScan, filters: JoinFilterPlan): ScanFiles {
  const { table } = node;
  const columns = node.columns.map((column): ScanFileColumn => {
    const source = table.columns[column.index];
    return {
      name: column.name,
      type: column.type,
      source: source?.source ?? 'field',
      field: source?.field ?? column.name,
      nth: source?.nth ?? 0,
    };
  });
  const positions = positionsOf(node.columns);
  return {
    files: table.files,
    columns,
    options: table.options,
    filter: node.filter.map((conjunct) => lowerExpr(conjunct, positions)),
    limit: node.limit,
    joinFilters: filters.ofScan(node),
    label: table.label,
  };
}
