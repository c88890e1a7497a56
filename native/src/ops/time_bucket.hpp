// Buckets of one width along the line of time. False = out of range, or no width above 0.
#pragma once
#include "ops/interval.hpp"

namespace quern::ops {

// Days from which buckets are counted unless said: 2000-01-03, a Monday, and for months 2000-01-01.
constexpr int64_t bucket_origin_day = 10959;
constexpr int64_t month_bucket_origin_day = 10957;

// Start of the bucket that holds v; width, origin and v in one unit.
QUERN_HD inline bool bucket_start(int64_t v, int64_t width, int64_t origin, int64_t& out) {
  if (width <= 0) return false;
  const int128_t distance = static_cast<int128_t>(v) - origin;
  const int128_t rest = distance % width;
  const int128_t start = v - (rest < 0 ? rest + width : rest);
  out = static_cast<int64_t>(start);
  return start == out;
}

QUERN_HD inline int64_t month_number(int64_t days) {
  const Civil c = civil_of_days(days);
  return c.year * 12 + (c.month - 1);
}

// First day of the bucket of `months` months, counted from the month of day `origin`.
QUERN_HD inline bool month_bucket_start(int64_t days, int32_t months, int64_t origin, int64_t& out) {
  if (months <= 0) return false;
  const int64_t base = month_number(origin);
  const int64_t month = base + floor_div(month_number(days) - base, months) * months;
  out = days_of_civil(floor_div(month, 12), static_cast<int32_t>(floor_mod(month, 12)) + 1, 1);
  return true;
}

}  // namespace quern::ops
