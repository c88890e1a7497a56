import type { DataType } from '../common/data_type.ts';
import { BOOL, INT64, list, NULL_TYPE, STRING, struct, typeName } from '../common/data_type.ts';
import { didYouMean } from '../common/did_you_mean.ts';
import { userError } from '../common/error.ts';
import type { ArgumentType } from './argument.ts';
import type { FunctionRow, Resolution } from './function_row.ts';
import { directCall, overloads, resolveKeepingHalf, scalars, signaturesOf } from './function_row.ts';
import { commonType } from './supertype.ts';
import { variantExtract } from './variant_extract.ts';

/** Lists keep the type of their elements, halves included. */
const onLists =
  (target: string): FunctionRow['resolve'] =>
  (args) =>
    resolveKeepingHalf(signaturesOf('scalar', [target]), args);

const listValue: FunctionRow['resolve'] = (args) => {
  const element = args.length === 0 ? NULL_TYPE : commonType(args);
  if (element === null) return 'no_match';
  return directCall(
    'list_value',
    args.map(() => element),
    list(element),
  );
};

/** `x[i]` of a list, text, map or struct. */
const extract: FunctionRow['resolve'] = (args) => {
  const [value, index] = args;
  switch (value?.type.kind) {
    case 'string':
      return value.type.tag === undefined ? overloads(['string_extract'])(args) : 'no_match';
    case 'map':
      return overloads(['map_extract_value'])(args);
    case 'struct':
      return structField(value.type, index, args.length);
    default:
      return onLists('list_extract')(args);
  }
};

/** A bound may be a NULL without a type. */
const slice: FunctionRow['resolve'] = (args) => {
  const bounds = args.slice(1).map((arg) => (arg.type.kind === 'null' ? { type: INT64, literal: undefined } : arg));
  const [value] = args;
  if (value === undefined) return 'no_match';
  const all = [value, ...bounds];
  if (value.type.kind === 'string' && value.type.tag !== undefined) return 'no_match';
  if (value.type.kind === 'string') return overloads(['string_slice'])(all);
  return onLists(all.length === 4 ? 'list_slice_step' : 'list_slice')(all);
};

/** Fields by name, or by 1-based position where an index is given. */
function structField(type: DataType, key: ArgumentType | undefined, count: number): Resolution | 'no_match' {
  if (type.kind !== 'struct' || key === undefined || count !== 2) return 'no_match';
  const { literal } = key;
  if (typeof literal === 'bigint') {
    const field = type.fields[Number(literal) - 1];
    if (field === undefined) {
      throw userError('binder', `the struct has ${type.fields.length} fields, there is no field ${literal}`);
    }
    return fieldCall(type, { value: literal, type: INT64 }, field.type);
  }
  if (typeof literal !== 'string') return 'no_match';
  const field = type.fields.find((f) => f.name.toLowerCase() === literal.toLowerCase());
  if (field === undefined) {
    const names = type.fields.map((f) => f.name);
    throw userError(
      'binder',
      `no field "${literal}" in ${typeName(type)}`,
      undefined,
      didYouMean(literal, names) ?? `its fields are ${names.map((name) => `"${name}"`).join(', ')}`,
    );
  }
  return fieldCall(type, { value: field.name, type: STRING }, field.type);
}

function fieldCall(type: DataType, field: Resolution['args'][number], result: DataType): Resolution {
  return {
    fn: 'struct_extract',
    args: [{ index: 0, type }, field],
    type: result,
    fallible: false,
  };
}

/** Fields without names, as of ROW and (a, b); the binder names those of `{'a': 1}` and struct_pack(a := 1). */
const rowValue: FunctionRow['resolve'] = (args) => structOf(args.map((arg) => ({ name: '', type: arg.type })));

/** A struct of fields in order. */
export function structOf(fields: readonly { name: string; type: DataType }[]): Resolution {
  return directCall(
    'struct_pack',
    fields.map((field) => field.type),
    struct(fields),
  );
}

const isStructType = (type: DataType): type is Extract<DataType, { kind: 'struct' }> => type.kind === 'struct';

