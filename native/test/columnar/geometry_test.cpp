// Well-known binary of every flavour into its one form and into text; damaged bytes are refused. Texts are DuckDB's.
#include "columnar/geometry.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "common/error.hpp"

namespace quern {
namespace {

std::string bytes_of(const std::string& hex) {
  std::string out;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) out += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return out;
}

const std::string one = "000000000000F03F", two = "0000000000000040", three = "0000000000000840",
                  four = "0000000000001040";
const std::string nan_text = "000000000000F87F";

// The text of any WKB; "! message" when it is refused.
std::string text_of(const std::string& hex) {
  try {
    const std::string wkb = bytes_of(hex);
    std::string normal, text;
    append_wkt(normalize_wkb(wkb, normal) ? wkb : normal, text);
    return text;
  } catch (const Error& error) {
    return "! " + error.message();
  }
}

bool is_normal(const std::string& hex) {
  std::string normal;
  return normalize_wkb(bytes_of(hex), normal);
}

TEST(Geometry, Shapes) {
  EXPECT_EQ(text_of("0101000000" + one + two), "POINT (1 2)");
  EXPECT_EQ(text_of("0101000000" + nan_text + nan_text), "POINT EMPTY");
  EXPECT_EQ(text_of("0101000000" + nan_text + one), "POINT (nan 1)");
  EXPECT_EQ(text_of("0101000000000000000000F0FF000000000000F07F"), "POINT (-inf inf)");
  EXPECT_EQ(text_of("010200000002000000" + one + two + three + four), "LINESTRING (1 2, 3 4)");
  EXPECT_EQ(text_of("010200000000000000"), "LINESTRING EMPTY");
  EXPECT_EQ(text_of("010300000000000000"), "POLYGON EMPTY");
  EXPECT_EQ(text_of("01030000000100000000000000"), "POLYGON (EMPTY)");
  EXPECT_EQ(text_of("01030000000100000001000000" + one + two), "POLYGON ((1 2))");
  EXPECT_EQ(text_of("0104000000020000000101000000" + one + two + "0101000000" + nan_text + nan_text),
            "MULTIPOINT (1 2, EMPTY)");
  EXPECT_EQ(text_of("010500000001000000010200000000000000"), "MULTILINESTRING (EMPTY)");
  EXPECT_EQ(text_of("010600000001000000010300000000000000"), "MULTIPOLYGON (EMPTY)");
  EXPECT_EQ(text_of("010700000001000000010700000001000000"
                    "0101000000" +
                    one + two),
            "GEOMETRYCOLLECTION (GEOMETRYCOLLECTION (POINT (1 2)))");
  EXPECT_EQ(text_of("010700000000000000"), "GEOMETRYCOLLECTION EMPTY");
}

TEST(Geometry, Dimensions) {
  EXPECT_EQ(text_of("01E9030000" + one + two + three), "POINT Z (1 2 3)");
  EXPECT_EQ(text_of("01D1070000" + one + two + three), "POINT M (1 2 3)");
  EXPECT_EQ(text_of("01B90B0000" + one + two + three + four), "POINT ZM (1 2 3 4)");
  EXPECT_EQ(text_of("01E9030000" + nan_text + nan_text + nan_text), "POINT Z EMPTY");
  EXPECT_EQ(text_of("01E9030000" + nan_text + nan_text + two), "POINT Z (nan nan 2)");
  EXPECT_EQ(text_of("01EF03000000000000"), "GEOMETRYCOLLECTION Z EMPTY");
}

TEST(Geometry, EveryFlavourBecomesOneForm) {
  EXPECT_TRUE(is_normal("0101000000" + one + two));
  EXPECT_TRUE(is_normal("01E9030000" + one + two + three));
  std::string out;
  // Big-endian, extended codes, a spatial reference, and mixtures of byte orders.
  EXPECT_FALSE(normalize_wkb(bytes_of("00000000013FF00000000000004000000000000000"), out));
  EXPECT_EQ(out, bytes_of("0101000000" + one + two));
  out.clear();
  EXPECT_FALSE(normalize_wkb(bytes_of("0101000020E6100000" + one + two), out));
  EXPECT_EQ(out, bytes_of("0101000000" + one + two));
  out.clear();
  EXPECT_FALSE(normalize_wkb(bytes_of("01010000C0" + one + two + three + four), out));
  EXPECT_EQ(out, bytes_of("01B90B0000" + one + two + three + four));
  out.clear();
  EXPECT_FALSE(normalize_wkb(bytes_of("01040000000100000000000000013FF00000000000004000000000000000"), out));
  EXPECT_EQ(out, bytes_of("0104000000010000000101000000" + one + two));
  EXPECT_EQ(text_of("0101000040" + one + two + three), "POINT M (1 2 3)");
}

TEST(Geometry, Damage) {
  EXPECT_EQ(text_of(""), "! geometry ends at byte 0");
  EXPECT_EQ(text_of("0201000000"), "! geometry of byte order 2");
  EXPECT_EQ(text_of("0163000000"), "! geometry of unknown type 99");
  EXPECT_EQ(text_of("01A10F0000"), "! geometry of unknown type 4001");
  EXPECT_EQ(text_of("0100000000"), "! geometry of unknown type 0");
  EXPECT_EQ(text_of("0101000000" + one), "! geometry ends at byte 13");
  EXPECT_EQ(text_of("0101000000" + one + two + "FF"), "! geometry with 1 bytes too many");
  EXPECT_EQ(text_of("0102000000FFFFFFFF"), "! geometry of 4294967295 parts in 0 bytes");
  EXPECT_EQ(text_of("0107000000FFFFFFFF" + one + two), "! geometry of 4294967295 parts in 16 bytes");
  EXPECT_EQ(text_of("010400000001000000010200000000000000"), "! MULTIPOINT that holds a LINESTRING");
  EXPECT_EQ(text_of("01070000000100000001E9030000" + one + two + three), "! geometry whose parts differ in dimensions");
  std::string deep = "0101000000" + one + two;
  for (int i = 0; i < 16; ++i) deep = "010700000001000000" + deep;
  EXPECT_EQ(text_of(deep).substr(0, 20), "GEOMETRYCOLLECTION (");
  std::string outer;
  for (int i = 0; i < 100000; ++i) outer += "010700000001000000";
  deep = outer + deep;
  EXPECT_EQ(text_of(deep), "! unsupported: geometry nested deeper than 16 levels");
}

// No bytes make it read outside or throw anything but an Error.
TEST(Geometry, RandomDamage) {
  const std::string whole = bytes_of(
      "0107000000020000000103000000010000000200000"
      "0" +
      one + two + three + four + "0104000000010000000101000000" + one + two);
  std::mt19937 random(7);
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string damaged = whole.substr(0, random() % 4 == 0 ? random() % whole.size() : whole.size());
    for (int i = 0; i < 2 && !damaged.empty(); ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
    // A copy of exactly this size, so that a read past its end is seen.
    const std::vector<char> exact(damaged.begin(), damaged.end());
    const std::string_view view(exact.data(), exact.size());
    try {
      std::string normal, text;
      append_wkt(normalize_wkb(view, normal) ? view : std::string_view(normal), text);
      ++accepted;
    } catch (const Error&) {
    }
  }
  EXPECT_GT(accepted, 0);
}

}  // namespace
}  // namespace quern
