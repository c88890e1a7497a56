// Group keys as fixed rows of 8-byte words, so that most comparisons are word comparisons.
//
// Layout: each key column has a slot of its storage width (nested types: a 16-byte string view of their serialized
// value), wide slots first; then one null bit a column unless no key is NULL; padded to 8 bytes. Null slots are zero.
// Floats are canonical.
#pragma once
#include <cstdint>
#include <vector>

#include "columnar/column.hpp"
#include "context/memory.hpp"

namespace quern::cpu {

struct KeySlot {
  TypePtr type;
  int32_t column = 0;  // which key
  int32_t offset = 0;  // bytes from the start of the key
  int32_t width = 0;
  bool string = false;      // a StringView: compared by content
  bool serialized = false;  // nested value in a StringView
};

struct KeyLayout {
  std::vector<KeySlot> slots;         // in layout order
  int32_t null_offset = 0;            // bytes; bit i of the bytes there = key column i is null
  int32_t words = 0;                  // 8-byte words of a key
  std::vector<int32_t> string_words;  // first word of every string slot, ascending
  std::vector<int32_t> plain_words;   // all words outside string slots

  bool nulls = true;  // whether there are null bits

  explicit KeyLayout(const std::vector<TypePtr>& types, bool nulls = true);
};

// Room for words that is kept from batch to batch; what is in it is not.
class WordRoom {
 public:
  void resize(Memory& memory, int64_t words) {
    const auto bytes = static_cast<size_t>(words) * sizeof(uint64_t);
    if (!buffer_ || buffer_->size() < bytes) buffer_ = memory.allocate(bytes);
    words_ = buffer_->as<uint64_t>();
  }
  void clear() {
    buffer_.reset();
    words_ = nullptr;
  }
  uint64_t* data() { return words_; }
  const uint64_t* data() const { return words_; }
  uint64_t& operator[](int64_t at) { return words_[at]; }

 private:
  BufferPtr buffer_;
  uint64_t* words_ = nullptr;
};

// Encodes batches of key columns: keys() is rows × layout.words words, hashes() one a row. String bytes stay where the
// columns keep them, serialized values in a scratch heap until the next encode(). One a thread.
class KeyEncoder {
 public:
  KeyEncoder(Memory& memory, const KeyLayout& layout) : memory_(memory), layout_(layout) {}
  void encode(const std::vector<ColumnPtr>& columns, int64_t rows);
  const uint64_t* keys() const { return keys_.data(); }
  const uint64_t* hashes() const { return hashes_.data(); }
  // Forgets both; what they point into stays.
  void clear() {
    keys_.clear();
    hashes_.clear();
  }

 private:
  bool encode_single(const std::vector<ColumnPtr>& columns, int64_t rows);
  template <typename T, int64_t words>
  void encode_integer(const Column& column, int64_t rows);
  void encode_slot(const KeySlot& slot, const ColumnPtr& column, int64_t rows);
  void hash_strings(const KeySlot& slot, const ColumnPtr& column, int64_t rows);

  Memory& memory_;
  const KeyLayout& layout_;
  WordRoom keys_;
  WordRoom hashes_;
  std::vector<ColumnPtr> serialized_;  // keeps the heap of nested keys
  // Hashes of the entries of the dictionary seen last, a slot.
  struct DictionaryHashes {
    ColumnPtr dictionary;
    std::vector<uint64_t> hashes;
  };
  std::vector<DictionaryHashes> dictionaries_;
};

// Key columns of stored keys: `keys[i]` points at the words of row i.
std::vector<ColumnPtr> decode_keys(Memory& memory, const KeyLayout& layout, const std::vector<TypePtr>& types,
                                   const uint64_t* const* keys, int64_t rows);

// True when both keys are equal.
bool same_key(const KeyLayout& layout, const uint64_t* a, const uint64_t* b);

}  // namespace quern::cpu
