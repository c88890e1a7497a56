// Types whose stored bits are whole numbers that an int64 holds, in the order of the values.
#pragma once
#include <cstdint>

#include "columnar/data_type.hpp"

namespace quern::cpu {

// Calls visit.operator()<T>(); false for other types.
template <typename Visit>
bool with_whole_number(const DataType& type, Visit&& visit) {
  switch (physical(type)) {
    case Physical::int8:
      visit.template operator()<int8_t>();
      return true;
    case Physical::int16:
      visit.template operator()<int16_t>();
      return true;
    case Physical::int32:
      visit.template operator()<int32_t>();
      return true;
    case Physical::int64:
      visit.template operator()<int64_t>();
      return true;
    case Physical::uint8:
      visit.template operator()<uint8_t>();
      return true;
    case Physical::uint16:
      visit.template operator()<uint16_t>();
      return true;
    case Physical::uint32:
      visit.template operator()<uint32_t>();
      return true;
    default:
      return false;
  }
}

}  // namespace quern::cpu
