// Tests of many stored values against one operand: one loop a SIMD level (value_tests.cpp, _avx2.cpp, _avx512.cpp), all
// with the same result. Only plain pointers here: files built with wider instructions must not define inline functions
// that others share.
#pragma once
#include <cstdint>

namespace quern::cpu {

// value op operand
enum class TestOp : uint8_t { equal, unequal, less, less_or_equal, greater, greater_or_equal };

// Loops read whole words of so many values: arrays must be readable so far past their end.
constexpr int64_t values_per_word = 64;

struct ValueTest {
  const void* values = nullptr;     // int32_t, or int64_t where `wide`
  const uint64_t* valid = nullptr;  // bit i: value i is not NULL (and so may pass); nullptr: none is
  int64_t operand = 0;
  bool wide = false;
  TestOp op = TestOp::equal;
};

// Writes the numbers in [start, end) of the values that pass every test, ascending; returns how many. `passing` has
// room for end - start.
using SelectValues = int64_t (*)(const ValueTest* tests, int64_t count, int64_t start, int64_t end, uint32_t* passing);

int64_t select_values_scalar(const ValueTest* tests, int64_t count, int64_t start, int64_t end, uint32_t* passing);
#if defined(__x86_64__)
int64_t select_values_avx2(const ValueTest* tests, int64_t count, int64_t start, int64_t end, uint32_t* passing);
int64_t select_values_avx512(const ValueTest* tests, int64_t count, int64_t start, int64_t end, uint32_t* passing);
#endif

// Of this processor (common/simd.hpp).
SelectValues select_values();

}  // namespace quern::cpu
