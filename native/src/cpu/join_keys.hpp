// Encoded keys of the second input, split by the hash's top bits so that parts of an index are made in parallel.
#pragma once
#include <memory>
#include <vector>

#include "context/context.hpp"
#include "cpu/group_key.hpp"
#include "cpu/join_matches.hpp"
#include "plan/pipeline.hpp"

namespace quern::cpu {

// What the keys of a join are.
struct JoinKeyTypes {
  std::vector<TypePtr> types;
  std::vector<bool> null_safe;  // NULL equals NULL
};

// Null bits are only part of a key where NULL equals NULL: other rows with a NULL are in no part.
KeyLayout join_key_layout(const JoinKeyTypes& keys);

// Calls each(row) for rows with a NULL that is equal to nothing.
template <typename Each>
void for_absent(const JoinKeyTypes& types, const std::vector<ColumnPtr>& columns, int64_t rows, Each&& each) {
  for (size_t key = 0; key < columns.size(); ++key) {
    const Column& column = *columns[key];
    if (types.null_safe[key] || column.null_count == 0) continue;
    for (int64_t i = 0; i < rows; ++i) {
      if (column.form == Form::constant || !column.is_valid(i)) each(i);
    }
  }
}

// A row's key: half of its hash, its packed id, then the words.
class KeyRecord {
 public:
  static constexpr int64_t head_words = 1;
  explicit KeyRecord(const uint64_t* at) : at_(at) {}
  // The lower half: parts take upper bits.
  uint32_t hash() const { return static_cast<uint32_t>(*at_ >> 32); }
  uint32_t id() const { return static_cast<uint32_t>(*at_); }
  const uint64_t* key() const { return at_ + head_words; }

 private:
  const uint64_t* at_;
};

class JoinKeys {
 public:
  // Key columns by chunk.
  JoinKeys(Context& context, const JoinKeyTypes& types, const KeyLayout& layout,
           std::vector<std::vector<ColumnPtr>> columns, PackedIds packing, const Parallel& parallel);

  size_t parts() const { return size_t{1} << part_bits_; }
  int part_bits() const { return part_bits_; }
  int64_t part_rows(size_t part) const { return starts_[part + 1] - starts_[part]; }
  // Row `row` of a part; they are in input order.
  KeyRecord record(size_t part, int64_t row) const {
    return KeyRecord(records_->as<uint64_t>() + (starts_[part] + row) * record_words());
  }

 private:
  // Rows of a chunk by part.
  struct Chunk {
    Chunk(Memory& memory, const KeyLayout& layout) : encoder(memory, layout) {}
    KeyEncoder encoder;
    BufferPtr parts;            // uint16_t a row
    std::vector<int64_t> next;  // first the rows of each part, then where its next record goes
  };
  void encode(Chunk& chunk, const JoinKeyTypes& types, const std::vector<ColumnPtr>& columns) const;
  void write(size_t number);
  int64_t record_words() const { return KeyRecord::head_words + layout_.words; }

  Context& context_;
  const KeyLayout& layout_;
  PackedIds packing_;
  int part_bits_ = 0;
  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::vector<std::vector<ColumnPtr>> columns_;  // what string keys point into
  std::vector<int64_t> starts_;                  // of each part in records_, and the end
  BufferPtr records_;
};

}  // namespace quern::cpu
