import { TIMESTAMP } from '../common/data_type.ts';
import { didYouMean } from '../common/did_you_mean.ts';
import { userError } from '../common/error.ts';
import type { ArgumentType } from './argument.ts';
import { isStringLiteral } from './argument.ts';
import type { FunctionRow } from './function_row.ts';
import { overloads, reordered, resolveAmong, scalars } from './function_row.ts';
import { row } from './signature.ts';

/** Spellings of each part of a date, time or interval; the first is the engine's function. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  era: ['era'],
  millennium: ['millennium', 'millennia', 'mil', 'mils', 'millenium'],
  century: ['century', 'centuries', 'cent', 'c'],
  decade: ['decade', 'decades', 'dec', 'decs'],
  year: ['year', 'years', 'y', 'yr', 'yrs'],
  quarter: ['quarter', 'quarters'],
  month: ['month', 'months', 'mon', 'mons'],
  day: ['day', 'days', 'd', 'dayofmonth'],
  week: ['week', 'weeks', 'w', 'weekofyear'],
  isoyear: ['isoyear'],
  yearweek: ['yearweek'],
  dow: ['dow', 'dayofweek', 'weekday'],
  isodow: ['isodow'],
  doy: ['doy', 'dayofyear'],
  julian: ['julian'],
  hour: ['hour', 'hours', 'h', 'hr', 'hrs'],
  minute: ['minute', 'minutes', 'm', 'min', 'mins'],
  second: ['second', 'seconds', 's', 'sec', 'secs'],
  millisecond: ['millisecond', 'milliseconds', 'ms', 'msec', 'msecs'],
  microsecond: ['microsecond', 'microseconds', 'us', 'usec', 'usecs'],
  nanosecond: ['nanosecond', 'nanoseconds', 'ns', 'nsec', 'nsecs'],
  epoch: ['epoch'],
  epoch_ms: ['epoch_ms'],
  epoch_us: ['epoch_us'],
  epoch_ns: ['epoch_ns'],
};

const PART_OF = new Map(Object.entries(PARTS).flatMap(([part, names]) => names.map((name) => [name, part] as const)));

/** The engine's name of a part of a date; throws with the nearest spelling. */
function partOf(text: string): string {
  const part = PART_OF.get(text.toLowerCase());
  if (part !== undefined) return part;
  const names = [...PART_OF.keys()].filter((name) => name.length > 2);
  throw userError('binder', `unknown part of a date: "${text}"`, undefined, didYouMean(text, names));
}

/** date_part of a constant part is the part's own function; an interval of constant part. */
const datePart: FunctionRow['resolve'] = (args) => {
  const [part, value] = args;
  if (part === undefined || value === undefined || args.length !== 2) return 'no_match';
  if (part.type.kind !== 'string' && part.type.kind !== 'null') return 'no_match';
  if (!isStringLiteral(part)) return overloads(['date_part'])(args);
  return reordered(overloads([partOf(part.literal as string)])([value]), [1]);
};

/** date_trunc, date_diff, date_sub: the part is checked and normalised where it is constant. */
const withPart =
  (target: string): FunctionRow['resolve'] =>
  (args) => {
    const result = overloads([target])(args.map((arg, i) => (i > 0 ? dateLiteral(arg, args) : arg)));
    const [part] = args;
    if (typeof result === 'string' || part === undefined || !isStringLiteral(part)) return result;
    const name = partOf(part.literal as string);
    return { ...result, args: [{ value: name, type: part.type }, ...result.args.slice(1)] };
  };

/** A text constant beside nothing typed is a timestamp. */
function dateLiteral(arg: ArgumentType, args: readonly ArgumentType[]): ArgumentType {
  const untyped = args.slice(1).every(isStringLiteral);
  return untyped && isStringLiteral(arg) ? { type: TIMESTAMP, literal: undefined } : arg;
}

const part = (name: string, doc: string, example: string): Parameters<typeof scalars>[1][number] => ({
  names: [name, ...(FUNCTION_ALIASES[name] ?? [])],
  doc,
  example,
});

const FUNCTION_ALIASES: Readonly<Record<string, readonly string[]>> = {
  day: ['dayofmonth'],
  week: ['weekofyear'],
  dow: ['dayofweek', 'weekday'],
  doy: ['dayofyear'],
};

const TS = "TIMESTAMP '2024-02-29 13:45:06.789'";

/** to_seconds(1) and the like take any number. */
const unit = (name: string, doc: string): Parameters<typeof scalars>[1][number] => ({
  names: [name],
  doc,
  example: `${name}(3)`,
});

