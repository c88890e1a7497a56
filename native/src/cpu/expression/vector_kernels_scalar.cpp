// One double a register; also chooses the table.
#include "common/simd.hpp"
#include "cpu/expression/vector_kernels.hpp"
#include "ops/list_vector.hpp"

namespace quern::cpu {

namespace {

struct Scalar {
  using Register = double;
  static constexpr int width = 1;
  static Register zero() { return 0; }
  template <typename T>
  static double widened(const char* p) {
    T value;
    __builtin_memcpy(&value, p, sizeof value);
    return ops::to_double(value);
  }
  template <VectorElement E>
  static Register load(const char* p) {
    if constexpr (E == VectorElement::half)
      return widened<ops::Half>(p);
    else if constexpr (E == VectorElement::brain)
      return widened<ops::BrainFloat>(p);
    else if constexpr (E == VectorElement::single)
      return widened<float>(p);
    else
      return widened<double>(p);
  }
  static Register add(Register a, Register b) { return a + b; }
  static Register subtract(Register a, Register b) { return a - b; }
  static Register fma(Register a, Register b, Register c) { return ops::multiply_add(a, b, c); }
  static Register absolute(Register v) { return __builtin_fabs(v); }
  static double total(Register v) { return v; }
};

#include "cpu/expression/vector_loops.hpp"

}  // namespace

const VectorKernels scalar_vector_kernels = VectorLoops<Scalar>::kernels();

const VectorKernels& vector_kernels() {
#if defined(__x86_64__)
  if (simd_level() == SimdLevel::avx512) return avx512_vector_kernels;
  if (simd_level() == SimdLevel::avx2) return avx2_vector_kernels;
#endif
  return scalar_vector_kernels;
}

}  // namespace quern::cpu
