#include "cuda/move_kernels.hpp"

#include "cuda/copy_bytes.cuh"
#include "cuda/launch.cuh"

namespace quern::cuda {

namespace {

__device__ int64_t offset_at(const void* offsets, bool wide, int64_t i) {
  return wide ? static_cast<const int64_t*>(offsets)[i] : static_cast<const int32_t*>(offsets)[i];
}
__device__ void put_offset(void* offsets, bool wide, int64_t i, int64_t value) {
  if (wide)
    static_cast<int64_t*>(offsets)[i] = value;
  else
    static_cast<int32_t*>(offsets)[i] = static_cast<int32_t>(value);
}

// A row by its number; signed ones may be negative: no row.
__device__ bool is_row(uint32_t) { return true; }
__device__ bool is_row(int64_t row) { return row >= 0; }

template <typename T, typename Row>
__global__ void gather_values_kernel(const T* in, const Row* rows, int64_t count, T* out) {
  for (int64_t i = thread_index(); i < count; i += thread_count()) {
    const Row row = rows[i];
    out[i] = is_row(row) ? in[row] : T{};
  }
}

// A warp a word of the result.
template <typename Row>
__global__ void gather_bits_kernel(const uint32_t* in, const Row* rows, int64_t count, uint32_t* out,
                                   unsigned long long* nulls) {
  const int64_t words = (count + 31) / 32;
  const int lane = threadIdx.x & 31;
  for (int64_t word = thread_index() / 32; word < words; word += thread_count() / 32) {
    const int64_t i = word * 32 + lane;
    bool valid = true;
    if (i < count) {
      const Row row = rows[i];
      valid = is_row(row) && (in == nullptr || ((in[row >> 5] >> (row & 31)) & 1) != 0);
    }
    const unsigned bits = __ballot_sync(all_lanes, valid);
    if (lane == 0) {
      out[word] = bits;
      if (bits != all_lanes) atomicAdd(nulls, static_cast<unsigned long long>(__popc(~bits)));
    }
  }
}

template <typename Row>
__global__ void row_ranges_kernel(const void* offsets, bool wide, const Row* rows, int64_t count, int64_t* starts,
                                  int64_t* lengths) {
  for (int64_t i = thread_index(); i < count; i += thread_count()) {
    const Row row = rows[i];
    const int64_t start = is_row(row) ? offset_at(offsets, wide, row) : 0;
    starts[i] = start;
    lengths[i] = is_row(row) ? offset_at(offsets, wide, static_cast<int64_t>(row) + 1) - start : 0;
  }
}

__global__ void inner_ranges_kernel(const void* offsets, bool wide, const int64_t* starts, const int64_t* targets,
                                    int64_t count, int64_t* inner_starts, int64_t* inner_lengths) {
  for (int64_t i = thread_index(); i < count; i += thread_count()) {
    const int64_t rows = targets[i + 1] - targets[i];
    const int64_t start = rows == 0 ? 0 : offset_at(offsets, wide, starts[i]);
    inner_starts[i] = start;
    inner_lengths[i] = rows == 0 ? 0 : offset_at(offsets, wide, starts[i] + rows) - start;
  }
}

__global__ void view_ranges_kernel(const StringView* views, const uint32_t* validity, int64_t count, int64_t* starts,
                                   int64_t* lengths) {
  for (int64_t i = thread_index(); i < count; i += thread_count()) {
    const bool valid = validity == nullptr || ((validity[i >> 5] >> (i & 31)) & 1) != 0;
    starts[i] = valid ? reinterpret_cast<int64_t>(views[i].data()) : 0;
    lengths[i] = valid ? views[i].length : 0;
  }
}

// `lanes` threads a range, a power of two up to 32; the mean length decides.
__global__ void copy_ranges_kernel(int32_t width, const uint8_t* in, const int64_t* starts, const int64_t* targets,
                                   int64_t count, int lanes, uint8_t* out) {
  const int lane = threadIdx.x & (lanes - 1);
  for (int64_t i = thread_index() / lanes; i < count; i += thread_count() / lanes) {
    const int64_t target = targets[i];
    const int64_t elements = targets[i + 1] - target;
    copy_bytes(in + starts[i] * width, out + target * width, elements * width, lane, lanes);
  }
}

// 32 bits from bit `at` on; only words that hold one of the first `count` are read.
__device__ uint32_t bits_at(const uint32_t* in, int64_t at, int count) {
  const int shift = static_cast<int>(at & 31);
  uint32_t bits = in[at >> 5] >> shift;
  if (shift + count > 32) bits |= in[(at >> 5) + 1] << (32 - shift);
  return count < 32 ? bits & ((1u << count) - 1) : bits;
}

// Writes bits [0, count) of `bits` at bit `at`; `whole` says that no other thread writes into the word.
__device__ void or_bits(uint32_t* out, int64_t at, uint32_t bits, bool whole) {
  if (whole)
    out[at >> 5] = bits;
  else if (bits != 0)
    atomicOr(&out[at >> 5], bits << (at & 31));
}

// A warp a range, a lane a word of the result.
__global__ void copy_bit_ranges_kernel(const uint32_t* in, const int64_t* starts, const int64_t* targets, int64_t count,
                                       uint32_t* out, unsigned long long* nulls) {
  const int lane = threadIdx.x & 31;
  for (int64_t i = thread_index() / 32; i < count; i += thread_count() / 32) {
    const int64_t first = targets[i], last = targets[i + 1];
    unsigned long long clear = 0;
    for (int64_t word = (first >> 5) + lane; word * 32 < last; word += 32) {
      const int64_t from = word * 32 < first ? first : word * 32;
      const int64_t until = word * 32 + 32 < last ? word * 32 + 32 : last;
      const int bits = static_cast<int>(until - from);
      const uint32_t value = bits_at(in, starts[i] + (from - first), bits);
      clear += bits - __popc(value);
      or_bits(out, from, value, bits == 32);
    }
    if (clear != 0) atomicAdd(nulls, clear);
  }
}

__global__ void copy_offset_ranges_kernel(const void* in, bool in_wide, const int64_t* starts, const int64_t* targets,
                                          const int64_t* inner_targets, int64_t count, int64_t total, void* out,
                                          bool out_wide) {
  const int lane = threadIdx.x & 31;
  for (int64_t i = thread_index() / 32; i < count; i += thread_count() / 32) {
    const int64_t target = targets[i], rows = targets[i + 1] - target;
    if (rows == 0) continue;
    const int64_t base = inner_targets[i] - offset_at(in, in_wide, starts[i]);
    for (int64_t k = lane; k < rows; k += 32)
      put_offset(out, out_wide, target + k, offset_at(in, in_wide, starts[i] + k) + base);
  }
  if (thread_index() == 0) put_offset(out, out_wide, total, inner_targets[count]);
}

__global__ void narrow_offsets_kernel(const int64_t* in, int64_t count, int32_t* out) {
  for (int64_t i = thread_index(); i < count; i += thread_count()) out[i] = static_cast<int32_t>(in[i]);
}

__global__ void append_offsets_kernel(const void* in, bool in_wide, int64_t count, int64_t base, void* out,
                                      bool out_wide, int64_t at) {
  for (int64_t i = thread_index(); i <= count; i += thread_count())
    put_offset(out, out_wide, at + i, offset_at(in, in_wide, i) + base);
}

__global__ void append_bits_kernel(const uint32_t* in, int64_t count, uint32_t* out, int64_t at) {
  for (int64_t word = (at >> 5) + thread_index(); word * 32 < at + count; word += thread_count()) {
    const int64_t from = word * 32 < at ? at : word * 32;
    const int64_t until = word * 32 + 32 < at + count ? word * 32 + 32 : at + count;
    const int bits = static_cast<int>(until - from);
    const uint32_t value = in != nullptr ? bits_at(in, from - at, bits) : bits == 32 ? all_lanes : (1u << bits) - 1;
    or_bits(out, from, value, bits == 32);
  }
}

// A thread a word of the result.
__global__ void slice_bits_kernel(const uint32_t* in, int64_t first, int64_t count, uint32_t* out,
                                  unsigned long long* nulls) {
  unsigned long long clear = 0;
  for (int64_t word = thread_index(); word * 32 < count; word += thread_count()) {
    const int bits = count - word * 32 < 32 ? static_cast<int>(count - word * 32) : 32;
    out[word] = bits_at(in, first + word * 32, bits);
    clear += bits - __popc(out[word]);
  }
  if (clear != 0) atomicAdd(nulls, clear);
}

__device__ uint32_t mask_word(const uint32_t* mask, int64_t rows, int64_t word) {
  const int64_t left = rows - word * 32;
  return left >= 32 ? mask[word] : mask[word] & ((1u << left) - 1);
}

__global__ void count_words_kernel(const uint32_t* mask, int64_t rows, int64_t* counts) {
  for (int64_t word = thread_index(); word * 32 < rows; word += thread_count())
    counts[word] = __popc(mask_word(mask, rows, word));
}

// A warp a word: lanes of set bits write next to each other.
__global__ void write_rows_kernel(const uint32_t* mask, int64_t rows, const int64_t* sums, uint32_t* out) {
  const int lane = threadIdx.x & 31;
  for (int64_t word = thread_index() / 32; word * 32 < rows; word += thread_count() / 32) {
    const uint32_t bits = mask_word(mask, rows, word);
    if ((bits >> lane) & 1)
      out[sums[word] + __popc(bits & ((1u << lane) - 1))] = static_cast<uint32_t>(word * 32 + lane);
  }
}

// Lanes for ranges of `bytes` bytes in the mean: four pieces of 16 bytes each, which a lane has in flight together, and
// two lanes at least, which read a sector of 32 bytes.
int lanes_for(int64_t bytes) {
  int lanes = bytes > 16 ? 2 : 1;
  while (lanes < 32 && lanes * 64 < bytes) lanes *= 2;
  return lanes;
}

template <typename Row>
void launch_gather_values(Device& device, int32_t width, const void* in, const Row* rows, int64_t count, void* out) {
  if (count == 0) return;
  const auto launch = [&]<typename T>() {
    QUERN_LAUNCH((gather_values_kernel<T, Row>), count, block_threads, static_cast<const T*>(in), rows, count,
                 static_cast<T*>(out));
  };
  switch (width) {
    case 1:
      return launch.template operator()<uint8_t>();
    case 2:
      return launch.template operator()<uint16_t>();
    case 4:
      return launch.template operator()<uint32_t>();
    case 8:
      return launch.template operator()<uint64_t>();
    case 16:
      return launch.template operator()<uint4>();
    default:
      throw internal_error("no storage of width " + std::to_string(width));
  }
}

template <typename Row>
void launch_gather_bits(Device& device, const uint32_t* in, const Row* rows, int64_t count, uint32_t* out,
                        uint64_t* nulls) {
  if (count == 0) return;
  QUERN_LAUNCH(gather_bits_kernel<Row>, (count + 31) / 32, block_threads / 32, in, rows, count, out,
               reinterpret_cast<unsigned long long*>(nulls));
}

template <typename Row>
void launch_row_ranges(Device& device, const void* offsets, bool wide, const Row* rows, int64_t count, int64_t* starts,
                       int64_t* lengths) {
  if (count == 0) return;
  QUERN_LAUNCH(row_ranges_kernel<Row>, count, block_threads, offsets, wide, rows, count, starts, lengths);
}

}  // namespace

constexpr int64_t warps = block_threads / 32;

void gather_values(Device& device, int32_t width, const void* in, const uint32_t* rows, int64_t count, void* out) {
  launch_gather_values(device, width, in, rows, count, out);
}
void gather_bits(Device& device, const uint32_t* in, const uint32_t* rows, int64_t count, uint32_t* out,
                 uint64_t* nulls) {
  launch_gather_bits(device, in, rows, count, out, nulls);
}
void row_ranges(Device& device, const void* offsets, bool wide, const uint32_t* rows, int64_t count, int64_t* starts,
                int64_t* lengths) {
  launch_row_ranges(device, offsets, wide, rows, count, starts, lengths);
}

void gather_values(Device& device, int32_t width, const void* in, const int64_t* rows, int64_t count, void* out) {
  launch_gather_values(device, width, in, rows, count, out);
}
void gather_bits(Device& device, const uint32_t* in, const int64_t* rows, int64_t count, uint32_t* out,
                 uint64_t* nulls) {
  launch_gather_bits(device, in, rows, count, out, nulls);
}
void row_ranges(Device& device, const void* offsets, bool wide, const int64_t* rows, int64_t count, int64_t* starts,
                int64_t* lengths) {
  launch_row_ranges(device, offsets, wide, rows, count, starts, lengths);
}

void inner_ranges(Device& device, const void* offsets, bool wide, const int64_t* starts, const int64_t* targets,
                  int64_t count, int64_t* inner_starts, int64_t* inner_lengths) {
  if (count == 0) return;
  QUERN_LAUNCH(inner_ranges_kernel, count, block_threads, offsets, wide, starts, targets, count, inner_starts,
               inner_lengths);
}

void view_ranges(Device& device, const StringView* views, const uint32_t* validity, int64_t count, int64_t* starts,
                 int64_t* lengths) {
  if (count == 0) return;
  QUERN_LAUNCH(view_ranges_kernel, count, block_threads, views, validity, count, starts, lengths);
}

void copy_ranges(Device& device, int32_t width, const void* in, const int64_t* starts, const int64_t* targets,
                 int64_t count, int64_t total, void* out) {
  if (count == 0 || total == 0) return;
  const int lanes = lanes_for(total * width / count);
  QUERN_LAUNCH(copy_ranges_kernel, count, block_threads / lanes, width, static_cast<const uint8_t*>(in), starts,
               targets, count, lanes, static_cast<uint8_t*>(out));
}

void copy_bit_ranges(Device& device, const uint32_t* in, const int64_t* starts, const int64_t* targets, int64_t count,
                     int64_t total, uint32_t* out, uint64_t* nulls) {
  if (count == 0 || total == 0) return;
  QUERN_LAUNCH(copy_bit_ranges_kernel, count, warps, in, starts, targets, count, out,
               reinterpret_cast<unsigned long long*>(nulls));
}

void copy_offset_ranges(Device& device, const void* in, bool in_wide, const int64_t* starts, const int64_t* targets,
                        const int64_t* inner_targets, int64_t count, int64_t total, void* out, bool out_wide) {
  QUERN_LAUNCH(copy_offset_ranges_kernel, count, warps, in, in_wide, starts, targets, inner_targets, count, total, out,
               out_wide);
}

void narrow_offsets(Device& device, const int64_t* in, int64_t count, int32_t* out) {
  if (count == 0) return;
  QUERN_LAUNCH(narrow_offsets_kernel, count, block_threads, in, count, out);
}

void append_offsets(Device& device, const void* in, bool in_wide, int64_t count, int64_t base, void* out, bool out_wide,
                    int64_t at) {
  QUERN_LAUNCH(append_offsets_kernel, count + 1, block_threads, in, in_wide, count, base, out, out_wide, at);
}

void append_bits(Device& device, const uint32_t* in, int64_t count, uint32_t* out, int64_t at) {
  if (count == 0) return;
  QUERN_LAUNCH(append_bits_kernel, (count + 63) / 32, block_threads, in, count, out, at);
}

void slice_bits(Device& device, const uint32_t* in, int64_t first, int64_t count, uint32_t* out, uint64_t* nulls) {
  if (count == 0) return;
  QUERN_LAUNCH(slice_bits_kernel, (count + 31) / 32, block_threads, in, first, count, out,
               reinterpret_cast<unsigned long long*>(nulls));
}

void count_words(Device& device, const uint32_t* mask, int64_t rows, int64_t* counts) {
  if (rows == 0) return;
  QUERN_LAUNCH(count_words_kernel, (rows + 31) / 32, block_threads, mask, rows, counts);
}

void write_rows(Device& device, const uint32_t* mask, int64_t rows, const int64_t* sums, uint32_t* out) {
  if (rows == 0) return;
  QUERN_LAUNCH(write_rows_kernel, (rows + 31) / 32, warps, mask, rows, sums, out);
}

}  // namespace quern::cuda
