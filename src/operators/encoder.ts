import type { DataType, StructField } from '../common/data_type.ts';
import { exhaustive } from '../common/exhaustive.ts';
import type { LiteralValue } from '../common/literal.ts';
import { floatText, isArray, isInterval } from '../common/literal.ts';
import type { SourceSpan } from '../common/source_span.ts';
import type { PlanExpr, PlanSortKey } from './expression.ts';
import type { ExprIndex, TypeIndex, WireExpr, WireField, WireLiteral, WireSortKey, WireType } from './wire.ts';

/** Builds the tables of one plan document; equal types and equal expressions share a row. */
export class PlanEncoder {
  readonly types: WireType[] = [];
  readonly exprs: WireExpr[] = [];
  readonly #typeRows = new Map<string, TypeIndex>();
  readonly #exprRows = new Map<string, ExprIndex>();

  type(type: DataType): TypeIndex {
    return this.#intern(this.#typeRows, this.types, this.#wireType(type));
  }

  fields(schema: readonly StructField[]): WireField[] {
    return schema.map((field) => ({ name: field.name, type: this.type(field.type) }));
  }

  expr(expr: PlanExpr): ExprIndex {
    return this.#intern(this.#exprRows, this.exprs, this.#wireExpr(expr));
  }

  exprList(exprs: readonly PlanExpr[]): ExprIndex[] {
    return exprs.map((expr) => this.expr(expr));
  }

  sortKeys(keys: readonly PlanSortKey[]): WireSortKey[] {
    return keys.map((key) => ({
      expr: this.expr(key.expr),
      descending: key.descending,
      nullsFirst: key.nullsFirst,
    }));
  }

  #intern<Row>(index: Map<string, number>, rows: Row[], row: Row): number {
    const key = JSON.stringify(row);
    const known = index.get(key);
    if (known !== undefined) return known;
    index.set(key, rows.length);
    return rows.push(row) - 1;
  }

  #wireType(type: DataType): WireType {
    switch (type.kind) {
      case 'decimal':
        return { kind: 'decimal', precision: type.precision, scale: type.scale };
      case 'time':
        return type.zone === true ? { kind: 'time', unit: type.unit, zone: true } : { kind: 'time', unit: type.unit };
      case 'timestamp':
        return { kind: 'timestamp', unit: type.unit, zone: type.zone };
      case 'list':
        return { kind: 'list', children: [this.type(type.element)] };
      case 'map':
        return { kind: 'map', children: [this.type(type.key), this.type(type.value)] };
      case 'struct':
        return {
          kind: 'struct',
          children: type.fields.map((field) => this.type(field.type)),
          names: type.fields.map((field) => field.name),
        };
      default:
        return type.tag === undefined ? { kind: type.kind } : { kind: type.kind, tag: type.tag };
    }
  }

  #wireExpr(expr: PlanExpr): WireExpr {
    const type = this.type(expr.type);
    switch (expr.kind) {
      case 'column':
        return { kind: 'column', index: expr.index, type };
      case 'literal':
        return { kind: 'literal', value: wireLiteral(expr.value, expr.type), type };
      case 'call':
        return { kind: 'call', fn: expr.fn, args: this.exprList(expr.args), type, span: wireSpan(expr.span) };
      case 'cast':
        return { kind: 'cast', args: [this.expr(expr.operand)], type, try: expr.try, span: wireSpan(expr.span) };
      case 'and':
      case 'or':
        return { kind: expr.kind, args: this.exprList(expr.args), type };
      case 'case':
        return { kind: 'case', args: this.exprList(expr.args), type };
      case 'coalesce':
        return { kind: 'coalesce', args: this.exprList(expr.args), type };
      case 'in':
        return { kind: 'in', args: this.exprList(expr.args), type };
      case 'lambda':
        return {
          kind: 'lambda',
          args: [this.expr(expr.body), ...this.exprList(expr.captures)],
          parameters: expr.parameters,
          type,
        };
      default:
        return exhaustive(expr);
    }
  }
}

export function wireSpan(span: SourceSpan): readonly [number, number] {
  return [span.start, span.end];
}

/** The text form that wire.ts lays down. */
export function wireLiteral(value: LiteralValue, type: DataType): WireLiteral {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return Object.is(value, -0) ? '-0.0' : floatText(value).replace(/\.0$/, '');
  if (isInterval(value)) return `${value.months},${value.days},${value.micros}`;
  if (!isArray(value)) return exhaustive(value as never);
  if (type.kind === 'list') return value.map((item) => wireLiteral(item, type.element));
  if (type.kind === 'struct') {
    return value.map((item, i) => wireLiteral(item, (type.fields[i] as StructField).type));
  }
  if (type.kind === 'map') {
    return value.map((entry) => {
      const [key, item] = entry as readonly LiteralValue[];
      return [wireLiteral(key ?? null, type.key), wireLiteral(item ?? null, type.value)];
    });
  }
  return exhaustive(type as never);
}
