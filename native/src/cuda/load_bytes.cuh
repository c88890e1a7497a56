// Reads at any byte of padded memory, in aligned 32-bit words.
#pragma once
#include <cstdint>

namespace quern::cuda {

__device__ inline uint32_t load_32(const uint8_t* bytes, int64_t at) {
  const auto address = reinterpret_cast<uintptr_t>(bytes + at);
  const auto* words = reinterpret_cast<const uint32_t*>(address & ~static_cast<uintptr_t>(3));
  const int shift = static_cast<int>(address & 3) * 8;
  return shift == 0 ? words[0] : __funnelshift_r(words[0], words[1], shift);
}

__device__ inline uint64_t load_64(const uint8_t* bytes, int64_t at) {
  const auto address = reinterpret_cast<uintptr_t>(bytes + at);
  const auto* words = reinterpret_cast<const uint32_t*>(address & ~static_cast<uintptr_t>(3));
  const int shift = static_cast<int>(address & 3) * 8;
  const uint32_t a = words[0], b = words[1];
  if (shift == 0) return static_cast<uint64_t>(b) << 32 | a;
  const uint32_t c = words[2];
  return static_cast<uint64_t>(__funnelshift_r(b, c, shift)) << 32 | __funnelshift_r(a, b, shift);
}

// Value `index` of packed values of `width` (1 … 64) bits that begin at byte `at`.
__device__ inline uint64_t load_bits(const uint8_t* bytes, int64_t at, int64_t index, int32_t width) {
  const int64_t bit = index * width;
  const int64_t byte = at + (bit >> 3);
  const int shift = static_cast<int>(bit & 7);
  uint64_t value = load_64(bytes, byte) >> shift;
  if (shift + width > 64) value |= static_cast<uint64_t>(bytes[byte + 8]) << (64 - shift);
  return width == 64 ? value : value & ((1ULL << width) - 1);
}

}  // namespace quern::cuda
