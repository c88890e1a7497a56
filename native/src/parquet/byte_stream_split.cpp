#include <string>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "common/error.hpp"
#include "parquet/encoding.hpp"

namespace quern::parquet {
namespace {

// Values [from, count) byte by byte: any width, and the ends that the transposes leave.
void gather_streams(const uint8_t* streams, int width, int64_t total, int64_t from, int64_t count, uint8_t* out) {
  for (int64_t i = from; i < count; ++i) {
    for (int stream = 0; stream < width; ++stream) out[i * width + stream] = streams[stream * total + i];
  }
}

#if defined(__SSE2__)
// Transposes 16 values at a time. Interleaving stream i with stream i + Width / 2 pairs bytes whose distance in the value
// is Width / 2; log2(Width) rounds put every byte in its place. Returns the values done.
template <int Width>
int64_t transpose_streams(const uint8_t* streams, int64_t total, int64_t count, uint8_t* out) {
  int64_t done = 0;
  for (; done + 16 <= count; done += 16) {
    __m128i rows[Width], next[Width];
    for (int i = 0; i < Width; ++i) {
      rows[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(streams + i * total + done));
    }
    for (int step = 1; step < Width; step *= 2) {
      for (int i = 0; i < Width / 2; ++i) {
        next[2 * i] = _mm_unpacklo_epi8(rows[i], rows[i + Width / 2]);
        next[2 * i + 1] = _mm_unpackhi_epi8(rows[i], rows[i + Width / 2]);
      }
      for (int i = 0; i < Width; ++i) rows[i] = next[i];
    }
    for (int i = 0; i < Width; ++i) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out + done * Width + 16 * i), rows[i]);
    }
  }
  return done;
}
#else
template <int Width>
int64_t transpose_streams(const uint8_t*, int64_t, int64_t, uint8_t*) {
  return 0;
}
#endif

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
  int64_t done = 0;
  switch (width) {
    case 1: std::memcpy(out, streams, static_cast<size_t>(count)); return;
    case 2: done = transpose_streams<2>(streams, total, count, out); break;
    case 4: done = transpose_streams<4>(streams, total, count, out); break;
    case 8: done = transpose_streams<8>(streams, total, count, out); break;
    case 16: done = transpose_streams<16>(streams, total, count, out); break;
    default: break;
  }
  gather_streams(streams, width, total, done, count, out);
}

}  // namespace quern::parquet
