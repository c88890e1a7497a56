#include "arrow/flatbuffer.hpp"

namespace quern::arrow {

Table Table::root(Bytes bytes) {
  if (bytes.size() < 4) throw corrupt_file("metadata: " + std::to_string(bytes.size()) + " bytes");
  uint32_t offset;
  std::memcpy(&offset, bytes.data(), 4);
  return Table(bytes, offset);
}

Table::Table(Bytes bytes, size_t position) : bytes_(bytes), position_(position) {
  const int64_t vtable = static_cast<int64_t>(position) - load<int32_t>(position);
  if (vtable < 0) throw corrupt_file("metadata: table of fields lies before the bytes");
  vtable_ = static_cast<size_t>(vtable);
  vtable_size_ = load<uint16_t>(vtable_);
  if (vtable_size_ < 4) throw corrupt_file("metadata: table of fields of " + std::to_string(vtable_size_) + " bytes");
  check(vtable_, vtable_size_);
}

void Table::check(size_t at, size_t size) const {
  if (at > bytes_.size() || size > bytes_.size() - at) {
    throw corrupt_file("metadata: offset " + std::to_string(at) + " lies outside its " + std::to_string(bytes_.size()) +
                       " bytes");
  }
}

size_t Table::position(int field) const {
  const size_t entry = 4 + 2 * static_cast<size_t>(field);
  if (entry + 2 > vtable_size_) return 0;
  const uint16_t offset = load<uint16_t>(vtable_ + entry);
  return offset == 0 ? 0 : position_ + offset;
}

size_t Table::follow(size_t at) const {
  const uint32_t offset = load<uint32_t>(at);
  if (offset == 0) throw corrupt_file("metadata: empty offset");
  return at + offset;
}

std::optional<Table> Table::table(int field) const {
  const size_t at = position(field);
  if (at == 0) return std::nullopt;
  return Table(bytes_, follow(at));
}

std::string_view Table::text(int field) const {
  const Items characters = items(field, 1);
  return {reinterpret_cast<const char*>(bytes_.data()) + characters.start, static_cast<size_t>(characters.count)};
}

Table::Items Table::items(int field, size_t item_size) const {
  const size_t at = position(field);
  if (at == 0) return {};
  const size_t vector = follow(at);
  const uint32_t count = load<uint32_t>(vector);
  check(vector + 4, count * item_size);
  return {vector + 4, count};
}

Table Table::table_at(Items items, int64_t index) const {
  return Table(bytes_, follow(items.start + static_cast<size_t>(index) * 4));
}

}  // namespace quern::arrow
