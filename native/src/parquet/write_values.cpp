#include "parquet/write_values.hpp"

#include <cstring>

#include "common/error.hpp"

namespace quern::parquet {

namespace {

// Longest value: its page must stay below 2^31 bytes with room for levels and codecs that grow their input.
constexpr uint32_t longest_value = 2'000'000'000;

template <typename In, typename Out>
void numbers(const Column& column, const Selection& selection, uint8_t* out) {
  const auto* in = column.values<In>();
  if constexpr (std::is_same_v<In, Out>) {
    if (selection.positions == nullptr) {
      std::memcpy(out, in + selection.first, static_cast<size_t>(selection.count) * sizeof(Out));
      return;
    }
  }
  auto* to = reinterpret_cast<Out*>(out);
  if (selection.positions == nullptr) {
    for (int64_t i = 0; i < selection.count; ++i) to[i] = static_cast<Out>(in[selection.first + i]);
  } else {
    for (int64_t i = 0; i < selection.count; ++i) to[i] = static_cast<Out>(in[selection.positions[i]]);
  }
}

void scaled(const WriteLeaf& leaf, const Column& column, const Selection& selection, uint8_t* out) {
  const auto* in = column.values<int64_t>();
  auto* to = reinterpret_cast<int64_t*>(out);
  for (int64_t i = 0; i < selection.count; ++i) {
    const int64_t value = in[selection.at(i)];
    if (__builtin_mul_overflow(value, leaf.factor, &to[i])) {
      throw runtime_error("value does not fit the unit that Parquet has for " + type_name(*leaf.type) + ": " +
                          std::to_string(value));
    }
  }
}

void big_endian(const WriteLeaf& leaf, const Column& column, const Selection& selection, uint8_t* out) {
  const auto* in = column.values<uint128_t>();
  const int32_t width = leaf.width;
  for (int64_t i = 0; i < selection.count; ++i) {
    uint128_t value = in[selection.at(i)];
    uint8_t* to = out + i * width;
    for (int32_t byte = width - 1; byte >= 0; --byte) {
      to[byte] = static_cast<uint8_t>(value);
      value >>= 8;
    }
  }
}

void intervals(const Column& column, const Selection& selection, uint8_t* out) {
  const auto* in = column.values<Interval>();
  for (int64_t i = 0; i < selection.count; ++i) {
    const Interval value = in[selection.at(i)];
    if (value.months < 0 || value.days < 0 || value.micros < 0) {
      throw runtime_error("Parquet holds no negative intervals").with_hint("write its text: CAST(x AS VARCHAR)");
    }
    const int64_t millis = value.micros / 1000;
    if (value.micros % 1000 != 0 || millis > UINT32_MAX) {
      throw runtime_error("Parquet holds intervals in whole milliseconds below 2^32, the value has microseconds: " +
                          std::to_string(value.micros))
          .with_hint("write its text: CAST(x AS VARCHAR)");
    }
    const uint32_t parts[3] = {static_cast<uint32_t>(value.months), static_cast<uint32_t>(value.days),
                               static_cast<uint32_t>(millis)};
    std::memcpy(out + i * 12, parts, 12);
  }
}

StoredValues byte_arrays(Memory& memory, const Column& column, const Selection& selection) {
  const auto* in = column.values<StringView>();
  StoredValues stored;
  for (int64_t i = 0; i < selection.count; ++i) stored.bytes += 4 + static_cast<int64_t>(in[selection.at(i)].length);
  stored.data = memory.allocate(static_cast<size_t>(stored.bytes));
  uint8_t* out = stored.data->data();
  for (int64_t i = 0; i < selection.count; ++i) {
    const StringView& value = in[selection.at(i)];
    if (value.length > longest_value) {
      throw runtime_error("value is longer than a Parquet page can hold: " + std::to_string(value.length) + " bytes");
    }
    std::memcpy(out, &value.length, 4);
    std::memcpy(out + 4, value.data(), value.length);
    out += 4 + value.length;
  }
  return stored;
}

}  // namespace

StoredValues store_values(Memory& memory, const WriteLeaf& leaf, const Column& column, const Selection& selection) {
  if (selection.count == 0) return {};
  const Physical kind = physical(*leaf.type);
  if (kind == Physical::string) return byte_arrays(memory, column, selection);
  StoredValues stored;
  stored.bytes = selection.count * leaf.width;
  stored.data = memory.allocate(static_cast<size_t>(stored.bytes));
  uint8_t* out = stored.data->data();
  switch (kind) {
    case Physical::boolean:
      numbers<uint8_t, uint8_t>(column, selection, out);
      break;
    case Physical::int8:
      numbers<int8_t, int32_t>(column, selection, out);
      break;
    case Physical::int16:
      numbers<int16_t, int32_t>(column, selection, out);
      break;
    case Physical::int32:
      numbers<int32_t, int32_t>(column, selection, out);
      break;
    case Physical::uint8:
      numbers<uint8_t, uint32_t>(column, selection, out);
      break;
    case Physical::uint16:
      numbers<uint16_t, uint32_t>(column, selection, out);
      break;
    case Physical::uint32:
      numbers<uint32_t, uint32_t>(column, selection, out);
      break;
    case Physical::uint64:
      numbers<uint64_t, uint64_t>(column, selection, out);
      break;
    case Physical::half:
      numbers<uint16_t, uint16_t>(column, selection, out);
      break;
    case Physical::float32:
      numbers<float, float>(column, selection, out);
      break;
    case Physical::float64:
      numbers<double, double>(column, selection, out);
      break;
    case Physical::int64:
      if (leaf.physical == PhysicalType::int32)
        numbers<int64_t, int32_t>(column, selection, out);
      else if (leaf.factor != 1)
        scaled(leaf, column, selection, out);
      else
        numbers<int64_t, int64_t>(column, selection, out);
      break;
    case Physical::int128:
      big_endian(leaf, column, selection, out);
      break;
    case Physical::interval:
      intervals(column, selection, out);
      break;
    default:
      throw internal_error("no stored form of " + type_name(*leaf.type));
  }
  return stored;
}

}  // namespace quern::parquet
