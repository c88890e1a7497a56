#include <cstring>

#include "columnar/column.hpp"
#include "columnar/dispatch.hpp"
#include "common/error.hpp"

namespace quern {

namespace {

ColumnPtr flatten_constant(Memory& memory, const ColumnPtr& column) {
  const bool null = column->null_count > 0;
  if (column->type->kind == TypeKind::structure) {
    ColumnBuilder out(memory, column->type, column->length);
    for (const auto& child : column->children) out.add_child(flatten(memory, child));
    if (null) std::memset(out.validity(), 0, static_cast<size_t>(validity_words(column->length)) * 8);
    return out.finish();
  }
  ColumnBuilder out(memory, column->type, column->length);
  out.keep(column->owners);
  for (const auto& child : column->children) out.add_child(child);
  with_width(width(*column->type), [&]<typename T>() {
    const T value = *column->values<T>();
    std::fill_n(out.data<T>(), column->length, value);
  });
  if (null) std::memset(out.validity(), 0, static_cast<size_t>(validity_words(column->length)) * 8);
  return out.finish();
}

}  // namespace

ColumnPtr flatten(Memory& memory, const ColumnPtr& column) {
  switch (column->form) {
    case Form::flat:
      return column;
    case Form::constant:
      return flatten_constant(memory, column);
    case Form::dictionary:
      break;
  }
  const auto& values = column->children[0];
  ColumnBuilder out(memory, column->type, column->length);
  out.keep(values->owners);
  for (const auto& child : values->children) out.add_child(child);
  const auto* codes = column->values<uint32_t>();
  with_width(width(*column->type), [&]<typename T>() {
    T* data = out.data<T>();
    const T* from = values->values<T>();
    if (column->null_count == 0) {
      for (int64_t i = 0; i < column->length; ++i) data[i] = from[codes[i]];
    } else {
      for (int64_t i = 0; i < column->length; ++i) data[i] = column->is_valid(i) ? from[codes[i]] : T{};
    }
  });
  if (column->null_count > 0) {
    std::memcpy(out.validity(), column->validity, static_cast<size_t>(validity_words(column->length)) * 8);
  }
  return out.finish();
}

}  // namespace quern
