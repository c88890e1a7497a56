// Walks the flattened nodes and buffers of one record batch and makes columns of them.
#pragma once
#include <cstdint>
#include <string>

#include "arrow/file.hpp"

namespace quern::arrow {

// Which rows are not null: no words where all are valid.
struct Mask {
  const uint64_t* words = nullptr;
  Owner owner;
  int64_t null_count = 0;
  bool valid(int64_t row) const { return words == nullptr || bit_at(words, row); }
};

// Rows of one array may not exceed this, so that products with element sizes cannot overflow.
constexpr int64_t length_limit = 1LL << 40;

class BatchReader {
 public:
  BatchReader(Context& context, const File& file, const RecordBatch& batch)
      : context_(context), memory_(context.memory()), file_(file), batch_(batch) {}

  // Moves past a field, children included.
  void skip(const Field& field) { skip_array(field, field.is_dictionary); }
  // The next array, for `field`. `expected` rows unless negative; rows that `parent` has not are null. At the top a
  // dictionary may stay one; elsewhere the result is flat.
  ColumnPtr read(const Field& field, int64_t expected, const Mask& parent, bool top);
  // As read, for the values a dictionary batch holds: the field without its own dictionary encoding.
  ColumnPtr read_values(const Field& field, int64_t expected, const Mask& parent);

 private:
  void skip_array(const Field& field, bool as_indices);
  const Node& next_node();
  Range next_range();
  // The next buffer, decompressed; at least `needed` bytes, else corrupt.
  BufferPtr next_buffer(int64_t needed);
  BufferPtr load(Range range);
  Mask next_mask(int64_t length, int64_t null_count, const Mask& parent);
  int64_t checked_length(const Node& node, int64_t expected);

  ColumnPtr read_indices(const Field& field, int64_t length, const Mask& mask, bool top);
  ColumnPtr dictionary_values(const Field& field);
  ColumnPtr read_run_ends(const Field& field, int64_t length, const Mask& parent);
  ColumnPtr read_fixed(const Field& field, int64_t length, const Mask& mask);
  ColumnPtr read_boolean(const Field& field, int64_t length, const Mask& mask);
  ColumnPtr read_text(const Field& field, int64_t length, const Mask& mask);
  ColumnPtr read_views(const Field& field, int64_t length, const Mask& mask);
  ColumnPtr read_fixed_binary(const Field& field, int64_t length, const Mask& mask);
  ColumnPtr read_list(const Field& field, int64_t length, const Mask& mask);
  ColumnPtr read_list_view(const Field& field, int64_t length, const Mask& mask);
  ColumnPtr read_fixed_list(const Field& field, int64_t length, const Mask& mask);
  ColumnPtr read_structure(const Field& field, int64_t length, const Mask& mask);
  ColumnPtr list_column(const Field& field, int64_t length, const Mask& mask, BufferPtr entries, ColumnPtr child);

  Context& context_;
  Memory& memory_;
  const File& file_;
  const RecordBatch& batch_;
  size_t node_ = 0;
  size_t buffer_ = 0;
  size_t variadic_ = 0;
};

// A flat column over `data`, whose null rows are zeroed here.
std::shared_ptr<Column> flat_column(TypePtr type, int64_t length, const Mask& mask, BufferPtr data);

}  // namespace quern::arrow
