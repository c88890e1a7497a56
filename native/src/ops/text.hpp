// UTF-8 text as bytes and length. Positions are bytes unless they say code points. Nothing here allocates: results are
// ranges of the argument, or written into room the caller has sized.
#pragma once
#include "ops/compare.hpp"

namespace quern::ops {

struct Text {
  const char* data;
  int64_t length;
};

// The view must outlive the text (short strings stand inside it).
QUERN_HD inline Text text_of(const StringView& view) { return {view.data(), static_cast<int64_t>(view.length)}; }

QUERN_HD inline bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// Bytes of the code point that starts with this byte.
QUERN_HD inline int32_t code_point_bytes(char first) {
  const unsigned char c = static_cast<unsigned char>(first);
  return c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

QUERN_HD inline int64_t code_points(Text text) {
  int64_t count = 0;
  for (int64_t i = 0; i < text.length; ++i) count += !continues(text.data[i]);
  return count;
}

// Start of the code point after the one at `at`.
QUERN_HD inline int64_t next_code_point(Text text, int64_t at) {
  ++at;
  while (at < text.length && continues(text.data[at])) ++at;
  return at;
}

// Byte offset of code point `index` (0-based), the length when there are fewer.
QUERN_HD inline int64_t code_point_offset(Text text, int64_t index) {
  int64_t at = 0;
  for (; index > 0 && at < text.length; --index) at = next_code_point(text, at);
  return at;
}

QUERN_HD inline int32_t decode_code_point(Text text, int64_t at) {
  const auto byte = [&](int64_t i) {
    return i < text.length ? static_cast<int32_t>(static_cast<unsigned char>(text.data[i])) : 0;
  };
  const int32_t first = byte(at);
  if (first < 0x80) return first;
  if (first < 0xe0) return (first & 0x1f) << 6 | (byte(at + 1) & 0x3f);
  if (first < 0xf0) return (first & 0x0f) << 12 | (byte(at + 1) & 0x3f) << 6 | (byte(at + 2) & 0x3f);
  return (first & 0x07) << 18 | (byte(at + 1) & 0x3f) << 12 | (byte(at + 2) & 0x3f) << 6 | (byte(at + 3) & 0x3f);
}

// Bytes written (1..4); 0 for a number that is no code point.
QUERN_HD inline int32_t encode_code_point(int32_t code, char* out) {
  if (code < 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return 0;
  if (code < 0x80) {
    out[0] = static_cast<char>(code);
    return 1;
  }
  if (code < 0x800) {
    out[0] = static_cast<char>(0xc0 | code >> 6);
    out[1] = static_cast<char>(0x80 | (code & 0x3f));
    return 2;
  }
  if (code < 0x10000) {
    out[0] = static_cast<char>(0xe0 | code >> 12);
    out[1] = static_cast<char>(0x80 | (code >> 6 & 0x3f));
    out[2] = static_cast<char>(0x80 | (code & 0x3f));
    return 3;
  }
  out[0] = static_cast<char>(0xf0 | code >> 18);
  out[1] = static_cast<char>(0x80 | (code >> 12 & 0x3f));
  out[2] = static_cast<char>(0x80 | (code >> 6 & 0x3f));
  out[3] = static_cast<char>(0x80 | (code & 0x3f));
  return 4;
}

QUERN_HD inline bool is_ascii(Text text) {
  unsigned char any = 0;
  for (int64_t i = 0; i < text.length; ++i) any |= static_cast<unsigned char>(text.data[i]);
  return any < 0x80;
}

// White space as text casts trim it.
QUERN_HD inline bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\v' || c == '\f' || c == '\r';
}
QUERN_HD inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
QUERN_HD inline char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
QUERN_HD inline char ascii_upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

// Equal without regard to ASCII case; `word` is lower case.
QUERN_HD inline bool equals_word(Text text, const char* word) {
  int64_t i = 0;
  for (; i < text.length; ++i) {
    if (word[i] == 0 || ascii_lower(text.data[i]) != word[i]) return false;
  }
  return word[i] == 0;
}

QUERN_HD inline Text trim_spaces(Text text) {
  while (text.length > 0 && is_space(text.data[0])) ++text.data, --text.length;
  while (text.length > 0 && is_space(text.data[text.length - 1])) --text.length;
  return text;
}

// Code points [first, last) of a text, which may reach outside of it.
QUERN_HD inline Text code_point_range(Text text, int128_t first, int128_t last, bool ascii) {
  if (first < 0) first = 0;
  if (first >= last) return {text.data, 0};
  const int64_t from = first > text.length ? text.length : static_cast<int64_t>(first);
  const int64_t count = last - from > text.length ? text.length : static_cast<int64_t>(last - from);
  if (ascii) return {text.data + from, count < text.length - from ? count : text.length - from};
  const int64_t start = code_point_offset(text, from);
  const Text rest{text.data + start, text.length - start};
  return {rest.data, code_point_offset(rest, count)};
}

// substring(text, start, count) by code points: 1-based; a start below 0 counts from the end, and may lie before the
// text, as 0 does; a count below 0 takes the characters before start.
QUERN_HD inline Text substring(Text text, int64_t start, int64_t count) {
  // The usual call looks at no more bytes than it skips and takes.
  if (start > 0 && count >= 0 && start <= text.length && count <= text.length) {
    const int64_t first = start - 1;
    const int64_t last = first + count < text.length ? first + count : text.length;
    if (is_ascii({text.data, last})) return {text.data + first, last - first};
  }
  const bool ascii = is_ascii(text);
  int128_t first = static_cast<int128_t>(start) - 1;
  if (start < 0) first = static_cast<int128_t>(ascii ? text.length : code_points(text)) + start;
  const int128_t other = first + count;
  return count < 0 ? code_point_range(text, other, first, ascii) : code_point_range(text, first, other, ascii);
}

// text[begin : end], 1-based and inclusive; negative bounds count from the end.
QUERN_HD inline Text slice(Text text, int64_t begin, int64_t end) {
  const bool ascii = is_ascii(text);
  const int64_t size = ascii ? text.length : code_points(text);
  const int128_t first = begin < 0 ? static_cast<int128_t>(size) + begin : static_cast<int128_t>(begin) - 1;
  const int128_t last = end < 0 ? static_cast<int128_t>(size) + end + 1 : static_cast<int128_t>(end);
  return code_point_range(text, first, last, ascii);
}

// The first `count` code points; all but the last -count when it is negative.
QUERN_HD inline Text left(Text text, int64_t count) {
  if (count >= 0) return {text.data, code_point_offset(text, count)};
  const int64_t keep = count < -text.length ? 0 : code_points(text) + count;
  return {text.data, code_point_offset(text, keep < 0 ? 0 : keep)};
}

// The last `count` code points; all but the first -count when it is negative.
QUERN_HD inline Text right(Text text, int64_t count) {
  const int64_t size = code_points(text);
  const int64_t skip = count >= 0 ? (count >= size ? 0 : size - count) : (count <= -size ? size : -count);
  const int64_t from = code_point_offset(text, skip);
  return {text.data + from, text.length - from};
}

// Byte position of the first `needle` from `from` on; -1 when there is none.
QUERN_HD inline int64_t find(Text text, Text needle, int64_t from) {
  if (needle.length == 0) return from <= text.length ? from : -1;
#if !defined(__CUDACC__) && !defined(__CUDACC_RTC__)
  if (from + needle.length > text.length) return -1;
  const char* at = text.data + from;
  const char* end = text.data + text.length - needle.length + 1;
  while (at < end) {
    at = static_cast<const char*>(__builtin_memchr(at, needle.data[0], static_cast<uint64_t>(end - at)));
    if (at == nullptr) return -1;
    if (__builtin_memcmp(at, needle.data, static_cast<uint64_t>(needle.length)) == 0) return at - text.data;
    ++at;
  }
  return -1;
#else
  for (int64_t at = from; at + needle.length <= text.length; ++at) {
    if (text.data[at] == needle.data[0] &&
        compare_bytes(text.data + at, needle.data, static_cast<uint64_t>(needle.length)) == 0)
      return at;
  }
  return -1;
#endif
}

QUERN_HD inline bool starts_with(Text text, Text prefix) {
  return text.length >= prefix.length &&
         compare_bytes(text.data, prefix.data, static_cast<uint64_t>(prefix.length)) == 0;
}
QUERN_HD inline bool ends_with(Text text, Text suffix) {
  return text.length >= suffix.length &&
         compare_bytes(text.data + text.length - suffix.length, suffix.data, static_cast<uint64_t>(suffix.length)) == 0;
}
QUERN_HD inline bool contains(Text text, Text needle) { return find(text, needle, 0) >= 0; }

// 1-based code point position of needle, 0 when absent.
QUERN_HD inline int64_t position(Text text, Text needle) {
  const int64_t at = find(text, needle, 0);
  return at < 0 ? 0 : code_points({text.data, at}) + 1;
}

// Whether the code point that starts at `at` in text is one of those in `set`.
QUERN_HD inline bool in_set(Text text, int64_t at, int64_t bytes, Text set) {
  for (int64_t i = 0; i < set.length; i = next_code_point(set, i)) {
    const int64_t size = next_code_point(set, i) - i;
    if (size == bytes && compare_bytes(set.data + i, text.data + at, static_cast<uint64_t>(bytes)) == 0) return true;
  }
  return false;
}

QUERN_HD inline Text trim_set(Text text, Text set, bool front, bool back) {
  int64_t first = 0, last = text.length;
  while (front && first < last) {
    const int64_t next = next_code_point(text, first);
    if (!in_set(text, first, next - first, set)) break;
    first = next;
  }
  while (back && last > first) {
    int64_t start = last - 1;
    while (start > first && continues(text.data[start])) --start;
    if (!in_set(text, start, last - start, set)) break;
    last = start;
  }
  return {text.data + first, last - first};
}

// Part `index` (1-based, from the end when negative) of text cut at `separator`; empty outside. An empty separator cuts
// between code points.
QUERN_HD inline Text split_part(Text text, Text separator, int64_t index) {
  const Text none{text.data, 0};
  const bool characters = separator.length == 0;
  if (index < 0) {
    int64_t parts = characters ? code_points(text) : 1;
    for (int64_t at = characters ? -1 : find(text, separator, 0); at >= 0;
         at = find(text, separator, at + separator.length))
      ++parts;
    index = index < -parts ? 0 : parts + 1 + index;
  }
  if (index <= 0) return none;
  if (characters) return substring(text, index, 1);
  int64_t start = 0;
  while (true) {
    const int64_t at = find(text, separator, start);
    if (--index == 0) return {text.data + start, (at < 0 ? text.length : at) - start};
    if (at < 0) return none;
    start = at + separator.length;
  }
}

// LIKE: % any run, _ one code point; `escape` (0 = none) takes the next byte as it is. The pattern must not end in its
// escape.
QUERN_HD inline bool like(Text text, Text pattern, char escape) {
  int64_t t = 0, p = 0;
  int64_t retry_text = -1, retry_pattern = -1;
  while (t < text.length) {
    bool matched = false;
    if (p < pattern.length) {
      const char c = pattern.data[p];
      if (escape != 0 && c == escape && p + 1 < pattern.length) {
        matched = pattern.data[p + 1] == text.data[t];
        if (matched) p += 2, ++t;
      } else if (c == '%') {
        retry_pattern = ++p;
        retry_text = t;
        continue;
      } else if (c == '_') {
        matched = true;
        ++p;
        t = next_code_point(text, t);
      } else {
        matched = c == text.data[t];
        if (matched) ++p, ++t;
      }
    }
    if (matched) continue;
    if (retry_pattern < 0) return false;
    p = retry_pattern;
    t = ++retry_text;
  }
  while (p < pattern.length && pattern.data[p] == '%') ++p;
  return p == pattern.length;
}

}  // namespace quern::ops
