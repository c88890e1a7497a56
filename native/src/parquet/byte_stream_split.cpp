#include <cstring>
#include <string>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "common/error.hpp"
#include "parquet/encoding.hpp"

namespace quern::parquet {
namespace {

// The first `count` values of `Part` neighbouring streams, to places `stride` bytes apart. With SSE2 16 values at a
// time: interleaving stream i with stream i + Part / 2 pairs bytes whose distance in the value is Part / 2, and
// log2(Part) rounds put every byte in its place.
template <int Part>
void transpose_streams(const uint8_t* streams, int64_t total, int64_t count, uint8_t* out, int64_t stride) {
  int64_t done = 0;
#if defined(__SSE2__)
  for (; done + 16 <= count; done += 16) {
    __m128i rows[Part], next[Part];
    for (int i = 0; i < Part; ++i) {
      rows[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(streams + i * total + done));
    }
    for (int step = 1; step < Part; step *= 2) {
      for (int i = 0; i < Part / 2; ++i) {
        next[2 * i] = _mm_unpacklo_epi8(rows[i], rows[i + Part / 2]);
        next[2 * i + 1] = _mm_unpackhi_epi8(rows[i], rows[i + Part / 2]);
      }
      for (int i = 0; i < Part; ++i) rows[i] = next[i];
    }
    if (stride == Part) {
      std::memcpy(out + done * Part, rows, sizeof(rows));
    } else {
      uint8_t values[16 * Part];
      std::memcpy(values, rows, sizeof(rows));
      for (int i = 0; i < 16; ++i) std::memcpy(out + (done + i) * stride, values + i * Part, Part);
    }
  }
#endif
  for (; done < count; ++done) {
    for (int i = 0; i < Part; ++i) out[done * stride + i] = streams[i * total + done];
  }
}

}  // namespace

void read_byte_stream_split(Bytes bytes, int width, int64_t total, int64_t start, int64_t count, uint8_t* out) {
  if (width <= 0 || total < 0 || bytes.size() / static_cast<size_t>(width) != static_cast<size_t>(total) ||
      bytes.size() % static_cast<size_t>(width) != 0) {
    throw corrupt_file("byte stream split: " + std::to_string(bytes.size()) + " bytes for " + std::to_string(total) +
                       " values of " + std::to_string(width) + " bytes");
  }
  if (start < 0 || count < 0 || start > total || count > total - start) {
    throw corrupt_file("byte stream split: " + std::to_string(total) + " values are fewer than the page needs");
  }
  if (count == 0) return;
  const uint8_t* streams = bytes.data() + start;
  // Any width is a sum of powers of two.
  for (int part = 0; part < width;) {
    const uint8_t* from = streams + part * total;
    const int left = width - part;
    if (left >= 16)
      transpose_streams<16>(from, total, count, out + part, width), part += 16;
    else if (left >= 8)
      transpose_streams<8>(from, total, count, out + part, width), part += 8;
    else if (left >= 4)
      transpose_streams<4>(from, total, count, out + part, width), part += 4;
    else if (left >= 2)
      transpose_streams<2>(from, total, count, out + part, width), part += 2;
    else
      transpose_streams<1>(from, total, count, out + part, width), part += 1;
  }
}

}  // namespace quern::parquet
