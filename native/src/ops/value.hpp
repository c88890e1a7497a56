// Fixed-layout values shared by every backend. Compiles under g++, nvcc and NVRTC: no includes but its own kind.
#pragma once
#if defined(__CUDACC_RTC__)
using int8_t = signed char;
using int16_t = short;
using int32_t = int;
using int64_t = long long;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned int;
using uint64_t = unsigned long long;
#else
#include <cstdint>
#endif

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define QUERN_HD __host__ __device__
#else
#define QUERN_HD
#endif

namespace quern {

using int128_t = __int128;
using uint128_t = unsigned __int128;

struct Interval {
  int32_t months;
  int32_t days;
  int64_t micros;
};

// 16 bytes: up to 12 bytes of text stand inside; longer text keeps its first 4 bytes here and lives elsewhere.
// Unused bytes are zero, so that two short strings are equal exactly when their 16 bytes are.
struct StringView {
  uint32_t length;
  char prefix[4];
  union {
    char rest[8];
    const char* pointer;
  };

  QUERN_HD bool is_inline() const { return length <= 12; }
  QUERN_HD const char* data() const { return length <= 12 ? prefix : pointer; }
};
static_assert(sizeof(StringView) == 16, "layout");

// `data` must outlive the view when length > 12.
QUERN_HD inline StringView make_string_view(const char* data, uint32_t length) {
  StringView view;
  view.length = length;
  for (int i = 0; i < 4; ++i) view.prefix[i] = 0;
  view.pointer = nullptr;
  if (length <= 12) {
    for (uint32_t i = 0; i < length && i < 4; ++i) view.prefix[i] = data[i];
    for (uint32_t i = 4; i < length; ++i) view.rest[i - 4] = data[i];
  } else {
    for (int i = 0; i < 4; ++i) view.prefix[i] = data[i];
    view.pointer = data;
  }
  return view;
}

// Rows of a list column: elements [start, start + length) of the child. 64-bit at every level, so no cap lies anywhere.
struct ListEntry {
  int64_t start;
  int64_t length;
};

}  // namespace quern
