import { typeName } from '../../common/data_type.ts';
import type { PhysicalNode } from '../../operators/index.ts';
import { explainNode, nodeOrder } from '../../operators/index.ts';
import type { LogicalNode, LogicalPlan } from '../logical/node.ts';
import { inputsOf } from '../logical/node.ts';
import { dotLines } from './dot.ts';
import { planGraph } from './graph.ts';
import { htmlLines } from './html.ts';
import { logicalLine } from './logical_line.ts';
import { mermaidLines } from './mermaid.ts';
import { sharedNames } from './shared_names.ts';
import { drawTree } from './tree.ts';

export type ExplainFormat = 'text' | 'tree' | 'json' | 'mermaid' | 'dot' | 'html';
/** Formats that are lines; JSON is the plan document itself. */
type LineFormat = Exclude<ExplainFormat, 'json'>;

/** What one node did when it ran. */
export interface NodeMeasure {
  readonly rows: number;
  readonly ms: number;
  /** by column of a source: elements of each of its lists, -1 = unknown */
  readonly strides?: readonly number[] | undefined;
  /** of a scan: what filters of joins left out */
  readonly filteredRowGroups?: number | undefined;
  readonly filteredPages?: number | undefined;
  readonly filteredRows?: number | undefined;
  /** filters of joins that kept nearly all rows and then looked at row groups and pages only */
  readonly stoppedFilters?: number | undefined;
  /** of a hash join: how its table finds rows */
  readonly index?: string | undefined;
}

/** A plan as lines; `measures` by node in plan order, from EXPLAIN ANALYZE. */
export function explainPhysical(
  root: PhysicalNode,
  format: LineFormat,
  measures: readonly NodeMeasure[] | null,
): string[] {
  const order = nodeOrder(root);
  const total = measures === null ? 0 : measures.reduce((sum, measure) => sum + measure.ms, 0);
  const line = (node: PhysicalNode): string => {
    const measure = measures?.[order.indexOf(node)];
    return `${explainNode(node)}${strideText(node, measure)}${joinText(measure)}${rowsText(node.estimatedRows, measure)}${timeText(measure, total)}${placeText(node)}${reasonText(node)}`;
  };
  const share = (node: PhysicalNode): number => {
    const measure = measures?.[order.indexOf(node)];
    return measure === undefined || total === 0 ? 0 : measure.ms / total;
  };
  return drawn(format, root, (node) => node.inputs, line, share);
}

/** A logical plan as lines, with the types of its result. */
export function explainLogical(plan: LogicalPlan, format: LineFormat): string[] {
  const result = plan.columns.map((column) => `${column.name} ${typeName(column.type)}`).join(', ');
  const lines = drawn<LogicalNode>(format, plan.root, inputsOrBody, logicalLine, () => 0);
  return isGraph(format) ? lines : [...lines, `result: ${result}`];
}

const inputsOrBody = (node: LogicalNode): readonly LogicalNode[] =>
  node.kind === 'shared' ? [node.body] : inputsOf(node);

/** Graphs are documents of another language: nothing may follow them. */
export function isGraph(format: ExplainFormat): boolean {
  return format === 'mermaid' || format === 'dot' || format === 'html';
}

function drawn<Node>(
  format: LineFormat,
  root: Node,
  inputs: (node: Node) => readonly Node[],
  line: (node: Node) => string,
  share: (node: Node) => number,
): string[] {
  switch (format) {
    case 'text':
      return indented(root, inputs, line);
    case 'tree':
      return drawTree(root, inputs, line);
    case 'mermaid':
      return mermaidLines(planGraph(root, inputs, line));
    case 'dot':
      return dotLines(planGraph(root, inputs, line));
    case 'html':
      return htmlLines(root, inputs, line, share);
  }
}

function indented<Node>(root: Node, inputs: (node: Node) => readonly Node[], line: (node: Node) => string): string[] {
  const lines: string[] = [];
  const names = sharedNames(root, inputs);
  const visit = (node: Node, depth: number): void => {
    const { text, isNew } = names(node, line);
    lines.push(`${'  '.repeat(depth)}${text}`);
    if (isNew) for (const input of inputs(node)) visit(input, depth + 1);
  };
  visit(root, 0);
  return lines;
}

/** Estimates off by this factor or more are marked. */
const MARKED_ERROR = 10;

function rowsText(estimate: number | null, measure: NodeMeasure | undefined): string {
  const guess = estimate === null ? '?' : `~${estimate}`;
  if (measure === undefined) return estimate === null ? '' : ` (${guess} rows)`;
  const off =
    estimate === null ? 1 : Math.max((measure.rows + 1) / (estimate + 1), (estimate + 1) / (measure.rows + 1));
  return ` (${guess} -> ${measure.rows} rows${off >= MARKED_ERROR ? ` ×${Math.round(off)}` : ''})`;
}

function strideText(node: PhysicalNode, measure: NodeMeasure | undefined): string {
  const known = node.output.flatMap((column, i) => {
    const stride = measure?.strides?.[i] ?? -1;
    return stride < 0 ? [] : [`${column.name} ${stride}`];
  });
  return known.length === 0 ? '' : ` stride=[${known.join(', ')}]`;
}

function joinText(measure: NodeMeasure | undefined): string {
  const index = measure?.index === undefined ? '' : ` index=[${measure.index}]`;
  const stopped =
    measure?.stoppedFilters === undefined ? '' : ` stopped=[rows of ${measure.stoppedFilters} join_filter]`;
  if (measure?.filteredRows === undefined) return `${index}${stopped}`;
  const { filteredRowGroups, filteredPages, filteredRows } = measure;
  return `${index} dropped=[${filteredRowGroups} row groups, ${filteredPages} pages, ${filteredRows} rows]${stopped}`;
}

function timeText(measure: NodeMeasure | undefined, total: number): string {
  if (measure === undefined) return '';
  const share = total > 0 ? ` ${Math.round((100 * measure.ms) / total)}%` : '';
  return ` ${measure.ms.toFixed(1)} ms${share}`;
}

/** What differs from one instance on the cpu that was asked for. */
function placeText({ device, instances, cpuReason }: PhysicalNode): string {
  const why = cpuReason === undefined ? '' : ` on cpu (${cpuReason})`;
  return `${device === 'cpu' ? why : ` on ${device}`}${instances === 1 ? '' : ` instances=${instances}`}`;
}

function reasonText({ reason }: PhysicalNode): string {
  return reason === null ? '' : ` · ${reason}`;
}
