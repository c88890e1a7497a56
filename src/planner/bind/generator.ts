import type { DataType } from '../../common/data_type.ts';
import { FLOAT64, INT64, STRING } from '../../common/data_type.ts';
import { didYouMean } from '../../common/did_you_mean.ts';
import { unsupported, userError } from '../../common/error.ts';
import type { LiteralValue } from '../../common/literal.ts';
import type { Argument, TableFunction } from '../../sql/ast.ts';
import type { ScanColumn } from '../logical/node.ts';
import { noCalls } from './calls.ts';
import { castTo } from './cast.ts';
import { bindExpression } from './expression.ts';
import { foldConstant } from './fold_constant.ts';
import type { QueryContext, Relation } from './relation.ts';
import { EMPTY_SCOPE } from './scope.ts';

/** `tpcds('item', scale := 0.01, seed := 1)`: rows of a table that the engine makes. */
export function bindGenerator(ref: TableFunction, family: string, context: QueryContext): Relation {
  const { binder } = context;
  const generators = binder.input.generators();
  const names = generators.map((generator) => generator.name);
  const [first, ...others] = ref.arguments;
  if (first === undefined || first.name !== null) {
    throw userError('binder', `${family} takes the name of a table`, ref.span, `there are ${names.join(', ')}`);
  }
  const table = constant(first, STRING, context) as string;
  const generator = generators.find((entry) => entry.name === `${family}.${table}`);
  if (generator === undefined) {
    const known = names.map((name) => name.slice(family.length + 1));
    const hint = didYouMean(table, known) ?? `there are ${known.join(', ')}`;
    throw userError('catalog', `${family} has no table of this name: ${table}`, first.span, hint);
  }
  let scale = 1;
  let seed = 0n;
  for (const argument of others) {
    if (argument.name?.name.toLowerCase() === 'scale') scale = constant(argument, FLOAT64, context) as number;
    else if (argument.name?.name.toLowerCase() === 'seed') seed = constant(argument, INT64, context) as bigint;
    else throw userError('binder', `${family} takes scale and seed by name`, argument.span, 'scale := 0.01, seed := 1');
  }
  if (!(scale > 0)) throw userError('binder', `the scale is more than 0: ${scale}`, ref.span);
  const columns = generator.columns.map((column, index): ScanColumn => ({ ...column, id: binder.newId(), index }));
  return { node: { kind: 'generate', generator: generator.name, scale, seed, columns }, columns };
}

function constant(argument: Argument, type: DataType, context: QueryContext): NonNullable<LiteralValue> {
  const bound = bindExpression(argument.value, { ...context, scope: EMPTY_SCOPE, aliases: [], calls: noCalls('FROM') });
  const value = foldConstant(castTo(foldConstant(bound), type));
  if (value.kind !== 'literal') throw unsupported('arguments of a table that are not constant', argument.span);
  if (value.value === null) throw userError('binder', 'this argument is not NULL', argument.span);
  return value.value;
}
