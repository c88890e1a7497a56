// Means with the bits of long double, which x86-64 computes with 64 bits of precision.
#include "ops/extended.hpp"

#include <gtest/gtest.h>

#include <random>

namespace quern {
namespace {

double with_long_double(int128_t sum, int128_t power, int64_t count) {
  return static_cast<double>(static_cast<long double>(sum) / static_cast<long double>(static_cast<double>(power)) /
                             static_cast<long double>(count));
}

TEST(Extended, MeansAreThoseOfLongDouble) {
  static_assert(__LDBL_MANT_DIG__ == 64);
  std::mt19937_64 random(5);
  for (int i = 0; i < 400000; ++i) {
    const int drop = static_cast<int>(random() % 126);
    auto sum = static_cast<int128_t>((static_cast<uint128_t>(random()) << 64) | random()) >> drop;
    if (i % 7 == 0) sum = static_cast<int128_t>(1) << (drop + 1);  // halves and their neighbours
    if (i % 11 == 0) sum = (static_cast<int128_t>(1) << drop) - 1;
    const int64_t count = static_cast<int64_t>(random() >> 1 >> random() % 62) + 1;
    int128_t power = 1;
    for (uint64_t digits = random() % 39; digits > 0; --digits) power *= 10;
    ASSERT_EQ(ops::exact_mean(sum, power, count), with_long_double(sum, power, count)) << i;
    ASSERT_EQ(ops::exact_mean(-sum, power, count), with_long_double(-sum, power, count)) << i;
  }
  EXPECT_EQ(ops::exact_mean(0, 1, 3), 0.0);
}

}  // namespace
}  // namespace quern
