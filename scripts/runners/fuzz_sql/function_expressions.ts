import type { Random } from '../random.ts';
import type { Expression, Kind } from './expression.ts';
import { build, leaf } from './expression.ts';
import type { Parts } from './list_expressions.ts';

type Make = () => Expression;

const FORMATS = ['{}', '{:>6}', '{:<6}|', '{:^7}', '{:06}', '{:+}', '{:x}', '{:,}', '{:#b}'];
const REAL_FORMATS = ['{}', '{:.2f}', '{:e}', '{:10.3f}', '{:+.1f}', '{:g}'];
const TEXT_FORMATS = ['{}', '{:>6}', '{:.2}', '{:*^7}'];
const PATTERNS = ["'a'", "'[a-b]'", "'.b?'", "'(a)(b)?'", "'\\d+'", "'x*'", "''"];
const GLOBS = ["'a*'", "'*b*'", "'?'", "'[a-b]*'", "'[!a]*'", "''"];
const ZONES = [
  "'Europe/Berlin'",
  "'America/New_York'",
  "'Asia/Kolkata'",
  "'Australia/Lord_Howe'",
  "'UTC'",
  "'Etc/GMT+5'",
];
const WIDTHS = ['INTERVAL 1 hour', 'INTERVAL 7 days', 'INTERVAL 1 month', 'INTERVAL 3 years', 'INTERVAL 90 seconds'];
const DATE_FORMATS = [
  "'%Y-%m-%d'",
  "'%d.%m.%y %H:%M:%S.%f'",
  "'%j %U %W %V %G %u %w'",
  "'%a %A %b %B %p %I'",
  "'%-d/%-m %X %x %c'",
  "'%g %n'",
];

