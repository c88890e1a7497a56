// Built with AVX2 and BMI2. Each lane gets the bytes of its value by a byte shuffle, then shifts and masks.
#include <immintrin.h>

#include <utility>

#include "parquet/unpack_group.hpp"
#include "parquet/unpack_kernels.hpp"

namespace quern::parquet {
namespace {

// Shuffle indices that bring value `i` (bits [first_bit + i * width, + width)) into lane i of `lane_bytes` bytes; bytes
// outside the value become zero.
template <int Width, int LaneBytes, int FirstBit>
struct Shuffle {
  alignas(16) int8_t index[16];
  constexpr Shuffle() : index() {
    for (int lane = 0; lane < 16 / LaneBytes; ++lane) {
      const int first = FirstBit + lane * Width;
      const int last_byte = (first + Width - 1) / 8;
      for (int i = 0; i < LaneBytes; ++i) {
        const int byte = first / 8 + i;
        index[lane * LaneBytes + i] = byte <= last_byte ? static_cast<int8_t>(byte) : static_cast<int8_t>(-128);
      }
    }
  }
  __m128i load() const { return _mm_load_si128(reinterpret_cast<const __m128i*>(index)); }
};

inline __m128i load16(const uint8_t* in) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(in)); }
inline __m256i join(__m128i low, __m128i high) { return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1); }

// Widths 1..8 to bytes: 8 values a 128-bit lane as 16-bit words; a multiply stands in for the missing variable shift.
template <int Width>
void unpack_to_u8(const uint8_t* in, uint8_t* out, int64_t groups) {
  static constexpr Shuffle<Width, 2, 0> shuffle;
  const __m256i indices = join(shuffle.load(), shuffle.load());
  constexpr auto factor = [](int i) { return static_cast<short>(1 << (16 - Width - i * Width % 8)); };
  const __m256i factors =
      _mm256_setr_epi16(factor(0), factor(1), factor(2), factor(3), factor(4), factor(5), factor(6), factor(7),
                        factor(0), factor(1), factor(2), factor(3), factor(4), factor(5), factor(6), factor(7));
  for (int64_t group = 0; group < groups; ++group, in += 4 * Width, out += 32) {
    __m256i even = join(load16(in), load16(in + 2 * Width));         // values 0-7 and 16-23
    __m256i odd = join(load16(in + Width), load16(in + 3 * Width));  // values 8-15 and 24-31
    even = _mm256_mullo_epi16(_mm256_shuffle_epi8(even, indices), factors);
    odd = _mm256_mullo_epi16(_mm256_shuffle_epi8(odd, indices), factors);
    even = _mm256_srli_epi16(even, 16 - Width);
    odd = _mm256_srli_epi16(odd, 16 - Width);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_packus_epi16(even, odd));
  }
}

// Widths 1..25 to 32 bits: with its shift of up to 7 bits a value lies in 4 bytes.
template <int Width>
void unpack_to_u32(const uint8_t* in, uint32_t* out, int64_t groups) {
  static_assert(Width <= 25);
  constexpr int odd_bit = Width % 2 * 4;
  static constexpr Shuffle<Width, 4, 0> low_shuffle;
  static constexpr Shuffle<Width, 4, odd_bit> high_shuffle;
  const __m256i indices = join(low_shuffle.load(), high_shuffle.load());
  constexpr auto low = [](int i) { return i * Width % 8; };
  constexpr auto high = [](int i) { return (odd_bit + i * Width) % 8; };
  const __m256i shifts = _mm256_setr_epi32(low(0), low(1), low(2), low(3), high(0), high(1), high(2), high(3));
  const __m256i mask = _mm256_set1_epi32((1 << Width) - 1);
  for (int64_t group = 0; group < groups; ++group) {
    for (int part = 0; part < 4; ++part, in += Width, out += 8) {
      __m256i words = _mm256_shuffle_epi8(join(load16(in), load16(in + Width / 2)), indices);
      words = _mm256_and_si256(_mm256_srlv_epi32(words, shifts), mask);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), words);
    }
  }
}

// Widths 1..57 to 64 bits: two values a 128-bit lane, each lane loaded from the byte its first value begins in.
template <int Width>
void unpack_to_u64(const uint8_t* in, uint64_t* out, int64_t groups) {
  static_assert(Width <= 57);
  const __m256i mask = _mm256_set1_epi64x(static_cast<long long>((1ULL << Width) - 1));
  const auto four = [&]<int First>(std::integral_constant<int, First>, const uint8_t* from, uint64_t* to) {
    constexpr int low_bit = First * Width, high_bit = (First + 2) * Width;
    static constexpr Shuffle<Width, 8, low_bit % 8> low_shuffle;
    static constexpr Shuffle<Width, 8, high_bit % 8> high_shuffle;
    __m256i words = join(load16(from + low_bit / 8), load16(from + high_bit / 8));
    words = _mm256_shuffle_epi8(words, join(low_shuffle.load(), high_shuffle.load()));
    const __m256i shifts = _mm256_setr_epi64x(low_bit % 8, (low_bit + Width) % 8, high_bit % 8, (high_bit + Width) % 8);
    words = _mm256_and_si256(_mm256_srlv_epi64(words, shifts), mask);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), words);
  };
  for (int64_t group = 0; group < groups; ++group) {
    for (int part = 0; part < 4; ++part, in += Width, out += 8) {
      four(std::integral_constant<int, 0>(), in, out);
      four(std::integral_constant<int, 4>(), in, out + 4);
    }
  }
}

template <int Width>
constexpr UnpackGroups<uint8_t> to_u8() {
  if constexpr (Width == 0)
    return unpack_groups<uint8_t, 0>;
  else
    return unpack_to_u8<Width>;
}

template <int Width>
constexpr UnpackGroups<uint32_t> to_u32() {
  if constexpr (Width == 0 || Width > 25)
    return unpack_groups<uint32_t, Width>;
  else
    return unpack_to_u32<Width>;
}

template <int Width>
constexpr UnpackGroups<uint64_t> to_u64() {
  if constexpr (Width == 0 || Width > 57)
    return unpack_groups<uint64_t, Width>;
  else
    return unpack_to_u64<Width>;
}

template <int... W8, int... W32, int... W64>
constexpr UnpackKernels make_kernels(std::integer_sequence<int, W8...>, std::integer_sequence<int, W32...>,
                                     std::integer_sequence<int, W64...>) {
  return {{to_u8<W8>()...}, {to_u32<W32>()...}, {to_u64<W64>()...}};
}

}  // namespace

const UnpackKernels avx2_unpack_kernels = make_kernels(
    std::make_integer_sequence<int, 9>(), std::make_integer_sequence<int, 33>(), std::make_integer_sequence<int, 65>());

}  // namespace quern::parquet
