#include <bit>
#include <cstring>

#include "columnar/column.hpp"
#include "common/error.hpp"

namespace quern {

int64_t count_set_bits(const uint64_t* words, int64_t rows) {
  int64_t count = 0;
  for (int64_t i = 0; i < rows / 64; ++i) count += std::popcount(words[i]);
  if (rows % 64 != 0) count += std::popcount(words[rows / 64] & ((1ULL << (rows % 64)) - 1));
  return count;
}

ColumnBuilder::ColumnBuilder(Memory& memory, TypePtr type, int64_t length, bool zeroed)
    : memory_(memory), column_(std::make_shared<Column>()) {
  const int64_t bytes = length * width(*type);
  column_->type = std::move(type);
  column_->length = length;
  if (bytes > 0)
    data_ = zeroed ? memory.allocate_zeroed(static_cast<size_t>(bytes)) : memory.allocate(static_cast<size_t>(bytes));
}

uint64_t* ColumnBuilder::validity() {
  if (!validity_) {
    const size_t bytes = static_cast<size_t>(validity_words(column_->length)) * 8;
    validity_ = memory_.allocate(bytes);
    std::memset(validity_->data(), 0xff, bytes);
  }
  return validity_->as<uint64_t>();
}

ColumnPtr ColumnBuilder::finish(int64_t length) {
  if (length >= 0) column_->length = length;
  if (data_) {
    column_->data = data_->data();
    column_->owners.push_back(std::move(data_));
  }
  if (validity_) {
    const auto* words = validity_->as<const uint64_t>();
    column_->null_count = column_->length - count_set_bits(words, column_->length);
    if (column_->null_count > 0) {
      column_->validity = words;
      column_->owners.push_back(std::move(validity_));
    }
  }
  return std::move(column_);
}

char* StringHeap::reserve(size_t length) {
  if (length > left_) {
    // Blocks double up to 1 MiB, so that few owners are kept and small results stay small.
    const size_t size = std::max(length, block_);
    if (block_ < (1UL << 20)) block_ *= 2;
    auto buffer = memory_.allocate(size);
    char* start = buffer->as<char>();
    owners_.push_back(std::move(buffer));
    bytes_ += static_cast<int64_t>(length);
    if (size - length > left_) {
      next_ = start + length;
      left_ = size - length;
    }
    return start;
  }
  char* start = next_;
  next_ += length;
  left_ -= length;
  bytes_ += static_cast<int64_t>(length);
  return start;
}

StringView StringHeap::append(const char* data, size_t length) {
  if (length > UINT32_MAX) throw runtime_error("string longer than 4294967295 bytes: " + std::to_string(length));
  if (length <= 12) return make_string_view(data, static_cast<uint32_t>(length));
  char* copy = reserve(length);
  std::memcpy(copy, data, length);
  return make_string_view(copy, static_cast<uint32_t>(length));
}

namespace {

// One zeroed value of the widest kind and one clear validity word: what every all-null constant points at.
alignas(64) const uint64_t zeros[8] = {};

ColumnPtr empty_child(const TypePtr& type) {
  auto column = std::make_shared<Column>();
  column->type = type;
  column->data = zeros;
  if (type->kind == TypeKind::list) column->children.push_back(empty_child(type->children[0]));
  if (type->kind == TypeKind::map) column->children.push_back(empty_child(map_entry_type(*type)));
  if (type->kind == TypeKind::structure) {
    for (const auto& field : type->children) column->children.push_back(empty_child(field));
  }
  return column;
}

}  // namespace

ColumnPtr make_null_column(const TypePtr& type, int64_t length) {
  if (length == 0) return empty_child(type);
  auto column = std::make_shared<Column>();
  column->type = type;
  column->form = Form::constant;
  column->length = length;
  column->null_count = length;
  column->validity = zeros;
  column->data = zeros;
  if (type->kind == TypeKind::list) column->children.push_back(empty_child(type->children[0]));
  if (type->kind == TypeKind::map) column->children.push_back(empty_child(map_entry_type(*type)));
  if (type->kind == TypeKind::structure) {
    for (const auto& field : type->children) column->children.push_back(make_null_column(field, length));
  }
  return column;
}

ColumnPtr make_constant(const ColumnPtr& column, int64_t row, int64_t length) {
  if (length == 0) return empty_child(column->type);
  if (column->form == Form::dictionary) {
    if (!column->is_valid(row)) return make_null_column(column->type, length);
    return make_constant(column->children[0], column->values<uint32_t>()[row], length);
  }
  const int64_t at = column->form == Form::constant ? 0 : row;
  if (!column->is_valid(at)) return make_null_column(column->type, length);
  auto out = std::make_shared<Column>();
  out->type = column->type;
  out->form = Form::constant;
  out->length = length;
  out->owners = column->owners;
  if (column->type->kind == TypeKind::structure) {
    for (const auto& child : column->children) out->children.push_back(make_constant(child, row, length));
  } else {
    out->children = column->children;
    out->data = static_cast<const uint8_t*>(column->data) + at * width(*column->type);
  }
  return out;
}

ColumnPtr with_type(const ColumnPtr& column, TypePtr type) {
  auto out = std::make_shared<Column>(*column);
  if (column->form == Form::dictionary) out->children[0] = with_type(column->children[0], type);
  out->type = std::move(type);
  return out;
}

}  // namespace quern
