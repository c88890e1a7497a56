// Unaligned reads and bit casts on every compiler.
#pragma once
#include "ops/value.hpp"

namespace quern::ops {

// The first sizeof(T) bytes at `bytes` as a T.
template <typename T>
QUERN_HD inline T load(const void* bytes) {
  T out;
#if defined(__CUDACC_RTC__)
  memcpy(&out, bytes, sizeof(T));
#else
  __builtin_memcpy(&out, bytes, sizeof(T));
#endif
  return out;
}

template <typename To, typename From>
QUERN_HD inline To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "sizes differ");
  return load<To>(&from);
}

}  // namespace quern::ops
