// Kernels that put distinct strings in the order of their bytes, eight bytes a round.
#pragma once
#include "cuda/device.hpp"
#include "cuda/fragments/string_table.cuh"

namespace quern::cuda {

// Strings that the bytes before `depth` leave equal, in groups: those of one group stand together, short ones first.
struct RankRound {
  const StringEntry* entries;
  const uint32_t* strings;  // numbers of strings
  const uint64_t* groups;   // of each string, ascending
  int64_t count;
  uint64_t depth;
};

// strings[i] = i + 1, words[i] = its length.
void string_lengths(Device& device, const StringEntry* entries, int64_t count, uint32_t* strings, uint64_t* words);
// words[i]: the eight bytes from `depth` on, the first one highest, zero past the end.
void string_words(Device& device, const RankRound& round, uint64_t* words);
// out[i] = groups[order[i]].
void gather_words(Device& device, const uint64_t* groups, const uint32_t* order, int64_t count, uint64_t* out);
// Strings order[i] in the order of groups and words: `starts` are the first ones of equal words, `open` those with
// bytes left that others have as well.
void mark_ties(Device& device, const RankRound& round, const uint64_t* words, const uint32_t* order, uint32_t* starts,
               uint32_t* open);
// sorted[places[i]] = strings[order[i]].
void place_strings(Device& device, const RankRound& round, const uint32_t* order, const uint32_t* places,
                   uint32_t* sorted);
// The open ones, `left` of them by row: strings, places and groups of the next round. sums[w] starts lie before word w.
void next_round(Device& device, const RankRound& round, const uint32_t* order, const uint32_t* places,
                const uint32_t* starts, const int64_t* sums, const uint32_t* left, int64_t count, uint32_t* strings,
                uint32_t* next_places, uint64_t* groups);
// ranks[sorted[i]] = i; ranks[0], of NULL, is 0.
void write_ranks(Device& device, const uint32_t* sorted, int64_t count, uint32_t* ranks);

}  // namespace quern::cuda
