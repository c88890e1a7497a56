import type { DataType } from '../../src/common/data_type.ts';
import { functionTableHash } from '../../src/engine/index.ts';
import type { WireExpr, WireField, WireLiteral, WireNode, WirePlan, WireType } from '../../src/operators/wire.ts';
import { PLAN_FORMAT } from '../../src/operators/wire.ts';

type Fields<Kind extends WireNode['kind']> = Omit<
  Extract<WireNode, { kind: Kind }>,
  'kind' | 'inputs' | 'output' | 'device' | 'instances' | 'estimatedRows'
>;

/** Writes plan documents by hand. */
export class PlanRows {
  private readonly types: WireType[] = [];
  private readonly exprs: WireExpr[] = [];
  private readonly nodes: WireNode[] = [];

  type(type: DataType): number {
    const row: WireType = { kind: type.kind };
    if (type.kind === 'list') return this.types.push({ ...row, children: [this.type(type.element)] }) - 1;
    if (type.kind === 'map')
      return this.types.push({ ...row, children: [this.type(type.key), this.type(type.value)] }) - 1;
    if (type.kind === 'struct') {
      const children = type.fields.map((field) => this.type(field.type));
      return this.types.push({ ...row, children, names: type.fields.map((field) => field.name) }) - 1;
    }
    if (type.kind === 'decimal') return this.types.push({ ...row, precision: type.precision, scale: type.scale }) - 1;
    if (type.kind === 'time') return this.types.push({ ...row, unit: type.unit }) - 1;
    if (type.kind === 'timestamp') return this.types.push({ ...row, unit: type.unit, zone: type.zone }) - 1;
    return this.types.push(row) - 1;
  }

  column(index: number, type: DataType): number {
    return this.exprs.push({ kind: 'column', index, type: this.type(type) }) - 1;
  }

  literal(value: WireLiteral, type: DataType): number {
    return this.exprs.push({ kind: 'literal', value, type: this.type(type) }) - 1;
  }

  call(fn: string, args: readonly number[], type: DataType, span?: readonly [number, number]): number {
    return (
      this.exprs.push({ kind: 'call', fn, args, type: this.type(type), ...(span === undefined ? {} : { span }) }) - 1
    );
  }

  /** Adds a node; its index. */
  node<Kind extends WireNode['kind']>(
    kind: Kind,
    inputs: readonly number[],
    output: readonly (readonly [string, DataType])[],
    fields: Fields<Kind>,
  ): number {
    const wire: readonly WireField[] = output.map(([name, type]) => ({ name, type: this.type(type) }));
    const row = {
      kind,
      inputs,
      output: wire,
      device: 'cpu',
      instances: 1,
      estimatedRows: null,
      ...fields,
    } as unknown as WireNode;
    return this.nodes.push(row) - 1;
  }

  plan(): WirePlan {
    return {
      format: PLAN_FORMAT,
      functions: functionTableHash(),
      types: this.types,
      exprs: this.exprs,
      nodes: this.nodes,
    };
  }
}
