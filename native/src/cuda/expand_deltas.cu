// DELTA_BINARY_PACKED to 64-bit values, a block a page: one thread reads a block's header, then all threads unpack its
// deltas, 256 at a time, and sum them by a scan in shared memory; sums wrap. Moves the section's bytes in and 8 bytes a
// value out. Test: test/cuda/scan_kernels_test.cpp, Deltas.
#include "cuda/launch.cuh"
#include "cuda/load_bytes.cuh"
#include "cuda/scan_kernels.hpp"

namespace quern::cuda {

namespace {

constexpr int most_minis = 512;  // of a block; more is left to the host

struct Block {
  int64_t at;                   // of the next block's header
  int64_t values;               // deltas of the current block
  int64_t mini_values;          // deltas of a miniblock
  uint64_t least;               // min delta
  uint64_t last;                // the value before the block
  int64_t mini_at[most_minis];  // byte where a miniblock's deltas begin
  uint8_t mini_width[most_minis];
  int64_t minis;
  int64_t left;  // deltas that the page says are still to come
  bool bad;      // damaged
};

__device__ bool read_varint(const uint8_t* bytes, int64_t& at, int64_t end, uint64_t& value) {
  value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (at >= end) return false;
    const uint8_t byte = bytes[at++];
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

__device__ uint64_t zigzag(uint64_t value) { return (value >> 1) ^ (~(value & 1) + 1); }

// Page header: block size, miniblocks, values, first value.
__device__ bool read_page(const uint8_t* bytes, int64_t end, int64_t wanted, Block& block, uint64_t& first) {
  uint64_t size = 0, minis = 0, total = 0, value = 0;
  block.left = 0;
  if (!read_varint(bytes, block.at, end, size) || !read_varint(bytes, block.at, end, minis) ||
      !read_varint(bytes, block.at, end, total) || !read_varint(bytes, block.at, end, value))
    return false;
  if (minis == 0 || minis > most_minis || size == 0 || size > (1u << 30) || size % 128 != 0) return false;
  if (size % minis != 0 || size / minis % 32 != 0) return false;
  if (total < static_cast<uint64_t>(wanted) || total > (1ULL << 62)) return false;
  block.left = static_cast<int64_t>(total) - 1;
  block.values = static_cast<int64_t>(size);
  block.minis = static_cast<int64_t>(minis);
  block.mini_values = block.values / block.minis;
  first = zigzag(value);
  return true;
}

// The header of the next block.
__device__ bool read_block(const uint8_t* bytes, int64_t end, Block& block) {
  uint64_t least = 0;
  if (!read_varint(bytes, block.at, end, least)) return false;
  block.least = zigzag(least);
  if (block.minis > end - block.at) return false;
  const int64_t widths = block.at;
  int64_t at = widths + block.minis;
  for (int64_t i = 0; i < block.minis; ++i) {
    const int64_t values = block.left - i * block.mini_values;
    block.mini_width[i] = 0;
    block.mini_at[i] = at;
    if (values <= 0) continue;  // padding, which may be cut
    const int64_t width = bytes[widths + i];
    const int64_t size = width * block.mini_values / 8;
    if (width > 64) return false;
    // Of the last miniblock only what holds values has to be there.
    const int64_t needed = values >= block.mini_values ? size : (width * values + 7) / 8;
    if (needed > end - at) return false;
    block.mini_width[i] = static_cast<uint8_t>(width);
    at += size < end - at ? size : end - at;
  }
  block.at = at;
  return true;
}

__global__ void expand_deltas_kernel(const uint8_t* bytes, const EncodedPage* pages, int64_t page_count,
                                     const int64_t* first, int64_t* out, int64_t* ends, uint32_t* status) {
  __shared__ Block block;
  __shared__ uint64_t sums[block_threads];
  const int thread = threadIdx.x;
  for (int64_t p = blockIdx.x; p < page_count; p += gridDim.x) {
    const EncodedPage& page = pages[p];
    const int64_t base = first[p], wanted = first[p + 1] - base;
    const bool is_lengths = page.encoding == PageEncoding::lengths;
    if ((page.encoding != PageEncoding::deltas && !is_lengths) || wanted == 0) continue;
    const int64_t end = page.values_at + page.values_bytes;
    if (thread == 0) {
      block.at = page.values_at;
      uint64_t value = 0;
      block.bad = !read_page(bytes, end, wanted, block, value);
      block.last = value;
      out[base] = static_cast<int64_t>(value);
    }
    __syncthreads();
    int64_t done = 1;
    while (!block.bad && done < wanted) {
      __syncthreads();
      if (thread == 0) block.bad = !read_block(bytes, end, block);
      __syncthreads();
      if (block.bad) break;
      const int64_t all = block.left < block.values ? block.left : block.values;
      const int64_t here = all < wanted - done ? all : wanted - done;
      for (int64_t part = 0; part < here; part += block_threads) {
        const int64_t i = part + thread;
        uint64_t delta = 0;
        if (i < here) {
          const int64_t mini = i / block.mini_values;
          const int width = block.mini_width[mini];
          delta = block.least;
          if (width > 0) delta += load_bits(bytes, block.mini_at[mini], i % block.mini_values, width);
        }
        sums[thread] = delta;
        __syncthreads();
        for (int step = 1; step < block_threads; step *= 2) {
          const uint64_t before = thread >= step ? sums[thread - step] : 0;
          __syncthreads();
          sums[thread] += before;
          __syncthreads();
        }
        if (i < here) out[base + done + i] = static_cast<int64_t>(block.last + sums[thread]);
        __syncthreads();
        if (thread == 0) block.last += sums[block_threads - 1];
        __syncthreads();
      }
      done += here;
      if (thread == 0) block.left -= here;
      __syncthreads();
    }
    if (is_lengths) {
      // Bytes stand behind all lengths; a page with more of them than it needs is left to the host.
      if (thread == 0) {
        ends[p] = block.at;
        if (block.left != 0) atomicOr(status, status_deltas);
      }
      __syncthreads();
    }
    if (block.bad) {
      if (thread == 0) atomicOr(status, status_deltas);
      for (int64_t i = done + thread; i < wanted; i += blockDim.x) out[base + i] = 0;
    }
    __syncthreads();
  }
}

}  // namespace

void expand_deltas(Device& device, const uint8_t* bytes, const EncodedPage* pages, int64_t page_count,
                   const int64_t* first, int64_t* out, int64_t* ends, uint32_t* status) {
  if (page_count == 0) return;
  QUERN_LAUNCH(expand_deltas_kernel, page_count, 1, bytes, pages, page_count, first, out, ends, status);
}

}  // namespace quern::cuda
