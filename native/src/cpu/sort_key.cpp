#include "cpu/sort_key.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "common/error.hpp"
#include "ops/compare.hpp"
#include "ops/real.hpp"

namespace quern::cpu {

namespace {

// Marks before a value. Inside lists and structs NULL is greatest.
constexpr uint8_t null_first = 0;
constexpr uint8_t present = 1;
constexpr uint8_t null_last = 2;
constexpr uint8_t list_end = 0;
constexpr uint8_t list_more = 1;

template <typename T>
void put_big_endian(T value, uint8_t* out) {
  for (size_t i = 0; i < sizeof(T); ++i) out[i] = static_cast<uint8_t>(value >> (8 * (sizeof(T) - 1 - i)));
}

template <>
void put_big_endian(uint64_t value, uint8_t* out) {
  value = __builtin_bswap64(value);
  std::memcpy(out, &value, 8);
}

template <>
void put_big_endian(uint32_t value, uint8_t* out) {
  value = __builtin_bswap32(value);
  std::memcpy(out, &value, 4);
}

template <typename T>
void put_signed(T value, uint8_t* out) {
  using Bits = std::conditional_t<sizeof(T) == 16, uint128_t,
                                  std::make_unsigned_t<std::conditional_t<sizeof(T) == 16, int64_t, T>>>;
  put_big_endian<Bits>(static_cast<Bits>(value) ^ (static_cast<Bits>(1) << (8 * sizeof(T) - 1)), out);
}

// Bits whose unsigned order is that of the values: -0.0 equals 0.0, NaN is greatest.
template <typename Real, typename Bits>
Bits ordered_bits(Real value) {
  constexpr Bits sign = static_cast<Bits>(1) << (8 * sizeof(Bits) - 1);
  const auto bits = std::bit_cast<Bits>(value == 0 ? Real(0) : value);
  if (value != value) return ~static_cast<Bits>(0);
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

template <typename Real, typename Bits>
void put_real(Real value, uint8_t* out) {
  put_big_endian<Bits>(ordered_bits<Real, Bits>(value), out);
}

void put_interval(Interval value, uint8_t* out) {
  const Interval normal = ops::normalise(value);
  put_signed(normal.months, out);
  put_signed(normal.days, out + 4);
  put_signed(normal.micros, out + 8);
}

// Bytes of a value's key; 0 for kinds whose length varies.
int64_t fixed_bytes(const DataType& type) {
  switch (physical(type)) {
    case Physical::none:
      return 0;
    case Physical::half:
      return 4;
    case Physical::string:
    case Physical::list:
    case Physical::structure:
      return -1;
    default:
      return width(physical(type));
  }
}

// Where a row's value stands: through constant and dictionary forms.
struct Place {
  const Column* column;
  int64_t row;
  bool valid;
};

Place find(const Column& column, int64_t row) {
  const int64_t at = column.form == Form::constant ? 0 : row;
  const bool valid = column.type->kind != TypeKind::null && column.is_valid(at);
  if (valid && column.form == Form::dictionary) return {column.children[0].get(), column.values<uint32_t>()[at], true};
  return {&column, physical(*column.type) == Physical::structure ? row : at, valid};
}

void put_fixed(const Column& column, int64_t row, uint8_t* out) {
  switch (physical(*column.type)) {
    case Physical::none:
      return;
    case Physical::boolean:
    case Physical::uint8:
      *out = column.values<uint8_t>()[row];
      return;
    case Physical::int8:
      return put_signed(column.values<int8_t>()[row], out);
    case Physical::int16:
      return put_signed(column.values<int16_t>()[row], out);
    case Physical::int32:
      return put_signed(column.values<int32_t>()[row], out);
    case Physical::int64:
      return put_signed(column.values<int64_t>()[row], out);
    case Physical::uint16:
      return put_big_endian(column.values<uint16_t>()[row], out);
    case Physical::uint32:
      return put_big_endian(column.values<uint32_t>()[row], out);
    case Physical::uint64:
      return put_big_endian(column.values<uint64_t>()[row], out);
    case Physical::half: {
      const uint16_t bits = column.values<uint16_t>()[row];
      return put_real<float, uint32_t>(
          column.type->kind == TypeKind::float16 ? ops::half_to_float(bits) : ops::bfloat_to_float(bits), out);
    }
    case Physical::float32:
      return put_real<float, uint32_t>(column.values<float>()[row], out);
    case Physical::float64:
      return put_real<double, uint64_t>(column.values<double>()[row], out);
    case Physical::int128:
      if (column.type->kind == TypeKind::uuid)
        return put_big_endian(static_cast<uint128_t>(column.values<int128_t>()[row]), out);
      return put_signed(column.values<int128_t>()[row], out);
    case Physical::interval:
      return put_interval(column.values<Interval>()[row], out);
    default:
      throw internal_error("no fixed sort key of " + type_name(*column.type));
  }
}

// Counts bytes, or writes them when `out` is set.
class ByteSink {
 public:
  explicit ByteSink(uint8_t* out) : out_(out) {}
  void byte(uint8_t value) {
    if (out_ != nullptr) out_[size_] = value;
    ++size_;
  }
  // Zero bytes are escaped, so that the end (two zeros) comes before any longer text.
  void text(StringView view) {
    const auto* data = reinterpret_cast<const uint8_t*>(view.data());
    for (uint32_t at = 0; at < view.length;) {
      const auto* zero = static_cast<const uint8_t*>(std::memchr(data + at, 0, view.length - at));
      const auto plain = static_cast<uint32_t>(zero != nullptr ? zero - (data + at) : view.length - at);
      if (out_ != nullptr) std::memcpy(out_ + size_, data + at, plain);
      size_ += plain;
      at += plain;
      if (zero != nullptr) {
        byte(0);
        byte(0xff);
        ++at;
      }
    }
    byte(0);
    byte(0);
  }
  void fixed(const Column& column, int64_t row, int64_t bytes) {
    if (out_ != nullptr) put_fixed(column, row, out_ + size_);
    size_ += bytes;
  }
  int64_t size() const { return size_; }

 private:
  uint8_t* out_;
  int64_t size_ = 0;
};

void put_value(const Column& column, int64_t row, ByteSink& sink);

// A value inside a list or struct.
void put_inner(const Column& column, int64_t row, ByteSink& sink) {
  const Place place = find(column, row);
  sink.byte(place.valid ? present : null_last);
  if (place.valid) put_value(*place.column, place.row, sink);
}

void put_value(const Column& column, int64_t row, ByteSink& sink) {
  switch (physical(*column.type)) {
    case Physical::string:
      return sink.text(column.values<StringView>()[row]);
    case Physical::list: {
      const auto entry = column.values<ListEntry>()[row];
      for (int64_t i = 0; i < entry.length; ++i) {
        sink.byte(list_more);
        put_inner(*column.children[0], entry.start + i, sink);
      }
      return sink.byte(list_end);
    }
    case Physical::structure:
      for (const auto& child : column.children) put_inner(*child, row, sink);
      return;
    default:
      return sink.fixed(column, row, fixed_bytes(*column.type));
  }
}

void invert(uint8_t* bytes, int64_t count) {
  for (int64_t i = 0; i < count; ++i) bytes[i] = static_cast<uint8_t>(~bytes[i]);
}

int64_t mark_bytes(const KeyOrder& order) { return order.nullable ? 1 : 0; }

// Bytes of row's key in one column, mark included.
int64_t key_bytes(const KeyOrder& order, const Column& column, int64_t row) {
  const int64_t fixed = fixed_bytes(*order.type);
  if (fixed >= 0) return mark_bytes(order) + fixed;
  const Place place = find(column, row);
  if (!place.valid) return 1;
  ByteSink sink(nullptr);
  put_value(*place.column, place.row, sink);
  return mark_bytes(order) + sink.size();
}

int64_t put_key(const KeyOrder& order, const Column& column, int64_t row, uint8_t* out) {
  const Place place = find(column, row);
  const int64_t fixed = fixed_bytes(*order.type);
  if (!place.valid) {
    *out = order.nulls_first ? null_first : null_last;
    if (fixed > 0) std::memset(out + 1, 0, static_cast<size_t>(fixed));
    return 1 + std::max<int64_t>(fixed, 0);
  }
  const int64_t mark = mark_bytes(order);
  if (mark > 0) *out = present;
  ByteSink sink(out + mark);
  put_value(*place.column, place.row, sink);
  if (order.descending) invert(out + mark, sink.size());
  return mark + sink.size();
}

// A flat column of a fixed width: one tight loop a kind.
template <typename Put>
void put_column(const KeyOrder& order, const Column& column, int64_t first, int64_t rows, int64_t bytes, int64_t stride,
                uint8_t* out, Put&& put) {
  const int64_t mark = mark_bytes(order);
  for (int64_t i = 0; i < rows; ++i, out += stride) {
    if (!column.is_valid(first + i)) {
      *out = order.nulls_first ? null_first : null_last;
      std::memset(out + 1, 0, static_cast<size_t>(bytes));
      continue;
    }
    if (mark > 0) *out = present;
    put(first + i, out + mark);
    if (order.descending) invert(out + mark, bytes);
  }
}

void put_fixed_column(const KeyOrder& order, const Column& column, int64_t first, int64_t rows, int64_t stride,
                      uint8_t* out) {
  const int64_t bytes = fixed_bytes(*order.type);
  const auto each = [&](auto&& put) { put_column(order, column, first, rows, bytes, stride, out, put); };
  switch (column.form == Form::flat ? physical(*order.type) : Physical::none) {
    case Physical::int32:
      return each([v = column.values<int32_t>()](int64_t row, uint8_t* at) { put_signed(v[row], at); });
    case Physical::int64:
      return each([v = column.values<int64_t>()](int64_t row, uint8_t* at) { put_signed(v[row], at); });
    case Physical::float64:
      return each([v = column.values<double>()](int64_t row, uint8_t* at) { put_real<double, uint64_t>(v[row], at); });
    case Physical::float32:
      return each([v = column.values<float>()](int64_t row, uint8_t* at) { put_real<float, uint32_t>(v[row], at); });
    default:
      for (int64_t i = 0; i < rows; ++i) put_key(order, column, first + i, out + i * stride);
  }
}

bool all_fixed(const std::vector<KeyOrder>& order) {
  for (const auto& key : order) {
    if (fixed_bytes(*key.type) < 0) return false;
  }
  return true;
}

EncodedKeys encode_fixed(Memory& memory, const std::vector<KeyOrder>& order, const std::vector<ColumnPtr>& columns,
                         int64_t first, int64_t rows) {
  EncodedKeys keys;
  keys.width = fixed_key_bytes(order);
  keys.bytes = memory.allocate(static_cast<size_t>(std::max<int64_t>(keys.width * rows, 8)));
  int64_t at = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    put_fixed_column(order[i], *columns[i], first, rows, keys.width, keys.bytes->data() + at);
    at += mark_bytes(order[i]) + fixed_bytes(*order[i].type);
  }
  return keys;
}

}  // namespace

int64_t fixed_key_bytes(const std::vector<KeyOrder>& order) {
  if (!all_fixed(order)) return 0;
  int64_t bytes = 0;
  for (const auto& key : order) bytes += mark_bytes(key) + fixed_bytes(*key.type);
  return bytes;
}

EncodedKeys encode_keys(Memory& memory, const std::vector<KeyOrder>& order, const std::vector<ColumnPtr>& columns,
                        int64_t first, int64_t rows) {
  if (all_fixed(order)) return encode_fixed(memory, order, columns, first, rows);
  EncodedKeys keys;
  keys.ends = memory.allocate_zeroed(static_cast<size_t>(std::max<int64_t>(rows, 1)) * 8);
  auto* ends = keys.ends->as<int64_t>();
  for (size_t i = 0; i < order.size(); ++i) {
    for (int64_t row = 0; row < rows; ++row) ends[row] += key_bytes(order[i], *columns[i], first + row);
  }
  for (int64_t row = 1; row < rows; ++row) ends[row] += ends[row - 1];
  keys.bytes = memory.allocate(static_cast<size_t>(rows > 0 ? std::max<int64_t>(ends[rows - 1], 8) : 8));
  for (int64_t row = 0; row < rows; ++row) {
    auto* out = keys.bytes->data() + (row == 0 ? 0 : ends[row - 1]);
    for (size_t i = 0; i < order.size(); ++i) out += put_key(order[i], *columns[i], first + row, out);
  }
  return keys;
}

namespace {

// Marker and first seven bytes of a text's key, zero for those that the next key column decides; all zero where a byte
// is escaped. Never greater than the key.
uint64_t text_prefix(StringView view, bool descending) {
  uint8_t bytes[8] = {present};
  const auto* data = reinterpret_cast<const uint8_t*>(view.data());
  const uint32_t count = view.length < 7 ? view.length : 7;
  std::memcpy(bytes + 1, data, count);
  if (std::memchr(bytes + 1, 0, count) != nullptr) return 0;
  if (descending) invert(bytes + 1, std::min<int64_t>(count + 2, 7));
  return key_prefix(bytes, 8);
}

}  // namespace

bool first_prefixes(const KeyOrder& order, const Column& column, int64_t rows, uint64_t* prefixes, uint64_t& mask) {
  const int64_t fixed = fixed_bytes(*order.type);
  const bool text = physical(*order.type) == Physical::string;
  if (!text && fixed <= 0) return false;
  mask = text || fixed >= 7 ? ~0ULL : ~0ULL << (8 * (7 - fixed));
  if (column.form == Form::flat && column.null_count == 0 && order.type->kind == TypeKind::float64) {
    const uint64_t flip = order.descending ? ~0ULL : 0;
    const uint64_t first = static_cast<uint64_t>(present) << 56;
    const auto* values = column.values<double>();
    for (int64_t row = 0; row < rows; ++row)
      prefixes[row] = first | ((ordered_bits<double, uint64_t>(values[row]) ^ flip) >> 8);
    return true;
  }
  uint8_t key[17];
  for (int64_t row = 0; row < rows; ++row) {
    const Place place = find(column, row);
    if (!place.valid) {
      prefixes[row] = static_cast<uint64_t>(order.nulls_first ? null_first : null_last) << 56;
    } else if (text) {
      prefixes[row] = text_prefix(place.column->values<StringView>()[place.row], order.descending);
    } else {
      key[0] = present;
      put_fixed(*place.column, place.row, key + 1);
      if (order.descending) invert(key + 1, fixed);
      prefixes[row] = key_prefix(key, 1 + fixed);
    }
  }
  return true;
}

void make_entries(const EncodedKeys& keys, int64_t rows, int64_t first_row, SortEntry* entries) {
  for (int64_t row = 0; row < rows; ++row) {
    const auto* key = keys.start(row);
    const int64_t length = keys.length(row);
    entries[row] = {key_prefix(key, length), key, length, first_row + row};
  }
}

void make_entries(const EncodedKeys& keys, int64_t rows, int64_t first_row, NarrowEntry* entries) {
  for (int64_t row = 0; row < rows; ++row) entries[row] = {key_prefix(keys.start(row), keys.width), first_row + row};
}

}  // namespace quern::cpu
