import type { DataType } from '../../common/data_type.ts';
import { userError } from '../../common/error.ts';
import type { LiteralValue } from '../../common/literal.ts';
import { literalText } from '../../common/literal.ts';
import type { SourceSpan } from '../../common/source_span.ts';
import type { BoundExpr } from '../logical/expression.ts';
import { literal } from '../logical/expression.ts';

/** A constant map; its keys are neither NULL nor equal to each other. */
export function mapLiteral(
  keys: readonly LiteralValue[],
  values: readonly LiteralValue[],
  type: Extract<DataType, { kind: 'map' }>,
  span: SourceSpan,
): BoundExpr {
  const seen = new Set<string>();
  for (const key of keys) {
    if (key === null) throw userError('type', 'a key of a map is not NULL', span);
    const text = literalText(key, type.key);
    if (seen.has(text))
      throw userError('type', `the keys of a map differ from one another, one stands twice: ${text}`, span);
    seen.add(text);
  }
  return literal(
    keys.map((key, i) => [key, values[i] ?? null]),
    type,
    span,
  );
}
