// The proleptic Gregorian calendar: days since 1970-01-01 ↔ year, month, day; parts; truncation. Years count through 0
// (1 BC).
#pragma once
#include "ops/integer.hpp"

namespace quern::ops {

constexpr int64_t day_seconds = 86400;
constexpr int64_t day_micros = 86400000000;

// Dates and timestamps at the ends of their range stand for ±infinity.
constexpr int32_t infinite_date = 2147483647;
constexpr int64_t infinite_timestamp = 9223372036854775807LL;
QUERN_HD constexpr bool finite_date(int32_t days) { return days != infinite_date && days != -infinite_date; }
QUERN_HD constexpr bool finite_timestamp(int64_t v) { return v != infinite_timestamp && v != -infinite_timestamp; }

struct Civil {
  int64_t year;
  int32_t month;  // 1..12
  int32_t day;    // 1..31
};

// Floor division; b > 0.
QUERN_HD constexpr int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
QUERN_HD constexpr int64_t floor_mod(int64_t a, int64_t b) { return a % b + (a % b < 0 ? b : 0); }

// Counts from 1 March of year 0, so that a leap day ends its year; 146,097 days are 400 years. Days of the years within
// some 1.4 million of 0 need no more than 32-bit products (C. Neri and L. Schneider, "Euclidean affine functions",
// 2022).
QUERN_HD constexpr Civil civil_of_days(int64_t days) {
  const int64_t shifted = days + 719468;
  constexpr int64_t eras = 3670;  // added, so that the count is positive
  const int64_t count = shifted + eras * 146097;
  if (count >= 0 && count < (1 << 30)) {
    const uint32_t quarter_days = 4 * static_cast<uint32_t>(count) + 3;
    const uint32_t century = quarter_days / 146097;
    const uint64_t product = 2939745ULL * (quarter_days % 146097 | 3);
    const uint32_t day_of_year = static_cast<uint32_t>(product) / 2939745 / 4;
    const uint32_t month_day = 2141 * day_of_year + 197913;
    const bool next_year = day_of_year >= 306;
    return {
        static_cast<int64_t>(100 * century + static_cast<uint32_t>(product >> 32)) - eras * 400 + (next_year ? 1 : 0),
        static_cast<int32_t>((month_day >> 16) - (next_year ? 12 : 0)),
        static_cast<int32_t>((month_day & 0xffff) / 2141 + 1)};
  }
  const int64_t era = floor_div(shifted, 146097);
  const uint32_t day_of_era = static_cast<uint32_t>(shifted - era * 146097);
  const uint32_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const uint32_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const uint32_t shifted_month = (5 * day_of_year + 2) / 153;
  const int32_t day = static_cast<int32_t>(day_of_year - (153 * shifted_month + 2) / 5 + 1);
  const int32_t month = static_cast<int32_t>(shifted_month < 10 ? shifted_month + 3 : shifted_month - 9);
  return {static_cast<int64_t>(year_of_era) + era * 400 + (month <= 2 ? 1 : 0), month, day};
}

QUERN_HD constexpr int64_t days_of_civil(int64_t year, int32_t month, int32_t day) {
  const int64_t shifted_year = year - (month <= 2 ? 1 : 0);
  const int64_t era = floor_div(shifted_year, 400);
  const int64_t year_of_era = shifted_year - era * 400;
  const int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

QUERN_HD constexpr bool leap_year(int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

QUERN_HD constexpr int32_t month_days(int64_t year, int32_t month) {
  if (month == 2) return leap_year(year) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

QUERN_HD constexpr bool valid_civil(int64_t year, int64_t month, int64_t day) {
  return month >= 1 && month <= 12 && day >= 1 && day <= month_days(year, static_cast<int32_t>(month));
}

// 1 = Monday … 7 = Sunday
QUERN_HD constexpr int32_t iso_weekday(int64_t days) { return static_cast<int32_t>(floor_mod(days + 3, 7)) + 1; }
QUERN_HD constexpr int64_t monday_of(int64_t days) { return days - (iso_weekday(days) - 1); }

// The ISO year is that of the week's Thursday.
QUERN_HD constexpr int64_t iso_year(int64_t days) { return civil_of_days(monday_of(days) + 3).year; }
QUERN_HD constexpr int32_t iso_week(int64_t days) {
  const int64_t thursday = monday_of(days) + 3;
  return static_cast<int32_t>((thursday - days_of_civil(civil_of_days(thursday).year, 1, 1)) / 7) + 1;
}

// 1.. for years above 0, negative for those below: the 1st century is 1..100, the last before it -1.
QUERN_HD constexpr int64_t century_of(int64_t year) { return year > 0 ? (year - 1) / 100 + 1 : year / 100 - 1; }
QUERN_HD constexpr int64_t millennium_of(int64_t year) { return year > 0 ? (year - 1) / 1000 + 1 : year / 1000 - 1; }

// Same day `months` later, at most the last day of that month.
QUERN_HD constexpr int64_t add_months(int64_t days, int64_t months) {
  const Civil from = civil_of_days(days);
  const int64_t month_index = from.year * 12 + (from.month - 1) + months;
  const int64_t year = floor_div(month_index, 12);
  const int32_t month = static_cast<int32_t>(floor_mod(month_index, 12)) + 1;
  const int32_t last = month_days(year, month);
  return days_of_civil(year, month, from.day < last ? from.day : last);
}

enum class DatePart : uint8_t {
  era,
  millennium,
  century,
  decade,
  year,
  quarter,
  month,
  day,
  week,
  isoyear,
  yearweek,
  dow,
  isodow,
  doy,
  hour,
  minute,
  second,
  millisecond,
  microsecond,
  nanosecond,
  epoch
};

// Part of a calendar day; parts below the day are 0.
QUERN_HD constexpr int64_t part_of_days(DatePart part, int64_t days) {
  switch (part) {
    case DatePart::era:
      return civil_of_days(days).year > 0 ? 1 : 0;
    case DatePart::millennium:
      return millennium_of(civil_of_days(days).year);
    case DatePart::century:
      return century_of(civil_of_days(days).year);
    case DatePart::decade:
      return civil_of_days(days).year / 10;
    case DatePart::year:
      return civil_of_days(days).year;
    case DatePart::quarter:
      return (civil_of_days(days).month - 1) / 3 + 1;
    case DatePart::month:
      return civil_of_days(days).month;
    case DatePart::day:
      return civil_of_days(days).day;
    case DatePart::week:
      return iso_week(days);
    case DatePart::isoyear:
      return iso_year(days);
    case DatePart::yearweek: {
      const int64_t year = iso_year(days);
      return year * 100 + (year >= 0 ? iso_week(days) : -iso_week(days));
    }
    case DatePart::dow:
      return iso_weekday(days) % 7;
    case DatePart::isodow:
      return iso_weekday(days);
    case DatePart::doy:
      return days - days_of_civil(civil_of_days(days).year, 1, 1) + 1;
    case DatePart::epoch:
      return days * day_seconds;
    default:
      return 0;
  }
}

// Part of a time of day counted in `second_units` a second; calendar parts are 0. Milliseconds and finer include the
// seconds.
QUERN_HD constexpr int64_t part_of_time(DatePart part, int64_t time, int64_t second_units) {
  switch (part) {
    case DatePart::hour:
      return time / (3600 * second_units);
    case DatePart::minute:
      return time / (60 * second_units) % 60;
    case DatePart::second:
      return time / second_units % 60;
    case DatePart::millisecond: {
      const int64_t rest = time % (60 * second_units);
      return second_units >= 1000 ? rest / (second_units / 1000) : rest * (1000 / second_units);
    }
    case DatePart::microsecond: {
      const int64_t rest = time % (60 * second_units);
      return second_units >= 1000000 ? rest / (second_units / 1000000) : rest * (1000000 / second_units);
    }
    case DatePart::nanosecond:
      return time % (60 * second_units) * (1000000000 / second_units);
    case DatePart::epoch:
      return time / second_units;
    default:
      return 0;
  }
}

QUERN_HD constexpr bool below_day(DatePart part) { return part >= DatePart::hour && part <= DatePart::nanosecond; }

// First day of the part that holds this day.
QUERN_HD constexpr int64_t trunc_days(DatePart part, int64_t days) {
  switch (part) {
    case DatePart::millennium:
      return days_of_civil(civil_of_days(days).year / 1000 * 1000, 1, 1);
    case DatePart::century:
      return days_of_civil(civil_of_days(days).year / 100 * 100, 1, 1);
    case DatePart::decade:
      return days_of_civil(civil_of_days(days).year / 10 * 10, 1, 1);
    case DatePart::year:
      return days_of_civil(civil_of_days(days).year, 1, 1);
    case DatePart::quarter: {
      const Civil c = civil_of_days(days);
      return days_of_civil(c.year, (c.month - 1) / 3 * 3 + 1, 1);
    }
    case DatePart::month: {
      const Civil c = civil_of_days(days);
      return days - (c.day - 1);
    }
    case DatePart::week:
    case DatePart::yearweek:
      return monday_of(days);
    case DatePart::isoyear:
      return monday_of(days_of_civil(iso_year(days), 1, 4));
    default:
      return days;
  }
}

// Units of a part below the day, and of the day, for `second_units` a second; 0 where the part is finer than the unit.
QUERN_HD constexpr int64_t part_units(DatePart part, int64_t second_units) {
  switch (part) {
    case DatePart::hour:
      return 3600 * second_units;
    case DatePart::minute:
      return 60 * second_units;
    case DatePart::second:
      return second_units;
    case DatePart::millisecond:
      return second_units / 1000;
    case DatePart::microsecond:
      return second_units / 1000000;
    case DatePart::nanosecond:
      return second_units / 1000000000;
    default:
      return day_seconds * second_units;
  }
}

// False when the first moment lies outside the range of timestamps.
QUERN_HD constexpr bool trunc_timestamp(DatePart part, int64_t v, int64_t second_units, int64_t& out) {
  const int64_t units = part_units(part, second_units);
  if (below_day(part)) {
    out = units <= 1 ? v : v - floor_mod(v, units);
    return true;
  }
  const int128_t first = static_cast<int128_t>(trunc_days(part, floor_div(v, units))) * units;
  out = static_cast<int64_t>(first);
  return first == out;
}

}  // namespace quern::ops
