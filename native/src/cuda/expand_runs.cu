// RLE/bit-packed hybrids to arrays, a block a page: one thread reads up to 128 run headers, then all threads write the
// values of these runs, each finding its run by binary search. Moves the section's bytes in and width bytes a value
// out. Nulls have no part in it: levels are values here. Test: test/cuda/scan_kernels_test.cpp, ExpandRuns.
#include "cuda/launch.cuh"
#include "cuda/load_bytes.cuh"
#include "cuda/scan_kernels.hpp"

namespace quern::cuda {

namespace {

constexpr int most_runs = 128;

struct Runs {
  int64_t start[most_runs];   // number of the run's first value
  int64_t packed[most_runs];  // byte where packed values begin; -1 = repeated
  uint32_t value[most_runs];
  int count;
  int64_t done;      // values that all runs so far hold
  int64_t position;  // of the next header
};

// Reads headers until `wanted` values are there or the table is full. False for damaged ones.
__device__ bool read_runs(const uint8_t* bytes, int64_t end, int32_t width, int64_t wanted, Runs& runs) {
  runs.count = 0;
  int64_t at = runs.position, done = runs.done;
  bool good = true;
  while (done < wanted && runs.count < most_runs) {
    uint64_t header = 0;
    int shift = 0;
    for (;;) {
      if (at >= end || shift > 28) {
        good = at < end && shift <= 28;
        break;
      }
      const uint8_t byte = bytes[at++];
      header |= static_cast<uint64_t>(byte & 0x7f) << shift;
      shift += 7;
      if (byte < 0x80) break;
      if (shift > 28 || at >= end) {
        good = false;
        break;
      }
    }
    if (!good || header > 0xffffffffULL) {
      good = false;
      break;
    }
    const auto length = static_cast<int64_t>(header >> 1);
    int64_t values = length;
    if ((header & 1) != 0) {
      // Writers may cut the padding of the last group: what counts is the bytes that are there.
      const int64_t left = end - at, size = length * width < left ? length * width : left;
      values = length * 8 < size * 8 / width ? length * 8 : size * 8 / width;
      runs.packed[runs.count] = at;
      runs.value[runs.count] = 0;
      at += size;
    } else {
      const int size = (width + 7) / 8;
      if (size > end - at) {
        good = false;
        break;
      }
      uint32_t value = 0;
      for (int i = 0; i < size; ++i) value |= static_cast<uint32_t>(bytes[at + i]) << (8 * i);
      runs.packed[runs.count] = -1;
      runs.value[runs.count] = value;
      at += size;
    }
    if (values == 0) continue;
    runs.start[runs.count++] = done;
    done += values < wanted - done ? values : wanted - done;
  }
  runs.position = at;
  runs.done = done;
  return good;
}

template <typename T>
__global__ void expand_runs_kernel(const uint8_t* bytes, const EncodedPage* pages, int64_t page_count,
                                   RunSection section, int32_t level_width, const int64_t* first, uint32_t most,
                                   uint32_t wrong, T* out, uint32_t* status) {
  __shared__ Runs runs;
  __shared__ bool good;
  for (int64_t p = blockIdx.x; p < page_count; p += gridDim.x) {
    const EncodedPage& page = pages[p];
    int64_t at = 0, end = 0;
    int32_t width = level_width;
    switch (section) {
      case RunSection::repetition:
        at = page.repetition_at;
        end = at + page.repetition_bytes;
        break;
      case RunSection::definition:
        at = page.definition_at;
        end = at + page.definition_bytes;
        break;
      case RunSection::codes:
        if (page.encoding != PageEncoding::codes) continue;
        at = page.values_at + 1;
        end = page.values_at + page.values_bytes;
        // A page of nulls only may have no section at all.
        width = page.values_bytes > 0 ? bytes[page.values_at] : 1;
        break;
      case RunSection::booleans:
        if (page.encoding != PageEncoding::runs) continue;
        at = page.values_at + 4;
        end = page.values_at + page.values_bytes;
        width = 1;
        if (page.values_bytes >= 4) {
          const int64_t length = load_32(bytes, page.values_at);
          end = at + length < end ? at + length : end;
        }
        break;
    }
    const int64_t base = first[p], wanted = first[p + 1] - base;
    if (width == 0 || width > 32) {
      if (width > 32 && threadIdx.x == 0) atomicOr(status, status_runs);
      for (int64_t i = threadIdx.x; i < wanted; i += blockDim.x) out[base + i] = 0;
      continue;
    }
    if (threadIdx.x == 0) {
      runs.done = 0;
      runs.position = at;
      good = true;
    }
    __syncthreads();
    for (int64_t begin = 0; begin < wanted;) {
      if (threadIdx.x == 0) good = read_runs(bytes, end, width, wanted, runs);
      __syncthreads();
      const int64_t until = runs.done;
      for (int64_t i = begin + threadIdx.x; i < until; i += blockDim.x) {
        int low = 0, high = runs.count;  // the run is in [low, high)
        while (high - low > 1) {
          const int middle = (low + high) / 2;
          if (runs.start[middle] <= i)
            low = middle;
          else
            high = middle;
        }
        uint32_t value = runs.value[low];
        if (runs.packed[low] >= 0)
          value = static_cast<uint32_t>(load_bits(bytes, runs.packed[low], i - runs.start[low], width));
        if (value > most) {
          atomicOr(status, wrong);
          value = 0;
        }
        out[base + i] = static_cast<T>(value);
      }
      const bool ended = !good;
      __syncthreads();
      begin = until;
      if (!ended) continue;
      if (threadIdx.x == 0) atomicOr(status, status_runs);
      for (int64_t i = begin + threadIdx.x; i < wanted; i += blockDim.x) out[base + i] = 0;
      break;
    }
    __syncthreads();
  }
}

}  // namespace

void expand_levels(Device& device, const uint8_t* bytes, const EncodedPage* pages, int64_t page_count,
                   RunSection section, int32_t width, const int64_t* first, uint8_t most, uint8_t* out,
                   uint32_t* status) {
  if (page_count == 0) return;
  QUERN_LAUNCH(expand_runs_kernel<uint8_t>, page_count, 1, bytes, pages, page_count, section, width, first, most,
               status_level, out, status);
}

void expand_codes(Device& device, const uint8_t* bytes, const EncodedPage* pages, int64_t page_count,
                  RunSection section, const int64_t* first, uint32_t most, uint32_t* out, uint32_t* status) {
  if (page_count == 0) return;
  QUERN_LAUNCH(expand_runs_kernel<uint32_t>, page_count, 1, bytes, pages, page_count, section, 1, first, most,
               status_code, out, status);
}

}  // namespace quern::cuda
