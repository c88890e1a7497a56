// Which SIMD kernels to call. Kernels of one level live in files of their own (`*_avx2.cpp`, built with that level's
// flags) behind tables of functions; every level gives the same bytes.
#pragma once
#include <cstdint>

namespace quern {

enum class SimdLevel : uint8_t { scalar, avx2, avx512 };

// The highest level of this processor, or what QUERN_SIMD=scalar|avx2|avx512 lowers it to. Read once.
SimdLevel simd_level();

}  // namespace quern
