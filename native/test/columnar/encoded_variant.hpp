// VARIANT values byte by byte, as VariantEncoding.md has them.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace quern::test {

template <typename T>
std::string little(T value, size_t bytes = sizeof(T)) {
  return {reinterpret_cast<const char*>(&value), bytes};
}

inline std::string primitive(int id, const std::string& payload = "") { return static_cast<char>(id << 2) + payload; }
inline std::string text(const std::string& value) { return static_cast<char>(value.size() << 2 | 1) + value; }

inline std::string offsets_and(const std::vector<std::string>& values) {
  std::string offsets, all;
  for (const std::string& value : values) {
    offsets += little<uint32_t>(static_cast<uint32_t>(all.size()));
    all += value;
  }
  return offsets + little<uint32_t>(static_cast<uint32_t>(all.size())) + all;
}

// Offsets of four bytes, one byte of count.
inline std::string array(const std::vector<std::string>& values) {
  return static_cast<char>(3 << 2 | 3) + little<uint8_t>(static_cast<uint8_t>(values.size())) + offsets_and(values);
}
// Field numbers of one byte.
inline std::string object(const std::vector<std::pair<uint8_t, std::string>>& fields) {
  std::string ids;
  std::vector<std::string> values;
  for (const auto& [id, value] : fields) {
    ids += static_cast<char>(id);
    values.push_back(value);
  }
  return static_cast<char>(3 << 2 | 2) + little<uint8_t>(static_cast<uint8_t>(fields.size())) + ids +
         offsets_and(values);
}
inline std::string metadata(const std::vector<std::string>& names) {
  std::string offsets(1, '\0'), all;
  for (const std::string& name : names) {
    all += name;
    offsets += static_cast<char>(all.size());
  }
  return "\x01" + little<uint8_t>(static_cast<uint8_t>(names.size())) + offsets + all;
}

inline const std::string no_names = metadata({});

}  // namespace quern::test
