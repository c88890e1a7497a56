#include "cpu/value_tests.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "columnar/column.hpp"
#include "common/simd.hpp"
#include "context/memory.hpp"
#include "cpu/order_value.hpp"
#include "ops/compare.hpp"

namespace quern::cpu {
namespace {

bool compare(TestOp op, int64_t value, int64_t operand) {
  switch (op) {
    case TestOp::equal:
      return value == operand;
    case TestOp::unequal:
      return value != operand;
    case TestOp::less:
      return value < operand;
    case TestOp::less_or_equal:
      return value <= operand;
    case TestOp::greater:
      return value > operand;
    case TestOp::greater_or_equal:
      return value >= operand;
  }
  return false;
}

std::vector<SelectValues> loops() {
  std::vector<SelectValues> out = {select_values_scalar};
#if defined(__x86_64__)
  if (simd_level() >= SimdLevel::avx2) out.push_back(select_values_avx2);
  if (simd_level() >= SimdLevel::avx512) out.push_back(select_values_avx512);
#endif
  return out;
}

template <typename T>
void check(bool wide) {
  constexpr int64_t rows = 400;
  std::mt19937_64 random(3);
  std::vector<T> values(rows + values_per_word);
  std::vector<uint64_t> valid(rows / 64 + 2);
  constexpr T edges[] = {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), 0, -1, 1};
  for (auto& value : values) value = random() % 4 == 0 ? edges[random() % 5] : static_cast<T>(random() % 5);
  for (auto& word : valid) word = random();
  for (const auto op : {TestOp::equal, TestOp::unequal, TestOp::less, TestOp::less_or_equal, TestOp::greater,
                        TestOp::greater_or_equal}) {
    for (const int64_t operand : {int64_t{2}, static_cast<int64_t>(edges[0]), static_cast<int64_t>(edges[1])}) {
      for (const int64_t start : {0, 1, 63, 64, 70}) {
        for (const int64_t count : {0, 1, 31, 63, 64, 65, 200, 300}) {
          ValueTest first, second;
          first.values = second.values = values.data();
          first.wide = second.wide = wide;
          first.op = op;
          first.operand = operand;
          first.valid = valid.data();
          second.op = TestOp::unequal;
          second.operand = 1;
          std::vector<uint32_t> expected;
          for (int64_t i = start; i < start + count; ++i) {
            const auto at = static_cast<size_t>(i);
            if (compare(op, values[at], operand) && bit_at(valid.data(), i) && values[at] != 1)
              expected.push_back(static_cast<uint32_t>(i));
          }
          const ValueTest tests[] = {first, second};
          for (const auto loop : loops()) {
            std::vector<uint32_t> passing(static_cast<size_t>(count));
            passing.resize(static_cast<size_t>(loop(tests, 2, start, start + count, passing.data())));
            EXPECT_EQ(passing, expected) << static_cast<int>(op) << " " << operand << " " << start << " " << count;
          }
        }
      }
    }
  }
}

TEST(ValueTests, EveryLoopEqualsOneValueAtATime) {
  check<int32_t>(false);
  check<int64_t>(true);
}

template <typename T, typename Out>
void check_order(TypeKind kind, const std::vector<T>& values) {
  Memory memory(1 << 20);
  ColumnBuilder builder(memory, make_type(kind), static_cast<int64_t>(values.size()));
  std::copy(values.begin(), values.end(), builder.data<T>());
  std::vector<Out> order(values.size());
  write_order_values(*builder.finish(), order.data());
  for (size_t a = 0; a < values.size(); ++a) {
    for (size_t b = 0; b < values.size(); ++b) {
      EXPECT_EQ(ops::less<T>(values[a], values[b]), order[a] < order[b]) << a << " " << b;
      EXPECT_EQ(ops::equal<T>(values[a], values[b]), order[a] == order[b]) << a << " " << b;
    }
  }
}

template <typename T>
std::vector<T> reals() {
  using Limits = std::numeric_limits<T>;
  return {0,
          -T{0},
          1,
          -1,
          T{1.5},
          T{-1.5},
          Limits::min(),
          -Limits::min(),
          Limits::denorm_min(),
          -Limits::denorm_min(),
          Limits::max(),
          Limits::lowest(),
          Limits::infinity(),
          -Limits::infinity(),
          Limits::quiet_NaN(),
          -Limits::quiet_NaN()};
}

TEST(OrderValue, OrdersAsTheValues) {
  check_order<float, int32_t>(TypeKind::float32, reals<float>());
  check_order<double, int64_t>(TypeKind::float64, reals<double>());
  check_order<uint32_t, int32_t>(TypeKind::uint32, {0, 1, 0x7fffffff, 0x80000000, 0xffffffff});
  check_order<uint64_t, int64_t>(TypeKind::uint64, {0, 1, 1ULL << 63, (1ULL << 63) - 1, ~0ULL});
  check_order<uint16_t, int32_t>(TypeKind::uint16, {0, 1, 0x8000, 0xffff});
  check_order<int8_t, int32_t>(TypeKind::int8, {0, 1, -1, -128, 127});
}

}  // namespace
}  // namespace quern::cpu
