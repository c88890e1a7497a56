import { unsupported, userError } from '../../common/error.ts';
import { isInterval } from '../../common/literal.ts';
import type { MacroRow } from '../../functions/macros.ts';
import type { Expression, FunctionCall } from '../../sql/ast.ts';
import type { BoundExpr } from '../logical/expression.ts';
import { bindArguments, buildCall, functionName } from './call.ts';
import { bindExpression } from './expression.ts';
import type { ExpressionContext } from './expression_context.ts';
import { foldConstant } from './fold_constant.ts';
import { expandMacro } from './macro.ts';

const DAY_MICROS = 86_400_000_000n;

/** Moments are counted in microseconds. */
const momentsOf = (name: string): MacroRow => ({
  names: [name],
  kind: 'scalar',
  category: 'list',
  doc: '',
  example: '',
  bodies: [
    {
      parameters: ['first', 'last', 'step'],
      sql: `list_transform(${name}(epoch_us(first::TIMESTAMP), epoch_us(last::TIMESTAMP), step), m -> make_timestamp(m))`,
    },
  ],
});

const MACROS: Readonly<Record<string, MacroRow>> = {
  range: momentsOf('range'),
  generate_series: momentsOf('generate_series'),
};

export const isRange = (name: string): boolean => MACROS[name] !== undefined;

/** range and generate_series as lists: of whole numbers, or of moments a constant interval apart. */
export function rangeList(node: FunctionCall, context: ExpressionContext): BoundExpr {
  const name = functionName(node);
  const args = bindArguments(node, context);
  const step = args[2];
  if (args.length !== 3 || step?.type.kind !== 'interval') return buildCall(name, args, node.span);
  if (args.some(({ type }) => type.kind === 'timestamp' && type.zone))
    throw unsupported(`${name} of TIMESTAMP WITH TIME ZONE`, node.span, 'cast to TIMESTAMP');
  const micros = stepMicros(step, name);
  const value: Expression = { kind: 'integer_literal', text: String(micros), span: step.span };
  const [first, last, by] = node.arguments as [Argument, Argument, Argument];
  return bindExpression(
    expandMacro(MACROS[name] as MacroRow, { ...node, arguments: [first, last, { ...by, value }] }),
    context,
  );
}

type Argument = FunctionCall['arguments'][number];

function stepMicros(step: BoundExpr, name: string): bigint {
  const constant = foldConstant(step);
  if (constant.kind !== 'literal' || constant.value === null || !isInterval(constant.value))
    throw unsupported(`${name} by an interval that is not constant`, step.span);
  const { months, days, micros } = constant.value;
  if (months !== 0) throw unsupported('a list of dates by months', step.span, `${name} in FROM`);
  if (Math.sign(days) * Math.sign(Number(micros)) < 0)
    throw userError('binder', `the step of ${name} goes one way`, step.span);
  return BigInt(days) * DAY_MICROS + micros;
}
