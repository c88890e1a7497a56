#include "ops/integer.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "ops/cast.hpp"
#include "ops/decimal.hpp"

namespace quern::ops {
namespace {

template <typename T>
std::vector<T> samples() {
  std::vector<T> out;
  for (const T base : {min_of<T>(), max_of<T>(), T(0), T(max_of<T>() / 2), T(min_of<T>() / 2)}) {
    for (int d = -3; d <= 3; ++d)
      out.push_back(static_cast<T>(static_cast<Unsigned<T>>(base) + static_cast<Unsigned<T>>(d)));
  }
  std::mt19937_64 random(7);
  for (int i = 0; i < 60; ++i) {
    const auto wide = static_cast<Unsigned<T>>((static_cast<uint128_t>(random()) << 64 | random()) >> (random() % 128));
    out.push_back(static_cast<T>(wide));
    out.push_back(static_cast<T>(Unsigned<T>(0) - wide));
  }
  return out;
}

// The compiler's own checked arithmetic is the oracle.
template <typename T>
void check_arithmetic() {
  for (const T a : samples<T>()) {
    for (const T b : samples<T>()) {
      T out, wanted;
      ASSERT_EQ(add(a, b, out), !__builtin_add_overflow(a, b, &wanted));
      ASSERT_TRUE(out == wanted);
      ASSERT_EQ(subtract(a, b, out), !__builtin_sub_overflow(a, b, &wanted));
      ASSERT_TRUE(out == wanted);
      ASSERT_EQ(multiply(a, b, out), !__builtin_mul_overflow(a, b, &wanted));
      ASSERT_TRUE(out == wanted);
      if constexpr (is_signed<T>()) {
        ASSERT_EQ(add_flag(a, b, out) >= 0, add(a, b, wanted));
        ASSERT_EQ(subtract_flag(a, b, out) >= 0, subtract(a, b, wanted));
      }
      if (b != 0) {
        const bool overflows = is_signed<T>() && a == min_of<T>() && b == static_cast<T>(-1);
        ASSERT_EQ(divide(a, b, out), !overflows);
        if (!overflows) {
          ASSERT_TRUE(out == static_cast<T>(a / b));
          ASSERT_TRUE(remainder(a, b) == static_cast<T>(a % b));
        }
      }
    }
  }
}

TEST(Integer, CheckedArithmetic) {
  check_arithmetic<int8_t>();
  check_arithmetic<int16_t>();
  check_arithmetic<int32_t>();
  check_arithmetic<int64_t>();
  check_arithmetic<int128_t>();
  check_arithmetic<uint8_t>();
  check_arithmetic<uint16_t>();
  check_arithmetic<uint32_t>();
  check_arithmetic<uint64_t>();
}

template <typename To, typename From>
void check_conversion() {
  for (const From v : samples<From>()) {
    To out;
    const auto wide = static_cast<int128_t>(v);
    const bool fits = wide >= static_cast<int128_t>(min_of<To>()) && wide <= static_cast<int128_t>(max_of<To>());
    ASSERT_EQ((integer_to_integer<To, From>(v, out)), fits);
    ASSERT_TRUE(!fits || static_cast<int128_t>(out) == wide);
  }
}

template <typename From>
void check_conversions() {
  check_conversion<int8_t, From>();
  check_conversion<int16_t, From>();
  check_conversion<int32_t, From>();
  check_conversion<int64_t, From>();
  check_conversion<uint8_t, From>();
  check_conversion<uint16_t, From>();
  check_conversion<uint32_t, From>();
  check_conversion<uint64_t, From>();
}

TEST(Integer, Conversions) {
  check_conversions<int8_t>();
  check_conversions<int16_t>();
  check_conversions<int32_t>();
  check_conversions<int64_t>();
  check_conversions<uint8_t>();
  check_conversions<uint16_t>();
  check_conversions<uint32_t>();
  check_conversions<uint64_t>();
}

TEST(Integer, GreatestDivisorsAtTheEdge) {
  int64_t out;
  EXPECT_FALSE(gcd(min_of<int64_t>(), 0, out));
  EXPECT_FALSE(lcm(max_of<int64_t>(), max_of<int64_t>() - 1, out));
  EXPECT_TRUE(gcd(min_of<int64_t>(), 6, out));
  EXPECT_EQ(out, 2);
}

TEST(Decimal, HalvesGoAwayFromZero) {
  EXPECT_EQ(divide_half_away<int64_t>(25, 10), 3);
  EXPECT_EQ(divide_half_away<int64_t>(-25, 10), -3);
  EXPECT_EQ(divide_half_away<int64_t>(24, 10), 2);
  EXPECT_EQ(divide_floor<int64_t>(-1, 10), -1);
  EXPECT_EQ(divide_ceil<int64_t>(1, 10), 1);
  EXPECT_EQ(divide_ceil<int64_t>(-9, 10), 0);
}

TEST(Decimal, ScalingStopsAtTheLimit) {
  int128_t out;
  EXPECT_TRUE(scale_up(99, 100, power_of_ten(4), out));
  EXPECT_FALSE(scale_up(100, 100, power_of_ten(4), out));
  EXPECT_FALSE(scale_up(max_of<int128_t>(), 10, power_of_ten(38), out));
}

// Every binary16 number, and every binary32 number near the midpoints between two of them.
TEST(Half, RoundTripsAndRoundsToEven) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const float value = half_to_float(half);
    const bool nan = (bits & 0x7c00) == 0x7c00 && (bits & 0x3ff) != 0;
    ASSERT_EQ(value != value, nan);
    if (nan) {
      ASSERT_EQ(float_to_half(value) & 0x7c00, 0x7c00);
      ASSERT_NE(float_to_half(value) & 0x3ff, 0);
      continue;
    }
    ASSERT_EQ(float_to_half(value), half);
    if ((bits & 0x7fff) >= 0x7bff) continue;
    const float middle =
        static_cast<float>((static_cast<double>(value) + half_to_float(static_cast<uint16_t>(half + 1))) / 2);
    const auto even = static_cast<uint16_t>(half & 1 ? half + 1 : half);
    ASSERT_EQ(float_to_half(middle), even) << bits;
    ASSERT_EQ(float_to_half(float_from_bits(bits_of_float(middle) + 1)), half + 1) << bits;
    ASSERT_EQ(float_to_half(float_from_bits(bits_of_float(middle) - 1)), half) << bits;
  }
  EXPECT_EQ(float_to_half(65519.996f), 0x7bff);
  EXPECT_EQ(float_to_half(65520.0f), 0x7c00);
}

