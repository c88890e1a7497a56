// Places of whole numbers of a range: one for each number, or, where few of them occur, one for each that does. Then a
// bitmap tells which occur, and every block of it how many occur before.
#pragma once
#include <algorithm>
#include <cstdint>

#include "context/memory.hpp"

namespace quern::cpu {

class JoinPlaces {
 public:
  JoinPlaces() = default;
  // A place for each of `span` numbers from `least`.
  JoinPlaces(int64_t least, int64_t span)
      : least_(static_cast<uint64_t>(least)), span_(static_cast<uint64_t>(span)), count_(span) {}

  int64_t count() const { return count_; }
  bool is_ranked() const { return blocks_ != nullptr; }
  uint64_t span() const { return span_; }

  // The distance from the least number; span() and more: outside.
  template <typename T>
  uint64_t offset_of(T value) const {
    return static_cast<uint64_t>(static_cast<int64_t>(value)) - least_;
  }
  // Of an offset within the span. Ranked: of a number that occurs.
  template <bool ranked>
  uint64_t place(uint64_t offset) const {
    if constexpr (!ranked) return offset;
    const uint64_t block = blocks_->as<uint64_t>()[offset >> block_bits];
    const auto bits = static_cast<uint32_t>(block);
    return (block >> 32) + bit_count(bits & ((1U << (offset & block_mask)) - 1));
  }
  template <bool ranked>
  bool occurs(uint64_t offset) const {
    if (offset >= span_) return false;
    if constexpr (!ranked) return true;
    return (blocks_->as<uint64_t>()[offset >> block_bits] >> (offset & block_mask) & 1) != 0;
  }

  // To rank: begin, set() each number that occurs, then end.
  void begin_ranks(Memory& memory) {
    blocks_ = memory.allocate_zeroed(static_cast<size_t>(blocks()) * sizeof(uint64_t));
  }
  // Offsets of different blocks may be set side by side.
  void set(uint64_t offset) { blocks_->as<uint64_t>()[offset >> block_bits] |= 1ULL << (offset & block_mask); }
  void end_ranks() {
    auto* words = blocks_->as<uint64_t>();
    uint64_t before = 0;
    for (uint64_t at = 0; at < blocks(); ++at) {
      const auto bits = static_cast<uint32_t>(words[at]);
      words[at] |= before << 32;
      before += bit_count(bits);
    }
    count_ = static_cast<int64_t>(before);
  }
  // The first offset of part `part` of `parts`, at a block's border.
  uint64_t first_offset(int64_t part, int64_t parts) const {
    const uint64_t block = blocks() * static_cast<uint64_t>(part) / static_cast<uint64_t>(parts);
    return std::min(span_, block << block_bits);
  }

 private:
  // A block is a word: bits of 32 numbers below, above how many occur before them.
  static constexpr int block_bits = 5;
  static constexpr uint64_t block_mask = (1U << block_bits) - 1;

  uint64_t blocks() const { return (span_ + block_mask) >> block_bits; }
  // Without the processor's own instruction, which not every processor has.
  static uint64_t bit_count(uint32_t bits) {
    bits -= bits >> 1 & 0x55555555U;
    bits = (bits & 0x33333333U) + (bits >> 2 & 0x33333333U);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0fU;
    return bits * 0x01010101U >> 24;
  }

  uint64_t least_ = 0;
  uint64_t span_ = 0;
  int64_t count_ = 0;
  BufferPtr blocks_;  // where numbers are ranked
};

}  // namespace quern::cpu
