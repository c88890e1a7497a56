// Grisu3 (F. Loitsch, "Printing floating-point numbers quickly and accurately with integers", 2010) for binary32.
// What matters here is not only the digits but when it gives up: DuckDB then shows the digits of the double.
#include "common/float_digits.hpp"

#include <cmath>
#include <limits>

namespace quern {

namespace {

using uint128_t = unsigned __int128;

// significand · 2^exponent
struct Scaled {
  uint64_t significand;
  int exponent;
};

struct PowerOfTen {
  uint64_t significand;
  int exponent;  // of two
  int decimal;
};

// 10^decimal rounded to 64 bits, every eighth, for all binary32 numbers.
constexpr PowerOfTen powers[] = {
    {0xe45c10c42a2b3b06, -210, -44}, {0xaa242499697392d3, -183, -36}, {0xfd87b5f28300ca0e, -157, -28},
    {0xbce5086492111aeb, -130, -20}, {0x8cbccc096f5088cc, -103, -12}, {0xd1b71758e219652c, -77, -4},
    {0x9c40000000000000, -50, 4},    {0xe8d4a51000000000, -24, 12},   {0xad78ebc5ac620000, 3, 20},
    {0x813f3978f8940984, 30, 28},    {0xc097ce7bc90715b3, 56, 36},    {0x8f7e32ce7bea5c70, 83, 44},
    {0xd5d238a4abe98068, 109, 52},   {0x9f4f2726179a2245, 136, 60},
};

// Keeps the product's upper 64 bits, rounded.
uint64_t multiply(uint64_t a, uint64_t b) {
  const uint128_t product = static_cast<uint128_t>(a) * b;
  return static_cast<uint64_t>(product >> 64) + (static_cast<uint64_t>(product) >> 63);
}

// The cached power that brings a number of this exponent into [2^-60, 2^-32) units.
const PowerOfTen& power_for(int exponent) {
  constexpr int lowest = -60;
  const int64_t binary = static_cast<int64_t>(lowest) - (exponent + 64) + 63;
  constexpr int64_t inverse_log2_of_10 = 0x4d104d42;  // 2^32 / log2(10)
  const int decimal = static_cast<int>((binary * inverse_log2_of_10 + 0xffffffffLL) >> 32);
  constexpr int first = -348, step = 8;
  const int rounded = first + ((decimal - first - 1) / step + 1) * step;
  return powers[(rounded - powers[0].decimal) / step];
}

// The number and the midpoints to its neighbours, all with the exponent of the upper one.
struct Interval {
  Scaled value;
  uint64_t lower, upper;
};

Interval interval_of(float v) {
  int exponent;
  const double fraction = std::frexp(static_cast<double>(v), &exponent);
  const auto significand =
      static_cast<uint64_t>(std::ldexp(fraction, 53));  // 53 bits, the lowest 29 zero for normal numbers
  exponent -= 53;
  constexpr int smallest_normal = std::numeric_limits<float>::min_exponent - 53;
  uint64_t half_step = 1ULL << 28;
  if (exponent < smallest_normal) half_step <<= smallest_normal - exponent;
  const bool lower_is_closer = significand == 1ULL << 52 && exponent > smallest_normal;
  constexpr int shift = 11;
  return {{significand << shift, exponent - shift},
          (significand - (half_step >> (lower_is_closer ? 1 : 0))) << shift,
          (significand + half_step) << shift};
}

}  // namespace

bool grisu_digits(float v, Digits& out) {
  const Interval interval = interval_of(v);
  const PowerOfTen& power = power_for(interval.value.exponent);
  const uint64_t value = multiply(interval.value.significand, power.significand);
  // One unit of error on each side: what lies outside surely reads back as another number.
  const uint64_t lower = multiply(interval.lower, power.significand) - 1,
                 upper = multiply(interval.upper, power.significand) + 1;
  const int shift = -(interval.value.exponent + power.exponent + 64);
  const uint64_t one = 1ULL << shift;
  const uint64_t to_value = upper - value;
  uint64_t width = upper - lower;

  // Whether the digits so far, which lie `rest` below upper, are shortest and nearest; steps of the last digit are
  // `step`.
  const auto settle = [&](uint64_t rest, uint64_t step, uint64_t unit) {
    const uint64_t near = (to_value - 1) * unit, far = (to_value + 1) * unit;
    while (rest < near && width - rest >= step && (rest + step < near || near - rest >= rest + step - near)) {
      --out.text[out.count - 1];
      rest += step;
    }
    if (rest < far && width - rest >= step && (rest + step < far || far - rest > rest + step - far)) return false;
    return 2 * unit <= rest && rest <= width - 4 * unit;
  };

  out.count = 0;
  auto whole = static_cast<uint32_t>(upper >> shift);
  uint64_t fraction = upper & (one - 1);
  uint32_t place = 1;
  int places = 1;
  while (whole / place >= 10) place *= 10, ++places;
  out.exponent = places - 1 - power.decimal;
  for (; place > 0; place /= 10) {
    out.text[out.count++] = static_cast<char>('0' + whole / place);
    whole %= place;
    const uint64_t rest = (static_cast<uint64_t>(whole) << shift) + fraction;
    if (rest < width) return settle(rest, static_cast<uint64_t>(place) << shift, 1);
  }
  for (uint64_t unit = 10;; unit *= 10) {
    fraction *= 10;
    width *= 10;
    out.text[out.count++] = static_cast<char>('0' + (fraction >> shift));
    fraction &= one - 1;
    if (fraction < width) return settle(fraction, one, unit);
  }
}

}  // namespace quern
