// A value at a time; also chooses the loop.
#include "cpu/value_tests.hpp"

#include "common/simd.hpp"

namespace quern::cpu {

namespace {

struct Scalar {
  template <typename T, typename Test>
  static uint64_t word(const T* values, Test&& test) {
    uint64_t out = 0;
    for (int i = 0; i < values_per_word; ++i) out |= static_cast<uint64_t>(test(values[i])) << i;
    return out;
  }
  template <typename T>
  static uint64_t equal(const T* values, T operand) {
    return word(values, [operand](T value) { return value == operand; });
  }
  template <typename T>
  static uint64_t less(const T* values, T operand) {
    return word(values, [operand](T value) { return value < operand; });
  }
  template <typename T>
  static uint64_t greater(const T* values, T operand) {
    return word(values, [operand](T value) { return value > operand; });
  }
};

#include "cpu/value_test_loops.hpp"

}  // namespace

int64_t select_values_scalar(const ValueTest* tests, int64_t count, int64_t start, int64_t end, uint32_t* passing) {
  return ValueTestLoops<Scalar>::select(tests, count, start, end, passing);
}

SelectValues select_values() {
#if defined(__x86_64__)
  if (simd_level() == SimdLevel::avx512) return select_values_avx512;
  if (simd_level() == SimdLevel::avx2) return select_values_avx2;
#endif
  return select_values_scalar;
}

}  // namespace quern::cpu
