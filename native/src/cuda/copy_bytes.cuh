// Copies between any two alignments by a group of threads.
#pragma once
#include <cstdint>

namespace quern::cuda {

// Copies `bytes` with the lanes of a group: in 16-byte pieces of the target, each made of what lies in the source,
// where both are long enough; the ends byte by byte.
__device__ inline void copy_bytes(const uint8_t* in, uint8_t* out, int64_t bytes, int64_t lane, int64_t lanes) {
  int64_t at = 0;
  if (bytes >= 64) {
    const int64_t head = (16 - (reinterpret_cast<uintptr_t>(out) & 15)) & 15;
    for (int64_t i = lane; i < head; i += lanes) out[i] = in[i];
    const uint8_t* from = in + head;
    uint4* to = reinterpret_cast<uint4*>(out + head);
    const int64_t pieces = (bytes - head) / 16;
    const int shift = static_cast<int>(reinterpret_cast<uintptr_t>(from) & 15);
    if (shift == 0) {
      const uint4* source = reinterpret_cast<const uint4*>(from);
      int64_t i = lane;
      for (; i + 3 * lanes < pieces; i += 4 * lanes) {
        const uint4 a = source[i], b = source[i + lanes], c = source[i + 2 * lanes], d = source[i + 3 * lanes];
        to[i] = a;
        to[i + lanes] = b;
        to[i + 2 * lanes] = c;
        to[i + 3 * lanes] = d;
      }
      for (; i < pieces; i += lanes) to[i] = source[i];
    } else if ((shift & 3) == 0) {
      const uint32_t* source = reinterpret_cast<const uint32_t*>(from);
      for (int64_t i = lane; i < pieces; i += lanes)
        to[i] = make_uint4(source[4 * i], source[4 * i + 1], source[4 * i + 2], source[4 * i + 3]);
    } else {
      // Two words of the source hold each word of the target; the last word read holds a byte that belongs to it.
      const int bits = (shift & 3) * 8;
      const uint32_t* source = reinterpret_cast<const uint32_t*>(from - (shift & 3));
      for (int64_t i = lane; i < pieces; i += lanes) {
        const uint32_t a = source[4 * i], b = source[4 * i + 1], c = source[4 * i + 2], d = source[4 * i + 3],
                       e = source[4 * i + 4];
        to[i] = make_uint4(__funnelshift_r(a, b, bits), __funnelshift_r(b, c, bits), __funnelshift_r(c, d, bits),
                           __funnelshift_r(d, e, bits));
      }
    }
    at = head + pieces * 16;
  }
  for (int64_t i = at + lane; i < bytes; i += lanes) out[i] = in[i];
}

}  // namespace quern::cuda