/** epoch_ms(n) of a number is a timestamp; of a timestamp its milliseconds. */
const epochMs: FunctionRow['resolve'] = (args) => {
  const kind = args[0]?.type.kind;
  return overloads([kind === 'int64' || kind === 'int32' ? 'make_timestamp_ms' : 'epoch_ms'])(args);
};

/** A text constant beside a width is a timestamp; other units than microseconds are cast. */
const timeBucket: FunctionRow['resolve'] = (args) => {
  const [width, moment, shift] = args;
  const plain = (arg: ArgumentType): ArgumentType =>
    isStringLiteral(arg) || (arg.type.kind === 'timestamp' && arg.type.unit !== 'us')
      ? { type: arg.type.kind === 'timestamp' ? { ...arg.type, unit: 'us' } : TIMESTAMP, literal: undefined }
      : arg;
  if (width === undefined || moment === undefined) return 'no_match';
  const cast = shift === undefined ? [] : [shift.type.kind === 'timestamp' ? plain(shift) : shift];
  return overloads(['time_bucket'])([width, plain(moment), ...cast]);
};

/** The format may stand first. */
const strftime: FunctionRow['resolve'] = (args) => {
  const [first, second] = args;
  const swapped = first?.type.kind === 'string' && second !== undefined && second.type.kind !== 'string';
  if (!swapped || args.length !== 2) return overloads(['strftime'])(args);
  return reordered(overloads(['strftime'])([second, first]), [1, 0]);
};

