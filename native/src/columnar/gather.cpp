#include <cstring>

#include "columnar/column.hpp"
#include "columnar/dispatch.hpp"

namespace quern {

namespace {

// `absent(row)`: the index stands for a null row. Unsigned indices never do.
inline bool absent(int64_t row) { return row < 0; }
inline bool absent(uint32_t) { return false; }

template <typename T, typename Index>
void gather_values(const T* from, const Index* rows, int64_t count, T* out) {
  for (int64_t i = 0; i < count; ++i) out[i] = absent(rows[i]) ? T{} : from[rows[i]];
}

template <typename Index>
bool any_absent(const Index* rows, int64_t count) {
  bool any = false;
  for (int64_t i = 0; i < count; ++i) any |= absent(rows[i]);
  return any;
}

template <typename Index>
ColumnPtr gather_rows(Memory& memory, const ColumnPtr& column, const Index* rows, int64_t count) {
  if (count == 0) return make_null_column(column->type, 0);
  const bool some_absent = any_absent(rows, count);
  if (column->form == Form::constant && !some_absent) return make_constant(column, 0, count);
  const ColumnPtr source = column->form == Form::constant ? flatten(memory, column) : column;
  const bool dictionary = source->form == Form::dictionary;
  if (source->type->kind == TypeKind::null) return make_null_column(source->type, count);

  auto out = std::make_shared<Column>();
  out->type = source->type;
  out->form = source->form;
  out->length = count;
  if (!some_absent) out->stride = source->stride;
  const int32_t bytes = dictionary ? 4 : width(*source->type);
  if (bytes > 0) {
    auto data = memory.allocate(static_cast<size_t>(count * bytes));
    with_width(bytes, [&]<typename T>() { gather_values(source->values<T>(), rows, count, data->template as<T>()); });
    out->data = data->data();
    out->owners = source->owners;
    out->owners.push_back(std::move(data));
  }
  if (source->type->kind == TypeKind::structure && !dictionary) {
    for (const auto& child : source->children) out->children.push_back(gather_rows(memory, child, rows, count));
  } else {
    out->children = source->children;
  }
  if (source->null_count > 0 || some_absent) {
    auto validity = memory.allocate_zeroed(static_cast<size_t>(validity_words(count)) * 8);
    auto* words = validity->template as<uint64_t>();
    for (int64_t i = 0; i < count; ++i) {
      const bool valid = !absent(rows[i]) && source->is_valid(static_cast<int64_t>(rows[i]));
      words[i >> 6] |= static_cast<uint64_t>(valid) << (i & 63);
    }
    out->null_count = count - count_set_bits(words, count);
    if (out->null_count > 0) {
      out->validity = words;
      out->owners.push_back(std::move(validity));
    }
  }
  return out;
}

}  // namespace

ColumnPtr gather(Memory& memory, const ColumnPtr& column, const int64_t* rows, int64_t count) {
  return gather_rows(memory, column, rows, count);
}

ColumnPtr gather(Memory& memory, const ColumnPtr& column, const uint32_t* rows, int64_t count) {
  return gather_rows(memory, column, rows, count);
}

Batch gather(Memory& memory, const Batch& batch, const uint32_t* rows, int64_t count) {
  Batch out;
  out.rows = count;
  out.columns.reserve(batch.columns.size());
  for (const auto& column : batch.columns) out.columns.push_back(gather(memory, column, rows, count));
  return out;
}

}  // namespace quern