/** Expressions of `kind` that call functions of text, numbers, times, structs and maps; empty where none gives it. */
export function functionExpressions(kind: Kind, parts: Parts): readonly Make[] {
  const { random, of, atom } = parts;
  const text = (): Expression => of('string');
  const texts = (): [Expression, Expression] => [text(), atom('string')];
  const one = (names: readonly string[]): string => random.pick(names);
  switch (kind) {
    case 'bool':
      return [
        () => build(kind, `(@ GLOB ${one(GLOBS)})`, text()),
        () => build(kind, `regexp_matches(@, ${one(PATTERNS)})`, text()),
        () => build(kind, `regexp_full_match(@, ${one(PATTERNS)})`, text()),
        () => build(kind, `${one(['contains', 'ends_with', 'starts_with'])}(@, @)`, ...texts()),
        () => build(kind, `${one(['isnan', 'isinf', 'isfinite'])}(@)`, of(either(random, 'double', 'float'))),
        () => build(kind, 'signbit(@)', leaf('double', 'd')),
        () => build(kind, "struct_contains(row(@::INTEGER, 'x'), @::INTEGER)", of('int'), atom('int')),
        () => build(kind, 'map_contains(MAP {1: @, 2: 0}, @)', of('int'), atom('int')),
        () => build(kind, "like_escape(@, 'a!%%', '!')", text()),
        () => build(kind, '(xor(@::INTEGER, 1) = 0)', of('bool')),
      ];
    case 'int':
      return [
        () => build(kind, `${one(['greatest', 'least'])}(@, @, @)`, of('int'), of('int'), atom('int')),
        () => build(kind, `${one(['ascii', 'unicode'])}(@)`, text()),
        () => build(kind, 'xor(@, @)', of('int'), atom('int')),
        () => build(kind, `(@ >> ${random.below(6)})`, of('int')),
        () => build(kind, 'bit_count(@)::INTEGER', of('int')),
        () => build(kind, 'struct_position(row(id, coalesce(@, 0)::INTEGER), @::INTEGER)', of('int'), atom('int')),
        () => build(kind, "struct_extract_at(struct_insert({'a': @}, b := @), 2)", atom('int'), of('int')),
        () => build(kind, "struct_update({'a': @, 'b': 1}, c := @).c", atom('int'), of('int')),
        () => build(kind, 'map([1, 2], [@, @])[@]', of('int'), atom('int'), atom('int')),
        () => build(kind, 'map_concat(MAP {1: @::INTEGER}, MAP {1: @::INTEGER, 2: 0})[1]', atom('int'), of('int')),
        () => build(kind, 'switch(@, MAP {1: 10, 2: 20}, 0)', of('int')),
        () => build(kind, 'constant_or_null(1, @)', atom('string')),
        () => build(kind, "(CASE WHEN @ > 1000000 THEN error('big') ELSE @ END)", atom('int'), of('int')),
      ];
    case 'bigint':
      return [
        () => build(kind, `${one(['levenshtein', 'damerau_levenshtein'])}(@, @)`, ...texts()),
        () => build(kind, 'hamming(@, @)', ...texts()),
        () => build(kind, `${one(['length_grapheme', 'strlen', 'bit_length'])}(@)`, text()),
        () => build(kind, `${one(['strpos', 'instr'])}(@, @)`, ...texts()),
        () => build(kind, `${one(['gcd', 'lcm'])}(@, @)`, of('int'), of('int')),
        () => build(kind, `date_diff('${one(['year', 'month', 'week', 'day'])}', @, @)`, of('date'), of('date')),
        () => build(kind, `date_sub('${one(['month', 'day', 'hour'])}', @, @)`, of('timestamp'), atom('timestamp')),
        () =>
          build(
            kind,
            `date_part('${one(['isoyear', 'week', 'decade', 'century', 'isodow', 'millisecond', 'era'])}', @)`,
            of('timestamp'),
          ),
        () => build(kind, 'days_in_month(@)', of('date')),
        () => build(kind, `epoch_${one(['ms', 'us'])}(@)`, of('timestamp')),
        () => build(kind, `${one(['timezone_hour', 'timezone_minute'])}(@)`, of('timestamp')),
      ];
    case 'float':
      return [
        () => build(kind, 'nextafter(@, @)', of('float'), atom('float')),
        () => build(kind, `${one(['greatest', 'least'])}(@, @)`, of('float'), of('float')),
      ];
    case 'double':
      return [
        () => build(kind, `${one(['jaro_similarity', 'jaro_winkler_similarity', 'jaccard'])}(@, @)`, ...texts()),
        () =>
          build(
            kind,
            `${one(['sin', 'cos', 'atan', 'cbrt', 'tanh', 'asinh', 'degrees', 'radians', 'even'])}(@)`,
            leafTame(),
          ),
        () => build(kind, `${one(['gamma', 'lgamma'])}(@)`, leafTame()),
        () => build(kind, 'nextafter(@, @)', of('double'), atom('double')),
        () => build(kind, `${one(['greatest', 'least'])}(@, @)`, of('double'), of('double')),
        () => build(kind, `round_even(@, ${random.below(3)})`, leafTame()),
        () => build(kind, 'fdiv(@, @)', leafTame(), atom('int')),
        () => build(kind, `round(@, ${random.below(5) - 2})`, leafTame()),
        () => build(kind, `${one(['ln', 'log2', 'log10', 'exp'])}(abs(@) + 1)`, leafTame()),
        () => build(kind, 'julian(@)', of('date')),
      ];
    case 'decimal':
      return [() => build(kind, `${one(['greatest', 'least'])}(@, @)`, of('decimal'), of('decimal'))];
    case 'string':
      return textExpressions(kind, parts);
    case 'date':
      return [
        () => build(kind, 'last_day(@)', of('date')),
        () => build(kind, `time_bucket(${one(WIDTHS)}, @)`, of('date')),
        () => build(kind, `${one(['greatest', 'least'])}(@, @)`, of('date'), of('date')),
        () => build(kind, 'make_date(2000 + @, 2, 29 - @)', leafSmall(), leafSmall()),
      ];
    case 'timestamp':
      return [
        () => build(kind, `time_bucket(${one(WIDTHS)}, @)`, of('timestamp')),
        () => build(kind, `time_bucket(INTERVAL 1 week, @, INTERVAL ${random.below(9)} days)`, of('timestamp')),
        () => build(kind, 'time_bucket(INTERVAL 5 days, @, @)', of('timestamp'), atom('timestamp')),
        () => build(kind, `(timezone(${one(ZONES)}, @)::TIMESTAMP)`, of('timestamp')),
        () => build(kind, `timezone(${one(ZONES)}, @::TIMESTAMPTZ)`, of('timestamp')),
        () => build(kind, 'make_timestamp(2000, 1, 1 + @, @, 30, 1.5)', leafSmall(), leafSmall()),
        () => build(kind, 'make_timestamp_ms(@::BIGINT)', of('int')),
        () => build(kind, "strptime(strftime(@, '%Y-%m-%d %H:%M:%S.%f'), '%Y-%m-%d %H:%M:%S.%f')", atom('timestamp')),
      ];
    case 'int_list':
      return [() => build(kind, 'map_values(map([coalesce(@, 0), 100], [@::INTEGER, 2]))', leafSmall(), of('int'))];
    case 'float_list':
    case 'nested_list':
      return [];
    case 'string_list':
      return [
        () => build(kind, `regexp_extract_all(@, ${one(PATTERNS)})`, text()),
        () => build(kind, `string_split_regex(@, ${one(PATTERNS)})`, text()),
        () => build(kind, `string_split(@, ${one(["'a'", "' '", "''", "'żó'"])})`, text()),
        () => build(kind, 'parse_path(@)', text()),
        () => build(kind, "struct_keys({'a': @, 'b': 1})", of('int')),
      ];
  }
}

