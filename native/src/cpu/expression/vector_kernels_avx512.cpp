// Built with AVX-512: eight doubles a register.
#if defined(__x86_64__)
// GCC 12 takes the undefined upper halves inside its own intrinsics for mistakes.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>

#include "cpu/expression/vector_kernels.hpp"

namespace quern::cpu {

namespace {

struct Avx512 {
  using Register = __m512d;
  static constexpr int width = 8;
  static Register zero() { return _mm512_setzero_pd(); }
  template <VectorElement E>
  static Register load(const char* p) {
    if constexpr (E == VectorElement::half) {
      return _mm512_cvtps_pd(_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
    } else if constexpr (E == VectorElement::brain) {
      const __m256i words = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
      return _mm512_cvtps_pd(_mm256_castsi256_ps(_mm256_slli_epi32(words, 16)));
    } else if constexpr (E == VectorElement::single) {
      return _mm512_cvtps_pd(_mm256_loadu_ps(reinterpret_cast<const float*>(p)));
    } else {
      return _mm512_loadu_pd(reinterpret_cast<const double*>(p));
    }
  }
  static Register add(Register a, Register b) { return _mm512_add_pd(a, b); }
  static Register subtract(Register a, Register b) { return _mm512_sub_pd(a, b); }
  static Register fma(Register a, Register b, Register c) { return _mm512_fmadd_pd(a, b, c); }
  static Register absolute(Register v) { return _mm512_abs_pd(v); }
  static double total(Register v) {
    const __m256d four = _mm256_add_pd(_mm512_castpd512_pd256(v), _mm512_extractf64x4_pd(v, 1));
    const __m128d pair = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
    return _mm_cvtsd_f64(_mm_add_sd(pair, _mm_unpackhi_pd(pair, pair)));
  }
};

#include "cpu/expression/vector_loops.hpp"

}  // namespace

const VectorKernels avx512_vector_kernels = VectorLoops<Avx512>::kernels();

}  // namespace quern::cpu
#endif
