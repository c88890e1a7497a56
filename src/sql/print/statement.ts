import { exhaustive } from '../../common/exhaustive.ts';
import { identifierText } from '../../common/keywords.ts';
import type { CreateView, DropView, Explain, Option, Statement } from '../ast.ts';
import { nameText, type Printer } from './expression.ts';
import { columnsText, metadataText, queryText } from './query.ts';
import { quoted, words } from './style.ts';

export function statementText(node: Statement, p: Printer): string {
  switch (node.kind) {
    case 'select_statement':
      return queryText(node.query, p);
    case 'explain':
      return explainText(node, p);
    case 'describe':
    case 'summarize':
    case 'show':
      return metadataText(node, p);
    case 'set':
      return `SET ${settingText(node.name)} = ${node.value === null ? 'DEFAULT' : p.expression(node.value)}`;
    case 'reset':
      return `RESET ${settingText(node.name)}`;
    case 'create_view':
      return createViewText(node, p);
    case 'drop_view':
      return dropViewText(node);
    case 'copy':
      return words(`COPY (${queryText(node.query, p)}) TO ${quoted(node.target)}`, optionsText(node.options, p));
    default:
      return exhaustive(node);
  }
}

function explainText(node: Explain, p: Printer): string {
  return words(
    'EXPLAIN',
    node.analyze ? 'ANALYZE' : '',
    optionsText(node.options, p),
    statementText(node.statement, p),
  );
}

function optionsText(options: readonly Option[], p: Printer): string {
  if (options.length === 0) return '';
  const texts = options.map((option) => words(identifierText(option.name), optionValueText(option, p)));
  return `(${texts.join(', ')})`;
}

function optionValueText(option: Option, p: Printer): string {
  if (option.value === null) return '';
  if (option.value.kind !== 'row') return p.expression(option.value);
  return `(${option.value.elements.map((element) => p.expression(element)).join(', ')})`;
}

function settingText(name: string): string {
  return name.split('.').map(identifierText).join('.');
}

function createViewText(node: CreateView, p: Printer): string {
  return words(
    'CREATE',
    node.orReplace ? 'OR REPLACE' : '',
    node.temporary ? 'TEMPORARY' : '',
    'VIEW',
    node.ifNotExists ? 'IF NOT EXISTS' : '',
    nameText(node.name) + columnsText(node.columns),
    'AS',
    queryText(node.query, p),
  );
}

function dropViewText(node: DropView): string {
  return words('DROP VIEW', node.ifExists ? 'IF EXISTS' : '', node.names.map(nameText).join(', '));
}
