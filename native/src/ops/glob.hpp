// GLOB by bytes: * any run, ? one byte, [ab-d] one of a set, [!ab] none of it, \ takes the next byte as it is.
#pragma once
#include "ops/text.hpp"

namespace quern::ops {

// Whether the set that begins behind the bracket at `at` holds c; moves `at` behind its end. False without an end.
QUERN_HD inline bool glob_set(Text pattern, int64_t& at, char c) {
  const bool inverted = at < pattern.length && pattern.data[at] == '!';
  if (inverted) ++at;
  bool held = false;
  for (const int64_t first = at; at < pattern.length; ++at) {
    if (pattern.data[at] == ']' && at > first) {
      ++at;
      return held != inverted;
    }
    if (pattern.data[at] == '\\' && at + 1 < pattern.length) ++at;
    const char low = pattern.data[at];
    char high = low;
    if (at + 1 < pattern.length && pattern.data[at + 1] == '-') {
      at += 2;
      if (at >= pattern.length) return false;
      high = pattern.data[at];
    }
    held |= static_cast<unsigned char>(low) <= static_cast<unsigned char>(c) &&
            static_cast<unsigned char>(c) <= static_cast<unsigned char>(high);
  }
  return false;
}

// One byte of text against one element of the pattern at `at`, which moves behind it.
QUERN_HD inline bool glob_byte(Text pattern, int64_t& at, char c) {
  const char element = pattern.data[at++];
  if (element == '?') return true;
  if (element == '[') return glob_set(pattern, at, c);
  if (element == '\\' && at < pattern.length) return pattern.data[at++] == c;
  return element == c;
}

QUERN_HD inline bool glob(Text text, Text pattern) {
  int64_t t = 0, p = 0;
  int64_t retry_text = -1, retry_pattern = -1;
  while (t < text.length) {
    if (p < pattern.length && pattern.data[p] == '*') {
      retry_pattern = ++p;
      retry_text = t;
      continue;
    }
    int64_t next = p;
    if (p < pattern.length && glob_byte(pattern, next, text.data[t])) {
      p = next;
      ++t;
      continue;
    }
    if (retry_pattern < 0) return false;
    p = retry_pattern;
    t = ++retry_text;
  }
  while (p < pattern.length && pattern.data[p] == '*') ++p;
  return p == pattern.length;
}

}  // namespace quern::ops
