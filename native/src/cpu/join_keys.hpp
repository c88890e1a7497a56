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

class JoinKeys {
 public:
  // Key columns by chunk.
  JoinKeys(Context& context, const JoinKeyTypes& types, const KeyLayout& layout,
           std::vector<std::vector<ColumnPtr>> columns, PackedIds packing, const Parallel& parallel);

  size_t parts() const { return size_t{1} << part_bits_; }
  int part_bits() const { return part_bits_; }
  int64_t part_rows(size_t part) const;
  // Calls each(key words, hash, packed id) for the rows of a part in input order.
  template <typename Each>
  void visit(size_t part, Each&& each) const {
    const auto words = static_cast<size_t>(layout_.words);
    for (size_t number = 0; number < chunks_.size(); ++number) {
      const Chunk& chunk = *chunks_[number];
      context_.check_cancelled();
      const uint64_t* keys = chunk.encoder.keys();
      const uint64_t* hashes = chunk.encoder.hashes();
      for (int64_t i = chunk.starts[part]; i < chunk.starts[part + 1]; ++i) {
        const uint32_t row = chunk.order[static_cast<size_t>(i)];
        each(keys + row * words, hashes[row], packing_.pack(number, row));
      }
    }
  }

 private:
  // Rows of a chunk by part.
  struct Chunk {
    Chunk(Memory& memory, const KeyLayout& layout) : encoder(memory, layout) {}
    KeyEncoder encoder;
    std::vector<uint32_t> order;
    std::vector<int64_t> starts;  // of each part in `order`, and the end
  };
  void encode(Chunk& chunk, const JoinKeyTypes& types, const std::vector<ColumnPtr>& columns) const;

  Context& context_;
  const KeyLayout& layout_;
  PackedIds packing_;
  int part_bits_ = 0;
  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::vector<std::vector<ColumnPtr>> columns_;  // what string keys point into
  Reservation reserved_;
};

}  // namespace quern::cpu
