import { INT32 } from '../common/data_type.ts';
import type { ArgumentType } from './argument.ts';
import { isHugeint, isInteger } from './argument.ts';
import type { FunctionRow } from './function_row.ts';
import { overloads, resolveAmong, scalars, signaturesOf } from './function_row.ts';
import { row } from './signature.ts';

/** BIGINT with UBIGINT, and integers beyond 64 bits, are computed as DECIMAL(38,0). */
const WIDE = ['add', 'sub', 'mul', 'mod', 'int_div', 'neg'];
const wideRow = (name: string) => {
  const args = name === 'neg' ? ['hugeint'] : ['hugeint', 'hugeint'];
  return row(name, [], args, name === 'mul' ? 'decimal_product' : 'decimal_sum', 'scalar', true);
};

/** `a // b` of decimals is a DOUBLE, as in DuckDB; of DECIMAL(38,0), which stands for HUGEINT, it stays whole. */
function arithmetic(name: string): FunctionRow['resolve'] {
  const table = signaturesOf('scalar', [name]).filter((r) => name !== 'int_div' || !r.args.includes('decimal'));
  const wide = WIDE.includes(name) ? [...table, wideRow(name)] : table;
  return (args) => {
    const whole = args.every((arg) => arg.type.kind !== 'decimal' || isHugeint(arg.type));
    return resolveAmong(whole ? wide : table, args);
  };
}

const withDateInterval = (name: 'add' | 'sub'): FunctionRow['resolve'] => {
  const plain = arithmetic(name);
  const whole = overloads([`${name}_date`]);
  return (args) => {
    const [a, b] = args;
    if (args.length === 1 && a !== undefined) return name === 'sub' ? negation(args) : plain(args);
    if (a?.type.kind === 'date' && b?.type.kind === 'interval' && b.wholeDays === true) return whole(args);
    if (name === 'add' && swaps(a, b)) return swapped(withDateInterval(name)([b as ArgumentType, a as ArgumentType]));
    return plain(args);
  };
};

const negation: FunctionRow['resolve'] = (args) => arithmetic('neg')(args);

/** Addition with a date, time or timestamp on the right. */
function swaps(a: ArgumentType | undefined, b: ArgumentType | undefined): boolean {
  const moment = (arg: ArgumentType | undefined): boolean =>
    arg !== undefined && ['date', 'timestamp', 'time'].includes(arg.type.kind);
  return moment(b) && !moment(a);
}

function swapped(result: ReturnType<FunctionRow['resolve']>): ReturnType<FunctionRow['resolve']> {
  if (typeof result === 'string') return result;
  return {
    ...result,
    args: result.args.map((arg) => ('index' in arg ? { index: 1 - arg.index, type: arg.type } : arg)),
  };
}

const multiplied: FunctionRow['resolve'] = (args) => {
  const [a, b] = args;
  if (b?.type.kind === 'interval' && a !== undefined && a.type.kind !== 'interval') return swapped(multiplied([b, a]));
  return arithmetic('mul')(args);
};

/** A whole number is its own rounding. */
const identityOfIntegers =
  (name: string): FunctionRow['resolve'] =>
  (args) => {
    const [value] = args;
    if (args.length === 1 && value !== undefined && isInteger(value.type)) {
      return {
        fn: 'round',
        args: [
          { index: 0, type: value.type },
          { value: 0n, type: INT32 },
        ],
        type: value.type,
        fallible: false,
      };
    }
    return overloads([name])(args);
  };

const log: FunctionRow['resolve'] = (args) => overloads([args.length === 1 ? 'log10' : 'log'])(args);

export const OPERATOR_ROWS: readonly FunctionRow[] = scalars('operator', [
  {
    names: ['+'],
    targets: ['add', 'add_date'],
    resolve: withDateInterval('add'),
    doc: 'Sum; of a date and days, of a date, time or timestamp and an interval. Integer and decimal overflow is an error.',
    example: "DATE '2024-01-31' + INTERVAL 1 MONTH",
  },
  {
    names: ['-'],
    targets: ['sub', 'sub_date', 'neg'],
    resolve: withDateInterval('sub'),
    doc: 'Difference or negation; days between two dates, the interval between two timestamps.',
    example: "DATE '2024-03-01' - DATE '2024-02-01'",
  },
  {
    names: ['*'],
    targets: ['mul'],
    resolve: multiplied,
    doc: 'Product; decimals add their scales.',
    example: '1.50 * 3',
  },
  {
    names: ['/'],
    targets: ['div'],
    doc: 'Quotient as a floating-point number, also of integers and decimals; by zero it is inf, -inf or nan.',
    example: '7 / 2',
  },
  {
    names: ['//', 'div', 'divide'],
    targets: ['int_div'],
    resolve: arithmetic('int_div'),
    doc: 'Quotient rounded towards zero; by zero it is NULL.',
    example: '7 // 2',
  },
  {
    names: ['%', 'mod', 'fmod'],
    targets: ['mod'],
    resolve: arithmetic('mod'),
    doc: 'Remainder with the sign of the dividend; by zero it is NULL.',
    example: '-7 % 3',
  },
  { names: ['^', '**', 'pow', 'power'], targets: ['pow'], doc: 'Power, as DOUBLE.', example: '2 ^ 10' },
  { names: ['&'], targets: ['and_bits'], doc: 'Bits set in both.', example: '12 & 10' },
  { names: ['|'], targets: ['or_bits'], doc: 'Bits set in one or both.', example: '12 | 10' },
  { names: ['xor'], targets: ['xor_bits'], doc: 'Bits set in exactly one.', example: 'xor(12, 10)' },
  { names: ['~'], targets: ['not_bits'], doc: 'All bits turned.', example: '~12' },
  { names: ['<<'], targets: ['shift_left'], doc: 'Bits moved to the left; overflow is an error.', example: '1 << 4' },
  { names: ['>>'], targets: ['shift_right'], doc: 'Bits moved to the right.', example: '256 >> 4' },
]);

