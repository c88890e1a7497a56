import { unsupported } from '../../common/error.ts';
import type { Expression, Lambda } from '../../sql/ast.ts';

/** Whether a column's name fulfils `c -> condition`; conditions are LIKE, comparisons, IN, and AND, OR, NOT of them. */
export function matchesColumnLambda(lambda: Lambda, name: string): boolean {
  const [parameter] = lambda.parameters;
  return matches(lambda.body, parameter?.name ?? '', name);
}

function matches(node: Expression, parameter: string, name: string): boolean {
  switch (node.kind) {
    case 'logical':
      return node.operator === 'and'
        ? node.operands.every((operand) => matches(operand, parameter, name))
        : node.operands.some((operand) => matches(operand, parameter, name));
    case 'unary':
      if (node.operator === 'not') return !matches(node.operand, parameter, name);
      break;
    case 'like':
      if (node.operator === 'like' || node.operator === 'ilike') {
        const pattern = likePattern(text(node.pattern, parameter, name), node.operator === 'ilike');
        return pattern.test(text(node.operand, parameter, name)) !== node.negated;
      }
      break;
    case 'in_list': {
      const value = text(node.operand, parameter, name);
      return node.items.some((item) => text(item, parameter, name) === value) !== node.negated;
    }
    case 'binary': {
      const [left, right] = [text(node.left, parameter, name), text(node.right, parameter, name)];
      if (node.operator === '=') return left === right;
      if (node.operator === '<>') return left !== right;
      if (node.operator === '~') return new RegExp(`^(?:${right})$`, 'u').test(left);
      break;
    }
    case 'function_call': {
      const call = node.name[node.name.length - 1]?.name.toLowerCase();
      const [value, part] = node.arguments.map((argument) => text(argument.value, parameter, name));
      if (value !== undefined && part !== undefined) {
        if (call === 'starts_with' || call === 'prefix') return value.startsWith(part);
        if (call === 'ends_with' || call === 'suffix') return value.endsWith(part);
        if (call === 'contains') return value.includes(part);
        if (call === 'regexp_matches') return new RegExp(part, 'u').test(value);
      }
      break;
    }
    default:
  }
  throw unsupported(
    'this condition over column names',
    node.span,
    'use LIKE, =, IN, starts_with, contains, AND, OR, NOT',
  );
}

function text(node: Expression, parameter: string, name: string): string {
  if (node.kind === 'string_literal') return node.value;
  const [first, second] = node.kind === 'column_ref' ? node.parts : [];
  if (first !== undefined && second === undefined && first.name.toLowerCase() === parameter.toLowerCase()) return name;
  if (node.kind === 'function_call' && node.arguments.length === 1) {
    const inner = text((node.arguments[0] as { value: Expression }).value, parameter, name);
    const call = node.name[node.name.length - 1]?.name.toLowerCase();
    if (call === 'lower') return inner.toLowerCase();
    if (call === 'upper') return inner.toUpperCase();
  }
  throw unsupported('this expression over column names', node.span);
}

function likePattern(pattern: string, ignoreCase: boolean): RegExp {
  const source = pattern
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('%', '.*')
    .replaceAll('_', '.');
  return new RegExp(`^${source}$`, ignoreCase ? 'isu' : 'su');
}
