#include "cpu/hive_path.hpp"

namespace quern::cpu {

namespace {

constexpr std::string_view null_value = "__HIVE_DEFAULT_PARTITION__";

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decode(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
    if (low >= 0) {
      out += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '-' || c == '~';
}

std::string encode(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (is_plain(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', digits[byte >> 4], digits[byte & 15]};
  }
  return out;
}

}  // namespace

std::string hive_folder(std::string_view key, std::optional<std::string_view> value) {
  return encode(key) + "=" + (value ? encode(*value) : std::string(null_value));
}

std::optional<std::string> hive_value(std::string_view path, std::string_view key) {
  std::optional<std::string> value;
  size_t start = 0;
  for (size_t slash = path.find('/'); slash != std::string_view::npos;
       start = slash + 1, slash = path.find('/', start)) {
    const auto folder = path.substr(start, slash - start);
    const size_t equals = folder.find('=');
    if (equals == std::string_view::npos || decode(folder.substr(0, equals)) != key) continue;
    const auto text = folder.substr(equals + 1);
    if (text == null_value)
      value.reset();
    else
      value = decode(text);
  }
  return value;
}

}  // namespace quern::cpu
