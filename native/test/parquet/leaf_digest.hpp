// A checksum of columns that depends on values and nesting only, not on how a read was cut: per list node the lengths,
// per leaf the values. The format is that of `leaf` in the corpus' expectation files.
#pragma once
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>
#include <zlib.h>

#include "columnar/column.hpp"

namespace quern::parquet::test {

struct NodeDigest {
  bool is_list = false;
  TypePtr type;
  int64_t entries = 0, nonnull = 0;                  // leaf
  int64_t lists = 0, nulls = 0, empty = 0, sum = 0;  // list
  uint32_t crc = 0;
  uint32_t places = 0;  // of leaves: where the nulls are
  std::string format;   // of the expectation: decimals and times are hashed in its units
};

class Digest {
 public:
  std::map<std::string, NodeDigest> nodes;

  // Rows of `column` in the given order; -1 is a row whose parent is null.
  void add(const std::string& path, const Column& column, const std::vector<int64_t>& rows) {
    const DataType& type = *column.type;
    bool is_null_constant = column.form == Form::constant && column.null_count > 0;
    auto at = [&](int64_t row) { return column.form == Form::constant ? 0 : row; };
    auto valid = [&](int64_t row) { return row >= 0 && !is_null_constant && column.is_valid(at(row)); };
    if (type.kind == TypeKind::structure) {
      std::vector<int64_t> inner;
      for (int64_t row : rows) inner.push_back(valid(row) ? row : -1);
      for (size_t i = 0; i < type.names.size(); ++i) add(path + "." + type.names[i], *column.children.at(i), inner);
      return;
    }
    NodeDigest& node = find(path);
    node.type = column.type;
    if (type.kind == TypeKind::list || type.kind == TypeKind::map) {
      node.is_list = true;
      std::vector<int64_t> inner;
      for (int64_t row : rows) {
        int32_t length = -1;
        if (valid(row)) {
          const ListEntry& entry = column.values<ListEntry>()[at(row)];
          length = static_cast<int32_t>(entry.length);
          for (int64_t i = 0; i < entry.length; ++i) inner.push_back(entry.start + i);
          node.sum += entry.length;
          node.empty += entry.length == 0;
        } else {
          ++node.nulls;
        }
        ++node.lists;
        update(node, &length, 4);
      }
      add(path + "[]", *column.children.at(0), inner);
      return;
    }
    for (int64_t row : rows) {
      ++node.entries;
      uint8_t is_valid = valid(row);
      node.places = static_cast<uint32_t>(crc32(node.places, &is_valid, 1));
      if (is_valid == 0) continue;
      ++node.nonnull;
      const Column* values = &column;
      int64_t index = at(row);
      if (column.form == Form::dictionary) {
        index = column.values<uint32_t>()[row];
        values = column.children[0].get();
      }
      add_value(node, *values, index);
    }
  }

  void add_all(const std::string& path, const Column& column) {
    std::vector<int64_t> rows(static_cast<size_t>(column.length));
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<int64_t>(i);
    add(path, column, rows);
  }

  std::map<std::string, std::string> formats;  // by path

  bool operator==(const Digest& other) const {
    if (nodes.size() != other.nodes.size()) return false;
    for (const auto& [path, node] : nodes) {
      auto found = other.nodes.find(path);
      if (found == other.nodes.end()) return false;
      const NodeDigest& twin = found->second;
      if (node.entries != twin.entries || node.nonnull != twin.nonnull || node.lists != twin.lists ||
          node.nulls != twin.nulls || node.sum != twin.sum || node.crc != twin.crc || node.places != twin.places) {
        return false;
      }
    }
    return true;
  }

 private:
  NodeDigest& find(const std::string& path) {
    auto [place, added] = nodes.try_emplace(path);
    if (added) {
      auto format = formats.find(path);
      if (format != formats.end()) place->second.format = format->second;
    }
    return place->second;
  }

  static void update(NodeDigest& node, const void* bytes, size_t length) {
    node.crc = static_cast<uint32_t>(crc32(node.crc, static_cast<const Bytef*>(bytes), static_cast<uInt>(length)));
  }

  template <typename T>
  static void update_as(NodeDigest& node, T value) {
    update(node, &value, sizeof(T));
  }

  void add_value(NodeDigest& node, const Column& column, int64_t row) {
    const DataType& type = *column.type;
    const std::string& format = node.format;
    switch (physical(type)) {
      case Physical::none:
        return;
      case Physical::boolean:
        return update_as(node, column.values<uint8_t>()[row]);
      case Physical::int8:
        return update_as<int32_t>(node, column.values<int8_t>()[row]);
      case Physical::int16:
        return update_as<int32_t>(node, column.values<int16_t>()[row]);
      case Physical::int32:
        return update_as<int32_t>(node, column.values<int32_t>()[row]);
      case Physical::uint8:
        return update_as<int32_t>(node, column.values<uint8_t>()[row]);
      case Physical::uint16:
        return update_as<int32_t>(node, column.values<uint16_t>()[row]);
      case Physical::uint32:
        return update_as(node, column.values<uint32_t>()[row]);
      case Physical::uint64:
        return update_as(node, column.values<uint64_t>()[row]);
      case Physical::half:
        return update_as(node, column.values<uint16_t>()[row]);
      case Physical::float32:
        return update_as(node, column.values<float>()[row]);
      case Physical::float64:
        return update_as(node, column.values<double>()[row]);
      case Physical::int64: {
        int64_t value = column.values<int64_t>()[row];
        if (type.kind == TypeKind::decimal) return add_decimal(node, value);
        if (format == "int64 LE ms") value /= 1000;
        if (format == "int32 LE ms") return update_as(node, static_cast<int32_t>(value / 1000));
        return update_as(node, value);
      }
      case Physical::int128: {
        int128_t value = column.values<int128_t>()[row];
        if (type.kind == TypeKind::decimal) return add_decimal(node, value);
        uint8_t bytes[16];
        for (int i = 0; i < 16; ++i) bytes[i] = static_cast<uint8_t>(static_cast<uint128_t>(value) >> (8 * (15 - i)));
        return update(node, bytes, 16);
      }
      case Physical::interval: {
        const Interval& value = column.values<Interval>()[row];
        update_as(node, value.months);
        update_as(node, value.days);
        return update_as(node, static_cast<uint32_t>(value.micros / 1000));
      }
      case Physical::string: {
        const StringView& view = column.values<StringView>()[row];
        if (format != "raw") update_as(node, view.length);
        return update(node, view.data(), view.length);
      }
      default:
        return;
    }
  }

  // The expectations hold decimals rounded (half to even) to 28 digits.
  static int128_t round28(int128_t value) {
    uint128_t magnitude = value < 0 ? -static_cast<uint128_t>(value) : static_cast<uint128_t>(value);
    uint128_t unit = 1;
    while (magnitude / unit >= static_cast<uint128_t>(1e14) * static_cast<uint128_t>(1e14)) unit *= 10;
    uint128_t rest = magnitude % unit;
    magnitude -= rest;
    if (rest * 2 > unit || (rest * 2 == unit && magnitude / unit % 2 == 1)) magnitude += unit;
    return value < 0 ? -static_cast<int128_t>(magnitude) : static_cast<int128_t>(magnitude);
  }

  static void add_decimal(NodeDigest& node, int128_t value) {
    value = round28(value);
    uint8_t bytes[32];
    std::memset(bytes, value < 0 ? 0xFF : 0, 32);
    std::memcpy(bytes, &value, 16);
    update(node, bytes, 32);
  }
};

}  // namespace quern::parquet::test
