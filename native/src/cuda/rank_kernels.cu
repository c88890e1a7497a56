// Rounds of a radix sort of strings: a thread a string, 8 bytes of it and an entry of 16 in, 8 out. Test:
// test/cuda/sort_test.cpp.
#include "cuda/rank_kernels.hpp"

#include "cuda/launch.cuh"

namespace quern::cuda {

namespace {

__device__ inline uint64_t word_at_depth(const StringEntry& entry, uint64_t depth) {
  if (depth >= entry.length) return 0;
  const uint64_t word = word_of_bytes(entry.bytes + depth, static_cast<uint32_t>(entry.length - depth));
  const auto low = static_cast<uint32_t>(word), high = static_cast<uint32_t>(word >> 32);
  return static_cast<uint64_t>(__byte_perm(low, 0, 0x0123)) << 32 | __byte_perm(high, 0, 0x0123);
}

__global__ void string_lengths_kernel(const StringEntry* entries, int64_t count, uint32_t* strings, uint64_t* words) {
  for (int64_t i = thread_index(); i < count; i += thread_count()) {
    strings[i] = static_cast<uint32_t>(i + 1);
    words[i] = entries[i + 1].length;
  }
}

__global__ void string_words_kernel(RankRound round, uint64_t* words) {
  for (int64_t i = thread_index(); i < round.count; i += thread_count())
    words[i] = word_at_depth(round.entries[round.strings[i]], round.depth);
}

__global__ void gather_words_kernel(const uint64_t* groups, const uint32_t* order, int64_t count, uint64_t* out) {
  for (int64_t i = thread_index(); i < count; i += thread_count()) out[i] = groups[order[i]];
}

__global__ void mark_ties_kernel(RankRound round, const uint64_t* words, const uint32_t* order, uint32_t* starts,
                                 uint32_t* open) {
  const auto is_tie = [&](int64_t i) {  // with the one before it
    return i > 0 && i < round.count && words[order[i]] == words[order[i - 1]] &&
           round.groups[order[i]] == round.groups[order[i - 1]];
  };
  const auto goes_on = [&](int64_t i) { return round.entries[round.strings[order[i]]].length > round.depth + 8; };
  const int64_t end = (round.count + 31) / 32 * 32;
  for (int64_t i = thread_index(); i < end; i += thread_count()) {
    const bool live = i < round.count, before = live && is_tie(i);
    const bool is_open = live && goes_on(i) && ((before && goes_on(i - 1)) || (is_tie(i + 1) && goes_on(i + 1)));
    const unsigned start_bits = __ballot_sync(all_lanes, live && !before);
    const unsigned open_bits = __ballot_sync(all_lanes, is_open);
    if ((threadIdx.x & 31) == 0) {
      starts[i >> 5] = start_bits;
      open[i >> 5] = open_bits;
    }
  }
}

__global__ void place_strings_kernel(RankRound round, const uint32_t* order, const uint32_t* places, uint32_t* sorted) {
  for (int64_t i = thread_index(); i < round.count; i += thread_count()) sorted[places[i]] = round.strings[order[i]];
}

__global__ void next_round_kernel(RankRound round, const uint32_t* order, const uint32_t* places,
                                  const uint32_t* starts, const int64_t* sums, const uint32_t* left, int64_t count,
                                  uint32_t* strings, uint32_t* next_places, uint64_t* groups) {
  for (int64_t i = thread_index(); i < count; i += thread_count()) {
    const uint32_t at = left[i];
    strings[i] = round.strings[order[at]];
    next_places[i] = places[at];
    const unsigned upto = 0xffffffffu >> (31 - (at & 31));
    groups[i] = static_cast<uint64_t>(sums[at >> 5]) + static_cast<uint64_t>(__popc(starts[at >> 5] & upto)) - 1;
  }
}

__global__ void write_ranks_kernel(const uint32_t* sorted, int64_t count, uint32_t* ranks) {
  for (int64_t i = thread_index(); i < count; i += thread_count()) {
    ranks[sorted[i]] = static_cast<uint32_t>(i);
    if (i == 0) ranks[0] = 0;
  }
}

}  // namespace

void string_lengths(Device& device, const StringEntry* entries, int64_t count, uint32_t* strings, uint64_t* words) {
  if (count == 0) return;
  QUERN_LAUNCH(string_lengths_kernel, count, block_threads, entries, count, strings, words);
}

void string_words(Device& device, const RankRound& round, uint64_t* words) {
  if (round.count == 0) return;
  QUERN_LAUNCH(string_words_kernel, round.count, block_threads, round, words);
}

void gather_words(Device& device, const uint64_t* groups, const uint32_t* order, int64_t count, uint64_t* out) {
  if (count == 0) return;
  QUERN_LAUNCH(gather_words_kernel, count, block_threads, groups, order, count, out);
}

void mark_ties(Device& device, const RankRound& round, const uint64_t* words, const uint32_t* order, uint32_t* starts,
               uint32_t* open) {
  if (round.count == 0) return;
  QUERN_LAUNCH(mark_ties_kernel, round.count, block_threads, round, words, order, starts, open);
}

void place_strings(Device& device, const RankRound& round, const uint32_t* order, const uint32_t* places,
                   uint32_t* sorted) {
  if (round.count == 0) return;
  QUERN_LAUNCH(place_strings_kernel, round.count, block_threads, round, order, places, sorted);
}

void next_round(Device& device, const RankRound& round, const uint32_t* order, const uint32_t* places,
                const uint32_t* starts, const int64_t* sums, const uint32_t* left, int64_t count, uint32_t* strings,
                uint32_t* next_places, uint64_t* groups) {
  if (count == 0) return;
  QUERN_LAUNCH(next_round_kernel, count, block_threads, round, order, places, starts, sums, left, count, strings,
               next_places, groups);
}

void write_ranks(Device& device, const uint32_t* sorted, int64_t count, uint32_t* ranks) {
  if (count == 0) return;
  QUERN_LAUNCH(write_ranks_kernel, count, block_threads, sorted, count, ranks);
}

}  // namespace quern::cuda
