// Writing JSON text: what the engine reports about files, functions and metrics.
#pragma once
#include <string>
#include <string_view>

namespace quern {

// The text in quotes. Bytes that are not UTF-8 pass through; the reader replaces them.
inline std::string json_string(std::string_view text) {
  static const char* digits = "0123456789abcdef";
  std::string out = "\"";
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      out += "\\u00";
      out += digits[byte >> 4];
      out += digits[byte & 15];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

// Joins members or items that are JSON already.
class JsonList {
 public:
  explicit JsonList(char open) : text_(1, open), close_(open == '[' ? ']' : '}') {}
  JsonList& item(std::string_view json) {
    if (text_.size() > 1) text_ += ',';
    text_ += json;
    return *this;
  }
  JsonList& member(std::string_view name, std::string_view json) {
    if (text_.size() > 1) text_ += ',';
    text_ += json_string(name);
    text_ += ':';
    text_ += json;
    return *this;
  }
  std::string text() const { return text_ + close_; }

 private:
  std::string text_;
  char close_;
};

}  // namespace quern
