// Reading FlatBuffers that are not trusted: every position is checked against the bytes when it is used.
// Offsets only point forward, so a table cannot contain itself; readers of nested tables bound depth and count.
#pragma once
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

#include "common/error.hpp"

namespace quern::arrow {

using Bytes = std::span<const uint8_t>;

class Table {
 public:
  // The table that the offset at the beginning of `bytes` points to.
  static Table root(Bytes bytes);

  // Fields by their number in the schema file; absent fields give `missing`, nothing or empty.
  template <typename T>
  T number(int field, T missing) const {
    const size_t at = position(field);
    return at == 0 ? missing : load<T>(at);
  }
  std::optional<Table> table(int field) const;
  std::string_view text(int field) const;

  // A vector of `item_size` bytes each.
  struct Items {
    size_t start = 0;
    int64_t count = 0;
  };
  Items items(int field, size_t item_size) const;
  // Item `index` of a vector of tables (item size 4).
  Table table_at(Items items, int64_t index) const;
  // A number at `offset` inside item `index`.
  template <typename T>
  T number_at(Items items, int64_t index, size_t item_size, size_t offset = 0) const {
    return load<T>(items.start + static_cast<size_t>(index) * item_size + offset);
  }

 private:
  Table(Bytes bytes, size_t position);
  // Where the field's value stands, or 0.
  size_t position(int field) const;
  // Follows the unsigned offset that stands at `at`.
  size_t follow(size_t at) const;
  void check(size_t at, size_t size) const;
  template <typename T>
  T load(size_t at) const {
    check(at, sizeof(T));
    T value;
    std::memcpy(&value, bytes_.data() + at, sizeof(T));
    return value;
  }

  Bytes bytes_;
  size_t position_ = 0;
  size_t vtable_ = 0;
  size_t vtable_size_ = 0;
};

}  // namespace quern::arrow
