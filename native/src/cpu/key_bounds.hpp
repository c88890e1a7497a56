// The least and the greatest of whole-number keys.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>

#include "columnar/column.hpp"

namespace quern::cpu {

struct KeyBounds {
  int64_t least = std::numeric_limits<int64_t>::max();
  int64_t greatest = std::numeric_limits<int64_t>::min();
  int64_t rows = 0;  // that have a value

  void add(const KeyBounds& other) {
    if (other.rows == 0) return;
    least = std::min(least, other.least);
    greatest = std::max(greatest, other.greatest);
    rows += other.rows;
  }
  // How far they are apart; unsigned, because the difference of two int64 may need 64 bits.
  uint64_t distance() const { return static_cast<uint64_t>(greatest) - static_cast<uint64_t>(least); }
};

// Of a flat column.
template <typename T>
KeyBounds key_bounds(const Column& key) {
  const T* values = key.values<T>();
  T least = std::numeric_limits<T>::max();
  T greatest = std::numeric_limits<T>::min();
  if (key.null_count == 0) {
    for (int64_t i = 0; i < key.length; ++i) {
      least = std::min(least, values[i]);
      greatest = std::max(greatest, values[i]);
    }
  } else {
    for (int64_t i = 0; i < key.length; ++i) {
      if (!key.is_valid(i)) continue;
      least = std::min(least, values[i]);
      greatest = std::max(greatest, values[i]);
    }
  }
  return {static_cast<int64_t>(least), static_cast<int64_t>(greatest), key.length - key.null_count};
}

}  // namespace quern::cpu
