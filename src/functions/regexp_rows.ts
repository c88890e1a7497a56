import type { DataType } from '../common/data_type.ts';
import { list, STRING, struct } from '../common/data_type.ts';
import { userError } from '../common/error.ts';
import { isArray } from '../common/literal.ts';
import type { ArgumentType } from './argument.ts';
import type { FunctionRow, Resolution } from './function_row.ts';
import { overloads, scalars } from './function_row.ts';

/** Names of groups, where the third argument is a constant list of texts. */
function groupNames(arg: ArgumentType | undefined): readonly string[] | null {
  if (arg?.type.kind !== 'list') return null;
  const { constant = null } = arg;
  const names = constant === null || !isArray(constant) ? [] : constant;
  if (names.length === 0 || names.some((name) => typeof name !== 'string' || name === '')) {
    throw userError('binder', 'the names of groups are a constant list of texts that are not empty');
  }
  const lower = names.map((name) => (name as string).toLowerCase());
  const twice = lower.find((name, i) => lower.indexOf(name) !== i);
  if (twice !== undefined) throw userError('binder', `two groups have one name: "${twice}"`);
  return names as readonly string[];
}

/** Groups by number give texts, groups by name a struct. */
const extracted =
  (target: string, byName: string, wrap: (type: DataType) => DataType): FunctionRow['resolve'] =>
  (args) => {
    const names = groupNames(args[2]);
    if (names === null) return overloads([target])(args);
    const type = wrap(struct(names.map((name) => ({ name, type: STRING }))));
    if (args.length > 4) return 'no_match';
    const options: Resolution['args'][number] =
      args.length === 4 ? { index: 3, type: STRING } : { value: '', type: STRING };
    const texts = [0, 1].map((index) => ({ index, type: STRING }));
    return { fn: byName, args: [...texts, options], type, fallible: true };
  };

export const REGEXP_ROWS: readonly FunctionRow[] = scalars('pattern', [
  {
    names: ['regexp_extract'],
    targets: ['regexp_extract', 'regexp_extract_groups'],
    resolve: extracted('regexp_extract', 'regexp_extract_groups', (type) => type),
    doc: 'First match of a regular expression, or its nth group, empty when there is none; with a list of names a struct of the groups.',
    example: "regexp_extract('a=1', '(\\w)=(\\d)', 2)",
  },
  {
    names: ['regexp_extract_all'],
    targets: ['regexp_extract_all', 'regexp_extract_all_groups'],
    resolve: extracted('regexp_extract_all', 'regexp_extract_all_groups', list),
    doc: 'All matches of a regular expression, or of its nth group, as a list; with a list of names structs of the groups.',
    example: "regexp_extract_all('a1b22', '\\d+')",
  },
  {
    names: ['string_split_regex', 'str_split_regex', 'regexp_split_to_array'],
    targets: ['string_split_regex'],
    doc: 'Parts between matches of a regular expression, as a list.',
    example: "string_split_regex('a, b;c', '[,;] *')",
  },
  {
    names: ['regexp_escape'],
    doc: 'Text with a backslash before all that has a meaning in a regular expression.',
    example: "regexp_escape('a.b')",
  },
]);