export const NUMERIC_ROWS: readonly FunctionRow[] = scalars('numeric', [
  { names: ['abs', '@'], targets: ['abs'], doc: 'Absolute value.', example: 'abs(-3)' },
  { names: ['sign'], doc: 'Sign: -1, 0 or 1.', example: 'sign(-3)' },
  { names: ['bit_count'], doc: 'Number of bits that are set.', example: 'bit_count(7)' },
  {
    names: ['round'],
    resolve: identityOfIntegers('round'),
    doc: 'Rounds half away from zero to a number of digits after the point (default 0, negative before it).',
    example: 'round(2.345, 2)',
  },
  {
    names: ['trunc'],
    targets: ['trunc', 'round'],
    resolve: identityOfIntegers('trunc'),
    doc: 'Cuts off digits after the point.',
    example: 'trunc(2.9)',
  },
  { names: ['ceil', 'ceiling'], targets: ['ceil'], doc: 'Least whole number not below.', example: 'ceil(2.1)' },
  { names: ['floor'], doc: 'Greatest whole number not above.', example: 'floor(2.9)' },
  { names: ['even'], doc: 'Rounds away from zero to the next even number.', example: 'even(2.9)' },
  { names: ['sqrt'], doc: 'Square root; of a negative number an error.', example: 'sqrt(2)' },
  { names: ['cbrt'], doc: 'Cube root.', example: 'cbrt(27)' },
  { names: ['exp'], doc: 'e to a power.', example: 'exp(1)' },
  { names: ['ln'], doc: 'Natural logarithm.', example: 'ln(2)' },
  { names: ['log2'], doc: 'Logarithm to base 2.', example: 'log2(8)' },
  { names: ['log10'], doc: 'Logarithm to base 10.', example: 'log10(1000)' },
  {
    names: ['log'],
    targets: ['log', 'log10'],
    resolve: log,
    doc: 'Logarithm to base 10, or of the second argument to the base of the first.',
    example: 'log(2, 64)',
  },
  { names: ['sin'], doc: 'Sine of radians.', example: 'sin(0)' },
  { names: ['cos'], doc: 'Cosine of radians.', example: 'cos(0)' },
  { names: ['tan'], doc: 'Tangent of radians.', example: 'tan(0)' },
  { names: ['cot'], doc: 'Cotangent of radians.', example: 'cot(1)' },
  { names: ['asin'], doc: 'Arc sine in radians.', example: 'asin(1)' },
  { names: ['acos'], doc: 'Arc cosine in radians.', example: 'acos(1)' },
  { names: ['atan'], doc: 'Arc tangent in radians.', example: 'atan(1)' },
  { names: ['atan2'], doc: 'Angle of the point (x, y) in radians, as atan2(y, x).', example: 'atan2(1, 1)' },
  { names: ['sinh'], doc: 'Hyperbolic sine.', example: 'sinh(1)' },
  { names: ['cosh'], doc: 'Hyperbolic cosine.', example: 'cosh(1)' },
  { names: ['tanh'], doc: 'Hyperbolic tangent.', example: 'tanh(1)' },
  { names: ['asinh'], doc: 'Inverse hyperbolic sine.', example: 'asinh(1)' },
  { names: ['acosh'], doc: 'Inverse hyperbolic cosine.', example: 'acosh(2)' },
  { names: ['atanh'], doc: 'Inverse hyperbolic tangent.', example: 'atanh(0.5)' },
  { names: ['degrees'], doc: 'Radians as degrees.', example: 'degrees(pi())' },
  { names: ['radians'], doc: 'Degrees as radians.', example: 'radians(180)' },
  { names: ['pi'], doc: 'The number pi.', example: 'pi()' },
  { names: ['isnan'], doc: 'True for NaN.', example: "isnan('nan'::DOUBLE)" },
  { names: ['isinf'], doc: 'True for infinite numbers, dates and timestamps.', example: "isinf('inf'::DOUBLE)" },
  { names: ['isfinite'], doc: 'True unless infinite or NaN.', example: 'isfinite(1.0)' },
  { names: ['gamma'], doc: 'Gamma function; of 0 an error.', example: 'gamma(5)' },
  { names: ['lgamma'], doc: 'Logarithm of the absolute value of the gamma function.', example: 'lgamma(5)' },
  {
    names: ['nextafter'],
    doc: 'Next floating-point number in the direction of the second argument.',
    example: 'nextafter(1::FLOAT, 2::FLOAT)',
  },
  { names: ['signbit'], doc: 'True for negative numbers and for -0.0.', example: "signbit('-0.0'::DOUBLE)" },
  { names: ['factorial'], targets: ['factorial'], doc: 'Product of 1 to n.', example: 'factorial(5)' },
  {
    names: ['gcd', 'greatest_common_divisor'],
    targets: ['gcd'],
    doc: 'Greatest common divisor.',
    example: 'gcd(12, 18)',
  },
  {
    names: ['lcm', 'least_common_multiple'],
    targets: ['lcm'],
    doc: 'Least common multiple.',
    example: 'lcm(4, 6)',
  },
]);
