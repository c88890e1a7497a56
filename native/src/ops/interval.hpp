// Intervals (months, days, microseconds) and their arithmetic with moments. False = out of range.
#pragma once
#include "ops/calendar.hpp"
#include "ops/real.hpp"

namespace quern::ops {

QUERN_HD inline bool add(Interval a, Interval b, Interval& out) {
  const bool months = add(a.months, b.months, out.months), days = add(a.days, b.days, out.days);
  return add(a.micros, b.micros, out.micros) && months && days;
}
QUERN_HD inline bool subtract(Interval a, Interval b, Interval& out) {
  const bool months = subtract(a.months, b.months, out.months), days = subtract(a.days, b.days, out.days);
  return subtract(a.micros, b.micros, out.micros) && months && days;
}
QUERN_HD inline bool negate(Interval a, Interval& out) { return subtract(Interval{0, 0, 0}, a, out); }

QUERN_HD inline bool multiply(Interval a, int64_t factor, Interval& out) {
  const int128_t months = static_cast<int128_t>(a.months) * factor, days = static_cast<int128_t>(a.days) * factor;
  out.months = static_cast<int32_t>(months);
  out.days = static_cast<int32_t>(days);
  return multiply(a.micros, factor, out.micros) && months == out.months && days == out.days;
}

QUERN_HD inline bool to_int32(double v, int32_t& out) {
  if (!(v >= -2147483648.0 && v < 2147483648.0)) return false;
  out = static_cast<int32_t>(v);
  return true;
}
QUERN_HD inline bool to_int64(double v, int64_t& out) {
  if (!(v >= -9223372036854775808.0 && v < 9223372036854775808.0)) return false;
  out = static_cast<int64_t>(v);
  return true;
}

// A fraction of a month becomes days of a 30-day month, a fraction of a day becomes time.
QUERN_HD inline bool multiply(Interval a, double factor, Interval& out) {
  const double months = a.months * factor;
  const double whole_months = QUERN_MATH(trunc)(months);
  const double days = a.days * factor + (months - whole_months) * 30.0;
  const double whole_days = QUERN_MATH(trunc)(days);
  const double micros = static_cast<double>(a.micros) * factor + (days - whole_days) * static_cast<double>(day_micros);
  return to_int32(whole_months, out.months) && to_int32(whole_days, out.days) &&
         to_int64(QUERN_MATH(round)(micros), out.micros);
}

// A moment of `second_units` a second plus an interval: months (clamped to the month's end), days, then time.
QUERN_HD inline bool add_to_timestamp(int64_t v, Interval interval, int64_t second_units, int64_t& out) {
  out = v;
  if (!finite_timestamp(v)) return true;
  const int64_t day_units = day_seconds * second_units;
  int128_t moment = v;
  if (interval.months != 0 || interval.days != 0) {
    int64_t days = floor_div(v, day_units);
    const int64_t time = v - days * day_units;
    if (interval.months != 0) days = add_months(days, interval.months);
    moment = (static_cast<int128_t>(days) + interval.days) * day_units + time;
  }
  moment += second_units >= 1000000 ? static_cast<int128_t>(interval.micros) * (second_units / 1000000)
                                    : static_cast<int128_t>(interval.micros / (1000000 / second_units));
  out = static_cast<int64_t>(moment);
  return moment == out && finite_timestamp(out);
}

// A date plus the interval's months and days.
QUERN_HD inline bool add_to_date(int32_t date, Interval interval, int32_t& out) {
  out = date;
  if (!finite_date(date)) return true;
  const int64_t days = (interval.months != 0 ? add_months(date, interval.months) : date) +
                       static_cast<int64_t>(interval.days) + interval.micros / day_micros;
  out = static_cast<int32_t>(days);
  return days == out && finite_date(out);
}

// A time of day plus an interval's time, modulo 24 hours.
QUERN_HD inline int64_t add_to_time(int64_t time, int64_t micros, int64_t second_units) {
  const int64_t day_units = day_seconds * second_units;
  const int64_t step = second_units >= 1000000 ? micros % day_micros * (second_units / 1000000)
                                               : micros % day_micros / (1000000 / second_units);
  return floor_mod(time + step, day_units);
}

QUERN_HD inline bool micros_of(int64_t v, int64_t second_units, int64_t& out) {
  if (second_units > 1000000) {
    out = v / (second_units / 1000000);
    return true;
  }
  return multiply(v, 1000000 / second_units, out);
}

// Difference of moments in microseconds as whole days and time.
QUERN_HD inline bool between(int64_t a, int64_t b, Interval& out) {
  int64_t micros;
  const bool fits = subtract(a, b, micros);
  out = {0, static_cast<int32_t>(micros / day_micros), micros % day_micros};
  return fits;
}

// a - b in years, months, days and time as a calendar shows it: borrowed days are those of the earlier month.
QUERN_HD inline Interval age(int64_t a, int64_t b) {
  const bool negative = a < b;
  const int64_t later = negative ? b : a, earlier = negative ? a : b;
  const int64_t later_day = floor_div(later, day_micros), earlier_day = floor_div(earlier, day_micros);
  const Civil x = civil_of_days(later_day), y = civil_of_days(earlier_day);
  int64_t micros = (later - later_day * day_micros) - (earlier - earlier_day * day_micros);
  int64_t days = x.day - y.day;
  int64_t months = (x.year - y.year) * 12 + (x.month - y.month);
  if (micros < 0) {
    micros += day_micros;
    --days;
  }
  if (days < 0) {
    days += month_days(y.year, y.month);
    --months;
  }
  const int sign = negative ? -1 : 1;
  return {static_cast<int32_t>(sign * months), static_cast<int32_t>(sign * days), sign * micros};
}

// Whole months from b up to a (a ≥ b), in microseconds: the last day of a month completes it.
QUERN_HD inline int64_t whole_months(int64_t a, int64_t b) {
  if (a < b) return -whole_months(b, a);
  const int64_t a_day = floor_div(a, day_micros), b_day = floor_div(b, day_micros);
  const Civil x = civil_of_days(a_day), y = civil_of_days(b_day);
  const int64_t a_time = a - a_day * day_micros, b_time = b - b_day * day_micros;
  int64_t months = (x.year - y.year) * 12 + (x.month - y.month);
  const int32_t last = month_days(x.year, x.month);
  const int32_t target = y.day < last ? y.day : last;
  if (x.day < target || (x.day == target && a_time < b_time)) --months;
  return months;
}

// How many boundaries of the part lie between two moments of `second_units` a second; weeks are whole ones, as DuckDB
// counts them.
QUERN_HD inline int64_t boundaries_between(DatePart part, int64_t from, int64_t to, int64_t second_units) {
  if (below_day(part)) {
    const int64_t units = part_units(part, second_units);
    if (units == 0) return 0;
    return floor_div(to, units) - floor_div(from, units);
  }
  const int64_t day_units = day_seconds * second_units;
  const int64_t a = floor_div(from, day_units), b = floor_div(to, day_units);
  switch (part) {
    case DatePart::week:
    case DatePart::yearweek:
      return (b - a) / 7;
    case DatePart::month: {
      const Civil x = civil_of_days(a), y = civil_of_days(b);
      return (y.year - x.year) * 12 + (y.month - x.month);
    }
    case DatePart::quarter: {
      const Civil x = civil_of_days(a), y = civil_of_days(b);
      return (y.year * 12 + y.month - 1) / 3 - (x.year * 12 + x.month - 1) / 3;
    }
    case DatePart::year:
    case DatePart::isoyear:
    case DatePart::decade:
    case DatePart::century:
    case DatePart::millennium: {
      const int64_t x = part == DatePart::isoyear ? iso_year(a) : civil_of_days(a).year;
      const int64_t y = part == DatePart::isoyear ? iso_year(b) : civil_of_days(b).year;
      const int64_t years = part == DatePart::decade       ? 10
                            : part == DatePart::century    ? 100
                            : part == DatePart::millennium ? 1000
                                                           : 1;
      return y / years - x / years;
    }
    default:
      return b - a;
  }
}

// How many whole parts fit between two moments in microseconds.
QUERN_HD inline int64_t parts_between(DatePart part, int64_t from, int64_t to) {
  switch (part) {
    case DatePart::month:
      return whole_months(to, from);
    case DatePart::quarter:
      return whole_months(to, from) / 3;
    case DatePart::year:
    case DatePart::isoyear:
      return whole_months(to, from) / 12;
    case DatePart::decade:
      return whole_months(to, from) / 120;
    case DatePart::century:
      return whole_months(to, from) / 1200;
    case DatePart::millennium:
      return whole_months(to, from) / 12000;
    case DatePart::week:
    case DatePart::yearweek:
      return (to - from) / (7 * day_micros);
    default: {
      const int64_t units = part_units(part, 1000000);
      return units == 0 ? 0 : (to - from) / units;
    }
  }
}

// Part of an interval. Calendar parts look at the months, day at the days, the rest at the time.
QUERN_HD inline int64_t part_of_interval(DatePart part, Interval v) {
  switch (part) {
    case DatePart::millennium:
      return v.months / 12000;
    case DatePart::century:
      return v.months / 1200;
    case DatePart::decade:
      return v.months / 120;
    case DatePart::year:
      return v.months / 12;
    case DatePart::quarter:
      return v.months % 12 / 3 + 1;
    case DatePart::month:
      return v.months % 12;
    case DatePart::day:
      return v.days;
    case DatePart::hour:
      return v.micros / 3600000000LL;
    case DatePart::minute:
      return v.micros / 60000000 % 60;
    case DatePart::second:
      return v.micros / 1000000 % 60;
    case DatePart::millisecond:
      return v.micros % 60000000 / 1000;
    case DatePart::microsecond:
      return v.micros % 60000000;
    default:
      return 0;
  }
}

// Cuts an interval to whole parts; calendar parts drop days and time, weeks and days drop time.
QUERN_HD inline bool trunc_interval(DatePart part, Interval v, Interval& out) {
  out = {0, 0, 0};
  const auto months = [&](int32_t count) { out.months = v.months / count * count; };
  switch (part) {
    case DatePart::millennium:
      return months(12000), true;
    case DatePart::century:
      return months(1200), true;
    case DatePart::decade:
      return months(120), true;
    case DatePart::year:
    case DatePart::isoyear:
      return months(12), true;
    case DatePart::quarter:
      return months(3), true;
    case DatePart::month:
      return months(1), true;
    case DatePart::week:
    case DatePart::yearweek:
      out = {v.months, v.days / 7 * 7, 0};
      return true;
    case DatePart::day:
    case DatePart::dow:
    case DatePart::isodow:
    case DatePart::doy:
      out = {v.months, v.days, 0};
      return true;
    case DatePart::hour:
    case DatePart::minute:
    case DatePart::second:
    case DatePart::millisecond:
    case DatePart::microsecond: {
      const int64_t units = part_units(part, 1000000);
      out = {v.months, v.days, v.micros / units * units};
      return true;
    }
    default:
      return false;
  }
}

// Microseconds of an interval whose years have 365.25 days and whose other months have 30.
QUERN_HD inline int128_t micros_of_interval(Interval v) {
  const int64_t years = v.months / 12, months = v.months % 12;
  return static_cast<int128_t>(years) * 31557600000000LL + static_cast<int128_t>(months * 30 + v.days) * day_micros +
         v.micros;
}

}  // namespace quern::ops
