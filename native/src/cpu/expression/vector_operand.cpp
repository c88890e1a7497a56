#include "cpu/expression/vector_operand.hpp"

#include "common/error.hpp"
#include "ops/decimal.hpp"
#include "ops/list_vector.hpp"

namespace quern::cpu {

std::optional<VectorElement> stored_element(const DataType& element) {
  switch (element.kind) {
    case TypeKind::float16:
      return VectorElement::half;
    case TypeKind::bfloat16:
      return VectorElement::brain;
    case TypeKind::float32:
      return VectorElement::single;
    case TypeKind::float64:
      return VectorElement::real;
    default:
      return std::nullopt;
  }
}

bool is_vector_element(const DataType& element) {
  return element.kind >= TypeKind::int8 && element.kind <= TypeKind::decimal;
}

bool any_null(const Column& elements, ListEntry entry) {
  if (elements.type->kind == TypeKind::null) return entry.length > 0;
  if (elements.null_count == 0) return false;
  for (int64_t i = entry.start; i < entry.start + entry.length; ++i) {
    if (!elements.is_valid(i)) return true;
  }
  return false;
}

namespace {

// A NULL column may come without its child.
ColumnPtr elements_of(Memory& memory, const Column& column) {
  return column.children.empty() ? make_null_column(column.type->children[0], 0) : flatten(memory, column.children[0]);
}

template <typename T>
void widen_values(const Column& elements, ListEntry entry, double* out) {
  const T* values = elements.values<T>() + entry.start;
  for (int64_t i = 0; i < entry.length; ++i) out[i] = ops::to_double(values[i]);
}

template <typename T>
void widen_decimals(const Column& elements, ListEntry entry, double* out) {
  const T* values = elements.values<T>() + entry.start;
  for (int64_t i = 0; i < entry.length; ++i) out[i] = ops::decimal_to_double(values[i], elements.type->scale);
}

}  // namespace

VectorOperand::VectorOperand(Memory& memory, const ColumnPtr& column)
    : column_(column),
      elements_(elements_of(memory, *column)),
      stored_(stored_element(*column->type->children[0])),
      element_bytes_(width(*column->type->children[0])) {}

void VectorOperand::widen(ListEntry entry, double* out) const {
  const Column& elements = *elements_;
  switch (elements.type->kind) {
    case TypeKind::int8:
      return widen_values<int8_t>(elements, entry, out);
    case TypeKind::int16:
      return widen_values<int16_t>(elements, entry, out);
    case TypeKind::int32:
      return widen_values<int32_t>(elements, entry, out);
    case TypeKind::int64:
      return widen_values<int64_t>(elements, entry, out);
    case TypeKind::uint8:
      return widen_values<uint8_t>(elements, entry, out);
    case TypeKind::uint16:
      return widen_values<uint16_t>(elements, entry, out);
    case TypeKind::uint32:
      return widen_values<uint32_t>(elements, entry, out);
    case TypeKind::uint64:
      return widen_values<uint64_t>(elements, entry, out);
    case TypeKind::float16:
      return widen_values<ops::Half>(elements, entry, out);
    case TypeKind::bfloat16:
      return widen_values<ops::BrainFloat>(elements, entry, out);
    case TypeKind::float32:
      return widen_values<float>(elements, entry, out);
    case TypeKind::float64:
      return widen_values<double>(elements, entry, out);
    case TypeKind::decimal:
      return physical(*elements.type) == Physical::int128 ? widen_decimals<int128_t>(elements, entry, out)
                                                          : widen_decimals<int64_t>(elements, entry, out);
    default:
      throw internal_error("vector of " + type_name(*elements.type));
  }
}

const double* VectorOperand::widened(ListEntry entry, std::vector<double>& buffer) const {
  if (stored_ == VectorElement::real) return static_cast<const double*>(stored_at(entry));
  if (buffer.size() < static_cast<size_t>(entry.length)) buffer.resize(static_cast<size_t>(entry.length));
  widen(entry, buffer.data());
  return buffer.data();
}

bool same_length(ListEntry a, ListEntry b, std::string_view function, bool trying) {
  if (a.length == b.length) return true;
  if (trying) return false;
  throw runtime_error("lists of different length in " + std::string(function) + ": " + std::to_string(a.length) +
                      " and " + std::to_string(b.length))
      .with_hint("try_" + std::string(function) + " gives NULL for them");
}

}  // namespace quern::cpu
