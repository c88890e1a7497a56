import { exhaustive } from '../../common/exhaustive.ts';
import { identifierText } from '../../common/keywords.ts';
import type {
  CommonTable,
  Describe,
  GroupBy,
  GroupItem,
  GroupSet,
  Identifier,
  Join,
  Query,
  QueryBody,
  Select,
  SelectItem,
  SetOperation,
  Show,
  Summarize,
  TableAlias,
  TableRef,
} from '../ast.ts';
import { argumentText, nameText, orderByText, type Printer, windowText } from './expression.ts';
import { quoted, words } from './style.ts';

export function queryText(node: Query, p: Printer): string {
  return words(
    node.with.length === 0 ? '' : withText(node, p),
    bodyText(node.body, p),
    orderByText(node.orderBy, p),
    node.limit === null ? '' : `LIMIT ${p.expression(node.limit)}`,
    node.offset === null ? '' : `OFFSET ${p.expression(node.offset)}`,
  );
}

function withText(node: Query, p: Printer): string {
  const tables = node.with.map((table) => commonTableText(table, p)).join(', ');
  return words('WITH', node.recursive ? 'RECURSIVE' : '', tables);
}

function commonTableText(node: CommonTable, p: Printer): string {
  const not = node.materialized === false ? 'NOT ' : '';
  const materialized = node.materialized === null ? '' : `${not}MATERIALIZED `;
  return `${identifierText(node.name.name)}${columnsText(node.columns)} AS ${materialized}(${queryText(node.query, p)})`;
}

/** `(a, b)`, empty without columns. */
export function columnsText(columns: readonly Identifier[]): string {
  return columns.length === 0 ? '' : `(${columns.map((column) => identifierText(column.name)).join(', ')})`;
}

function bodyText(node: QueryBody, p: Printer): string {
  switch (node.kind) {
    case 'select':
      return selectText(node, p);
    case 'set_operation':
      return setOperationText(node, p);
    case 'values': {
      const rows = node.rows.map((row) => `(${row.map((value) => p.expression(value)).join(', ')})`);
      return `VALUES ${rows.join(', ')}`;
    }
    case 'query':
      return `(${queryText(node, p)})`;
    default:
      return exhaustive(node);
  }
}

/** Parentheses only where the order of evaluation asks for them, so that a long chain stays flat. */
function setOperationText(node: SetOperation, p: Printer): string {
  const tight = node.operator === 'intersect';
  const operand = (body: QueryBody, isLeft: boolean): string => {
    const text = bodyText(body, p);
    if (body.kind !== 'set_operation') return text;
    const tighter = body.operator === 'intersect';
    const flat = isLeft ? tighter || !tight : tighter && !tight;
    return flat ? text : `(${text})`;
  };
  const operator = words(node.operator.toUpperCase(), node.all ? 'ALL' : '', node.byName ? 'BY NAME' : '');
  return `${operand(node.left, true)} ${operator} ${operand(node.right, false)}`;
}

function selectText(node: Select, p: Printer): string {
  const windows = node.windows.map((w) => `${identifierText(w.name.name)} AS ${windowText(w.window, p)}`);
  return words(
    'SELECT',
    distinctText(node, p),
    node.items.map((item) => itemText(item, p)).join(', '),
    node.from === null ? '' : `FROM ${tableText(node.from, p)}`,
    node.where === null ? '' : `WHERE ${p.expression(node.where)}`,
    node.groupBy === null ? '' : groupByText(node.groupBy, p),
    node.having === null ? '' : `HAVING ${p.expression(node.having)}`,
    windows.length === 0 ? '' : `WINDOW ${windows.join(', ')}`,
    node.qualify === null ? '' : `QUALIFY ${p.expression(node.qualify)}`,
  );
}

function distinctText(node: Select, p: Printer): string {
  if (node.distinct === null) return '';
  const on = node.distinct.on.map((expression) => p.expression(expression));
  return on.length === 0 ? 'DISTINCT' : `DISTINCT ON (${on.join(', ')})`;
}

function itemText(node: SelectItem, p: Printer): string {
  const expression = p.expression(node.expression);
  return node.alias === null ? expression : `${expression} AS ${identifierText(node.alias.name)}`;
}

function groupByText(node: GroupBy, p: Printer): string {
  return `GROUP BY ${node.all ? 'ALL' : node.items.map((item) => groupItemText(item, p)).join(', ')}`;
}

function groupItemText(node: GroupItem, p: Printer): string {
  switch (node.kind) {
    case 'group_set':
      return groupSetText(node, p);
    case 'rollup':
    case 'cube':
      return `${node.kind.toUpperCase()} (${node.sets.map((set) => groupSetText(set, p)).join(', ')})`;
    case 'grouping_sets':
      return `GROUPING SETS (${node.items.map((item) => groupItemText(item, p)).join(', ')})`;
    default:
      return exhaustive(node);
  }
}

function groupSetText(node: GroupSet, p: Printer): string {
  const keys = node.expressions.map((expression) => p.expression(expression));
  return keys.length === 1 ? keys[0]! : `(${keys.join(', ')})`;
}

// ---------------------------------------------------------------------------------------------------------------
// FROM

export function tableText(node: TableRef, p: Printer): string {
  switch (node.kind) {
    case 'table_name':
      return words(nameText(node.name), aliasText(node.alias));
    case 'file_path':
      return words(quoted(node.path), aliasText(node.alias));
    case 'table_function': {
      const call = `${nameText(node.name)}(${node.arguments.map((a) => argumentText(a, p)).join(', ')})`;
      const ordinality = node.ordinality ? 'WITH ORDINALITY' : '';
      return words(node.lateral ? 'LATERAL' : '', call, ordinality, aliasText(node.alias));
    }
    case 'derived_table':
      return words(node.lateral ? 'LATERAL' : '', `(${queryText(node.query, p)})`, aliasText(node.alias));
    case 'statement_table':
      return words(`(${metadataText(node.statement, p)})`, aliasText(node.alias));
    case 'join':
      return joinText(node, p);
    default:
      return exhaustive(node);
  }
}

function aliasText(node: TableAlias | null): string {
  return node === null ? '' : `AS ${identifierText(node.name.name)}${columnsText(node.columns)}`;
}

function joinText(node: Join, p: Printer): string {
  const right = tableText(node.right, p);
  return words(
    tableText(node.left, p),
    node.condition?.kind === 'join_natural' ? 'NATURAL' : '',
    `${node.type.toUpperCase()} JOIN`,
    node.right.kind === 'join' ? `(${right})` : right,
    joinConditionText(node, p),
  );
}

function joinConditionText(node: Join, p: Printer): string {
  switch (node.condition?.kind) {
    case 'join_on':
      return `ON ${p.expression(node.condition.expression)}`;
    case 'join_using':
      return `USING ${columnsText(node.condition.columns)}`;
    default:
      return '';
  }
}

/** DESCRIBE, SUMMARIZE, SHOW: also as a table in FROM. */
export function metadataText(node: Describe | Summarize | Show, p: Printer): string {
  switch (node.kind) {
    case 'describe':
      return `DESCRIBE ${targetText(node.target, p)}`;
    case 'summarize':
      return `SUMMARIZE ${targetText(node.target, p)}`;
    case 'show':
      return `SHOW ${node.what === 'all_tables' ? 'ALL TABLES' : node.what.toUpperCase()}`;
    default:
      return exhaustive(node);
  }
}

function targetText(node: Query | TableRef, p: Printer): string {
  return node.kind === 'query' ? queryText(node, p) : tableText(node, p);
}
