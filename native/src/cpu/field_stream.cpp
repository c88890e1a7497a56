#include "cpu/field_stream.hpp"

#include <algorithm>

#include "plan/pipeline.hpp"

namespace quern::cpu {

namespace {

// Rows of the first vector of a column whose width is not known yet.
constexpr int64_t first_rows = 64;
// Rows are read as single ranges where a value is so wide, in bytes; narrower ones are read from the first to the last.
constexpr int64_t wide_bytes = 128;

bool fixed_width(const DataType& type) {
  const auto kind = physical(type);
  return kind != Physical::string && kind != Physical::list && kind != Physical::structure;
}

}  // namespace

FieldStream::FieldStream(Context& context, const TypePtr& from, const TypePtr& to) : context_(context) {
  if (!same_type(*from, *to)) cast_.emplace(context, from, to);
  if (fixed_width(*from)) row_bytes_ = width(*from);
}

FieldStream::FieldStream(Context& context, const ScanFile& file, int32_t group, int32_t field, const TypePtr& from,
                         const TypePtr& to)
    : FieldStream(context, from, to) {
  file_ = &file;
  group_ = group;
  field_ = field;
}

FieldStream::FieldStream(Context& context, SharedGroup& shared, int64_t window, size_t column, const TypePtr& from,
                         const TypePtr& to)
    : FieldStream(context, from, to) {
  shared_ = &shared;
  window_ = window;
  column_ = column;
}

bool FieldStream::try_fetch() {
  if (shared_ != nullptr && !rows_of_window_) rows_of_window_ = shared_->try_window(column_, window_);
  return shared_ == nullptr || rows_of_window_ != nullptr;
}

void FieldStream::fetch() {
  if (shared_ != nullptr && !rows_of_window_) rows_of_window_ = shared_->window(column_, window_);
}

ColumnPtr FieldStream::take(int64_t start, int64_t rows) {
  if (shared_ != nullptr) {
    fetch();
    return slice(context_.memory(), rows_of_window_, start - shared_->window_start(window_), rows);
  }
  if (!stream_) stream_ = file_->stream(context_, group_, field_);
  if (start > at_) stream_->skip(start - at_);
  at_ = start + rows;
  return stream_->read(rows);
}

ColumnPtr FieldStream::read(int64_t start, int64_t rows) {
  auto column = take(start, rows);
  if (column->length != rows)
    throw internal_error("a field reader gave " + std::to_string(column->length) + " rows, not " +
                         std::to_string(rows));
  if (!fixed_width(*column->type) && rows > 0) {
    row_bytes_ = std::max<int64_t>(1, row_bytes(*column) / rows);
    last_rows_ = rows;
  }
  return cast_ ? cast_->cast(column) : column;
}

ColumnPtr FieldStream::read_rows(int64_t base, const uint32_t* rows, int64_t count) {
  const int64_t first = rows[0];
  const int64_t span = rows[count - 1] - first + 1;
  if (span == count) return read(base + first, count);
  auto& memory = context_.memory();
  if (shared_ == nullptr && is_wide()) {
    std::vector<ColumnPtr> pieces;
    for (int64_t i = 0; i < count;) {
      int64_t end = i + 1;
      while (end < count && rows[end] == rows[end - 1] + 1) ++end;
      pieces.push_back(read(base + rows[i], end - i));
      i = end;
    }
    return pieces.size() == 1 ? pieces[0] : concat(memory, pieces[0]->type, pieces);
  }
  std::vector<uint32_t> wanted(rows, rows + count);
  for (auto& row : wanted) row -= static_cast<uint32_t>(first);
  // Only rows that pass may be cast: a cast can fail.
  auto column = gather(memory, take(base + first, span), wanted.data(), count);
  if (!fixed_width(*column->type)) {
    row_bytes_ = std::max<int64_t>(1, row_bytes(*column) / count);
    last_rows_ = count;
  }
  return cast_ ? cast_->cast(column) : column;
}

int64_t FieldStream::vector_rows() const {
  if (row_bytes_ == 0) return first_rows;
  const int64_t rows = std::max<int64_t>(1, vector_bytes / row_bytes_);
  return last_rows_ == 0 ? rows : std::min(rows, std::max<int64_t>(first_rows, 4 * last_rows_));
}

bool FieldStream::is_wide() const { return row_bytes_ == 0 || row_bytes_ >= wide_bytes; }

}  // namespace quern::cpu
