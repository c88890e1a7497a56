// Repetition and definition levels: reading them from a page, holding them for a batch of rows, and turning them into
// validity words. Runs stay runs: an array of equal levels takes no bytes.
#pragma once
#include <cstdint>
#include <vector>

#include "parquet/encoding.hpp"
#include "parquet/growing_buffer.hpp"
#include "parquet/pages.hpp"

namespace quern::parquet {

// Runs this long are worth handling as runs.
constexpr int64_t long_run = 256;
// Levels decoded at a time.
constexpr int64_t level_window = 4096;
// The same where only the starts of rows are picked out of them.
constexpr int64_t start_window = 1 << 16;

// The levels of one page, checked against the maximum.
class LevelCursor {
 public:
  LevelCursor() = default;
  LevelCursor(Memory& memory, const PageStream::Section& section, int max_level, int64_t entries);

  HybridDecoder::Run peek(int64_t limit);
  void advance(int64_t count);
  void read(uint8_t* out, int64_t count);
  // Of a cursor whose maximum is 1: takes up to `limit` levels, but none from zero number `wanted` (0 = first) on.
  // Writes where the zeros are, counted from the cursor, and how many; returns the levels taken.
  int64_t take_starts(int64_t limit, int64_t wanted, uint32_t* positions, int64_t& found);

 private:
  // Where a run ends: the byte behind it, levels and starts before it.
  struct Boundary {
    size_t byte = 0;  // 0 = none
    int64_t taken = 0, found = 0;
  };
  int64_t repeat_starts(const Boundary& from, int64_t taken, int64_t limit, int64_t wanted, uint32_t* positions,
                        int64_t& found);

  int max_level_ = 0;
  HybridDecoder runs_;
  BufferPtr unpacked_;  // deprecated BIT_PACKED: all levels of the page
  int64_t position_ = 0, entries_ = 0;
};

// Levels of a batch of rows.
class LevelArray {
 public:
  explicit LevelArray(Memory& memory) : data_(memory), starts_(memory) {}

  void append(const uint8_t* levels, int64_t count);
  void append_run(uint8_t level, int64_t count);
  // `count` levels of 0 and 1, as the positions of the `zeros` zeros among them. Nothing else may be appended then.
  void append_starts(const uint32_t* positions, int64_t zeros, int64_t count);
  int64_t size() const { return size_; }
  // Positions of all zeros, where they came by append_starts().
  const int64_t* starts() const { return reinterpret_cast<const int64_t*>(starts_.data()); }
  int64_t start_count() const { return start_count_; }
  // True when all levels are equal; level() is then the one.
  bool is_constant() const { return constant_; }
  uint8_t level() const { return level_; }
  // One byte a level; writes out a run.
  const uint8_t* data();

 private:
  void spread(int64_t room);
  GrowingBuffer data_;
  GrowingBuffer starts_;
  int64_t start_count_ = 0;
  int64_t size_ = 0;
  bool constant_ = true;
  uint8_t level_ = 0;
};

// Validity bits that are appended; no words while all are set.
class ValidityBuilder {
 public:
  explicit ValidityBuilder(Memory& memory) : words_(memory) {}
  void append_run(bool valid, int64_t count);
  // One byte (0 or 1) a bit, `set` of them 1.
  void append(const uint8_t* valid, int64_t count, int64_t set);
  int64_t size() const { return size_; }
  int64_t null_count() const { return null_count_; }
  // Null when there are no nulls.
  const uint64_t* words() const {
    return null_count_ == 0 ? nullptr : reinterpret_cast<const uint64_t*>(words_.data());
  }
  const BufferPtr& buffer() const { return words_.buffer(); }

 private:
  uint64_t* room(int64_t bits);
  GrowingBuffer words_;
  int64_t size_ = 0;
  int64_t null_count_ = 0;
  bool written_ = false;
};

// out[i] = levels[i] >= threshold, as 0 or 1; returns how many are 1.
int64_t compare_levels(const uint8_t* levels, int64_t count, uint8_t threshold, uint8_t* out);
// How many levels are zero.
int64_t count_zeros(const uint8_t* levels, int64_t count);
// Position of zero number `number` (0 = first), or `count` when there are fewer; `found` = zeros before it.
int64_t find_zero(const uint8_t* levels, int64_t count, int64_t number, int64_t& found);
// Positions of all zeros, of which the caller knows the number.
void each_zero(const uint8_t* levels, int64_t count, int64_t* positions);

}  // namespace quern::parquet
