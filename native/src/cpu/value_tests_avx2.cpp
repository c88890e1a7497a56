// Built with AVX2: eight int32 or four int64 a register.
#if defined(__x86_64__)
#include <immintrin.h>

#include "cpu/value_tests.hpp"

namespace quern::cpu {

namespace {

struct Avx2 {
  template <typename Test>
  static uint64_t word(const int32_t* values, Test&& test) {
    uint64_t out = 0;
    for (int i = 0; i < 8; ++i) {
      const __m256i eight = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values + 8 * i));
      const int bits = _mm256_movemask_ps(_mm256_castsi256_ps(test(eight)));
      out |= static_cast<uint64_t>(static_cast<uint32_t>(bits)) << (8 * i);
    }
    return out;
  }
  template <typename Test>
  static uint64_t word(const int64_t* values, Test&& test) {
    uint64_t out = 0;
    for (int i = 0; i < 16; ++i) {
      const __m256i four = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values + 4 * i));
      const int bits = _mm256_movemask_pd(_mm256_castsi256_pd(test(four)));
      out |= static_cast<uint64_t>(static_cast<uint32_t>(bits)) << (4 * i);
    }
    return out;
  }
  static uint64_t equal(const int32_t* values, int32_t operand) {
    const __m256i all = _mm256_set1_epi32(operand);
    return word(values, [all](__m256i v) { return _mm256_cmpeq_epi32(v, all); });
  }
  static uint64_t less(const int32_t* values, int32_t operand) {
    const __m256i all = _mm256_set1_epi32(operand);
    return word(values, [all](__m256i v) { return _mm256_cmpgt_epi32(all, v); });
  }
  static uint64_t greater(const int32_t* values, int32_t operand) {
    const __m256i all = _mm256_set1_epi32(operand);
    return word(values, [all](__m256i v) { return _mm256_cmpgt_epi32(v, all); });
  }
  static uint64_t equal(const int64_t* values, int64_t operand) {
    const __m256i all = _mm256_set1_epi64x(operand);
    return word(values, [all](__m256i v) { return _mm256_cmpeq_epi64(v, all); });
  }
  static uint64_t less(const int64_t* values, int64_t operand) {
    const __m256i all = _mm256_set1_epi64x(operand);
    return word(values, [all](__m256i v) { return _mm256_cmpgt_epi64(all, v); });
  }
  static uint64_t greater(const int64_t* values, int64_t operand) {
    const __m256i all = _mm256_set1_epi64x(operand);
    return word(values, [all](__m256i v) { return _mm256_cmpgt_epi64(v, all); });
  }
};

#include "cpu/value_test_loops.hpp"

}  // namespace

int64_t select_values_avx2(const ValueTest* tests, int64_t count, int64_t start, int64_t end, uint32_t* passing) {
  return ValueTestLoops<Avx2>::select(tests, count, start, end, passing);
}

}  // namespace quern::cpu
#endif
