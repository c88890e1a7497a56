// Calls a generic lambda for a storage width: verbs that only move data are instantiated on width, never on type.
#pragma once
#include <cstdint>
#include <string>
#include <utility>

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

}  // namespace quern
