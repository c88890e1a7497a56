// How values are written in CUDA C++.
#pragma once
#include <string>

#include "columnar/data_type.hpp"

namespace quern::jit {

// The type of a value in device code; throws `unsupported` for types that code does not compute with (nested, halves).
std::string device_type(const DataType& type);

inline bool is_signed_integer(const DataType& type) {
  return type.kind >= TypeKind::int8 && type.kind <= TypeKind::int64;
}
inline bool is_decimal(const DataType& type) { return type.kind == TypeKind::decimal; }
// Whether a column of the type is computed by a kernel value by value.
bool fixed_width(const DataType& type);
// Throws `unsupported` for types whose columns do not go to the device: anything but fixed width, strings, lists of
// such.
void require_column(const DataType& type);

}  // namespace quern::jit
