#include "ops/calendar.hpp"

#include <gtest/gtest.h>

#include "ops/compare.hpp"
#include "ops/interval.hpp"

namespace quern::ops {
namespace {

// The next day by the rules of the calendar alone.
Civil next(Civil c) {
  const bool leap = c.year % 4 == 0 && (c.year % 100 != 0 || c.year % 400 == 0);
  const int lengths[] = {31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (++c.day > lengths[c.month - 1]) {
    c.day = 1;
    if (++c.month > 12) {
      c.month = 1;
      ++c.year;
    }
  }
  return c;
}

void expect_days(int64_t first, int64_t count) {
  Civil expected = civil_of_days(first);
  for (int64_t days = first; days < first + count; ++days) {
    const Civil c = civil_of_days(days);
    ASSERT_EQ(c.year, expected.year) << days;
    ASSERT_EQ(c.month, expected.month) << days;
    ASSERT_EQ(c.day, expected.day) << days;
    ASSERT_EQ(days_of_civil(c.year, c.month, c.day), days);
    expected = next(expected);
  }
}

TEST(Calendar, DaysOfTwelveHundredYears) {
  const Civil epoch = civil_of_days(0);
  EXPECT_EQ(epoch.year, 1970);
  EXPECT_EQ(epoch.month, 1);
  EXPECT_EQ(epoch.day, 1);
  expect_days(-290000, 440000);
  expect_days(-1000000, 300000);
}

// Both forms of the arithmetic, and where they meet.
TEST(Calendar, FarYears) {
  for (const int64_t first : {-2147483647LL, -536895458LL - 500, 536846366LL - 500 - 719468, 2147483646LL - 2000})
    expect_days(first, 1500);
}

TEST(Calendar, WeeksBelongToTheYearOfTheirThursday) {
  EXPECT_EQ(iso_year(days_of_civil(2021, 1, 3)), 2020);
  EXPECT_EQ(iso_week(days_of_civil(2021, 1, 3)), 53);
  EXPECT_EQ(iso_week(days_of_civil(2021, 1, 4)), 1);
  EXPECT_EQ(iso_year(days_of_civil(2024, 12, 30)), 2025);
  for (int64_t days = -100000; days < 100000; ++days) {
    ASSERT_EQ(iso_week(days), iso_week(monday_of(days)));
    ASSERT_GE(iso_week(days), 1);
    ASSERT_LE(iso_week(days), 53);
  }
}

TEST(Calendar, MonthsClampToTheLastDay) {
  EXPECT_EQ(add_months(days_of_civil(2020, 1, 31), 1), days_of_civil(2020, 2, 29));
  EXPECT_EQ(add_months(days_of_civil(2020, 2, 29), 12), days_of_civil(2021, 2, 28));
  EXPECT_EQ(add_months(days_of_civil(2020, 3, 31), -13), days_of_civil(2019, 2, 28));
}

TEST(Interval, ComparesByThirtyDayMonths) {
  const auto same = [](Interval a, Interval b) { return equal(a, b) && !less(a, b) && !less(b, a); };
  EXPECT_TRUE(same({1, 0, 0}, {0, 30, 0}));
  EXPECT_TRUE(same({0, 1, 0}, {0, 0, day_micros}));
  EXPECT_TRUE(less(Interval{0, 29, 0}, Interval{1, 0, 0}));
}

TEST(Interval, RangeIsChecked) {
  Interval out;
  EXPECT_FALSE(add(Interval{2147483647, 0, 0}, Interval{1, 0, 0}, out));
  EXPECT_FALSE(multiply(Interval{0, 1, 0}, int64_t{2147483648}, out));
  EXPECT_FALSE(multiply(Interval{1, 0, 0}, 1e300, out));
  int64_t moment;
  EXPECT_FALSE(add_to_timestamp(infinite_timestamp - 1, {0, 1, 0}, 1000000, moment));
  EXPECT_TRUE(add_to_timestamp(infinite_timestamp, {0, 1, 0}, 1000000, moment));
}

}  // namespace
}  // namespace quern::ops
