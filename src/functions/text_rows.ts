import { STRING } from '../common/data_type.ts';
import type { ArgumentType } from './argument.ts';
import type { FunctionRow } from './function_row.ts';
import { overloads, resolveKeepingHalf, scalars, signaturesOf } from './function_row.ts';

/** `||`: lists with lists, binary with binary, anything else as text. */
const concatenated: FunctionRow['resolve'] = (args) => {
  if (args.some((arg) => arg.type.kind === 'list')) {
    return resolveKeepingHalf(signaturesOf('scalar', ['list_join']), args);
  }
  if (args.some((arg) => arg.type.kind === 'binary')) return overloads(['string_concat'])(args);
  return {
    fn: 'string_concat',
    args: args.map((_, index) => ({ index, type: STRING })),
    type: STRING,
    fallible: false,
  };
};

/** concat: lists are joined, anything else is text; NULL is skipped. */
const concat: FunctionRow['resolve'] = (args) =>
  args.some((arg) => arg.type.kind === 'list') && args.every((arg) => ['list', 'null'].includes(arg.type.kind))
    ? resolveKeepingHalf(signaturesOf('scalar', ['list_concat']), args)
    : overloads(['concat'])(args);

/** Text, lists and maps have functions of the same name. */
const onListToo = (text: string, list: string): FunctionRow['resolve'] => {
  const onList: FunctionRow['resolve'] = (args) => resolveKeepingHalf(signaturesOf('scalar', [list]), args);
  const onText = overloads([text]);
  return (args) => (args[0]?.type.kind === 'list' ? onList(args) : onText(args));
};

const length: FunctionRow['resolve'] = (args) => {
  const [value] = args;
  switch (value?.type.kind) {
    case 'list':
      return resolveKeepingHalf(signaturesOf('scalar', ['len']), args);
    case 'map':
      return overloads(['cardinality'])(args);
    case 'binary':
      return value.type.tag === undefined ? overloads(['octet_length'])(args) : 'no_match';
    default:
      return overloads(['length'])(args);
  }
};

/** hex and bin of narrower integers go through 64 bits. */
const named = (names: FunctionRow['names'], doc: string, example: string, targets?: readonly string[]) =>
  targets === undefined ? { names, doc, example } : { names, doc, example, targets };

/** Pattern functions of DuckDB take the pattern last; a NULL pattern is allowed. */
const nullAsText = (arg: ArgumentType): ArgumentType =>
  arg.type.kind === 'null' ? { type: STRING, literal: undefined } : arg;

const onText =
  (target: string): FunctionRow['resolve'] =>
  (args) =>
    overloads([target])(args.map(nullAsText));

