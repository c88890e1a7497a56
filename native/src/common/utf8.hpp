// Well-formedness of UTF-8: shortest forms only, no surrogates, at most U+10FFFF.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace quern {

bool valid_utf8_slow(const char* data, size_t length);

// True when `data` is well-formed UTF-8. Inline for short ASCII, which most values are.
inline bool valid_utf8(const char* data, size_t length) {
  constexpr uint64_t high_bits = 0x8080808080808080ULL;
  if (length < 8) {
    uint8_t any = 0;
    for (size_t i = 0; i < length; ++i) any |= static_cast<uint8_t>(data[i]);
    return any < 0x80 || valid_utf8_slow(data, length);
  }
  if (length > 32) return valid_utf8_slow(data, length);
  // Loads of 8 bytes that overlap: two cover 16 bytes, four cover 32.
  const size_t middle = length > 16 ? 8 : 0;
  uint64_t words[4];
  std::memcpy(&words[0], data, 8);
  std::memcpy(&words[1], data + middle, 8);
  std::memcpy(&words[2], data + length - 8 - middle, 8);
  std::memcpy(&words[3], data + length - 8, 8);
  return ((words[0] | words[1] | words[2] | words[3]) & high_bits) == 0 || valid_utf8_slow(data, length);
}

}  // namespace quern
