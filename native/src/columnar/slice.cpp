#include <cstring>

#include "columnar/column.hpp"
#include "common/error.hpp"

namespace quern {

namespace {

// Bits [start, start + length) moved to bit 0.
void shift_bits(const uint64_t* from, int64_t start, int64_t length, uint64_t* out) {
  const int64_t word = start / 64;
  const int shift = static_cast<int>(start % 64);
  const int64_t words = validity_words(length);
  const int64_t last = (start + length - 1) / 64;
  for (int64_t i = 0; i < words; ++i) {
    const uint64_t low = from[word + i] >> shift;
    const uint64_t high = shift != 0 && word + i + 1 <= last ? from[word + i + 1] << (64 - shift) : 0;
    out[i] = low | high;
  }
}

}  // namespace

ColumnPtr slice(Memory& memory, const ColumnPtr& column, int64_t start, int64_t length) {
  if (start < 0 || length < 0 || start + length > column->length) {
    throw internal_error("slice outside its column: rows " + std::to_string(start) + " to " +
                         std::to_string(start + length) + " of " + std::to_string(column->length));
  }
  if (start == 0 && length == column->length) return column;
  auto out = std::make_shared<Column>(*column);
  out->length = length;
  if (column->type->kind == TypeKind::structure && column->form != Form::dictionary) {
    for (auto& child : out->children) child = slice(memory, child, start, length);
  }
  if (column->form == Form::constant) {
    out->null_count = column->null_count > 0 ? length : 0;
    if (out->null_count == 0) out->validity = nullptr;
    return out;
  }
  const int32_t bytes = column->form == Form::dictionary ? 4 : width(*column->type);
  if (column->data != nullptr) out->data = static_cast<const uint8_t*>(column->data) + start * bytes;
  if (column->validity == nullptr || length == 0) {
    out->validity = nullptr;
    out->null_count = 0;
    return out;
  }
  const uint64_t* words = nullptr;
  if (start % 64 == 0) {
    words = column->validity + start / 64;
  } else {
    auto buffer = memory.allocate(static_cast<size_t>(validity_words(length)) * 8);
    shift_bits(column->validity, start, length, buffer->as<uint64_t>());
    words = buffer->as<uint64_t>();
    out->owners.push_back(std::move(buffer));
  }
  out->null_count = length - count_set_bits(words, length);
  out->validity = out->null_count > 0 ? words : nullptr;
  return out;
}

Batch slice(Memory& memory, const Batch& batch, int64_t start, int64_t length) {
  Batch out;
  out.rows = length;
  out.columns.reserve(batch.columns.size());
  for (const auto& column : batch.columns) out.columns.push_back(slice(memory, column, start, length));
  return out;
}

}  // namespace quern
