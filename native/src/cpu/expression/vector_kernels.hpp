// Sums over one or two vectors, one table a SIMD level (vector_kernels_scalar.cpp, _avx2.cpp, _avx512.cpp); all give
// the bits of ops/list_vector.hpp, NaNs apart. Only plain pointers here: files built with wider instructions must not
// define inline functions that others share.
#pragma once
#include <cstdint>

namespace quern::cpu {

// How elements are stored; other types are widened to `real` before they come here.
enum class VectorElement : uint8_t { half, brain, single, real };
constexpr int vector_elements = 4;

// Sums of `length` elements. `sums` takes 1, for `cosine` 3 (product, squares of a, squares of b), for `score` 2.
using VectorSums = void (*)(const void* a, const void* b, int64_t length, double* sums);

// Indexed by the element of a; the second index is 0 when b is stored as a is, 1 when b is `real`.
struct VectorKernels {
  VectorSums squares[vector_elements][2];     // Σ (a − b)²
  VectorSums magnitudes[vector_elements][2];  // Σ |a − b|
  VectorSums products[vector_elements][2];    // Σ a·b
  VectorSums cosine[vector_elements][2];      // Σ a·b, Σ a², Σ b²
  VectorSums score[vector_elements];          // b is `real`: Σ a·b, Σ a²
  VectorSums norm[vector_elements];           // b is not read: Σ a²
};

extern const VectorKernels scalar_vector_kernels;
#if defined(__x86_64__)
extern const VectorKernels avx2_vector_kernels;
extern const VectorKernels avx512_vector_kernels;
#endif

// Of this processor (common/simd.hpp).
const VectorKernels& vector_kernels();

}  // namespace quern::cpu
