#include "parquet/convert.hpp"

#include <bit>
#include <cmath>
#include <cstring>

#include "common/error.hpp"

namespace quern::parquet {

namespace {

constexpr int64_t micros_per_day = 86400000000;
constexpr int64_t julian_day_of_epoch = 2440588;

template <typename T>
T load(const uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

[[noreturn]] void fail_fit(const LeafType& leaf, const std::string& value) {
  throw corrupt_file("value " + value + " does not fit " + type_name(*leaf.type));
}

template <typename T>
void narrow(const LeafType& leaf, const uint8_t* stored, int64_t count, void* out) {
  auto* values = static_cast<T*>(out);
  int32_t lost = 0;
  for (int64_t i = 0; i < count; ++i) {
    auto value = load<int32_t>(stored + i * 4);
    values[i] = static_cast<T>(value);
    lost |= value ^ static_cast<int32_t>(values[i]);
  }
  if (lost == 0) return;
  for (int64_t i = 0; i < count; ++i) {
    auto value = load<int32_t>(stored + i * 4);
    if (value != static_cast<int32_t>(static_cast<T>(value))) fail_fit(leaf, std::to_string(value));
  }
}

template <typename From, typename To>
void widen(const uint8_t* stored, int64_t count, void* out) {
  auto* values = static_cast<To*>(out);
  for (int64_t i = 0; i < count; ++i) values[i] = load<From>(stored + i * static_cast<int64_t>(sizeof(From)));
}

// Big-endian two's complement of `length` bytes; false when it needs more than 128 bits.
bool big_endian(const uint8_t* bytes, size_t length, int128_t& value) {
  if (length == 0) {
    value = 0;
    return true;
  }
  bool negative = (bytes[0] & 0x80) != 0;
  uint8_t fill = negative ? 0xFF : 0;
  while (length > 16) {
    if (*bytes != fill) return false;
    ++bytes;
    --length;
  }
  if (((bytes[0] & 0x80) != 0) != negative) return false;
  auto bits = negative ? ~static_cast<uint128_t>(0) : 0;
  for (size_t i = 0; i < length; ++i) bits = (bits << 8) | bytes[i];
  value = static_cast<int128_t>(bits);
  return true;
}

double big_endian_double(const uint8_t* bytes, size_t length, int32_t scale) {
  bool negative = length > 0 && (bytes[0] & 0x80) != 0;
  double magnitude = 0;
  // Of a negative number the magnitude is the complement plus one.
  for (size_t i = 0; i < length; ++i)
    magnitude = magnitude * 256 + (negative ? static_cast<uint8_t>(~bytes[i]) : bytes[i]);
  if (negative) magnitude = -(magnitude + 1);
  return magnitude / std::pow(10.0, scale);
}

void big_endian_value(const LeafType& leaf, const uint8_t* bytes, size_t length, void* out) {
  if (leaf.conversion == Conversion::big_endian_to_double) {
    *static_cast<double*>(out) = big_endian_double(bytes, length, leaf.scale);
    return;
  }
  int128_t value = 0;
  if (!big_endian(bytes, length, value)) fail_fit(leaf, "of " + std::to_string(length) + " bytes");
  if (leaf.conversion == Conversion::big_endian_to_int128) {
    *static_cast<int128_t*>(out) = value;
    return;
  }
  if (value != static_cast<int64_t>(value)) fail_fit(leaf, "of " + std::to_string(length) + " bytes");
  *static_cast<int64_t*>(out) = static_cast<int64_t>(value);
}

void big_endian_fixed(const LeafType& leaf, const uint8_t* stored, int64_t count, void* out) {
  auto width = static_cast<size_t>(leaf.stored_width);
  int64_t done = 0;
  if (leaf.conversion == Conversion::big_endian_to_int64 && width <= 8) {
    // One load of 8 bytes a value where they may all be read.
    auto* values = static_cast<int64_t*>(out);
    int64_t fast = count - static_cast<int64_t>((8 + width - 1) / width);
    int shift = static_cast<int>(64 - 8 * width);
    for (; done < fast; ++done) {
      values[done] =
          static_cast<int64_t>(__builtin_bswap64(load<uint64_t>(stored + static_cast<size_t>(done) * width))) >> shift;
    }
  } else if (leaf.conversion == Conversion::big_endian_to_int128 && width > 8 && width <= 16) {
    auto* values = static_cast<int128_t*>(out);
    int shift = static_cast<int>(64 - 8 * (width - 8));
    for (; done < count; ++done) {
      const uint8_t* at = stored + static_cast<size_t>(done) * width;
      auto high = static_cast<int64_t>(__builtin_bswap64(load<uint64_t>(at)));
      if (shift > 0) high >>= shift;
      uint64_t low = __builtin_bswap64(load<uint64_t>(at + width - 8));
      values[done] = static_cast<int128_t>((static_cast<uint128_t>(static_cast<uint64_t>(high)) << 64) | low);
    }
  }
  size_t out_width = leaf.conversion == Conversion::big_endian_to_int128 ? 16 : 8;
  for (; done < count; ++done) {
    big_endian_value(leaf, stored + static_cast<size_t>(done) * width, width,
                     static_cast<uint8_t*>(out) + static_cast<size_t>(done) * out_width);
  }
}

void scale_int64(const LeafType& leaf, const uint8_t* stored, int64_t count, int64_t* out) {
  bool overflow = false;
  for (int64_t i = 0; i < count; ++i)
    overflow |= __builtin_mul_overflow(load<int64_t>(stored + i * 8), leaf.factor, &out[i]);
  if (!overflow) return;
  for (int64_t i = 0; i < count; ++i) {
    auto value = load<int64_t>(stored + i * 8);
    if (__builtin_mul_overflow(value, leaf.factor, &out[i])) fail_fit(leaf, std::to_string(value));
  }
}

// Writers store times of other zones as UTC, which may lie on the day before or after; 24:00 stays.
int64_t wrap_into_day(int64_t time, int64_t day) {
  if (time >= 0 && time <= day) return time;
  const int64_t rest = time % day;
  return rest < 0 ? rest + day : rest;
}

void int96_timestamps(const LeafType& leaf, const uint8_t* stored, int64_t count, int64_t* out) {
  for (int64_t i = 0; i < count; ++i) {
    auto nanos = load<int64_t>(stored + i * 12);
    auto day = load<int32_t>(stored + i * 12 + 8);
    int64_t micros = 0;
    if (__builtin_mul_overflow(day - julian_day_of_epoch, micros_per_day, &micros) ||
        __builtin_add_overflow(micros, nanos / 1000, &micros)) {
      fail_fit(leaf, "of day " + std::to_string(day));
    }
    out[i] = micros;
  }
}

void intervals(const uint8_t* stored, int64_t count, Interval* out) {
  for (int64_t i = 0; i < count; ++i) {
    // Unsigned months, days, milliseconds.
    out[i].months = static_cast<int32_t>(load<uint32_t>(stored + i * 12));
    out[i].days = static_cast<int32_t>(load<uint32_t>(stored + i * 12 + 4));
    out[i].micros = static_cast<int64_t>(load<uint32_t>(stored + i * 12 + 8)) * 1000;
  }
}

void uuids(const uint8_t* stored, int64_t count, int128_t* out) {
  for (int64_t i = 0; i < count; ++i) {
    uint64_t high = __builtin_bswap64(load<uint64_t>(stored + i * 16));
    uint64_t low = __builtin_bswap64(load<uint64_t>(stored + i * 16 + 8));
    out[i] = static_cast<int128_t>((static_cast<uint128_t>(high) << 64) | low);
  }
}

}  // namespace

void convert_bytes(const LeafType& leaf, Bytes value, void* out) {
  big_endian_value(leaf, value.data(), value.size(), out);
}

void convert(const LeafType& leaf, const uint8_t* stored, int64_t count, void* out) {
  switch (leaf.conversion) {
    case Conversion::copy:
      if (count > 0) std::memcpy(out, stored, static_cast<size_t>(count) * static_cast<size_t>(leaf.stored_width));
      return;
    case Conversion::int32_to_int8:
      return narrow<int8_t>(leaf, stored, count, out);
    case Conversion::int32_to_int16:
      return narrow<int16_t>(leaf, stored, count, out);
    case Conversion::int32_to_uint8:
      return narrow<uint8_t>(leaf, stored, count, out);
    case Conversion::int32_to_uint16:
      return narrow<uint16_t>(leaf, stored, count, out);
    case Conversion::int32_to_int64:
      return widen<int32_t, int64_t>(stored, count, out);
    case Conversion::int32_to_int128:
      return widen<int32_t, int128_t>(stored, count, out);
    case Conversion::int64_to_int128:
      return widen<int64_t, int128_t>(stored, count, out);
    case Conversion::scale_int32: {
      auto* values = static_cast<int64_t*>(out);
      for (int64_t i = 0; i < count; ++i) values[i] = load<int32_t>(stored + i * 4) * leaf.factor;
      return;
    }
    case Conversion::scale_int64:
      return scale_int64(leaf, stored, count, static_cast<int64_t*>(out));
    case Conversion::int32_to_utc_time: {
      auto* values = static_cast<int64_t*>(out);
      for (int64_t i = 0; i < count; ++i)
        values[i] = wrap_into_day(load<int32_t>(stored + i * 4), micros_per_day / 1000) * 1000;
      return;
    }
    case Conversion::int64_to_utc_time: {
      auto* values = static_cast<int64_t*>(out);
      for (int64_t i = 0; i < count; ++i) {
        values[i] = wrap_into_day(load<int64_t>(stored + i * 8), micros_per_day * leaf.factor) / leaf.factor;
      }
      return;
    }
    case Conversion::divide_int64: {
      auto* values = static_cast<int64_t*>(out);
      for (int64_t i = 0; i < count; ++i) values[i] = load<int64_t>(stored + i * 8) / leaf.factor;
      return;
    }
    case Conversion::int96_to_timestamp:
      return int96_timestamps(leaf, stored, count, static_cast<int64_t*>(out));
    case Conversion::big_endian_to_int64:
    case Conversion::big_endian_to_int128:
    case Conversion::big_endian_to_double:
      return big_endian_fixed(leaf, stored, count, out);
    case Conversion::int32_to_double: {
      auto* values = static_cast<double*>(out);
      for (int64_t i = 0; i < count; ++i) values[i] = load<int32_t>(stored + i * 4) / std::pow(10.0, leaf.scale);
      return;
    }
    case Conversion::int64_to_double: {
      auto* values = static_cast<double*>(out);
      for (int64_t i = 0; i < count; ++i) {
        values[i] = static_cast<double>(load<int64_t>(stored + i * 8)) / std::pow(10.0, leaf.scale);
      }
      return;
    }
    case Conversion::uuid:
      return uuids(stored, count, static_cast<int128_t*>(out));
    case Conversion::interval:
      return intervals(stored, count, static_cast<Interval*>(out));
    case Conversion::boolean:
    case Conversion::view:
      break;
  }
  throw internal_error("conversion of values that are not of fixed width");
}

}  // namespace quern::parquet
