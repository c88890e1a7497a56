#include "jit/device_type.hpp"

#include "common/error.hpp"

namespace quern::jit {

std::string device_type(const DataType& type) {
  if (type.kind == TypeKind::uuid) return "uint128_t";
  switch (physical(type)) {
    case Physical::boolean:
    case Physical::uint8:
      return "uint8_t";
    case Physical::int8:
      return "int8_t";
    case Physical::int16:
      return "int16_t";
    case Physical::int32:
      return "int32_t";
    case Physical::int64:
      return "int64_t";
    case Physical::uint16:
      return "uint16_t";
    case Physical::uint32:
      return "uint32_t";
    case Physical::uint64:
      return "uint64_t";
    case Physical::float32:
      return "float";
    case Physical::float64:
      return "double";
    case Physical::int128:
      return "int128_t";
    case Physical::interval:
      return "Interval";
    case Physical::string:
      return "StringView";
    case Physical::none:
    case Physical::half:
    case Physical::list:
    case Physical::structure:
      break;
  }
  throw unsupported("values of " + type_name(type) + " on the GPU");
}

bool fixed_width(const DataType& type) {
  switch (physical(type)) {
    case Physical::none:
    case Physical::half:
    case Physical::string:
    case Physical::list:
    case Physical::structure:
      return false;
    default:
      return true;
  }
}

void require_column(const DataType& type) {
  if (type.kind == TypeKind::list) return require_column(*type.children[0]);
  switch (physical(type)) {
    case Physical::none:
    case Physical::list:
    case Physical::structure:
      throw unsupported("columns of " + type_name(type) + " on the GPU");
    default:
      return;
  }
}

}  // namespace quern::jit
