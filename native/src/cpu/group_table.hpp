// Groups of one thread: rows of [hash | key words | aggregate states] in arenas split by the hash's top bits, found
// through a table of slots. When the slots outgrow what pays, they are forgotten and filled anew: rows stay where they
// are, equal groups are merged at the end.
#pragma once
#include <cstdint>
#include <vector>

#include "columnar/column.hpp"
#include "context/memory.hpp"
#include "cpu/group_key.hpp"

namespace quern::cpu {

// A row of the table. The hash of a row that was merged into another is `merged`.
struct GroupRow {
  static constexpr uint64_t merged = ~0ULL;

  static uint64_t& hash(uint8_t* row) { return *reinterpret_cast<uint64_t*>(row); }
  static uint64_t* key(uint8_t* row) { return reinterpret_cast<uint64_t*>(row) + 1; }
};

// Slots of row pointers with 16 bits of hash beside each, linear probing, at most half full.
class GroupSlots {
 public:
  GroupSlots(Memory& memory, int64_t rows);
  int64_t capacity() const { return mask_ + 1; }
  bool fits(int64_t rows) const { return rows * 2 <= capacity(); }
  void prefetch(uint64_t hash) const { __builtin_prefetch(slots_ + (hash & static_cast<uint64_t>(mask_))); }
  // Of the row most likely found for this hash, whose slot was prefetched before.
  void prefetch_row(uint64_t hash) const { __builtin_prefetch(row(slots_[hash & static_cast<uint64_t>(mask_)])); }
  void clear();
  uint64_t* slots() { return slots_; }
  int64_t mask() const { return mask_; }
  static uint64_t pack(const uint8_t* row, uint64_t hash) {
    return (hash & salt_bits) | reinterpret_cast<uint64_t>(row);
  }
  static bool same_salt(uint64_t slot, uint64_t hash) { return ((slot ^ hash) & salt_bits) == 0; }
  static uint8_t* row(uint64_t slot) { return reinterpret_cast<uint8_t*>(slot & ~salt_bits); }

 private:
  static constexpr uint64_t salt_bits = 0xffffULL << 48;
  BufferPtr buffer_;
  uint64_t* slots_ = nullptr;
  int64_t mask_ = 0;
};

class GroupTable {
 public:
  static constexpr int partition_bits = 6;
  static constexpr int partitions = 1 << partition_bits;
  static int partition_of(uint64_t hash) { return static_cast<int>(hash >> (64 - partition_bits)); }

  // `states`: of a new row.
  GroupTable(Memory& memory, const KeyLayout& layout, std::vector<uint64_t> states);

  // The group row of each of `rows` keys, made where it is new.
  void find_or_insert(const uint64_t* keys, const uint64_t* hashes, int64_t rows, uint8_t** groups);

  int64_t rows() const { return rows_; }
  // False when the slots were forgotten at least once, so that two rows may have one key.
  bool unique() const { return unique_; }
  // Calls visit(row) for every row of one partition, in the order they were made.
  template <typename Visit>
  void for_each(int partition, Visit&& visit) const {
    for (const auto& chunk : arenas_[static_cast<size_t>(partition)].chunks) {
      for (int64_t i = 0; i < chunk.rows; ++i) visit(chunk.buffer->data() + i * row_bytes_);
    }
  }

 private:
  struct Chunk {
    BufferPtr buffer;
    int64_t rows = 0;
    int64_t capacity = 0;
  };
  struct Arena {
    std::vector<Chunk> chunks;
  };

  template <int32_t words>
  void find(const uint64_t* keys, const uint64_t* hashes, int64_t rows, uint8_t** groups);
  uint8_t* make_row(const uint64_t* key, uint64_t hash);
  void grow();
  bool keys_repeat() const;

  Memory& memory_;
  const KeyLayout& layout_;
  int64_t row_bytes_;
  std::vector<uint64_t> states_;
  std::vector<Arena> arenas_;
  StringHeap heap_;
  GroupSlots slots_;
  int64_t rows_ = 0;
  int64_t in_slots_ = 0;  // rows that the slots know
  bool unique_ = true;
  int64_t seen_ = 0;             // keys looked up since the slots were last cleared
  std::vector<uint8_t> sketch_;  // of the keys of all rows, once there are many
};

}  // namespace quern::cpu
