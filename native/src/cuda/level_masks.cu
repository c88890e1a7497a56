// From levels to masks, validity and list offsets, a thread a word of 32 entries. Levels are a byte each; a mask costs
// 32 bytes in and 4 out a word. Test: test/cuda/scan_kernels_test.cpp, LevelMasks.
#include "cuda/launch.cuh"
#include "cuda/ranked_mask.cuh"

namespace quern::cuda {

namespace {

// 32 levels of word `word`, as 8 words of 4.
struct Levels {
  uint4 low, high;
  __device__ uint32_t at(int i) const {
    const uint32_t* words = reinterpret_cast<const uint32_t*>(this);
    return (words[i >> 2] >> ((i & 3) * 8)) & 0xff;
  }
};

__device__ Levels load_levels(const uint8_t* levels, int64_t word) {
  const auto* pairs = reinterpret_cast<const uint4*>(levels) + word * 2;
  return {pairs[0], pairs[1]};
}

__device__ int entries_of(int64_t entries, int64_t word) {
  const int64_t left = entries - word * 32;
  return left < 32 ? static_cast<int>(left) : 32;
}

__global__ void level_mask_kernel(const uint8_t* repetition, const uint8_t* definition, int32_t most_repetition,
                                  int32_t least_definition, int64_t entries, uint32_t* mask) {
  for (int64_t word = thread_index(); word * 32 < entries; word += thread_count()) {
    const int count = entries_of(entries, word);
    uint32_t bits = count == 32 ? all_lanes : (1u << count) - 1;
    if (repetition != nullptr) {
      const Levels levels = load_levels(repetition, word);
      uint32_t passing = 0;
#pragma unroll
      for (int i = 0; i < 32; ++i)
        passing |= static_cast<uint32_t>(static_cast<int32_t>(levels.at(i)) <= most_repetition) << i;
      bits &= passing;
    }
    if (definition != nullptr) {
      const Levels levels = load_levels(definition, word);
      uint32_t passing = 0;
#pragma unroll
      for (int i = 0; i < 32; ++i)
        passing |= static_cast<uint32_t>(static_cast<int32_t>(levels.at(i)) >= least_definition) << i;
      bits &= passing;
    }
    mask[word] = bits;
  }
}

__global__ void ranks_at_kernel(RankedMask mask, const int64_t* first, int64_t page_count, int64_t* out) {
  for (int64_t p = thread_index(); p <= page_count; p += thread_count()) out[p] = rank_of(mask, first[p]);
}

__global__ void slot_validity_kernel(RankedMask slots, const uint8_t* definition, int32_t present, int64_t entries,
                                     uint32_t* validity, unsigned long long* nulls) {
  for (int64_t word = thread_index(); word * 32 < entries; word += thread_count()) {
    const int count = entries_of(entries, word);
    unsigned long long clear = 0;
    for (int i = 0; i < count; ++i) {
      const int64_t entry = word * 32 + i;
      if (definition[entry] >= present || !is_set(slots, entry)) continue;
      const int64_t slot = rank_of(slots, entry);
      atomicAnd(&validity[slot >> 5], ~(1u << (slot & 31)));
      ++clear;
    }
    if (clear != 0) atomicAdd(nulls, clear);
  }
}

__global__ void list_offsets_kernel(RankedMask slots, RankedMask elements, int64_t entries, int64_t* offsets) {
  for (int64_t word = thread_index(); word * 32 < entries; word += thread_count()) {
    const int count = entries_of(entries, word);
    int64_t slot = rank_of(slots, word * 32), element = rank_of(elements, word * 32);
    for (int i = 0; i < count; ++i) {
      const int64_t entry = word * 32 + i;
      if (is_set(slots, entry)) offsets[slot++] = element;
      element += is_set(elements, entry);
    }
  }
}

__global__ void check_lists_kernel(const uint8_t* repetition, const uint8_t* definition, ListLevels lists,
                                   int64_t entries, uint32_t* status) {
  for (int64_t entry = thread_index(); entry < entries; entry += thread_count()) {
    const int own = repetition[entry];
    if (own == 0) continue;
    // The entry before has begun or continued the same list, which then holds an element.
    const int element = lists.element[own];
    const bool has_element = definition == nullptr || definition[entry] >= element;
    const bool is_open =
        entry > 0 && (repetition[entry - 1] >= own || definition == nullptr || definition[entry - 1] >= element);
    if (!has_element || !is_open) atomicOr(status, status_lists);
  }
}

__global__ void even_offsets_kernel(int64_t rows, int64_t length, bool wide, void* offsets) {
  for (int64_t row = thread_index(); row <= rows; row += thread_count()) {
    if (wide)
      static_cast<int64_t*>(offsets)[row] = row * length;
    else
      static_cast<int32_t*>(offsets)[row] = static_cast<int32_t>(row * length);
  }
}

}  // namespace

void level_mask(Device& device, const uint8_t* repetition, const uint8_t* definition, int32_t most_repetition,
                int32_t least_definition, int64_t entries, uint32_t* mask) {
  if (entries == 0) return;
  QUERN_LAUNCH(level_mask_kernel, (entries + 31) / 32, block_threads, repetition, definition, most_repetition,
               least_definition, entries, mask);
}

void ranks_at(Device& device, RankedMask mask, const int64_t* first, int64_t page_count, int64_t* out) {
  QUERN_LAUNCH(ranks_at_kernel, page_count + 1, block_threads, mask, first, page_count, out);
}

void slot_validity(Device& device, RankedMask slots, const uint8_t* definition, int32_t present, int64_t entries,
                   uint32_t* validity, uint64_t* nulls) {
  if (entries == 0 || definition == nullptr) return;
  QUERN_LAUNCH(slot_validity_kernel, (entries + 31) / 32, block_threads, slots, definition, present, entries, validity,
               reinterpret_cast<unsigned long long*>(nulls));
}

void list_offsets(Device& device, RankedMask slots, RankedMask elements, int64_t entries, int64_t* offsets) {
  if (entries == 0) return;
  QUERN_LAUNCH(list_offsets_kernel, (entries + 31) / 32, block_threads, slots, elements, entries, offsets);
}

void check_lists(Device& device, const uint8_t* repetition, const uint8_t* definition, const ListLevels& lists,
                 int64_t entries, uint32_t* status) {
  if (entries == 0) return;
  QUERN_LAUNCH(check_lists_kernel, entries, block_threads, repetition, definition, lists, entries, status);
}

void even_offsets(Device& device, int64_t rows, int64_t length, bool wide, void* offsets) {
  QUERN_LAUNCH(even_offsets_kernel, rows + 1, block_threads, rows, length, wide, offsets);
}

}  // namespace quern::cuda
