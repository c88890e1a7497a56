#include "common/utf8.hpp"

namespace quern {
namespace {

constexpr uint64_t high_bits = 0x8080808080808080ULL;

uint64_t load64(const uint8_t* data) {
  uint64_t word;
  std::memcpy(&word, data, 8);
  return word;
}

bool continues(uint8_t byte) { return (byte & 0xC0) == 0x80; }

// Bytes of the character that begins at `data` with a byte >= 0x80, or 0 when it is malformed (Unicode table 3-7).
size_t character_size(const uint8_t* data, size_t left) {
  const uint8_t lead = data[0];
  if (lead < 0xC2) return 0;
  if (lead < 0xE0) return left >= 2 && continues(data[1]) ? 2 : 0;
  if (lead < 0xF0) {
    if (left < 3 || !continues(data[1]) || !continues(data[2])) return 0;
    if (lead == 0xE0 && data[1] < 0xA0) return 0;   // overlong
    if (lead == 0xED && data[1] >= 0xA0) return 0;  // surrogate
    return 3;
  }
  if (lead > 0xF4 || left < 4 || !continues(data[1]) || !continues(data[2]) || !continues(data[3])) return 0;
  if (lead == 0xF0 && data[1] < 0x90) return 0;   // overlong
  if (lead == 0xF4 && data[1] >= 0x90) return 0;  // above U+10FFFF
  return 4;
}

}  // namespace

bool valid_utf8_slow(const char* text, size_t length) {
  const uint8_t* data = reinterpret_cast<const uint8_t*>(text);
  const uint8_t* end = data + length;
  while (data < end) {
    while (end - data >= 32 &&
           ((load64(data) | load64(data + 8) | load64(data + 16) | load64(data + 24)) & high_bits) == 0) {
      data += 32;
    }
    while (end - data >= 8 && (load64(data) & high_bits) == 0) data += 8;
    // The last few bytes together with some before them.
    if (end - data < 8 && length >= 8 && (load64(end - 8) & high_bits) == 0) return true;
    // A stretch of other characters, or the end.
    while (data < end) {
      if (*data < 0x80) {
        ++data;
        if (end - data >= 8 && (load64(data) & high_bits) == 0) break;
        continue;
      }
      const size_t size = character_size(data, static_cast<size_t>(end - data));
      if (size == 0) return false;
      data += size;
    }
  }
  return true;
}

}  // namespace quern
