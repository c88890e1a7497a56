// Strings of pages as ranges of the uploaded bytes; the bytes are then copied by range (move_kernels.cu). PLAIN values
// have to be walked, length by length: a block a page brings 8 KB at a time into shared memory, where one thread walks.
// Moves the page's bytes in and 16 bytes a value out. Test: test/cuda/scan_kernels_test.cpp, Strings.
#include "cuda/load_bytes.cuh"
#include "cuda/page_parts.cuh"
#include "cuda/ranked_mask.cuh"

namespace quern::cuda {

namespace {

constexpr int window_words = 2048;

// Walks `wanted` values that lie in [at, end).
__device__ void walk_strings(const uint8_t* bytes, int64_t at, int64_t end, int64_t wanted, int64_t* starts,
                             int64_t* lengths, uint32_t* status) {
  __shared__ uint32_t window[window_words];
  __shared__ int64_t position, done;
  if (threadIdx.x == 0) {
    position = at;
    done = 0;
  }
  __syncthreads();
  while (done < wanted) {
    // The window begins at an aligned word, so that `position` lies in its first four bytes.
    const auto base = static_cast<int64_t>(reinterpret_cast<uintptr_t>(bytes + position) & 3);
    const int64_t start = position - base;
    const auto* words = reinterpret_cast<const uint32_t*>(bytes + start);
    const int64_t most = (end - start + 3) / 4;
    for (int64_t i = threadIdx.x; i < window_words && i < most; i += blockDim.x) window[i] = words[i];
    __syncthreads();
    if (threadIdx.x == 0) {
      const auto* seen = reinterpret_cast<const uint8_t*>(window);
      int64_t here = position, number = done;
      bool bad = false;
      while (number < wanted && here + 4 <= start + window_words * 4) {
        if (end - here < 4) {
          bad = true;
          break;
        }
        const uint8_t* digits = seen + (here - start);
        const uint32_t length = static_cast<uint32_t>(digits[0]) | static_cast<uint32_t>(digits[1]) << 8 |
                                static_cast<uint32_t>(digits[2]) << 16 | static_cast<uint32_t>(digits[3]) << 24;
        if (length > end - here - 4) {
          bad = true;
          break;
        }
        starts[number] = here + 4;
        lengths[number] = length;
        ++number;
        here += 4 + static_cast<int64_t>(length);
      }
      if (bad) {
        atomicOr(status, status_values);
        for (; number < wanted; ++number) starts[number] = lengths[number] = 0;
      }
      position = here;
      done = number;
    }
    __syncthreads();
  }
  __syncthreads();
}

__global__ void find_strings_kernel(const uint8_t* bytes, const EncodedPage* pages, int64_t page_count,
                                    const int64_t* first, int64_t* starts, int64_t* lengths, uint32_t* status) {
  for (int64_t p = blockIdx.x; p < page_count; p += gridDim.x) {
    const EncodedPage& page = pages[p];
    const int64_t base = first[p], wanted = first[p + 1] - base;
    if (page.encoding == PageEncoding::plain) {
      walk_strings(bytes, page.values_at, page.values_at + page.values_bytes, wanted, starts + base, lengths + base,
                   status);
      continue;
    }
    for (int64_t i = threadIdx.x; i < wanted; i += blockDim.x) starts[base + i] = lengths[base + i] = 0;
  }
}

__global__ void find_dictionary_strings_kernel(const uint8_t* bytes, int64_t at, int64_t size, int64_t count,
                                               int64_t* starts, int64_t* lengths, uint32_t* status) {
  walk_strings(bytes, at, at + size, count, starts, lengths, status);
}

__global__ void even_ranges_kernel(int64_t at, int64_t length, int64_t count, int64_t* starts, int64_t* lengths) {
  for (int64_t i = thread_index(); i < count; i += thread_count()) {
    starts[i] = at + i * length;
    lengths[i] = length;
  }
}

__global__ void string_ranges_kernel(ValuePlaces places, PageParts parts, int32_t fixed, const int64_t* value_starts,
                                     const int64_t* value_lengths, const int64_t* entry_starts,
                                     const int64_t* entry_lengths, int64_t* starts, int64_t* lengths,
                                     uint32_t* status) {
  each_part(parts, [&](int64_t p, int64_t begin, int64_t step) {
    const EncodedPage& page = places.pages[p];
    const int64_t first = places.first_entry[p], first_value = places.first_value[p];
    for (int64_t i = begin; i < page.entries; i += step) {
      const int64_t entry = first + i;
      if (!is_set(places.slots, entry)) continue;
      int64_t start = 0, length = 0;
      if (is_set(places.valid, entry)) {
        const int64_t value = rank_of(places.valid, entry), index = value - first_value;
        if (page.encoding == PageEncoding::codes) {
          const uint32_t code = places.codes[value];
          if (code < places.dictionary_count) {
            start = entry_starts[code];
            length = entry_lengths[code];
          } else {
            atomicOr(status, status_code);
          }
        } else if (fixed > 0) {
          if ((index + 1) * fixed <= page.values_bytes) {
            start = page.values_at + index * fixed;
            length = fixed;
          } else {
            atomicOr(status, status_values);
          }
        } else {
          start = value_starts[value];
          length = value_lengths[value];
        }
      }
      const int64_t slot = rank_of(places.slots, entry);
      starts[slot] = start;
      lengths[slot] = length;
    }
  });
}

__global__ void length_ranges_kernel(const EncodedPage* pages, int64_t page_count, const int64_t* first,
                                     const int64_t* lengths, const int64_t* sums, const int64_t* bytes_at,
                                     int64_t* starts, int64_t* value_lengths, uint32_t* status) {
  for (int64_t p = blockIdx.x; p < page_count; p += gridDim.x) {
    const EncodedPage& page = pages[p];
    if (page.encoding != PageEncoding::lengths) continue;
    const int64_t end = page.values_at + page.values_bytes;
    for (int64_t i = first[p] + threadIdx.x; i < first[p + 1]; i += blockDim.x) {
      int64_t length = lengths[i], start = bytes_at[p] + (sums[i] - sums[first[p]]);
      if (length < 0 || start < bytes_at[p] || start > end || length > end - start) {
        atomicOr(status, status_values);
        length = start = 0;
      }
      starts[i] = start;
      value_lengths[i] = length;
    }
  }
}

// Bytes of one code point that begins with `lead` (0 = none can), after the Unicode standard's table 3-7.
__device__ bool is_utf8(const uint8_t* text, int64_t length) {
  for (int64_t i = 0; i < length;) {
    const uint8_t lead = text[i];
    if (lead < 0x80) {
      ++i;
      continue;
    }
    const int more = lead >= 0xc2 && lead <= 0xdf   ? 1
                     : (lead & 0xf0) == 0xe0        ? 2
                     : lead >= 0xf0 && lead <= 0xf4 ? 3
                                                    : 0;
    if (more == 0 || i + more >= length) return false;
    const uint8_t second = text[i + 1];
    const uint8_t least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    const uint8_t most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (second < least || second > most) return false;
    for (int k = 2; k <= more; ++k) {
      if ((text[i + k] & 0xc0) != 0x80) return false;
    }
    i += more + 1;
  }
  return true;
}

__global__ void check_texts_kernel(const uint8_t* bytes, const int64_t* starts, const int64_t* lengths, int64_t count,
                                   uint32_t* status) {
  for (int64_t i = thread_index(); i < count; i += thread_count()) {
    const int64_t start = starts[i], length = lengths[i];
    uint64_t high = 0;
    int64_t at = 0;
    for (; at + 8 <= length; at += 8) high |= load_64(bytes, start + at);
    if (at < length) {
      const uint64_t rest = load_64(bytes, start + at);
      high |= rest & ((1ULL << (8 * (length - at))) - 1);
    }
    if ((high & 0x8080808080808080ULL) != 0 && !is_utf8(bytes + start, length)) atomicOr(status, status_text);
  }
}

}  // namespace

void find_strings(Device& device, const uint8_t* bytes, const EncodedPage* pages, int64_t page_count,
                  const int64_t* first, int64_t* starts, int64_t* lengths, uint32_t* status) {
  if (page_count == 0) return;
  QUERN_LAUNCH(find_strings_kernel, page_count, 1, bytes, pages, page_count, first, starts, lengths, status);
}

void find_dictionary_strings(Device& device, const uint8_t* bytes, int64_t at, int64_t size, int64_t count,
                             int64_t* starts, int64_t* lengths, uint32_t* status) {
  if (count == 0) return;
  QUERN_LAUNCH(find_dictionary_strings_kernel, 1, 1, bytes, at, size, count, starts, lengths, status);
}

void even_ranges(Device& device, int64_t at, int64_t length, int64_t count, int64_t* starts, int64_t* lengths) {
  if (count == 0) return;
  QUERN_LAUNCH(even_ranges_kernel, count, block_threads, at, length, count, starts, lengths);
}

void string_ranges(Device& device, const ValuePlaces& places, int32_t fixed, const int64_t* value_starts,
                   const int64_t* value_lengths, const int64_t* entry_starts, const int64_t* entry_lengths,
                   int64_t* starts, int64_t* lengths, uint32_t* status) {
  if (places.page_count == 0) return;
  const PageParts parts = page_parts(places.page_count, places.entries);
  QUERN_LAUNCH(string_ranges_kernel, parts.count(), 1, places, parts, fixed, value_starts, value_lengths, entry_starts,
               entry_lengths, starts, lengths, status);
}

void length_ranges(Device& device, const EncodedPage* pages, int64_t page_count, const int64_t* first,
                   const int64_t* lengths, const int64_t* sums, const int64_t* bytes_at, int64_t* starts,
                   int64_t* value_lengths, uint32_t* status) {
  if (page_count == 0) return;
  QUERN_LAUNCH(length_ranges_kernel, page_count, 1, pages, page_count, first, lengths, sums, bytes_at, starts,
               value_lengths, status);
}

void check_texts(Device& device, const uint8_t* bytes, const int64_t* starts, const int64_t* lengths, int64_t count,
                 uint32_t* status) {
  if (count == 0) return;
  QUERN_LAUNCH(check_texts_kernel, count, block_threads, bytes, starts, lengths, count, status);
}

}  // namespace quern::cuda
