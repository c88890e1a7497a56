// Order and equality of values: NaN equals itself and is greatest, -0 equals 0, text by bytes, intervals normalised.
#pragma once
#include "ops/bytes.hpp"

namespace quern::ops {

template <typename T>
QUERN_HD inline bool equal(T a, T b) {
  return a == b;
}
template <typename T>
QUERN_HD inline bool less(T a, T b) {
  return a < b;
}
template <>
QUERN_HD inline bool equal(float a, float b) {
  return (a == b) | ((a != a) & (b != b));
}
template <>
QUERN_HD inline bool equal(double a, double b) {
  return (a == b) | ((a != a) & (b != b));
}
template <>
QUERN_HD inline bool less(float a, float b) {
  return (a < b) | ((a == a) & (b != b));
}
template <>
QUERN_HD inline bool less(double a, double b) {
  return (a < b) | ((a == a) & (b != b));
}

// Days carry over at 24 hours and months at 30 days, as intervals are compared.
QUERN_HD inline Interval normalise(Interval v) {
  constexpr int64_t day_micros = 86400000000;
  const int64_t days = v.days + v.micros / day_micros;
  const int64_t months = v.months + days / 30;
  // Months of the sum may leave int32; they are clamped, which keeps the order.
  const int64_t clamped = months > 2147483647 ? 2147483647 : months < -2147483648LL ? -2147483648LL : months;
  return {static_cast<int32_t>(clamped), static_cast<int32_t>(days % 30), v.micros % day_micros};
}

template <>
QUERN_HD inline bool equal(Interval a, Interval b) {
  const Interval x = normalise(a), y = normalise(b);
  return x.months == y.months && x.days == y.days && x.micros == y.micros;
}
template <>
QUERN_HD inline bool less(Interval a, Interval b) {
  const Interval x = normalise(a), y = normalise(b);
  if (x.months != y.months) return x.months < y.months;
  if (x.days != y.days) return x.days < y.days;
  return x.micros < y.micros;
}

QUERN_HD inline int compare_bytes(const char* a, const char* b, uint64_t count) {
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
  for (uint64_t i = 0; i < count; ++i) {
    const int x = static_cast<unsigned char>(a[i]), y = static_cast<unsigned char>(b[i]);
    if (x != y) return x - y;
  }
  return 0;
#else
  return __builtin_memcmp(a, b, count);
#endif
}

template <>
QUERN_HD inline bool equal(StringView a, StringView b) {
  if (load<uint64_t>(&a) != load<uint64_t>(&b)) return false;  // length and prefix
  if (a.length <= 12) return load<uint64_t>(a.rest) == load<uint64_t>(b.rest);
  return a.pointer == b.pointer || compare_bytes(a.pointer, b.pointer, a.length) == 0;
}

// < 0, 0, > 0 by bytes; a prefix comes before the longer text.
QUERN_HD inline int compare_text(StringView a, StringView b) {
  if (load<uint32_t>(a.prefix) != load<uint32_t>(b.prefix)) {
    const int order = compare_bytes(a.prefix, b.prefix, 4);  // zero padding sorts a shorter text first
    if (order != 0) return order;
  }
  const uint32_t common = a.length < b.length ? a.length : b.length;
  const int order = compare_bytes(a.data(), b.data(), common);
  if (order != 0) return order;
  return a.length < b.length ? -1 : a.length > b.length ? 1 : 0;
}

template <>
QUERN_HD inline bool less(StringView a, StringView b) {
  return compare_text(a, b) < 0;
}

template <typename T>
QUERN_HD inline int compare(T a, T b) {
  return less<T>(a, b) ? -1 : equal<T>(a, b) ? 0 : 1;
}
template <>
QUERN_HD inline int compare(StringView a, StringView b) {
  return compare_text(a, b);
}

}  // namespace quern::ops
