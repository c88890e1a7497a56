#include "parquet/write_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace quern::parquet {

namespace {

// Longer byte bounds are cut.
constexpr size_t longest_bound = 64;

// Monotone image of float16 bits; NaN is told apart before.
int32_t half_key(uint16_t bits) { return (bits & 0x8000) != 0 ? -static_cast<int32_t>(bits & 0x7fff) : bits; }
bool is_half_nan(uint16_t bits) { return (bits & 0x7fff) > 0x7c00; }

int compare_bytes(const uint8_t* a, size_t a_length, const void* b, size_t b_length) {
  const int order = std::memcmp(a, b, std::min(a_length, b_length));
  return order != 0 ? order : a_length < b_length ? -1 : a_length > b_length ? 1 : 0;
}

// Two's complement, big-endian, equal lengths.
int compare_signed(const uint8_t* a, const uint8_t* b, size_t length) {
  const int first = static_cast<int>(static_cast<int8_t>(a[0])) - static_cast<int>(static_cast<int8_t>(b[0]));
  return first != 0 ? first : std::memcmp(a + 1, b + 1, length - 1);
}

bool is_continuation(char byte) { return (static_cast<uint8_t>(byte) & 0xC0) == 0x80; }

// The first bytes of a value are never greater than it; text is cut between characters.
std::string cut(const std::string& value, bool is_text) {
  size_t length = longest_bound;
  while (is_text && length > 0 && is_continuation(value[length])) --length;
  return value.substr(0, length);
}

// Raises the last byte or character that can be raised and drops what follows: greater than everything that begins
// with `prefix`. Empty when there is no such value.
std::string raise_bytes(std::string prefix) {
  while (!prefix.empty() && static_cast<uint8_t>(prefix.back()) == 0xFF) prefix.pop_back();
  if (!prefix.empty()) prefix.back() = static_cast<char>(static_cast<uint8_t>(prefix.back()) + 1);
  return prefix;
}

// Only ASCII characters below the last one are raised, so that the result stays valid UTF-8.
std::string raise_text(std::string prefix) {
  while (!prefix.empty() && static_cast<uint8_t>(prefix.back()) >= 0x7F) prefix.pop_back();
  if (!prefix.empty()) prefix.back() = static_cast<char>(prefix.back() + 1);
  return prefix;
}

template <typename T>
T load(const void* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

template <typename T>
bool is_zero(const std::string& stored) {
  return load<T>(stored.data()) == 0;
}

template <typename T>
std::string stored(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

}  // namespace

void WriteBounds::keep(const void* smallest, const void* largest, size_t length) {
  min_.assign(static_cast<const char*>(smallest), length);
  max_.assign(static_cast<const char*>(largest), length);
  has_values_ = true;
}

template <typename T>
void WriteBounds::add_numbers(const uint8_t* values, int64_t count) {
  T smallest = has_values_ ? load<T>(min_.data()) : load<T>(values);
  T largest = has_values_ ? load<T>(max_.data()) : load<T>(values);
  bool nan = false;
  for (int64_t i = 0; i < count; ++i) {
    const T value = load<T>(values + i * static_cast<int64_t>(sizeof(T)));
    if constexpr (std::is_floating_point_v<T>) nan = nan || value != value;
    smallest = value < smallest ? value : smallest;
    largest = value > largest ? value : largest;
  }
  has_nan_ = has_nan_ || nan;
  keep(&smallest, &largest, sizeof(T));
}

void WriteBounds::add_bytes(const uint8_t* value, size_t length) {
  if (!has_values_) return keep(value, value, length);
  const bool is_signed = order_ == BoundOrder::signed_big_endian;
  const auto below = [&](const std::string& bound) {
    return is_signed ? compare_signed(value, reinterpret_cast<const uint8_t*>(bound.data()), length)
                     : compare_bytes(value, length, bound.data(), bound.size());
  };
  if (below(min_) < 0)
    min_.assign(reinterpret_cast<const char*>(value), length);
  else if (below(max_) > 0)
    max_.assign(reinterpret_cast<const char*>(value), length);
}

void WriteBounds::add(const uint8_t* values, int64_t count, int64_t bytes) {
  if (count == 0 || has_nan_) return;
  switch (order_) {
    case BoundOrder::none:
      return;
    case BoundOrder::boolean:
      return add_numbers<uint8_t>(values, count);
    case BoundOrder::int32:
      return add_numbers<int32_t>(values, count);
    case BoundOrder::int64:
      return add_numbers<int64_t>(values, count);
    case BoundOrder::uint32:
      return add_numbers<uint32_t>(values, count);
    case BoundOrder::uint64:
      return add_numbers<uint64_t>(values, count);
    case BoundOrder::float32:
      return add_numbers<float>(values, count);
    case BoundOrder::float64:
      return add_numbers<double>(values, count);
    case BoundOrder::float16: {
      for (int64_t i = 0; i < count; ++i) {
        const auto bits = load<uint16_t>(values + 2 * i);
        if (is_half_nan(bits)) {
          has_nan_ = true;
          return;
        }
        if (!has_values_) keep(&bits, &bits, 2);
        if (half_key(bits) < half_key(load<uint16_t>(min_.data()))) min_ = stored(bits);
        if (half_key(bits) > half_key(load<uint16_t>(max_.data()))) max_ = stored(bits);
      }
      return;
    }
    case BoundOrder::signed_big_endian:
    case BoundOrder::bytes: {
      const uint8_t* end = values + bytes;
      while (values < end) {
        const size_t length = width_ == 0 ? load<uint32_t>(values) : static_cast<size_t>(width_);
        if (width_ == 0) values += 4;
        add_bytes(values, length);
        values += length;
      }
    }
  }
}

void WriteBounds::add(const WriteBounds& other) {
  has_nan_ = has_nan_ || other.has_nan_;
  if (!other.known() || has_nan_) return;
  for (const std::string* bound : {&other.min_, &other.max_}) {
    const auto* value = reinterpret_cast<const uint8_t*>(bound->data());
    if (order_ == BoundOrder::bytes || order_ == BoundOrder::signed_big_endian)
      add_bytes(value, bound->size());
    else
      add(value, 1, static_cast<int64_t>(bound->size()));
  }
}

// A bound of zero stands for either sign: -0.0 below, +0.0 above.
StoredBound WriteBounds::min() const {
  if (order_ == BoundOrder::float32 && is_zero<float>(min_)) return {stored(-0.0F)};
  if (order_ == BoundOrder::float64 && is_zero<double>(min_)) return {stored(-0.0)};
  if (order_ == BoundOrder::float16 && half_key(load<uint16_t>(min_.data())) == 0) return {stored<uint16_t>(0x8000)};
  if (width_ == 0 && min_.size() > longest_bound) return {cut(min_, is_text_), false};
  return {min_};
}

StoredBound WriteBounds::max() const {
  if (order_ == BoundOrder::float32 && is_zero<float>(max_)) return {stored(0.0F)};
  if (order_ == BoundOrder::float64 && is_zero<double>(max_)) return {stored(0.0)};
  if (order_ == BoundOrder::float16 && half_key(load<uint16_t>(max_.data())) == 0) return {stored<uint16_t>(0)};
  if (width_ == 0 && max_.size() > longest_bound) {
    std::string prefix = cut(max_, is_text_);
    std::string raised = is_text_ ? raise_text(std::move(prefix)) : raise_bytes(std::move(prefix));
    if (!raised.empty()) return {std::move(raised), false};
  }
  return {max_};
}

}  // namespace quern::parquet
