// Built with AVX-512: sixteen int32 or eight int64 a register.
#if defined(__x86_64__)
// GCC 12 takes the undefined upper halves inside its own intrinsics for mistakes.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>

#include "cpu/value_tests.hpp"

namespace quern::cpu {

namespace {

struct Avx512 {
  template <int predicate>
  static uint64_t word(const int32_t* values, int32_t operand) {
    const __m512i all = _mm512_set1_epi32(operand);
    uint64_t out = 0;
    for (int i = 0; i < 4; ++i) {
      const uint64_t bits = _mm512_cmp_epi32_mask(_mm512_loadu_si512(values + 16 * i), all, predicate);
      out |= bits << (16 * i);
    }
    return out;
  }
  template <int predicate>
  static uint64_t word(const int64_t* values, int64_t operand) {
    const __m512i all = _mm512_set1_epi64(operand);
    uint64_t out = 0;
    for (int i = 0; i < 8; ++i) {
      const uint64_t bits = _mm512_cmp_epi64_mask(_mm512_loadu_si512(values + 8 * i), all, predicate);
      out |= bits << (8 * i);
    }
    return out;
  }
  template <typename T>
  static uint64_t equal(const T* values, T operand) {
    return word<_MM_CMPINT_EQ>(values, operand);
  }
  template <typename T>
  static uint64_t less(const T* values, T operand) {
    return word<_MM_CMPINT_LT>(values, operand);
  }
  template <typename T>
  static uint64_t greater(const T* values, T operand) {
    return word<_MM_CMPINT_NLE>(values, operand);
  }
};

#include "cpu/value_test_loops.hpp"

}  // namespace

int64_t select_values_avx512(const ValueTest* tests, int64_t count, int64_t start, int64_t end, uint32_t* passing) {
  return ValueTestLoops<Avx512>::select(tests, count, start, end, passing);
}

}  // namespace quern::cpu
#endif
