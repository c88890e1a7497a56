// The storage type by which values of a SQL type compare.
#pragma once
#include "cpu/expression/kernel.hpp"
#include "ops/compare.hpp"

namespace quern::cpu {

// visit.operator()<T>() where ops::equal<T> and ops::less<T> over the stored values are right; nullptr for halves and
// nested types.
template <typename Visit>
KernelPtr with_comparable(const DataType& type, Visit&& visit) {
  if (type.kind == TypeKind::uuid) return visit.template operator()<uint128_t>();
  switch (physical(type)) {
    case Physical::boolean:
    case Physical::uint8:
      return visit.template operator()<uint8_t>();
    case Physical::int8:
      return visit.template operator()<int8_t>();
    case Physical::int16:
      return visit.template operator()<int16_t>();
    case Physical::int32:
      return visit.template operator()<int32_t>();
    case Physical::int64:
      return visit.template operator()<int64_t>();
    case Physical::uint16:
      return visit.template operator()<uint16_t>();
    case Physical::uint32:
      return visit.template operator()<uint32_t>();
    case Physical::uint64:
      return visit.template operator()<uint64_t>();
    case Physical::float32:
      return visit.template operator()<float>();
    case Physical::float64:
      return visit.template operator()<double>();
    case Physical::int128:
      return visit.template operator()<int128_t>();
    case Physical::interval:
      return visit.template operator()<Interval>();
    case Physical::string:
      return visit.template operator()<StringView>();
    case Physical::none:
    case Physical::half:
    case Physical::list:
    case Physical::structure:
      return nullptr;
  }
  return nullptr;
}

}  // namespace quern::cpu
