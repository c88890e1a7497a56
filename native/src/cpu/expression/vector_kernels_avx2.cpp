// Built with AVX2, FMA and F16C: four doubles a register.
#if defined(__x86_64__)
// GCC 12 takes the undefined upper halves inside its own intrinsics for mistakes.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>

#include "cpu/expression/vector_kernels.hpp"

namespace quern::cpu {

namespace {

struct Avx2 {
  using Register = __m256d;
  static constexpr int width = 4;
  static Register zero() { return _mm256_setzero_pd(); }
  template <VectorElement E>
  static Register load(const char* p) {
    if constexpr (E == VectorElement::half) {
      return _mm256_cvtps_pd(_mm_cvtph_ps(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
    } else if constexpr (E == VectorElement::brain) {
      const __m128i words = _mm_cvtepu16_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
      return _mm256_cvtps_pd(_mm_castsi128_ps(_mm_slli_epi32(words, 16)));
    } else if constexpr (E == VectorElement::single) {
      return _mm256_cvtps_pd(_mm_loadu_ps(reinterpret_cast<const float*>(p)));
    } else {
      return _mm256_loadu_pd(reinterpret_cast<const double*>(p));
    }
  }
  static Register add(Register a, Register b) { return _mm256_add_pd(a, b); }
  static Register subtract(Register a, Register b) { return _mm256_sub_pd(a, b); }
  static Register fma(Register a, Register b, Register c) { return _mm256_fmadd_pd(a, b, c); }
  static Register absolute(Register v) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), v); }
  static double total(Register v) {
    const __m128d pair = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
    return _mm_cvtsd_f64(_mm_add_sd(pair, _mm_unpackhi_pd(pair, pair)));
  }
};

#include "cpu/expression/vector_loops.hpp"

}  // namespace

const VectorKernels avx2_vector_kernels = VectorLoops<Avx2>::kernels();

}  // namespace quern::cpu
#endif