function checkFields(fields: readonly { name: string }[], fn: string): void {
  const names = fields.map((field) => field.name.toLowerCase());
  if (names.includes('') && names.some((name) => name !== '') && fn === 'struct_concat') {
    throw userError('binder', 'struct_concat takes structs with names or structs without, not both');
  }
  const twice = names.find((name, i) => name !== '' && names.indexOf(name) !== i);
  if (twice !== undefined) throw userError('binder', `${fn} gives two fields of one name: "${twice}"`);
}

const structConcat: FunctionRow['resolve'] = (args) => {
  const types = args.map((arg) => arg.type);
  if (types.length === 0 || !types.every(isStructType)) return 'no_match';
  const fields = types.flatMap((type) => type.fields);
  checkFields(fields, 'struct_concat');
  return directCall('struct_concat', types, struct(fields));
};

const structUpdate: FunctionRow['resolve'] = (args) => {
  const [old, fresh] = args.map((arg) => arg.type);
  if (args.length !== 2 || old === undefined || fresh === undefined) return 'no_match';
  if (!isStructType(old) || !isStructType(fresh)) return 'no_match';
  const replacing = new Map(fresh.fields.map((field) => [field.name.toLowerCase(), field]));
  const kept = new Set(old.fields.map((field) => field.name.toLowerCase()));
  const fields = [
    ...old.fields.map((field) => replacing.get(field.name.toLowerCase()) ?? field),
    ...fresh.fields.filter((field) => !kept.has(field.name.toLowerCase())),
  ];
  return directCall('struct_update', [old, fresh], struct(fields));
};

/** A NULL in place of a map is a map without entries of a type. */
const asMap = (arg: ArgumentType): ArgumentType =>
  arg.type.kind === 'null' ? { ...arg, type: { kind: 'map', key: NULL_TYPE, value: NULL_TYPE } } : arg;

const onMap =
  (target: string): FunctionRow['resolve'] =>
  ([map, ...rest]) =>
    map === undefined ? 'no_match' : overloads([target])([asMap(map), ...rest]);

const mapContains: FunctionRow['resolve'] = (args) => {
  const [map, key] = args;
  if (map === undefined || key === undefined || args.length !== 2) return 'no_match';
  const { type } = map.type.kind === 'null' ? { type: { kind: 'map', key: key.type, value: NULL_TYPE } as const } : map;
  return type.kind === 'map' ? directCall('map_contains', [type, type.key], BOOL) : 'no_match';
};

const mapConcat: FunctionRow['resolve'] = (args) => {
  if (args.length < 2) return 'no_match';
  return args.every((arg) => arg.type.kind === 'null')
    ? overloads(['map_concat'])(args.map(asMap))
    : resolveKeepingHalf(
        signaturesOf('scalar', ['map_concat']),
        args.map((arg) => typedNull(arg, args)),
      );
};

/** A NULL beside maps has their type. */
function typedNull(arg: ArgumentType, args: readonly ArgumentType[]): ArgumentType {
  const other = args.find((candidate) => candidate.type.kind !== 'null');
  return arg.type.kind === 'null' && other !== undefined ? { type: other.type, literal: undefined } : arg;
}

/** A NULL in place of a list is a list without elements of a type. */
const asListType = (type: DataType): DataType => (type.kind === 'null' ? list(NULL_TYPE) : type);

const mapFromLists: FunctionRow['resolve'] = (args) => {
  const [keys, values] = args.map((arg) => asListType(arg.type));
  if (args.length !== 2 || keys?.kind !== 'list' || values?.kind !== 'list') return 'no_match';
  const type: DataType = { kind: 'map', key: keys.element, value: values.element };
  return directCall('map_from_lists', [keys, values], type, true);
};

const mapFromEntries: FunctionRow['resolve'] = ([entries, ...rest]) => {
  if (entries === undefined || rest.length > 0) return 'no_match';
  const none = struct([
    { name: 'k', type: NULL_TYPE },
    { name: 'v', type: NULL_TYPE },
  ]);
  const empty = entries.type.kind === 'null' || (entries.type.kind === 'list' && entries.type.element.kind === 'null');
  const type = empty ? list(none) : entries.type;
  if (type.kind !== 'list' || !isStructType(type.element)) return 'no_match';
  const [key, value, extra] = type.element.fields;
  if (key === undefined || value === undefined || extra !== undefined) return 'no_match';
  return directCall('map_from_entries', [type], { kind: 'map', key: key.type, value: value.type }, true);
};