export const TEXT_ROWS: readonly FunctionRow[] = [
  ...scalars('operator', [
    {
      names: ['||'],
      targets: ['string_concat', 'list_join'],
      resolve: concatenated,
      doc: 'Joins texts (other types are cast to text), binary values or lists; NULL when an operand is NULL.',
      example: "'a' || 1",
    },
  ]),
  ...scalars('text', [
    {
      ...named(
        ['length', 'len', 'char_length', 'character_length', 'array_length', 'list_length', 'size', 'vector_dims'],
        'Number of characters of a text, elements of a list, entries of a map, bytes of a binary value.',
        "length('größe')",
        ['length', 'len', 'cardinality', 'octet_length'],
      ),
      resolve: length,
    },
    named(['strlen'], 'Number of bytes of a text.', "strlen('größe')"),
    named(['octet_length'], 'Number of bytes of a text or binary value.', "octet_length(x'00ff')"),
    named(['bit_length'], 'Number of bits of a text.', "bit_length('abc')"),
    named(['lower', 'lcase'], 'In lower case.', "lower('ABC')"),
    named(['upper', 'ucase'], 'In upper case.', "upper('abc')"),
    named(
      ['substring', 'substr'],
      'Part of a text from a position (1-based, negative from the end), at most `length` characters.',
      "substring('quernstone', 1, 5)",
    ),
    named(['left'], 'First n characters; a negative n leaves out the last -n.', "left('quern', 2)"),
    named(['right'], 'Last n characters; a negative n leaves out the first -n.', "right('quern', 2)"),
    {
      ...named(['concat'], 'Joins its arguments as text and skips NULL.', "concat('a', NULL, 1)", [
        'concat',
        'list_concat',
      ]),
      resolve: concat,
    },
    named(['concat_ws'], 'Joins with a separator and skips NULL.', "concat_ws(', ', 'a', NULL, 'b')"),
    named(['trim'], 'Without blanks (or the given characters) at both ends.', "trim('  a  ')"),
    named(['ltrim'], 'Without blanks (or the given characters) at the start.', "ltrim('xxa', 'x')"),
    named(['rtrim'], 'Without blanks (or the given characters) at the end.', "rtrim('axx', 'x')"),
    named(['replace'], 'Every occurrence of a text replaced.', "replace('a-b', '-', '+')"),
    named(['translate'], 'Characters replaced one for one.', "translate('abc', 'ab', 'xy')"),
    named(['reverse'], 'Characters in reverse order.', "reverse('abc')"),
    named(['repeat'], 'A text n times.', "repeat('ab', 3)"),
    named(['lpad'], 'Padded or cut on the left to a number of characters.', "lpad('7', 3, '0')"),
    named(['rpad'], 'Padded or cut on the right to a number of characters.', "rpad('7', 3, '.')"),
    named(['starts_with', 'prefix', '^@'], 'True when a text starts with another.', "starts_with('quern', 'qu')"),
    named(['ends_with', 'suffix'], 'True when a text ends with another.', "ends_with('quern', 'rn')"),
    {
      ...named(
        ['contains'],
        'True when a text holds another, or a list an element (NULL elements are ignored).',
        "contains('quern', 'ue')",
        ['contains', 'list_contains'],
      ),
      resolve: onListToo('contains', 'list_contains'),
    },
    named(
      ['position', 'strpos', 'instr'],
      'Where a text first holds another, from 1; 0 = nowhere.',
      "strpos('abc', 'c')",
    ),
    named(['split_part'], 'The nth part between separators (negative from the end).', "split_part('a,b,c', ',', 2)"),
    named(
      ['string_split', 'str_split', 'string_to_array', 'split'],
      'Parts between separators, as a list.',
      "string_split('a,b', ',')",
    ),
    named(['ascii'], 'Code point of the first character.', "ascii('a')"),
    named(['unicode', 'ord'], 'Code point of the first character; -1 of an empty text.', "unicode('ü')"),
    named(['chr'], 'Character of a code point.', 'chr(252)'),
    named(['hex', 'to_hex'], 'Hexadecimal digits of a text, binary value or number.', "hex('abc')"),
    named(['bin', 'to_binary'], 'Binary digits of a number.', 'bin(10)'),
    named(['unhex', 'from_hex'], 'Bytes of hexadecimal digits.', "unhex('616263')"),
    named(['to_base64', 'base64'], 'Base64 text of a binary value.', "to_base64(x'00ff')"),
    named(['from_base64'], 'Bytes of a Base64 text.', "from_base64('AP8=')"),
    named(['md5'], 'MD5 hash as hexadecimal text.', "md5('abc')"),
    named(
      ['levenshtein', 'editdist3'],
      'Least number of single edits between two texts.',
      "levenshtein('duck', 'dock')",
    ),
    named(
      ['damerau_levenshtein'],
      'As levenshtein, where two neighbours that change places are one edit.',
      "damerau_levenshtein('duck', 'dukc')",
    ),
    named(
      ['hamming', 'mismatches'],
      'Number of bytes that differ between two texts of one length.',
      "hamming('duck', 'luck')",
      ['hamming'],
    ),
    named(['jaccard'], 'Share of the bytes of two texts that both have.', "jaccard('duck', 'luck')"),
    named(
      ['jaro_similarity'],
      'Jaro similarity of two texts from 0 to 1; below the third argument 0.',
      "jaro_similarity('duck', 'dock')",
    ),
    named(
      ['jaro_winkler_similarity'],
      'Jaro similarity, nearer to 1 when the texts start alike.',
      "jaro_winkler_similarity('duck', 'dock')",
    ),
    named(['sha1'], 'SHA-1 hash as hexadecimal text.', "sha1('abc')"),
    named(['sha256'], 'SHA-256 hash as hexadecimal text.', "sha256('abc')"),
    named(['encode'], 'Bytes of a text in UTF-8.', "encode('größe')"),
    named(
      ['decode'],
      'Text of bytes in UTF-8; bad bytes are an error, or with `replace` a question mark, with `ignore` left out.',
      "decode(x'6162ff', 'replace')",
    ),
    named(['url_encode'], 'Text with all but letters, digits and -_.~ as %XX.', "url_encode('a b/c')"),
    named(['url_decode'], 'Text with %XX as bytes.', "url_decode('a%20b')"),
    named(['unbin', 'from_binary'], 'Bytes of binary digits.', "unbin('01100001')", ['unbin']),
    named(['strip_accents'], 'Letters without accents.', "strip_accents('müñé')"),
    named(['nfc_normalize'], 'Text in the normal form NFC of Unicode.', "nfc_normalize('é')"),
    named(['length_grapheme'], 'Number of characters as a reader sees them.', "length_grapheme('🤦🏼‍♂️')"),
    named(['left_grapheme'], 'First n characters as a reader sees them.', "left_grapheme('🤦🏼‍♂️a', 1)"),
    named(['right_grapheme'], 'Last n characters as a reader sees them.', "right_grapheme('a🤦🏼‍♂️', 1)"),
    named(
      ['substring_grapheme'],
      'As substring, by characters as a reader sees them.',
      "substring_grapheme('🦆🤦🏼‍♂️🦆', 2, 1)",
    ),
    named(
      ['parse_dirname'],
      'First folder of a path; the last argument of all four says what parts it: both_slash, system, forward_slash or backslash.',
      "parse_dirname('a/b/c.csv')",
    ),
    named(['parse_dirpath'], 'Folders of a path, without the file.', "parse_dirpath('a/b/c.csv')"),
    named(
      ['parse_filename'],
      'File name of a path; with true without its ending.',
      "parse_filename('a/b/c.csv', true)",
    ),
    named(['parse_path'], 'Folders and file of a path as a list.', "parse_path('a/b/c.csv')"),
  ]),
  ...scalars('pattern', [
    named(['like_escape'], 'LIKE with an escape character.', "like_escape('a%', 'a$%', '$')", ['like']),
    named(['ilike_escape'], 'ILIKE with an escape character.', "ilike_escape('A%', 'a$%', '$')", ['ilike']),
    {
      ...named(['like', '~~'], 'True when the whole text matches: `%` any text, `_` any character.', "'abc' LIKE 'a%'"),
      resolve: onText('like'),
    },
    {
      ...named(
        ['glob', '~~~'],
        'True when the whole text matches: `*` any text, `?` a byte, `[a-c]` one of them.',
        "'abc' GLOB 'a*'",
      ),
      resolve: onText('glob'),
    },
    {
      ...named(['ilike', '~~*'], 'LIKE that ignores case.', "'ABC' ILIKE 'a%'"),
      resolve: onText('ilike'),
    },
    named(
      ['regexp_matches'],
      'True when a regular expression matches a part of the text.',
      "regexp_matches('abc', 'b.')",
    ),
    named(['regexp_full_match'], 'True when a regular expression matches the whole text.', "'abc' ~ 'a.c'"),
    named(
      ['regexp_replace'],
      'First match replaced (all with option g); `\\1` in the replacement is the first group.',
      "regexp_replace('abc', '(b|c)', 'X', 'g')",
    ),
  ]),
];
