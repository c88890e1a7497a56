// Values → text, written into room the caller gives; each returns the bytes written. 64 bytes hold any of them; an
// interval takes at most 96.
#pragma once
#include "ops/interval.hpp"

namespace quern::ops {

QUERN_HD inline int32_t write_digits(uint64_t v, char* out) {
  char digits[20];
  int32_t count = 0;
  do {
    digits[count++] = static_cast<char>('0' + v % 10);
    v /= 10;
  } while (v != 0);
  for (int32_t i = 0; i < count; ++i) out[i] = digits[count - 1 - i];
  return count;
}

// `width` digits with leading zeros.
QUERN_HD inline void write_padded(uint64_t v, int32_t width, char* out) {
  for (int32_t i = width - 1; i >= 0; --i, v /= 10) out[i] = static_cast<char>('0' + v % 10);
}

QUERN_HD inline int32_t write_unsigned(uint128_t v, char* out) {
  constexpr uint64_t chunk = 1000000000000000000;  // 10^18
  if (v < chunk) return write_digits(static_cast<uint64_t>(v), out);
  const int32_t head = write_unsigned(v / chunk, out);
  write_padded(static_cast<uint64_t>(v % chunk), 18, out + head);
  return head + 18;
}

template <typename T>
QUERN_HD inline int32_t write_integer(T v, char* out) {
  if (v < 0) {
    *out = '-';
    return 1 + write_unsigned(magnitude(v), out + 1);
  }
  return write_unsigned(static_cast<uint128_t>(v), out);
}

// Unscaled `v`; a decimal without integer digits (precision = scale) has no leading zero.
QUERN_HD inline int32_t write_decimal(int128_t v, int32_t precision, int32_t scale, char* out) {
  if (scale == 0) return write_integer(v, out);
  int32_t at = 0;
  if (v < 0) out[at++] = '-';
  const uint128_t size = magnitude(v), power = static_cast<uint128_t>(power_of_ten(scale));
  const uint128_t whole = size / power;
  uint128_t fraction = size % power;
  if (precision > scale || whole != 0) at += write_unsigned(whole, out + at);
  out[at++] = '.';
  for (int32_t i = scale - 1; i >= 0; --i, fraction /= 10)
    out[at + i] = static_cast<char>('0' + static_cast<int>(fraction % 10));
  return at + scale;
}

QUERN_HD inline int32_t write_word(const char* word, char* out) {
  int32_t count = 0;
  while (word[count] != 0) out[count] = word[count], ++count;
  return count;
}

// yyyy-mm-dd, at least four digits of the year; (BC) behind a year before 1 is the caller's, who may put a time
// between.
QUERN_HD inline int32_t write_civil(const Civil& c, char* out) {
  const uint64_t year = static_cast<uint64_t>(c.year > 0 ? c.year : 1 - c.year);
  int32_t at;
  if (year < 10000) {
    write_padded(year, 4, out);
    at = 4;
  } else {
    at = write_digits(year, out);
  }
  out[at] = '-';
  write_padded(static_cast<uint64_t>(c.month), 2, out + at + 1);
  out[at + 3] = '-';
  write_padded(static_cast<uint64_t>(c.day), 2, out + at + 4);
  return at + 6;
}

QUERN_HD inline int32_t write_date(int32_t days, char* out) {
  if (!finite_date(days)) return write_word(days > 0 ? "infinity" : "-infinity", out);
  const Civil c = civil_of_days(days);
  int32_t at = write_civil(c, out);
  if (c.year <= 0) at += write_word(" (BC)", out + at);
  return at;
}

// .fraction of `units` parts a second without trailing zeros; nothing when it is 0.
QUERN_HD inline int32_t write_fraction(int64_t fraction, int64_t units, char* out) {
  if (fraction == 0) return 0;
  int32_t width = 0;
  for (int64_t u = units; u > 1; u /= 10) ++width;
  while (fraction % 10 == 0) fraction /= 10, --width;
  *out = '.';
  write_padded(static_cast<uint64_t>(fraction), width, out + 1);
  return 1 + width;
}

QUERN_HD inline int32_t write_time(int64_t v, int64_t second_units, char* out) {
  const int64_t seconds = v / second_units;
  const int64_t hours = seconds / 3600;
  int32_t at = 2;
  if (hours < 100)
    write_padded(static_cast<uint64_t>(hours), 2, out);
  else
    at = write_digits(static_cast<uint64_t>(hours), out);
  out[at] = ':';
  write_padded(static_cast<uint64_t>(seconds / 60 % 60), 2, out + at + 1);
  out[at + 3] = ':';
  write_padded(static_cast<uint64_t>(seconds % 60), 2, out + at + 4);
  return at + 6 + write_fraction(v % second_units, second_units, out + at + 6);
}

QUERN_HD inline int32_t write_timestamp(int64_t v, int64_t second_units, bool zone, char* out) {
  if (!finite_timestamp(v)) return write_word(v > 0 ? "infinity" : "-infinity", out);
  const int64_t day_units = day_seconds * second_units;
  const int64_t days = floor_div(v, day_units);
  const Civil c = civil_of_days(days);
  int32_t at = write_civil(c, out);
  if (c.year <= 0) at += write_word(" (BC)", out + at);
  out[at++] = ' ';
  at += write_time(v - days * day_units, second_units, out + at);
  if (zone) at += write_word("+00", out + at);
  return at;
}

QUERN_HD inline int32_t write_count(int64_t count, const char* unit, bool first, char* out) {
  int32_t at = 0;
  if (!first) out[at++] = ' ';
  at += write_integer(count, out + at);
  out[at++] = ' ';
  at += write_word(unit, out + at);
  if (count != 1 && count != -1) out[at++] = 's';
  return at;
}

QUERN_HD inline int32_t write_interval(Interval v, char* out) {
  int32_t at = 0;
  const int32_t years = v.months / 12, months = v.months % 12;
  if (years != 0) at += write_count(years, "year", at == 0, out + at);
  if (months != 0) at += write_count(months, "month", at == 0, out + at);
  if (v.days != 0) at += write_count(v.days, "day", at == 0, out + at);
  if (v.micros == 0 && at > 0) return at;
  if (at > 0) out[at++] = ' ';
  if (v.micros < 0) out[at++] = '-';
  // magnitude of the smallest int64 does not fit one; its last microsecond digit is written from the unsigned value
  const uint64_t micros = magnitude(v.micros);
  const int64_t seconds = static_cast<int64_t>(micros / 1000000);
  const int64_t hours = seconds / 3600;
  if (hours < 100) {
    write_padded(static_cast<uint64_t>(hours), 2, out + at);
    at += 2;
  } else {
    at += write_digits(static_cast<uint64_t>(hours), out + at);
  }
  out[at] = ':';
  write_padded(static_cast<uint64_t>(seconds / 60 % 60), 2, out + at + 1);
  out[at + 3] = ':';
  write_padded(static_cast<uint64_t>(seconds % 60), 2, out + at + 4);
  at += 6;
  return at + write_fraction(static_cast<int64_t>(micros % 1000000), 1000000, out + at);
}

QUERN_HD inline int32_t write_uuid(int128_t v, char* out) {
  int32_t at = 0;
  for (int i = 0; i < 32; ++i) {
    if (i == 8 || i == 12 || i == 16 || i == 20) out[at++] = '-';
    const int digit = static_cast<int>(static_cast<uint128_t>(v) >> (124 - 4 * i) & 15);
    out[at++] = static_cast<char>(digit < 10 ? '0' + digit : 'a' + digit - 10);
  }
  return at;
}

}  // namespace quern::ops
