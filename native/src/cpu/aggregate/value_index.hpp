// Distinct values of one group: words by value, anything else by its serialized bytes.
#pragma once
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "context/counted_allocator.hpp"
#include "ops/compare.hpp"
#include "ops/hash.hpp"

namespace quern::cpu {

// A set of 64-bit words, linear probing, at most half full.
class WordSet {
 public:
  explicit WordSet(Memory& memory) : slots_(CountedAllocator<uint64_t>(memory)) {}

  void insert(uint64_t word) {
    if (word == 0) {  // zero marks an empty slot
      has_zero_ = true;
      return;
    }
    if (count_ == room_) grow();
    count_ += put(word);
  }
  int64_t size() const { return static_cast<int64_t>(count_) + (has_zero_ ? 1 : 0); }
  void merge(const WordSet& other) {
    if (other.has_zero_) has_zero_ = true;
    for (const uint64_t word : other.slots_) {
      if (word != 0) insert(word);
    }
  }

 private:
  // Whether the word is new. The place is the top bits of a product with an odd number (Fibonacci hashing): one
  // multiply.
  bool put(uint64_t word) {
    const size_t mask = slots_.size() - 1;
    uint64_t* slots = slots_.data();
    for (size_t at = (word * hash_first) >> shift_;; at = (at + 1) & mask) {
      if (slots[at] == word) return false;
      if (slots[at] != 0) continue;
      slots[at] = word;
      return true;
    }
  }
  void grow() {
    std::vector<uint64_t, CountedAllocator<uint64_t>> old(slots_.get_allocator());
    old.swap(slots_);
    slots_.assign(old.empty() ? 16 : old.size() * 2, 0);
    room_ = slots_.size() / 2;
    shift_ = 64 - std::countr_zero(slots_.size());
    for (const uint64_t word : old) {
      if (word != 0) put(word);
    }
  }
  std::vector<uint64_t, CountedAllocator<uint64_t>> slots_;
  size_t count_ = 0;
  size_t room_ = 0;  // half of the slots
  int shift_ = 0;    // 64 - bits of a slot number
  bool has_zero_ = false;
};

// Numbers byte strings 0, 1, 2, … in the order in which they are first seen.
class BytesIndex {
 public:
  explicit BytesIndex(Memory& memory)
      : heap_(memory), keys_(CountedAllocator<StringView>(memory)), slots_(CountedAllocator<uint32_t>(memory)) {}

  // The number of these bytes, and whether they are new.
  std::pair<size_t, bool> insert(const char* data, size_t length) {
    if (2 * (keys_.size() + 1) > slots_.size()) grow();
    const auto view = make_string_view(data, static_cast<uint32_t>(length));
    const size_t mask = slots_.size() - 1;
    for (size_t at = hash_bytes(data, view.length) & mask;; at = (at + 1) & mask) {
      if (slots_[at] == 0) {
        keys_.push_back(heap_.append(data, length));
        slots_[at] = static_cast<uint32_t>(keys_.size());
        return {keys_.size() - 1, true};
      }
      const size_t index = slots_[at] - 1;
      if (ops::equal(keys_[index], view)) return {index, false};
    }
  }
  size_t size() const { return keys_.size(); }
  const StringView& key(size_t index) const { return keys_[index]; }

 private:
  void grow() {
    const size_t capacity = slots_.empty() ? 16 : slots_.size() * 2;
    slots_.assign(capacity, 0);
    for (size_t i = 0; i < keys_.size(); ++i) {
      size_t at = hash_bytes(keys_[i].data(), keys_[i].length) & (capacity - 1);
      while (slots_[at] != 0) at = (at + 1) & (capacity - 1);
      slots_[at] = static_cast<uint32_t>(i + 1);
    }
  }
  StringHeap heap_;
  std::vector<StringView, CountedAllocator<StringView>> keys_;
  std::vector<uint32_t, CountedAllocator<uint32_t>> slots_;  // number + 1; 0 = empty
};

}  // namespace quern::cpu
