// One group of 32 values with the width known at compile time. Included by the kernel files of every SIMD level, hence
// the unnamed namespace: each of them keeps code built with its own instructions.
#pragma once
#include <cstdint>
#include <cstring>

namespace quern::parquet {
namespace {

template <typename Word>
inline Word load_word(const uint8_t* in) {
  Word word;
  __builtin_memcpy(&word, in, sizeof(Word));
  return word;
}

template <typename T, int Width, int Index>
inline T unpack_value(const uint8_t* in) {
  constexpr int byte = Index * Width / 8;
  constexpr int shift = Index * Width % 8;
  if constexpr (Width == 0) {
    return 0;
  } else if constexpr (Width + shift <= 32) {
    constexpr uint32_t mask = Width == 32 ? ~0U : (1U << (Width % 32)) - 1;
    return static_cast<T>((load_word<uint32_t>(in + byte) >> shift) & mask);
  } else {
    constexpr uint64_t mask = Width == 64 ? ~0ULL : (1ULL << (Width % 64)) - 1;
    uint64_t word = load_word<uint64_t>(in + byte) >> shift;
    if constexpr (Width + shift > 64) word |= static_cast<uint64_t>(in[byte + 8]) << (64 - shift);
    return static_cast<T>(word & mask);
  }
}

template <typename T, int Width, int Index = 0>
inline void unpack_group(const uint8_t* in, T* out) {
  if constexpr (Index < 32) {
    out[Index] = unpack_value<T, Width, Index>(in);
    unpack_group<T, Width, Index + 1>(in, out);
  }
}

template <typename T, int Width>
void unpack_groups(const uint8_t* in, T* out, int64_t groups) {
  for (int64_t group = 0; group < groups; ++group, in += 4 * Width, out += 32) unpack_group<T, Width>(in, out);
}

}  // namespace
}  // namespace quern::parquet