function textExpressions(kind: Kind, { random, of, atom }: Parts): readonly Make[] {
  const text = (): Expression => of('string');
  const one = (names: readonly string[]): string => random.pick(names);
  const count = (): number => random.below(9) - 4;
  return [
    () => build(kind, `format('${one(FORMATS)}', @)`, of(either(random, 'int', 'bigint'))),
    () => build(kind, `format('${one(REAL_FORMATS)}', @)`, of('double')),
    () => build(kind, `format('${one(TEXT_FORMATS)}-{}', @, @)`, text(), of('bool')),
    () => build(kind, `printf('${one(['%d', '%5d|', '%-5d|', '%05d', '%+d', '%x', '%,d'])}', @)`, of('int')),
    () => build(kind, `printf('${one(['%s', '%5s|', '%-5s|', '%.2s'])}', @)`, text()),
    () => build(kind, `printf('${one(['%f', '%.2f', '%e', '%g', '%08.3f'])}', @)`, leafTame()),
    () => build(kind, `${one(['md5', 'sha1', 'sha256'])}(@)`, text()),
    () => build(kind, `${one(['hex', 'url_encode', 'strip_accents', 'nfc_normalize', 'regexp_escape'])}(@)`, text()),
    () => build(kind, '(url_decode(url_encode(@)))', text()),
    () => build(kind, `${one(['left_grapheme', 'right_grapheme'])}(@, ${count()})`, text()),
    () => build(kind, `substring_grapheme(@, ${count()}, ${random.below(5)})`, text()),
    () => build(kind, `${one(['parse_dirname', 'parse_dirpath', 'parse_filename'])}(@)`, text()),
    () => build(kind, `regexp_extract(@, ${one(PATTERNS)})`, text()),
    () => build(kind, `regexp_replace(@, ${one(PATTERNS)}, '<\\0>', ${one(["'g'", "'i'", "''"])})`, text()),
    () => build(kind, "regexp_extract(@, '(a)(b)?', ['x', 'y']).x", text()),
    () => build(kind, `split_part(@, ${one(["'a'", "' '", "''"])}, ${random.below(5) - 2})`, text()),
    () => build(kind, `${one(['lpad', 'rpad'])}(@, ${random.below(7)}, ${one(["'*'", "'żó'"])})`, text()),
    () => build(kind, `repeat(@, ${random.below(4) - 1})`, atom('string')),
    () => build(kind, "translate(@, 'abż', 'xy')", text()),
    () => build(kind, `to_base(abs(@)::BIGINT, ${2 + random.below(35)})`, of('int')),
    () => build(kind, `${one(['bin', 'to_hex'])}(@)`, of('bigint')),
    () => build(kind, 'to_base64(encode(@))', text()),
    () => build(kind, 'decode(from_base64(to_base64(encode(@))))', text()),
    () => build(kind, `bar(@, -1000, 1000, ${1 + random.below(20)})`, leafTame()),
    () => build(kind, `${one(['format_bytes', 'formatReadableDecimalSize'])}(@)`, of('bigint')),
    () => build(kind, `strftime(@, ${one(DATE_FORMATS)})`, of(either(random, 'date', 'timestamp'))),
    () => build(kind, `${one(['dayname', 'monthname'])}(@)`, of('date')),
    () => build(kind, `time_bucket(${one(WIDTHS)}, @)::VARCHAR`, of('date')),
    () => build(kind, 'age(@, @)::VARCHAR', atom('timestamp'), atom('timestamp')),
    () => build(kind, 'normalized_interval(@ - @)::VARCHAR', atom('timestamp'), atom('timestamp')),
    () =>
      build(
        kind,
        `${one(['to_decades', 'to_centuries', 'to_years', 'to_months', 'to_days'])}(@)::VARCHAR`,
        leafSmall(),
      ),
    () => build(kind, 'factorial(@)::VARCHAR', leafSmall()),
    () => build(kind, 'pg_typeof(@)', atom('string')),
    () => build(kind, "concat_ws('-', @, @, @)", text(), of('int'), atom('string')),
  ];
}

const either = (random: Random, a: Kind, b: Kind): Kind => (random.chance(0.5) ? a : b);
/** Eighths between -1000 and 1000. */
const leafTame = (): Expression => build('double', 'tame');
/** A number from 0 to 5. */
const leafSmall = (): Expression => build('int', 'small');
