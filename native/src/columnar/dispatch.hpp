// Calls a generic lambda for a storage width or a kind of number: verbs that only move data are instantiated on width,
// never on type.
#pragma once
#include <cstdint>
#include <string>
#include <utility>

#include "columnar/data_type.hpp"
#include "common/error.hpp"
#include "ops/value.hpp"

namespace quern {

// `visit.operator()<T>()` with an unsigned T of `width` bytes (1, 2, 4, 8, 16); width 0 calls nothing.
template <typename Visit>
void with_width(int32_t width, Visit&& visit) {
  switch (width) {
    case 0:
      return;
    case 1:
      return visit.template operator()<uint8_t>();
    case 2:
      return visit.template operator()<uint16_t>();
    case 4:
      return visit.template operator()<uint32_t>();
    case 8:
      return visit.template operator()<uint64_t>();
    case 16:
      return visit.template operator()<uint128_t>();
    default:
      throw internal_error("no storage of width " + std::to_string(width));
  }
}

// Storage that with_number() has a type for.
inline bool is_number(Physical kind) {
  return (kind >= Physical::boolean && kind <= Physical::uint64) || kind == Physical::float32 ||
         kind == Physical::float64 || kind == Physical::int128;
}

// Calls make.operator()<T>() for the arithmetic storage types.
template <typename Make>
auto with_number(Physical kind, Make&& make) {
  switch (kind) {
    case Physical::boolean:
    case Physical::uint8:
      return make.template operator()<uint8_t>();
    case Physical::int8:
      return make.template operator()<int8_t>();
    case Physical::int16:
      return make.template operator()<int16_t>();
    case Physical::int32:
      return make.template operator()<int32_t>();
    case Physical::int64:
      return make.template operator()<int64_t>();
    case Physical::uint16:
      return make.template operator()<uint16_t>();
    case Physical::uint32:
      return make.template operator()<uint32_t>();
    case Physical::uint64:
      return make.template operator()<uint64_t>();
    case Physical::float32:
      return make.template operator()<float>();
    case Physical::float64:
      return make.template operator()<double>();
    case Physical::int128:
      return make.template operator()<int128_t>();
    default:
      throw internal_error("no arithmetic over this storage");
  }
}

}  // namespace quern
