import { didYouMean } from '../../common/did_you_mean.ts';
import { unsupported, userError } from '../../common/error.ts';
import type {
  Argument,
  Columns,
  Expression,
  FunctionCall,
  Identifier,
  Lambda,
  SelectItem,
  Star,
} from '../../sql/ast.ts';
import { defaultName } from '../../sql/index.ts';
import type { LogicalColumn } from '../logical/node.ts';
import { functionName } from './call.ts';
import { matchesColumnLambda } from './column_lambda.ts';
import type { Scope } from './scope.ts';
import { columnNotFound, findColumn, findTable, findTableColumn, scopeColumns, starredColumns } from './scope.ts';
import { rewriteTree, visitTree } from './walk.ts';

/** One output of a SELECT list, stars taken apart. */
export interface OutputItem {
  readonly name: string;
  readonly expression: Expression;
  /** the name was given by AS, so that other clauses may use it */
  readonly alias: boolean;
}

interface StarColumn {
  readonly name: string;
  readonly expression: Expression;
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Takes `*`, `t.*` and COLUMNS(…) apart. */
export function expandItems(items: readonly SelectItem[], scope: Scope): OutputItem[] {
  return items.flatMap((item) => expandItem(item, scope));
}

function expandItem(item: SelectItem, scope: Scope): OutputItem[] {
  const { alias } = item;
  const expression = unpackColumns(item.expression, scope);
  if (expression.kind === 'star') {
    if (alias !== null) throw userError('binder', '* takes no alias', alias.span);
    return starColumns(expression, scope).map((column) => ({ ...column, alias: false }));
  }
  const columns = columnsNodes(expression);
  if (columns.length === 0) {
    return [{ name: alias?.name ?? ownName(expression, scope), expression, alias: alias !== null }];
  }
  return expandColumns(expression, columns, alias, scope);
}

/** `f(*COLUMNS(…))` is f of all chosen columns. */
function unpackColumns(expression: Expression, scope: Scope): Expression {
  return rewriteTree(expression, (node) => {
    if (node.kind === 'columns' && (node as Columns).unpack) {
      throw userError('binder', '*COLUMNS(…) stands only among the arguments of a function', (node as Columns).span);
    }
    if (node.kind === 'query') return node;
    const call = node as unknown as FunctionCall;
    const isUnpacked = ({ value }: Argument): boolean => value.kind === 'columns' && value.unpack;
    if (node.kind !== 'function_call' || !call.arguments.some(isUnpacked)) return undefined;
    const args = call.arguments.flatMap((argument): Argument[] => {
      if (!isUnpacked(argument)) return [{ ...argument, value: unpackColumns(argument.value, scope) }];
      const named = functionName(call) === 'struct_pack';
      return chosenColumns(argument.value as Columns, scope).map((column) => ({
        ...argument,
        name: named ? { kind: 'identifier', name: column.name, span: argument.span } : null,
        value: qualified(column.expression, scope),
      }));
    });
    return { ...call, arguments: args };
  });
}

/** A column by table and name where that is clear, for the name of the result. */
function qualified(expression: Expression, scope: Scope): Expression {
  if (expression.kind !== 'positional_ref') return expression;
  const column = scopeColumns(scope)[expression.index - 1];
  const table = scope.tables.find((t) => column !== undefined && t.columns.includes(column));
  if (column === undefined || table === undefined || table.name === '') return expression;
  if (findTableColumn(table, column.name) !== column || findTable(scope, table.name) !== table) return expression;
  const part = (name: string): Identifier => ({ kind: 'identifier', name, span: expression.span });
  return { kind: 'column_ref', parts: [part(table.name), part(column.name)], span: expression.span };
}

/** `#2` is called like the column. */
function ownName(expression: Expression, scope: Scope): string {
  const column = expression.kind === 'positional_ref' ? scopeColumns(scope)[expression.index - 1] : undefined;
  return column?.name ?? defaultName(expression);
}

/** References to a column by its place: names may be ambiguous, places are not. */
function byPosition(scope: Scope, columns: readonly LogicalColumn[], star: Expression): StarColumn[] {
  const all = scopeColumns(scope);
  return columns.map((column) => ({
    name: column.name,
    expression: { kind: 'positional_ref', index: all.indexOf(column) + 1, span: star.span },
  }));
}

/** Columns of a star after EXCLUDE, REPLACE and RENAME. */
export function starColumns(star: Star, scope: Scope): StarColumn[] {
  const all = star.qualifier === null ? everyColumn(star, scope) : qualifiedColumns(star, star.qualifier, scope);
  const used = new Set<string>();
  const excluded = star.exclude.map((name) => lastName(name));
  for (const name of excluded) check(all, name, 'EXCLUDE');
  for (const replacement of star.replace) check(all, replacement.name, 'REPLACE');
  for (const rename of star.rename) check(all, lastName(rename.from), 'RENAME');
  const result = all.flatMap((column): StarColumn[] => {
    used.add(column.name.toLowerCase());
    if (excluded.some((name) => same(name.name, column.name))) return [];
    const replacement = star.replace.find((r) => same(r.name.name, column.name));
    if (replacement !== undefined) return [{ name: column.name, expression: replacement.expression }];
    const rename = star.rename.find((r) => same(lastName(r.from).name, column.name));
    return [rename === undefined ? column : { ...column, name: rename.to.name }];
  });
  if (result.length === 0) throw userError('binder', 'no column is left of *', star.span);
  return result;
}

function lastName(name: readonly Identifier[]): Identifier {
  return name[name.length - 1] as Identifier;
}

function check(columns: readonly StarColumn[], name: Identifier, clause: string): void {
  const names = columns.map((column) => column.name);
  if (names.some((n) => same(n, name.name))) return;
  throw userError('binder', `column "${name.name}" of ${clause} not found`, name.span, didYouMean(name.name, names));
}

function everyColumn(star: Star, scope: Scope): StarColumn[] {
  if (scope.tables.length === 0) throw userError('binder', '* needs a FROM clause', star.span);
  return byPosition(scope, starredColumns(scope), star);
}

/** `t.*`, or the fields of a struct column `s.*`. */
function qualifiedColumns(star: Star, qualifier: readonly Identifier[], scope: Scope): StarColumn[] {
  const name = lastName(qualifier);
  const table = findTable(scope, name.name);
  if (table !== undefined) return byPosition(scope, table.columns, star);
  const column = findColumn(scope, name.name, name.span);
  if (column?.type.kind === 'struct') {
    return column.type.fields.map((field) => ({
      name: field.name,
      expression: {
        kind: 'field_access',
        operand: { kind: 'column_ref', parts: qualifier, span: star.span },
        field: { kind: 'identifier', name: field.name, span: star.span },
        span: star.span,
      },
    }));
  }
  const names = scope.tables.map((t) => t.name);
  throw userError('binder', `table "${name.name}" not found`, name.span, didYouMean(name.name, names));
}

/** COLUMNS(…) of an expression, outside of subqueries. */
function columnsNodes(expression: Expression): Columns[] {
  const found: Columns[] = [];
  visitTree(expression, (node) => {
    if (node.kind === 'query') return false;
    if (node.kind === 'columns') {
      found.push(node as Columns);
      return false;
    }
    return undefined;
  });
  return found;
}

/** One expression a column; several COLUMNS in one expression go side by side. */
function expandColumns(
  expression: Expression,
  nodes: readonly Columns[],
  alias: Identifier | null,
  scope: Scope,
): OutputItem[] {
  const sets = nodes.map((node) => ({ node, columns: chosenColumns(node, scope) }));
  const [first] = sets as [{ node: Columns; columns: ChosenColumn[] }];
  for (const { node, columns } of sets) {
    if (columns.length !== first.columns.length) {
      throw userError(
        'binder',
        `COLUMNS in one expression choose different numbers of columns: ${first.columns.length} and ${columns.length}`,
        node.span,
      );
    }
  }
  return first.columns.map((column, i) => {
    const replaced = rewriteTree(expression, (node) => sets.find((set) => set.node === node)?.columns[i]?.expression);
    const name =
      alias === null ? column.name : alias.name.replace(/\\(\d)/g, (_, group) => column.groups[Number(group)] ?? '');
    return { name, expression: replaced, alias: alias !== null };
  });
}

interface ChosenColumn extends StarColumn {
  /** whole match and groups of the regular expression, for aliases such as `'\1'` */
  readonly groups: readonly string[];
}

function chosenColumns(node: Columns, scope: Scope): ChosenColumn[] {
  const { argument } = node;
  if (argument.kind === 'star') return starColumns(argument, scope).map((c) => ({ ...c, groups: [c.name] }));
  const all = byPosition(scope, starredColumns(scope), node);
  const chosen = choose(argument, all, node, scope);
  if (chosen.length > 0) return chosen;
  throw userError(
    'binder',
    'COLUMNS chooses no column',
    node.span,
    `there are ${all
      .map((c) => `"${c.name}"`)
      .slice(0, 8)
      .join(', ')}`,
  );
}

function choose(argument: Expression, all: readonly StarColumn[], node: Columns, scope: Scope): ChosenColumn[] {
  switch (argument.kind) {
    case 'string_literal': {
      const pattern = regularExpression(argument.value, node);
      return all.flatMap((column) => {
        const match = pattern.exec(column.name);
        return match === null ? [] : [{ ...column, groups: [column.name, ...match.slice(1)] }];
      });
    }
    case 'list_literal':
      return listedColumns(argument.elements, all, scope);
    case 'lambda':
      return all
        .filter((column) => matchesColumnLambda(argument as Lambda, column.name))
        .map((column) => ({ ...column, groups: [column.name] }));
    default:
      throw unsupported(
        'COLUMNS of this argument',
        argument.span,
        'it takes *, a regular expression, a list of names or a lambda',
      );
  }
}

function regularExpression(text: string, node: Columns): RegExp {
  try {
    return new RegExp(text, 'u');
  } catch {
    throw userError('binder', `not a regular expression: ${text}`, node.span);
  }
}

function listedColumns(elements: readonly Expression[], all: readonly StarColumn[], scope: Scope): ChosenColumn[] {
  const names = elements.map((element) => {
    if (element.kind !== 'string_literal') throw userError('binder', 'COLUMNS takes a list of names', element.span);
    if (!all.some((column) => same(column.name, element.value)))
      throw columnNotFound(scope, element.value, element.span);
    return element.value;
  });
  return all
    .filter((column) => names.some((name) => same(name, column.name)))
    .map((column) => ({ ...column, groups: [column.name] }));
}
