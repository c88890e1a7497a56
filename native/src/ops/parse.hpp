// Text → values, with DuckDB's leniency. Each returns false when the text does not say such a value.
#pragma once
#include "ops/interval.hpp"
#include "ops/text.hpp"

namespace quern::ops {

// The first 38 significant digits of a decimal number; value = digits · 10^exponent.
struct Number {
  bool negative;
  int128_t digits;
  int64_t exponent;
};

// [sign] digits [. digits] [e [sign] digits], with single underscores between digits; `exponent`: whether e is allowed.
QUERN_HD inline bool parse_number(Text text, Number& out) {
  text = trim_spaces(text);
  out = {false, 0, 0};
  int64_t i = 0;
  if (i < text.length && (text.data[i] == '-' || text.data[i] == '+')) out.negative = text.data[i++] == '-';
  int significant = 0;
  bool any = false, point = false;
  for (; i < text.length; ++i) {
    const char c = text.data[i];
    if (c == '_') {
      if (!any || !is_digit(text.data[i - 1]) || i + 1 >= text.length || !is_digit(text.data[i + 1])) return false;
      continue;
    }
    if (c == '.') {
      if (point) return false;
      point = true;
      continue;
    }
    if (!is_digit(c)) break;
    any = true;
    if (significant < 38) {
      out.digits = out.digits * 10 + (c - '0');
      if (out.digits != 0) ++significant;
      if (point) --out.exponent;
    } else if (!point) {
      ++out.exponent;
    }
  }
  if (!any) return false;
  if (i == text.length) return true;
  if (text.data[i] != 'e' && text.data[i] != 'E') return false;
  if (++i >= text.length) return false;
  bool down = false;
  if (text.data[i] == '-' || text.data[i] == '+') down = text.data[i++] == '-';
  if (i >= text.length) return false;
  int64_t power = 0;
  for (; i < text.length; ++i) {
    if (!is_digit(text.data[i])) return false;
    if (power < 100000) power = power * 10 + (text.data[i] - '0');
  }
  out.exponent += down ? -power : power;
  return true;
}

// digits · 10^(exponent + scale), halves away from zero, below `limit`.
QUERN_HD inline bool scale_number(const Number& number, int64_t scale, int128_t limit, int128_t& out) {
  const int64_t shift = number.exponent + scale;
  out = number.digits;
  if (out != 0 && shift > 0) {
    if (shift > 38 || !multiply(out, power_of_ten(static_cast<int>(shift)), out)) return false;
  } else if (shift < 0) {
    out = shift < -39 ? 0 : shift == -39 ? 0 : divide_half_away(out, power_of_ten(static_cast<int>(-shift)));
  }
  if (number.negative) out = -out;
  return in_precision(out, limit);
}

QUERN_HD inline int32_t hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  const char lower = ascii_lower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Decimal digits are the common case and go first; then 0x…, 0b…, fractions (rounded half away) and exponents.
template <typename T>
QUERN_HD inline bool parse_integer(Text text, T& out) {
  text = trim_spaces(text);
  if (text.length == 0) return false;
  const bool negative = text.data[0] == '-';
  int64_t i = negative ? 1 : 0;
  if (text.length - i <= 18) {
    uint64_t value = 0;
    const int64_t first = i;
    for (; i < text.length && is_digit(text.data[i]); ++i)
      value = value * 10 + static_cast<uint64_t>(text.data[i] - '0');
    if (i == text.length && i > first) {
      const int64_t with_sign = negative ? -static_cast<int64_t>(value) : static_cast<int64_t>(value);
      out = static_cast<T>(with_sign);
      return is_signed<T>() || !negative ? static_cast<int128_t>(out) == with_sign : value == 0;
    }
  }
  if (text.length > 2 && text.data[0] == '0' &&
      (ascii_lower(text.data[1]) == 'x' || ascii_lower(text.data[1]) == 'b')) {
    const int32_t base = ascii_lower(text.data[1]) == 'x' ? 16 : 2;
    uint128_t value = 0;
    for (int64_t k = 2; k < text.length; ++k) {
      if (text.data[k] == '_' && k + 1 < text.length && k > 2) continue;
      const int32_t digit = hex_digit(text.data[k]);
      if (digit < 0 || digit >= base) return false;
      value = value * static_cast<uint128_t>(base) + static_cast<uint128_t>(digit);
      if (value > static_cast<uint128_t>(max_of<T>())) return false;
    }
    out = static_cast<T>(value);
    return true;
  }
  Number number;
  int128_t value;
  if (!parse_number(text, number) || !scale_number(number, 0, power_of_ten(38), value)) return false;
  if (!is_signed<T>() && number.negative && number.digits != 0) return false;
  out = static_cast<T>(value);
  return static_cast<int128_t>(out) == value && (is_signed<T>() || value >= 0);
}

// Unscaled value of scale `scale` below `limit` = 10^precision.
QUERN_HD inline bool parse_decimal(Text text, int32_t scale, int128_t limit, int128_t& out) {
  Number number;
  return parse_number(text, number) && scale_number(number, scale, limit, out);
}

QUERN_HD inline bool parse_bool(Text text, uint8_t& out) {
  out = 1;
  if (equals_word(text, "true") || equals_word(text, "t") || equals_word(text, "1") || equals_word(text, "yes") ||
      equals_word(text, "y"))
    return true;
  out = 0;
  return equals_word(text, "false") || equals_word(text, "f") || equals_word(text, "0") || equals_word(text, "no") ||
         equals_word(text, "n");
}

// Why a date or moment was not read.
enum class Parsed : uint8_t { ok, format, range };

// Up to `most` digits at `at`; false when there is none.
QUERN_HD inline bool digits_at(Text text, int64_t& at, int most, int64_t& out) {
  const int64_t first = at;
  out = 0;
  while (at < text.length && at - first < most && is_digit(text.data[at])) out = out * 10 + (text.data[at++] - '0');
  return at > first;
}

QUERN_HD inline bool skip_spaces(Text text, int64_t& at) {
  while (at < text.length && is_space(text.data[at])) ++at;
  return true;
}

// year sep month sep day [(BC)] from `at`, which is left behind it; sep is the same one of - / \ and blank.
QUERN_HD inline Parsed parse_date_at(Text text, int64_t& at, int64_t& days) {
  skip_spaces(text, at);
  bool negative = false;
  if (at < text.length && text.data[at] == '-') negative = true, ++at;
  int64_t year, month, day;
  if (!digits_at(text, at, 9, year)) return Parsed::format;
  if (negative) year = -year;
  if (at >= text.length) return Parsed::format;
  const char separator = text.data[at++];
  if (separator != ' ' && separator != '-' && separator != '/' && separator != '\\') return Parsed::format;
  if (!digits_at(text, at, 2, month)) return Parsed::format;
  if (at >= text.length || text.data[at++] != separator) return Parsed::format;
  if (!digits_at(text, at, 2, day)) return Parsed::format;
  if (at < text.length && is_digit(text.data[at])) return Parsed::format;
  if (at + 4 < text.length && text.data[at] == ' ' && text.data[at + 1] == '(' &&
      ascii_lower(text.data[at + 2]) == 'b' && ascii_lower(text.data[at + 3]) == 'c' && text.data[at + 4] == ')') {
    if (negative || year == 0) return Parsed::format;
    year = 1 - year;
    at += 5;
  }
  if (!valid_civil(year, month, day)) return Parsed::range;
  days = days_of_civil(year, static_cast<int32_t>(month), static_cast<int32_t>(day));
  return days < infinite_date && days > -infinite_date ? Parsed::ok : Parsed::range;
}

// epoch, infinity, inf, with sign, in any case: 0, 1 and -1 in `sign`.
QUERN_HD inline bool parse_special(Text text, int32_t& sign) {
  text = trim_spaces(text);
  sign = 0;
  if (equals_word(text, "epoch")) return true;
  sign = 1;
  if (text.length > 0 && text.data[0] == '-') sign = -1, ++text.data, --text.length;
  return equals_word(text, "infinity") || equals_word(text, "inf");
}

// Anything may follow the day.
QUERN_HD inline Parsed parse_date(Text text, int32_t& out) {
  int64_t at = 0, days = 0;
  int32_t sign;
  if (parse_special(text, sign)) {
    out = sign * infinite_date;
    return Parsed::ok;
  }
  const Parsed parsed = parse_date_at(text, at, days);
  out = static_cast<int32_t>(days);
  return parsed;
}

// hour:minute[:second[.fraction]] from `at`; nanoseconds since midnight. Up to `digits` of the fraction count.
QUERN_HD inline Parsed parse_time_at(Text text, int64_t& at, int digits, int64_t& nanos) {
  int64_t hour, minute, second = 0, fraction = 0;
  if (!digits_at(text, at, 2, hour)) return Parsed::format;
  if (at >= text.length || text.data[at++] != ':') return Parsed::format;
  if (!digits_at(text, at, 2, minute)) return Parsed::format;
  if (at + 1 < text.length && text.data[at] == ':') {
    ++at;
    if (!digits_at(text, at, 2, second)) return Parsed::format;
    if (at < text.length && text.data[at] == '.') {
      ++at;
      int64_t unit = 100000000;
      for (int read = 0; at < text.length && is_digit(text.data[at]); ++at, ++read, unit /= 10) {
        if (read < digits) fraction += (text.data[at] - '0') * unit;
      }
    }
  }
  const bool end_of_day = hour == 24 && minute == 0 && second == 0 && fraction == 0;
  if (!end_of_day && (hour > 23 || minute > 59 || second > 59)) return Parsed::range;
  nanos = ((hour * 60 + minute) * 60 + second) * 1000000000 + fraction;
  return Parsed::ok;
}

// Z, UTC, or ±HH[[:]MM[:SS]]; seconds east of Greenwich.
QUERN_HD inline bool parse_offset_at(Text text, int64_t& at, int64_t& seconds) {
  seconds = 0;
  if (at < text.length && text.data[at] == 'Z') {
    ++at;
    return true;
  }
  if (at + 3 < text.length && text.data[at] == ' ' && equals_word({text.data + at + 1, 3}, "utc")) {
    at += 4;
    return true;
  }
  if (at >= text.length || (text.data[at] != '+' && text.data[at] != '-')) return false;
  const bool west = text.data[at++] == '-';
  int64_t hours, minutes = 0, rest = 0;
  const int64_t first = at;
  if (!digits_at(text, at, 2, hours) || at - first != 2) return false;
  if (at < text.length && text.data[at] == ':') ++at;
  const int64_t minutes_at = at;
  if (digits_at(text, at, 2, minutes)) {
    if (at - minutes_at != 2) return false;
    if (at < text.length && text.data[at] == ':') {
      ++at;
      if (!digits_at(text, at, 2, rest)) return false;
    }
  }
  seconds = (hours * 60 + minutes) * 60 + rest;
  if (west) seconds = -seconds;
  return true;
}

// date [(T | blanks) time [offset]]; days and nanoseconds of the wall clock, and its offset (0 where none is written).
QUERN_HD inline Parsed parse_moment(Text text, int64_t& days, int64_t& nanos, int64_t& offset) {
  text = trim_spaces(text);
  int64_t at = 0;
  nanos = 0;
  offset = 0;
  const Parsed date = parse_date_at(text, at, days);
  if (date != Parsed::ok || at == text.length) return date;
  if (text.data[at] != 'T' && text.data[at] != ' ') return Parsed::format;
  ++at;
  skip_spaces(text, at);
  const Parsed time = parse_time_at(text, at, 9, nanos);
  if (time != Parsed::ok || at == text.length) return time;
  if (!parse_offset_at(text, at, offset)) return Parsed::format;
  skip_spaces(text, at);
  return at == text.length ? Parsed::ok : Parsed::format;
}

// In units of 1/second_units; finer digits are cut at microseconds, and rounded half away from there to coarser units.
// `zoned`: the offset counts.
QUERN_HD inline Parsed parse_timestamp(Text text, int64_t second_units, bool zoned, int64_t& out) {
  int32_t sign;
  if (parse_special(text, sign)) {
    out = sign * infinite_timestamp;
    return Parsed::ok;
  }
  int64_t days = 0, nanos = 0, offset = 0;
  const Parsed parsed = parse_moment(text, days, nanos, offset);
  if (parsed != Parsed::ok) return parsed;
  int128_t units;
  if (second_units >= 1000000) {
    units = static_cast<int128_t>(days) * day_seconds * second_units + nanos / (1000000000 / second_units);
  } else {
    const int128_t micros = static_cast<int128_t>(days) * day_micros + nanos / 1000;
    units = divide_half_away(micros, static_cast<int128_t>(1000000 / second_units));
  }
  if (zoned) units -= static_cast<int128_t>(offset) * second_units;
  out = static_cast<int64_t>(units);
  return units == out && finite_timestamp(out) ? Parsed::ok : Parsed::range;
}

// A time of day, or that of a full timestamp; what follows the seconds is ignored.
QUERN_HD inline Parsed parse_time(Text text, int64_t second_units, int64_t& out) {
  text = trim_spaces(text);
  int64_t at = 0, nanos = 0;
  Parsed parsed = parse_time_at(text, at, 9, nanos);
  if (parsed == Parsed::format) {
    int64_t days, offset;
    if (parse_moment(text, days, nanos, offset) == Parsed::ok) parsed = Parsed::ok;
  }
  out = nanos / (1000000000 / second_units);
  return parsed;
}

// A time of day in microseconds with its offset from UTC, 0 where none is written; or that of a full timestamp.
QUERN_HD inline Parsed parse_time_with_zone(Text text, int64_t& micros, int64_t& offset) {
  text = trim_spaces(text);
  int64_t at = 0, nanos = 0;
  offset = 0;
  Parsed parsed = parse_time_at(text, at, 6, nanos);
  if (parsed == Parsed::format) {
    int64_t days;
    parsed = parse_moment(text, days, nanos, offset);
  } else if (parsed == Parsed::ok) {
    skip_spaces(text, at);
    const bool is_signed = at < text.length && (text.data[at] == '+' || text.data[at] == '-');
    if (at < text.length && (!is_signed || !parse_offset_at(text, at, offset) || at < text.length))
      parsed = Parsed::format;
  }
  micros = nanos / 1000;
  return parsed;
}

QUERN_HD inline bool parse_uuid(Text text, int128_t& out) {
  if (text.length > 1 && text.data[0] == '{' && text.data[text.length - 1] == '}') ++text.data, text.length -= 2;
  uint128_t value = 0;
  int digits = 0;
  for (int64_t i = 0; i < text.length; ++i) {
    if (text.data[i] == '-' && i > 0) continue;
    const int32_t digit = hex_digit(text.data[i]);
    if (digit < 0 || digits == 32) return false;
    value = value << 4 | static_cast<uint128_t>(digit);
    ++digits;
  }
  out = static_cast<int128_t>(value);
  return digits == 32;
}

// A date part by name, its plural and short forms; false for another word.
QUERN_HD inline bool parse_date_part(Text text, DatePart& out) {
  const auto is = [&](const char* a, const char* b, const char* c, const char* d) {
    return equals_word(text, a) || equals_word(text, b) || equals_word(text, c) || equals_word(text, d);
  };
  if (is("year", "years", "y", "yr") || is("yrs", "yrs", "yrs", "yrs")) return out = DatePart::year, true;
  if (is("month", "months", "mon", "mons")) return out = DatePart::month, true;
  if (is("day", "days", "d", "dayofmonth")) return out = DatePart::day, true;
  if (is("hour", "hours", "h", "hr") || is("hrs", "hrs", "hrs", "hrs")) return out = DatePart::hour, true;
  if (is("minute", "minutes", "m", "min") || is("mins", "mins", "mins", "mins")) return out = DatePart::minute, true;
  if (is("second", "seconds", "s", "sec") || is("secs", "secs", "secs", "secs")) return out = DatePart::second, true;
  if (is("millisecond", "milliseconds", "ms", "msec") || is("msecs", "msecs", "msecs", "msecs"))
    return out = DatePart::millisecond, true;
  if (is("microsecond", "microseconds", "us", "usec") || is("usecs", "usecs", "usecs", "usecs"))
    return out = DatePart::microsecond, true;
  if (is("nanosecond", "nanoseconds", "ns", "nsec") || is("nsecs", "nsecs", "nsecs", "nsecs"))
    return out = DatePart::nanosecond, true;
  if (is("week", "weeks", "w", "weekofyear")) return out = DatePart::week, true;
  if (is("quarter", "quarters", "quarter", "quarter")) return out = DatePart::quarter, true;
  if (is("decade", "decades", "dec", "decs")) return out = DatePart::decade, true;
  if (is("century", "centuries", "cent", "c")) return out = DatePart::century, true;
  if (is("millennium", "millennia", "mil", "mils") || is("millenium", "millenniums", "millenia", "millenniums"))
    return out = DatePart::millennium, true;
  if (is("dow", "weekday", "dayofweek", "dow")) return out = DatePart::dow, true;
  if (is("isodow", "isodow", "isodow", "isodow")) return out = DatePart::isodow, true;
  if (is("doy", "dayofyear", "doy", "doy")) return out = DatePart::doy, true;
  if (is("isoyear", "isoyear", "isoyear", "isoyear")) return out = DatePart::isoyear, true;
  if (is("yearweek", "yearweek", "yearweek", "yearweek")) return out = DatePart::yearweek, true;
  if (is("era", "era", "era", "era")) return out = DatePart::era, true;
  if (is("epoch", "epoch", "epoch", "epoch")) return out = DatePart::epoch, true;
  return false;
}

// Adds `number` of a part; a fraction goes down to days and time.
QUERN_HD inline bool add_part(DatePart part, const Number& number, Interval& sum) {
  const int64_t month_count = part == DatePart::millennium ? 12000
                              : part == DatePart::century  ? 1200
                              : part == DatePart::decade   ? 120
                              : part == DatePart::year     ? 12
                              : part == DatePart::quarter  ? 3
                              : part == DatePart::month    ? 1
                                                           : 0;
  const int64_t day_count = part == DatePart::week ? 7 : part == DatePart::day ? 1 : 0;
  const int64_t micro_count = below_day(part) ? part_units(part, 1000000) : 0;
  if (month_count == 0 && day_count == 0 && micro_count == 0) return false;
  int128_t billionths;  // of a part
  if (!scale_number(number, 9, power_of_ten(30), billionths)) return false;
  constexpr int64_t billion = 1000000000;
  const int128_t months = billionths * month_count;
  const int128_t days = months % billion * 30 + billionths * day_count;
  const int128_t micros = days % billion * day_micros + billionths * micro_count;
  const int128_t whole_micros = divide_half_away(micros, static_cast<int128_t>(billion));
  Interval step;
  step.months = static_cast<int32_t>(months / billion);
  step.days = static_cast<int32_t>(days / billion);
  step.micros = static_cast<int64_t>(whole_micros);
  return step.months == months / billion && step.days == days / billion && step.micros == whole_micros &&
         add(sum, step, sum);
}

// [@] (number unit | [-]hours:minutes[:seconds])… [ago]; a lone number is seconds.
QUERN_HD inline bool parse_interval(Text text, Interval& out) {
  text = trim_spaces(text);
  out = {0, 0, 0};
  int64_t at = 0;
  if (at < text.length && text.data[at] == '@') ++at;
  bool any = false;
  while (skip_spaces(text, at) && at < text.length) {
    if (any && equals_word({text.data + at, text.length - at}, "ago")) return negate(out, out);
    const int64_t first = at;
    const bool negative = text.data[at] == '-';
    if (negative || text.data[at] == '+') ++at;
    while (at < text.length && (is_digit(text.data[at]) || text.data[at] == '.' || text.data[at] == '_')) ++at;
    if (at < text.length && text.data[at] == ':') {
      int64_t hours = 0, minutes = 0;
      int64_t scan = first + (negative || text.data[first] == '+' ? 1 : 0);
      if (!digits_at(text, scan, 10, hours) || scan != at) return false;
      ++at;
      if (!digits_at(text, at, 2, minutes) || minutes > 59) return false;
      Number seconds{false, 0, 0};
      if (at < text.length && text.data[at] == ':') {
        const int64_t start = ++at;
        while (at < text.length && (is_digit(text.data[at]) || text.data[at] == '.')) ++at;
        if (!parse_number({text.data + start, at - start}, seconds)) return false;
      }
      Interval time{0, 0, 0};
      if (!add_part(DatePart::second, seconds, time) || time.micros >= 60000000) return false;
      time.micros += (hours * 60 + minutes) * 60000000;
      if (!(negative ? subtract(out, time, out) : add(out, time, out))) return false;
      any = true;
      continue;
    }
    Number number;
    if (!parse_number({text.data + first, at - first}, number)) return false;
    skip_spaces(text, at);
    const int64_t word = at;
    while (at < text.length && (ascii_lower(text.data[at]) >= 'a' && ascii_lower(text.data[at]) <= 'z')) ++at;
    DatePart part = DatePart::second;
    if (at == word) {
      if (at < text.length) return false;
    } else if (!parse_date_part({text.data + word, at - word}, part)) {
      return false;
    }
    if (!add_part(part, number, out)) return false;
    any = true;
  }
  return any;
}

}  // namespace quern::ops
