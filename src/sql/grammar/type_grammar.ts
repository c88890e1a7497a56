import { unsupported } from '../../common/error.ts';
import type { ListType, NamedType, StructType, StructTypeField, TypeName } from '../ast.ts';
import { Comma, Integer, K, Label, LBracket, LParen, Name, RBracket, RParen } from '../tokens.ts';
import { TokenReader } from './token_reader.ts';

/** Type names: after CAST … AS and `::`. By hand, no rules. */
export abstract class TypeGrammar extends TokenReader {
  /** `T`, `T(1, 2)`, `T[]`, `T[3][]`, `T ARRAY`. */
  protected readType(): TypeName {
    this.deeper();
    const start = this.startOffset();
    let type = this.readElementType(start);
    for (;;) {
      if (this.at(LBracket)) type = this.readListSuffix(start, type);
      else if (this.takeIf(K.ARRAY))
        type = this.at(LBracket) ? this.readListSuffix(start, type) : this.listOf(start, type);
      else break;
    }
    this.shallower();
    return type;
  }

  private readListSuffix(start: number, element: TypeName): ListType {
    this.take(LBracket);
    const size = this.at(Integer) ? this.readTypeArgument() : null;
    this.take(RBracket);
    return this.listOf(start, element, size);
  }

  private listOf(start: number, element: TypeName, size: number | null = null): ListType {
    return { kind: 'list_type', element, size, span: this.spanFrom(start) };
  }

  private readElementType(start: number): TypeName {
    if ((this.at(K.STRUCT) || this.at(K.ROW)) && this.atCall(2)) return this.readStructType(start);
    if (this.at(K.MAP) && this.atCall(2)) {
      this.take(K.MAP);
      this.take(LParen);
      const key = this.readType();
      this.take(Comma);
      const value = this.readType();
      this.take(RParen);
      return { kind: 'map_type', key, value, span: this.spanFrom(start) };
    }
    const word = this.LA(1).image.toUpperCase();
    if ((word === 'UNION' || word === 'ENUM') && this.atCall(2)) throw unsupported(`type ${word}`, this.nextSpan());
    if (!this.isA(Name)) this.fail();
    return this.readNamedType(start);
  }

  private readStructType(start: number): StructType {
    this.take(this.type());
    this.take(LParen);
    const fields: StructTypeField[] = [];
    do {
      const fieldStart = this.startOffset();
      const name = this.readLabel();
      const type = this.readType();
      fields.push({ kind: 'struct_type_field', name, type, span: this.spanFrom(fieldStart) });
    } while (this.takeIf(Comma));
    this.take(RParen);
    return { kind: 'struct_type', fields, span: this.spanFrom(start) };
  }

  private readNamedType(start: number): NamedType {
    const token = this.take(Label);
    let name = this.identifierOf(token).name.toUpperCase();
    if (name === 'DOUBLE' && this.at(K.PRECISION)) this.take(K.PRECISION);
    else if ((name === 'CHARACTER' || name === 'CHAR' || name === 'NCHAR') && this.takeWordIf('VARYING'))
      name = 'VARCHAR';
    const typeArguments: number[] = [];
    if (this.takeIf(LParen)) {
      do typeArguments.push(this.readTypeArgument());
      while (this.takeIf(Comma));
      this.take(RParen);
    }
    if (name === 'TIMESTAMP' || name === 'TIME') name = this.readZone(name);
    return { kind: 'type_name', name, arguments: typeArguments, span: this.spanFrom(start) };
  }

  private readZone(name: 'TIMESTAMP' | 'TIME'): string {
    const zoned = this.at(K.WITH, K.TIME, K.ZONE);
    if (!zoned && !this.at(K.WITHOUT, K.TIME, K.ZONE)) return name;
    this.take(this.type());
    this.take(K.TIME);
    this.take(K.ZONE);
    return zoned ? `${name}TZ` : name;
  }

  private readTypeArgument(): number {
    return Number(this.take(Integer).image.replaceAll('_', ''));
  }
}
