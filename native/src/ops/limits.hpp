// Ranges of the integer types, without the standard library.
#pragma once
#include "ops/value.hpp"

namespace quern::ops {

template <typename T>
struct UnsignedOf;
template <>
struct UnsignedOf<int8_t> {
  using type = uint8_t;
};
template <>
struct UnsignedOf<int16_t> {
  using type = uint16_t;
};
template <>
struct UnsignedOf<int32_t> {
  using type = uint32_t;
};
template <>
struct UnsignedOf<int64_t> {
  using type = uint64_t;
};
template <>
struct UnsignedOf<int128_t> {
  using type = uint128_t;
};
template <>
struct UnsignedOf<uint8_t> {
  using type = uint8_t;
};
template <>
struct UnsignedOf<uint16_t> {
  using type = uint16_t;
};
template <>
struct UnsignedOf<uint32_t> {
  using type = uint32_t;
};
template <>
struct UnsignedOf<uint64_t> {
  using type = uint64_t;
};
template <>
struct UnsignedOf<uint128_t> {
  using type = uint128_t;
};
template <typename T>
using Unsigned = typename UnsignedOf<T>::type;

template <typename T>
QUERN_HD constexpr bool is_signed() {
  return static_cast<T>(-1) < static_cast<T>(0);
}

template <typename T>
QUERN_HD constexpr T max_of() {
  return is_signed<T>() ? static_cast<T>(static_cast<Unsigned<T>>(~static_cast<Unsigned<T>>(0)) >> 1)
                        : static_cast<T>(~static_cast<Unsigned<T>>(0));
}

template <typename T>
QUERN_HD constexpr T min_of() {
  return is_signed<T>() ? static_cast<T>(-max_of<T>() - 1) : static_cast<T>(0);
}

// |v| as unsigned, defined for the smallest value too.
template <typename T>
QUERN_HD constexpr Unsigned<T> magnitude(T v) {
  return v < 0 ? static_cast<Unsigned<T>>(static_cast<Unsigned<T>>(0) - static_cast<Unsigned<T>>(v))
               : static_cast<Unsigned<T>>(v);
}

}  // namespace quern::ops
