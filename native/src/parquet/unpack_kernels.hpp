// Kernels that unpack whole groups of 32 bit-packed values, one table a SIMD level (unpack_scalar.cpp,
// unpack_avx2.cpp). Only plain pointers here: files built with wider instructions must not define inline functions that
// others share.
#pragma once
#include <cstdint>

namespace quern::parquet {

// Bytes past the last group that a kernel may read (and ignore).
constexpr int64_t unpack_slack = 16;

template <typename T>
using UnpackGroups = void (*)(const uint8_t* in, T* out, int64_t groups);

// Indexed by bit width. A group of 32 values takes 4 * width bytes.
struct UnpackKernels {
  UnpackGroups<uint8_t> to_u8[9];
  UnpackGroups<uint32_t> to_u32[33];
  UnpackGroups<uint64_t> to_u64[65];
};

extern const UnpackKernels scalar_unpack_kernels;
extern const UnpackKernels avx2_unpack_kernels;

}  // namespace quern::parquet
