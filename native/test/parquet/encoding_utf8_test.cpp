#include "reference_encoder.hpp"

namespace quern::parquet {
namespace {

std::string encode(uint32_t point) {
  std::string out;
  if (point < 0x80) {
    out += static_cast<char>(point);
  } else if (point < 0x800) {
    out += static_cast<char>(0xC0 | point >> 6);
    out += static_cast<char>(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    out += static_cast<char>(0xE0 | point >> 12);
    out += static_cast<char>(0x80 | (point >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (point & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | point >> 18);
    out += static_cast<char>(0x80 | (point >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (point >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (point & 0x3F));
  }
  return out;
}

bool valid(const std::string& text) {
  // At several places of long ASCII text too, where the fast path hands over.
  const bool alone = valid_utf8(text.data(), text.size());
  for (size_t before : {1, 7, 8, 15, 16, 31, 33}) {
    for (size_t after : {0, 1, 8, 40}) {
      const std::string longer = std::string(before, 'x') + text + std::string(after, 'y');
      const std::unique_ptr<char[]> exact(new char[longer.size()]);
      std::copy(longer.begin(), longer.end(), exact.get());
      EXPECT_EQ(valid_utf8(exact.get(), longer.size()), alone) << before << ' ' << after;
    }
  }
  return alone;
}

TEST(Utf8, EveryCodePoint) {
  for (uint32_t point = 0; point < 0x120000; ++point) {
    const std::string text = encode(point);
    const bool legal = point <= 0x10FFFF && !(point >= 0xD800 && point < 0xE000);
    ASSERT_EQ(valid_utf8(text.data(), text.size()), legal) << point;
  }
}

TEST(Utf8, Malformed) {
  EXPECT_TRUE(valid(""));
  EXPECT_TRUE(valid("\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"));
  EXPECT_TRUE(valid(std::string(1, '\0')));
  for (const char* bad : {"\x80", "\xBF", "\xC0\xAF", "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF", "\xED\xA0\x80",
                          "\xED\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xFE", "\xC3", "\xE2\x82",
                          "\xF0\x9F\x98", "\xC3\xC3", "\xE2\x82\x41", "\xF0\x9F\x41\x80"}) {
    EXPECT_FALSE(valid(bad)) << bad;
  }
}

TEST(XxHash64, KnownValues) {
  EXPECT_EQ(xxhash64("", 0), 0xEF46DB3751D8E999ULL);
  EXPECT_EQ(xxhash64("a", 1), 0xD24EC4F1A98C6E5BULL);
  EXPECT_EQ(xxhash64("abc", 3), 0x44BC2CF5AD770999ULL);
}

}  // namespace
}  // namespace quern::parquet
