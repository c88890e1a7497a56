// Tables that find the row with a key: an address for every value of a dense range, else open addressing over slots of
// 16 bytes, at most half of them taken. Compiled by nvcc and by NVRTC; includes only ops.
#pragma once
#include "ops/hash.hpp"

namespace quern::cuda {

struct ColumnView;
struct StringTable;

// Where the key is one word it is the tag, else the tag is its hash.
struct alignas(16) JoinSlot {
  uint64_t tag;
  uint64_t row;  // + 1; 0 = free
};

struct JoinTable {
  const uint32_t* addresses;  // of key `first` + i: its row + 1, 0 = none
  uint64_t first;
  uint64_t range;  // addresses; 0 = the slots are used
  const JoinSlot* slots;
  uint64_t mask;         // slots - 1, a power of two less one
  const uint64_t* keys;  // the words of each row's key
};

// A join as kernels see it. Where several rows have one key the table finds one of them (cuda/join_table.hpp).
struct JoinView {
  JoinTable table;
  const ColumnView* columns;   // of the second input
  uint32_t rows;               // of the second input
  const StringTable* strings;  // of keys that are strings, in order
};

// Rows of the first input with the rows of their keys' lists: pair i belongs to entry k with targets[k] <= i <
// targets[k + 1]. Behind a list stand pairs with no row, `none`, where there are more.
struct JoinPairs {
  const uint32_t* rows;    // of entries
  const uint32_t* found;   // of entries: the leader of the list, or `none`, whose list is itself
  const int64_t* targets;  // count + 1
  int64_t count;           // entries
  const int64_t* starts;   // by leader
  const int64_t* ends;
  const uint32_t* lists;
  uint32_t none;
};

constexpr uint32_t no_row = 0xffffffffU;

QUERN_HD inline uint64_t join_hash(const uint64_t* key, int words) {
  uint64_t hash = hash_seed;
  for (int i = 0; i < words; ++i) hash = hash_word(hash, key[i]);
  return hash;
}

// Of pair i the entry; `second` gets the row of the second input.
QUERN_HD inline int64_t pair_at(const JoinPairs& pairs, int64_t i, uint32_t& second) {
  int64_t low = 0, high = pairs.count;  // targets[low] <= i < targets[high]
  while (high - low > 1) {
    const int64_t middle = (low + high) / 2;
    if (pairs.targets[middle] <= i)
      low = middle;
    else
      high = middle;
  }
  const int64_t at = pairs.starts[pairs.found[low]] + i - pairs.targets[low];
  second = at < pairs.ends[pairs.found[low]] ? pairs.lists[at] : pairs.none;
  return low;
}

// The row with the key, or no_row.
template <int words>
QUERN_HD inline uint32_t find_row(const JoinTable& table, const uint64_t (&key)[words]) {
  if (table.range != 0) {
    const uint64_t at = key[0] - table.first;
    return at < table.range ? table.addresses[at] - 1 : no_row;
  }
  const uint64_t hash = join_hash(key, words), tag = words == 1 ? key[0] : hash;
  for (uint64_t at = hash & table.mask;; at = (at + 1) & table.mask) {
    const JoinSlot slot = table.slots[at];
    if (slot.row == 0) return no_row;
    if (slot.tag != tag) continue;
    const auto row = static_cast<uint32_t>(slot.row - 1);
    if constexpr (words > 1) {
      const uint64_t* other = table.keys + static_cast<uint64_t>(row) * words;
      bool same = true;
      for (int i = 0; i < words; ++i) same &= other[i] == key[i];
      if (!same) continue;
    }
    return row;
  }
}

}  // namespace quern::cuda