export const NESTED_ROWS: readonly FunctionRow[] = [
  ...scalars('list', [
    {
      names: ['list_value', 'list_pack', 'array_value'],
      resolve: listValue,
      doc: 'List of its arguments, cast to one type: `[1, 2]`.',
      example: '[1, 2.5]',
    },
    {
      names: ['list_extract', 'list_element', 'element_at', 'array_extract'],
      targets: ['list_extract', 'string_extract', 'map_extract_value', 'struct_extract'],
      resolve: extract,
      doc: 'Element by position from 1, from the end when negative, NULL outside: `l[i]`; also characters, map values and struct fields.',
      example: '[10, 20, 30][-1]',
    },
    {
      names: ['list_slice', 'array_slice'],
      targets: ['list_slice', 'list_slice_step', 'string_slice'],
      resolve: slice,
      doc: 'Elements or characters between two positions, both included: `l[a:b]`; of a list also every n-th: `l[a:b:n]`.',
      example: '[10, 20, 30][2:]',
    },
    {
      names: ['list_concat', 'list_cat', 'array_concat', 'array_cat'],
      targets: ['list_concat'],
      resolve: onLists('list_concat'),
      doc: 'Elements of the first list, then of the second; a NULL list counts as empty.',
      example: 'list_concat([1], [2, 3])',
    },
    {
      names: ['list_contains', 'array_contains', 'list_has', 'array_has'],
      targets: ['list_contains'],
      resolve: onLists('list_contains'),
      doc: 'True when a list holds a value; NULL elements are ignored.',
      example: 'list_contains([1, 2], 2)',
    },
    {
      names: ['list_position', 'list_indexof', 'array_position', 'array_indexof'],
      targets: ['list_position'],
      resolve: onLists('list_position'),
      doc: 'First position of a value from 1; NULL when it is missing.',
      example: 'list_position([5, 7], 7)',
    },
  ]),
  ...scalars('list', [
    {
      names: ['list_sum', 'array_sum'],
      targets: ['list_sum'],
      doc: 'Sum of the elements; NULLs are skipped, no value gives NULL.',
      example: 'list_sum([1, 2, NULL])',
    },
    {
      names: ['list_avg', 'array_avg', 'list_mean'],
      targets: ['list_avg'],
      doc: 'Mean of the elements; NULLs are skipped.',
      example: 'list_avg([1, 2, 6])',
    },
    {
      names: ['list_product', 'array_product'],
      targets: ['list_product'],
      doc: 'Product of the elements as DOUBLE; NULLs are skipped.',
      example: 'list_product([2, 3])',
    },
    {
      names: ['list_count', 'array_count'],
      targets: ['list_count'],
      doc: 'Number of elements that are not NULL.',
      example: 'list_count([1, NULL])',
    },
    {
      names: ['list_min', 'array_min'],
      targets: ['list_min'],
      resolve: onLists('list_min'),
      doc: 'Least element; NULLs are skipped.',
      example: 'list_min([3, 1, 2])',
    },
    {
      names: ['list_max', 'array_max'],
      targets: ['list_max'],
      resolve: onLists('list_max'),
      doc: 'Greatest element; NULLs are skipped.',
      example: 'list_max([3, 1, 2])',
    },
    {
      names: ['list_transform', 'list_apply', 'array_transform', 'array_apply', 'apply', 'transform'],
      targets: ['list_transform'],
      doc: 'What a lambda gives for each element; a second parameter is its position from 1.',
      example: 'list_transform([1, 2], x -> x + 1)',
    },
    {
      names: ['list_filter', 'array_filter', 'filter'],
      targets: ['list_filter'],
      doc: 'Elements for which a lambda is true.',
      example: 'list_filter([1, 2, 3], x -> x > 1)',
    },
    {
      names: ['list_reduce', 'array_reduce', 'reduce'],
      targets: ['list_reduce'],
      doc: 'Folds the elements with a lambda of accumulator and element, from an optional start; an empty list without a start gives NULL.',
      example: 'list_reduce([1, 2, 3], (a, x) -> a + x)',
    },
  ]),
  ...scalars('struct and map', [
    {
      names: ['struct_extract'],
      resolve: ([value, key, ...rest]) =>
        value === undefined ? 'no_match' : structField(value.type, key, 2 + rest.length),
      doc: "Field of a struct: `s.field`, `s['field']`.",
      example: "struct_extract({'a': 1}, 'a')",
    },
    {
      names: ['variant_extract'],
      resolve: variantExtract,
      doc: "Field or element (from 1) of a VARIANT, NULL where it has none: `v.a`, `v['a']`, `v[1]`.",
      example: "variant_extract(v, 'a')",
    },
    {
      names: ['row', 'struct_pack'],
      targets: ['struct_pack'],
      resolve: rowValue,
      doc: "Struct of its arguments: `{'a': 1}`, `struct_pack(a := 1)`, `(1, 2)`.",
      example: "{'a': 1, 'b': 'x'}",
    },
    {
      names: ['struct_extract_at'],
      targets: ['struct_extract'],
      resolve: ([value, key, ...rest]) =>
        value === undefined || typeof key?.literal !== 'bigint'
          ? 'no_match'
          : structField(value.type, key, 2 + rest.length),
      doc: 'Field of a struct by its position from 1.',
      example: "struct_extract_at({'a': 1, 'b': 2}, 2)",
    },
    {
      names: ['struct_concat'],
      resolve: structConcat,
      doc: 'Struct of the fields of several; `struct_insert(s, a := 1)` adds fields. A NULL struct has NULL fields.',
      example: "struct_concat({'a': 1}, {'b': 2})",
    },
    {
      names: ['struct_update'],
      resolve: structUpdate,
      doc: 'Struct with some fields replaced, and new ones behind: `struct_update(s, a := 1)`.',
      example: "struct_update({'a': 1, 'b': 2}, b := 'x')",
    },
    {
      names: ['map_from_lists'],
      resolve: mapFromLists,
      doc: 'Map of a list of keys and a list of values: `map(keys, values)`.',
      example: "map([1, 2], ['a', 'b'])",
    },
    {
      names: ['map_from_entries'],
      resolve: mapFromEntries,
      doc: 'Map of a list of structs of key and value.',
      example: "map_from_entries([(1, 'a'), (2, 'b')])",
    },
    {
      names: ['map_concat'],
      resolve: mapConcat,
      doc: 'Entries of several maps; of equal keys the last value. NULL maps are left out.',
      example: 'map_concat(MAP {1: 2}, MAP {1: 3, 4: 5})',
    },
    {
      names: ['map_contains'],
      resolve: mapContains,
      doc: 'True when a map holds a key.',
      example: "map_contains(MAP {'a': 1}, 'a')",
    },
    {
      names: ['cardinality'],
      resolve: onMap('cardinality'),
      doc: 'Number of entries of a map.',
      example: 'cardinality(MAP {1: 2})',
    },
    {
      names: ['map_extract'],
      resolve: onMap('map_extract'),
      doc: 'List of the value of a key; empty when it is missing.',
      example: "map_extract(MAP {'a': 1}, 'a')",
    },
    {
      names: ['map_extract_value'],
      resolve: onMap('map_extract_value'),
      doc: 'Value of a key, NULL when it is missing: `m[key]`.',
      example: "MAP {'a': 1}['a']",
    },
    {
      names: ['map_keys'],
      resolve: onMap('map_keys'),
      doc: 'List of the keys of a map.',
      example: "map_keys(MAP {'a': 1})",
    },
    {
      names: ['map_values'],
      resolve: onMap('map_values'),
      doc: 'List of the values of a map.',
      example: "map_values(MAP {'a': 1})",
    },
    {
      names: ['map_entries'],
      resolve: onMap('map_entries'),
      doc: 'List of structs of key and value.',
      example: "map_entries(MAP {'a': 1})",
    },
  ]),
];