TEST(Half, BfloatRoundsToEven) {
  EXPECT_EQ(float_to_bfloat(float_from_bits(0x3f808000)), 0x3f80);
  EXPECT_EQ(float_to_bfloat(float_from_bits(0x3f818000)), 0x3f82);
  EXPECT_EQ(float_to_bfloat(float_from_bits(0x3f808001)), 0x3f81);
  EXPECT_EQ(float_to_bfloat(float_from_bits(0x7f7fffff)), 0x7f80);
  EXPECT_NE(float_to_bfloat(float_from_bits(0x7f800001)) & 0x7f, 0);
}

TEST(Real, FloatsToIntegersAtTheEdge) {
  int32_t narrow;
  int64_t wide;
  uint8_t byte;
  EXPECT_TRUE(real_to_integer(2147483647.4, narrow));
  EXPECT_FALSE(real_to_integer(2147483647.5, narrow));
  EXPECT_TRUE(real_to_integer(-2147483648.5, narrow));
  EXPECT_FALSE(real_to_integer(9223372036854775808.0, wide));
  EXPECT_TRUE(real_to_integer(-9223372036854775808.0, wide));
  EXPECT_FALSE(real_to_integer(-0.5, byte));
  EXPECT_FALSE(real_to_integer(std::numeric_limits<double>::quiet_NaN(), narrow));
  EXPECT_TRUE(real_to_integer(2.5f, narrow));
  EXPECT_EQ(narrow, 2);
}

}  // namespace
}  // namespace quern::ops