export const TEMPORAL_ROWS: readonly FunctionRow[] = scalars('date and time', [
  {
    names: ['date_part', 'datepart'],
    targets: ['date_part', ...Object.keys(PARTS)],
    resolve: datePart,
    doc: 'One part of a date, time or interval; also written extract(part FROM value). A constant list of parts gives a struct.',
    example: "extract(year FROM DATE '2024-02-29')",
  },
  part('era', '1 for years AD, 0 for years BC.', `era(${TS})`),
  part('millennium', 'Millennium, counted from 1.', `millennium(${TS})`),
  part('century', 'Century, counted from 1.', `century(${TS})`),
  part('decade', 'Year divided by ten.', `decade(${TS})`),
  part('year', 'Year.', `year(${TS})`),
  part('quarter', 'Quarter, 1 to 4.', `quarter(${TS})`),
  part('month', 'Month, 1 to 12.', `month(${TS})`),
  part('day', 'Day of the month.', `day(${TS})`),
  part('week', 'ISO week of the year.', `week(${TS})`),
  part('isoyear', 'Year to which the ISO week belongs.', `isoyear(${TS})`),
  part('yearweek', 'ISO year times 100 plus week.', `yearweek(${TS})`),
  part('dow', 'Day of the week, 0 = Sunday.', `dow(${TS})`),
  part('isodow', 'Day of the week, 1 = Monday, 7 = Sunday.', `isodow(${TS})`),
  part('doy', 'Day of the year.', `doy(${TS})`),
  part('julian', 'Julian day number with the time of day as fraction.', `julian(${TS})`),
  part('hour', 'Hour.', `hour(${TS})`),
  part('minute', 'Minute.', `minute(${TS})`),
  part('second', 'Second.', `second(${TS})`),
  part('millisecond', 'Seconds and fraction in milliseconds.', `millisecond(${TS})`),
  part('microsecond', 'Seconds and fraction in microseconds.', `microsecond(${TS})`),
  part('nanosecond', 'Seconds and fraction in nanoseconds.', `nanosecond(${TS})`),
  part('epoch', 'Seconds since 1970-01-01, as DOUBLE.', `epoch(${TS})`),
  {
    names: ['epoch_ms'],
    targets: ['epoch_ms', 'make_timestamp_ms'],
    resolve: epochMs,
    doc: 'Milliseconds since 1970-01-01; of a number the timestamp that long after it.',
    example: `epoch_ms(${TS})`,
  },
  part('epoch_us', 'Microseconds since 1970-01-01.', `epoch_us(${TS})`),
  part('epoch_ns', 'Nanoseconds since 1970-01-01.', `epoch_ns(${TS})`),
  {
    names: ['date_trunc', 'datetrunc'],
    targets: ['date_trunc'],
    resolve: withPart('date_trunc'),
    doc: 'Start of the part that holds a date, timestamp or interval.',
    example: `date_trunc('month', ${TS})`,
  },
  {
    names: ['date_diff', 'datediff'],
    targets: ['date_diff'],
    resolve: withPart('date_diff'),
    doc: 'Number of boundaries of a part between two dates or timestamps.',
    example: "date_diff('month', DATE '2024-01-31', DATE '2024-02-01')",
  },
  {
    names: ['date_sub', 'datesub'],
    targets: ['date_sub'],
    resolve: withPart('date_sub'),
    doc: 'Number of whole parts between two dates or timestamps.',
    example: "date_sub('month', DATE '2024-01-31', DATE '2024-02-01')",
  },
  { names: ['last_day'], doc: 'Last day of the month.', example: "last_day(DATE '2024-02-01')" },
  { names: ['dayname'], doc: 'English name of the day.', example: `dayname(${TS})` },
  { names: ['monthname'], doc: 'English name of the month.', example: `monthname(${TS})` },
  {
    names: ['age'],
    doc: 'Interval from the second timestamp to the first, in months, days and time.',
    example: "age(TIMESTAMP '2024-03-01', TIMESTAMP '2023-01-15')",
  },
  { names: ['make_date'], doc: 'Date of year, month and day.', example: 'make_date(2024, 2, 29)' },
  { names: ['make_time'], doc: 'Time of hour, minute and seconds.', example: 'make_time(13, 45, 6.5)' },
  {
    names: ['make_timestamp'],
    doc: 'Timestamp of year, month, day, hour, minute and seconds, or of microseconds since 1970-01-01.',
    example: 'make_timestamp(2024, 2, 29, 13, 45, 6.5)',
  },
  {
    names: ['make_timestamp_ms'],
    doc: 'Timestamp of milliseconds since 1970-01-01.',
    example: 'make_timestamp_ms(1700000000000)',
  },
  { names: ['to_timestamp'], doc: 'Instant of seconds since 1970-01-01.', example: 'to_timestamp(1700000000)' },
  {
    names: ['strftime'],
    resolve: strftime,
    doc: 'Text of a date or timestamp by a format; the two may change places.',
    example: `strftime(${TS}, '%d.%m.%Y')`,
  },
  {
    names: ['strptime'],
    doc: 'Timestamp of a text by a format, or the first of a list of formats that fits; another text is an error. With `%z` an instant.',
    example: "strptime('29.02.2024', '%d.%m.%Y')",
  },
  {
    names: ['try_strptime'],
    doc: 'Timestamp of a text by a format; another text is NULL.',
    example: "try_strptime('x', '%d.%m.%Y')",
  },
  {
    names: ['make_timestamp_ns'],
    resolve: (args) => {
      const result = resolveAmong([row('make_timestamp_ns', [], ['int64'], 'timestamp', 'scalar', true)], args);
      return typeof result === 'string' ? result : { ...result, type: { kind: 'timestamp', unit: 'ns', zone: false } };
    },
    doc: 'Timestamp of nanoseconds since 1970-01-01.',
    example: 'make_timestamp_ns(1700000000000000001)',
  },
  {
    names: ['timezone'],
    targets: ['local_to_instant', 'instant_to_local'],
    doc: 'Clock time of a named zone as an instant, and an instant as clock time: `t AT TIME ZONE zone`.',
    example: "timezone('Europe/Berlin', TIMESTAMP '2024-07-01 12:00:00')",
  },
  {
    names: ['time_bucket'],
    resolve: timeBucket,
    doc: 'Start of the bucket of a width that holds a date or timestamp; the third argument shifts the buckets or is the start of one.',
    example: "time_bucket(INTERVAL 15 MINUTES, TIMESTAMP '2024-02-29 13:50:00')",
  },
  {
    names: ['normalized_interval'],
    doc: 'Interval with hours carried to days at 24 and days to months at 30.',
    example: "normalized_interval(INTERVAL '40 days 50 hours')",
  },
  unit('to_millennia', 'Interval of thousands of years.'),
  unit('to_centuries', 'Interval of hundreds of years.'),
  unit('to_decades', 'Interval of tens of years.'),
  unit('to_years', 'Interval of years.'),
  unit('to_quarters', 'Interval of quarters.'),
  unit('to_months', 'Interval of months.'),
  unit('to_weeks', 'Interval of weeks.'),
  unit('to_days', 'Interval of days.'),
  unit('to_hours', 'Interval of hours.'),
  unit('to_minutes', 'Interval of minutes.'),
  unit('to_seconds', 'Interval of seconds.'),
  unit('to_milliseconds', 'Interval of milliseconds.'),
  unit('to_microseconds', 'Interval of microseconds.'),
]);
