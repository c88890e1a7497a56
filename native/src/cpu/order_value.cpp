#include "cpu/order_value.hpp"

#include <bit>
#include <limits>

#include "common/error.hpp"

namespace quern::cpu {

namespace {

template <typename Out, typename T>
Out order_value(T value) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    // The bits of a negative number count downwards.
    constexpr Out sign = std::numeric_limits<Out>::min();
    if (value != value) return std::numeric_limits<Out>::max();
    const auto bits = std::bit_cast<Out>(value == 0 ? T{0} : value);
    return bits < 0 ? static_cast<Out>(~bits ^ sign) : bits;
  } else if constexpr (std::is_same_v<T, uint32_t> || std::is_same_v<T, uint64_t>) {
    return static_cast<Out>(value ^ static_cast<T>(std::numeric_limits<Out>::min()));
  } else {
    return static_cast<Out>(value);
  }
}

template <typename T, typename Out>
void write(const Column& column, Out* out) {
  const T* values = column.values<T>();
  for (int64_t i = 0; i < column.length; ++i) out[i] = order_value<Out>(values[i]);
}

}  // namespace

std::optional<bool> is_order_wide(const DataType& type) {
  if (type.kind == TypeKind::uuid) return std::nullopt;
  switch (physical(type)) {
    case Physical::boolean:
    case Physical::int8:
    case Physical::int16:
    case Physical::int32:
    case Physical::uint8:
    case Physical::uint16:
    case Physical::uint32:
    case Physical::float32:
      return false;
    case Physical::int64:
    case Physical::uint64:
    case Physical::float64:
      return true;
    default:
      return std::nullopt;
  }
}

void write_order_values(const Column& column, int32_t* out) {
  switch (physical(*column.type)) {
    case Physical::boolean:
    case Physical::uint8:
      return write<uint8_t>(column, out);
    case Physical::int8:
      return write<int8_t>(column, out);
    case Physical::int16:
      return write<int16_t>(column, out);
    case Physical::int32:
      return write<int32_t>(column, out);
    case Physical::uint16:
      return write<uint16_t>(column, out);
    case Physical::uint32:
      return write<uint32_t>(column, out);
    case Physical::float32:
      return write<float>(column, out);
    default:
      throw internal_error("no order values of 32 bits");
  }
}

void write_order_values(const Column& column, int64_t* out) {
  switch (physical(*column.type)) {
    case Physical::int64:
      return write<int64_t>(column, out);
    case Physical::uint64:
      return write<uint64_t>(column, out);
    case Physical::float64:
      return write<double>(column, out);
    default:
      throw internal_error("no order values of 64 bits");
  }
}

}  // namespace quern::cpu
