// VARIANT values: what is kept of encoded ones and of columns, the text (DuckDB's), damaged bytes.
#include "columnar/variant_builder.hpp"

#include <gtest/gtest.h>

#include <random>

#include "columnar/encoded_variant.hpp"
#include "common/error.hpp"

namespace quern::test {
namespace {

// The row that is held of a value.
std::string held(const std::string& value, const std::string& names = no_names) {
  // Copies of exactly these sizes, so that a read past the end is seen.
  const std::vector<char> value_bytes(value.begin(), value.end()), name_bytes(names.begin(), names.end());
  const VariantMetadata parsed(std::string_view(name_bytes.data(), name_bytes.size()));
  VariantBuilder builder;
  builder.start();
  builder.allow(value.size());
  builder.copy(parsed, std::string_view(value_bytes.data(), value_bytes.size()));
  std::string row;
  builder.take(row);
  return row;
}

// "NULL" for variant null; "! message" for bytes that are refused.
std::string shown(const std::string& value, const std::string& names = no_names) {
  try {
    std::string out;
    append_variant_text(held(value, names), out);
    return out;
  } catch (const Error& error) {
    return "! " + error.message();
  }
}

TEST(Variant, Primitives) {
  EXPECT_EQ(shown(primitive(0)), "NULL");
  EXPECT_EQ(shown(primitive(1)), "true");
  EXPECT_EQ(shown(primitive(2)), "false");
  EXPECT_EQ(shown(primitive(3, little<int8_t>(-34))), "-34");
  EXPECT_EQ(shown(primitive(4, little<int16_t>(1234))), "1234");
  EXPECT_EQ(shown(primitive(5, little<int32_t>(-12345))), "-12345");
  EXPECT_EQ(shown(primitive(6, little<int64_t>(9876543210))), "9876543210");
  EXPECT_EQ(shown(primitive(7, little(14.3))), "14.3");
  EXPECT_EQ(shown(primitive(7, little(-0.0))), "-0.0");
  EXPECT_EQ(shown(primitive(8, "\x02" + little<int32_t>(1011))), "10.11");
  EXPECT_EQ(shown(primitive(8, "\x02" + little<int32_t>(-5))), "-.05");
  EXPECT_EQ(shown(primitive(9, "\x09" + little<int64_t>(-123456789987654321))), "-123456789.987654321");
  EXPECT_EQ(shown(primitive(10, "\x01" + little<int128_t>(5))), "0.5");
  EXPECT_EQ(shown(primitive(8, std::string(1, '\0') + little<int32_t>(7))), "7");
  EXPECT_EQ(shown(primitive(11, little<int32_t>(20034))), "2024-11-07");
  EXPECT_EQ(shown(primitive(12, little<int64_t>(-383225165876544))), "1957-11-09 12:33:54.123456+00");
  EXPECT_EQ(shown(primitive(13, little<int64_t>(1))), "1970-01-01 00:00:00.000001");
  EXPECT_EQ(shown(primitive(14, little(0.1F))), "0.1");
  EXPECT_EQ(shown(primitive(15, little<uint32_t>(3) + std::string("\x00\x61,", 3))), "\\x00a,");
  EXPECT_EQ(shown(primitive(16, little<uint32_t>(4) + "text")), "text");
  EXPECT_EQ(shown(primitive(17, little<int64_t>(45234123456))), "12:33:54.123456");
  EXPECT_EQ(shown(primitive(18, little<int64_t>(1999))), "1970-01-01 00:00:00.000001+00");
  EXPECT_EQ(shown(primitive(19, little<int64_t>(1999))), "1970-01-01 00:00:00.000001999");
  EXPECT_EQ(shown(primitive(20, "\xf2\x4f\x9b\x64\x81\xfa\x49\xd1\xb7\x4e\x8c\x09\xa6\xe3\x1c\x56")),
            "f24f9b64-81fa-49d1-b74e-8c09a6e31c56");
  EXPECT_EQ(shown(text("a, b")), "a, b");
  EXPECT_EQ(shown(text("")), "");
}

TEST(Variant, ArraysAndObjects) {
  const std::string names = metadata({"b", "a", "it's", ""});
  EXPECT_EQ(shown(array({})), "[]");
  EXPECT_EQ(shown(object({}), names), "{}");
  EXPECT_EQ(shown(array({text("a, b"), text("NULL"), text("")})), "['a, b', 'NULL', '']");
  // Elements of several kinds stand as they are.
  EXPECT_EQ(shown(array({text("a, b"), primitive(0)})), "[a, b, NULL]");
  EXPECT_EQ(shown(array({text("a, b"), array({text("c, d")})})), "[a, b, ['c, d']]");
  EXPECT_EQ(shown(object({{0, text("x, y")}, {1, primitive(0)}, {2, text("it's")}}), names),
            "{'a': NULL, 'b': 'x, y', 'it\\'s': 'it\\'s'}");
  EXPECT_EQ(shown(object({{3, primitive(1)}}), names), "(true)");
  EXPECT_EQ(shown(object({{0, object({{1, array({primitive(1)})}})}}), names), "{'b': {'a': [true]}}");
}

TEST(Variant, DamagedValues) {
  const std::string names = metadata({"a"});
  EXPECT_EQ(shown(""), "! VARIANT value is empty");
  EXPECT_EQ(shown(primitive(21)), "! VARIANT value of unknown type 21");
  EXPECT_EQ(shown(primitive(6, "1234567")), "! VARIANT value ends too early");
  EXPECT_EQ(shown(primitive(16, little<uint32_t>(0xFFFFFFFF) + "x")), "! VARIANT value ends too early");
  EXPECT_EQ(shown(std::string(1, 63 << 2 | 1)), "! VARIANT text ends too early");
  EXPECT_EQ(shown(text("\xff")), "! VARIANT text is not UTF-8");
  EXPECT_EQ(shown(primitive(8, "\x0a" + little<int32_t>(1))), "! VARIANT decimal of scale 10");
  EXPECT_EQ(shown(primitive(8)), "! VARIANT decimal ends too early");
  EXPECT_EQ(shown(object({{1, primitive(0)}}), names), "! VARIANT field name 1 of 1");
  EXPECT_EQ(shown(static_cast<char>(1 << 4 | 3 << 2 | 3) + little<uint32_t>(0xFFFFFFFF)),
            "! VARIANT array ends too early");
  EXPECT_EQ(shown(primitive(1), ""), "! VARIANT metadata ends too early");
  EXPECT_EQ(shown(primitive(1), "\x02"), "! VARIANT metadata of version 2");
  EXPECT_EQ(shown(primitive(1), "\xC1" + little<uint32_t>(0xFFFFFFFF)), "! VARIANT metadata ends too early");
  EXPECT_EQ(shown(object({{0, primitive(0)}}), std::string("\x01\x01\x02\x01", 4) + "abc"),
            "! VARIANT field name of negative length");
  // An element that begins where the values end.
  EXPECT_EQ(shown(std::string("\x03\x01\x01\x01\x00", 5)), "! VARIANT value begins at byte 1 of 1");
}

// Elements that share bytes would let a few bytes stand for any amount of text.
TEST(Variant, OverlappingValues) {
  std::string value = text("x");
  for (int i = 0; i < 40; ++i) {
    std::string twice(1, static_cast<char>(3 << 2 | 3));
    twice += '\x02';
    twice += little<uint32_t>(0) + little<uint32_t>(0) + little<uint32_t>(static_cast<uint32_t>(value.size()));
    value = twice + value;
  }
  EXPECT_EQ(shown(value), "! VARIANT values overlap");
}

TEST(Variant, Depth) {
  std::string value = primitive(1);
  for (int i = 0; i < max_variant_depth; ++i) value = array({value});
  EXPECT_EQ(shown(value).size(), 2U * max_variant_depth + 4);
  for (int i = 0; i < 2000; ++i)
    value = std::string("\x0F\x01", 2) + little<uint32_t>(0) + little<uint32_t>(static_cast<uint32_t>(value.size())) +
            value;
  EXPECT_EQ(shown(value), "! unsupported: VARIANT nested deeper than 500 levels");
}

TEST(Variant, RandomDamage) {
  const std::string names = metadata({"a", "b", "name"});
  const std::string whole = object({{0, array({text("x"), primitive(8, "\x02" + little<int32_t>(1011)),
                                               object({{1, primitive(16, little<uint32_t>(3) + "abc")}})})},
                                    {2, primitive(20, std::string(16, 'u'))}});
  std::mt19937 random(11);
  int accepted = 0;
  for (int round = 0; round < 30000; ++round) {
    std::string value = whole.substr(0, random() % 4 == 0 ? random() % whole.size() : whole.size()),
                damaged_names = names;
    std::string& damaged = random() % 5 == 0 ? damaged_names : value;
    for (int i = 0; i < 2 && !damaged.empty(); ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
    accepted += shown(value, damaged_names)[0] != '!';
  }
  EXPECT_GT(accepted, 0);
}

TEST(Variant, RowsAreHeldInOneForm) {
  // Every kind of leaf is kept as it is.
  for (const std::string& value :
       {primitive(0), primitive(1), primitive(3, "x"), primitive(5, little<int32_t>(1)),
        primitive(6, little<int64_t>(1)), primitive(8, "\x02" + little<int32_t>(150)),
        primitive(9, "\x02" + little<int64_t>(150)), text("1"), primitive(18, little<int64_t>(1)),
        primitive(19, little<int64_t>(1)), primitive(14, little(0.1F)), primitive(15, little<uint32_t>(1) + "1"),
        primitive(20, std::string(16, 'u'))}) {
    EXPECT_EQ(held(value), no_names + value);
  }
  // Short text has one form.
  EXPECT_EQ(held(primitive(16, little<uint32_t>(1) + "1")), no_names + text("1"));
  // What follows a value is dropped, names are those in use, fields stand by name, offsets are narrow.
  EXPECT_EQ(held(primitive(1) + "more"), no_names + primitive(1));
  const std::string row = held(object({{2, text("x")}, {1, primitive(1)}}), metadata({"unused", "a", "b"}));
  EXPECT_EQ(row, metadata({"a", "b"}) + std::string("\x02\x02\x00\x01\x00\x01\x03", 7) + primitive(1) + text("x"));
  const VariantParts parts = variant_parts(row);
  EXPECT_EQ(parts.metadata_bytes, metadata({"a", "b"}));
  EXPECT_EQ(held(std::string(parts.value), std::string(parts.metadata_bytes)), row);
}

TEST(Variant, WideHeaders) {
  VariantBuilder builder;
  builder.start();
  VariantBuilder::Open open = builder.open();
  std::string wanted = "{";
  for (int i = 1000; i < 1300; ++i) {
    const std::string name = "n" + std::to_string(i) + std::string(300, 'x');
    builder.name(open, name);
    builder.null();
    builder.part(open);
    wanted += (i > 1000 ? ", '" : "'") + name + "': NULL";
  }
  builder.close_object(open);
  std::string row, text;
  builder.take(row);
  append_variant_text(row, text);
  EXPECT_EQ(text, wanted + "}");
  const VariantParts parts = variant_parts(row);
  EXPECT_EQ(held(std::string(parts.value), std::string(parts.metadata_bytes)), row);
}

// The encoded row of one value of a column.
template <typename T>
std::string of(const TypePtr& type, T value) {
  Memory memory(1 << 20);
  ColumnBuilder column(memory, type, 1, true);
  column.data<T>()[0] = value;
  VariantBuilder builder;
  builder.start();
  builder.leaf(*column.finish(), 0);
  std::string row;
  builder.take(row);
  return row.substr(no_names.size());
}

TEST(Variant, LeavesOfColumns) {
  EXPECT_EQ(of<uint8_t>(make_type(TypeKind::boolean), 1), primitive(1));
  EXPECT_EQ(of<int8_t>(make_type(TypeKind::int8), -1), primitive(3, "\xff"));
  EXPECT_EQ(of<uint8_t>(make_type(TypeKind::uint8), 255), primitive(4, little<int16_t>(255)));
  EXPECT_EQ(of<uint32_t>(make_type(TypeKind::uint32), 0xFFFFFFFF), primitive(6, little<int64_t>(0xFFFFFFFF)));
  EXPECT_EQ(of<uint64_t>(make_type(TypeKind::uint64), UINT64_MAX),
            primitive(10, std::string(1, '\0') + little<int128_t>(UINT64_MAX)));
  EXPECT_EQ(of<uint16_t>(make_type(TypeKind::float16), 0x3C00), primitive(14, little(1.0F)));
  EXPECT_EQ(of<int64_t>(make_decimal(9, 2), -150), primitive(8, "\x02" + little<int32_t>(-150)));
  EXPECT_EQ(of<int64_t>(make_decimal(18, 2), 150), primitive(9, "\x02" + little<int64_t>(150)));
  EXPECT_EQ(of<int128_t>(make_decimal(19, 2), 150), primitive(10, "\x02" + little<int128_t>(150)));
  EXPECT_EQ(of<int64_t>(make_timestamp(TimeUnit::ms, false), 2), primitive(13, little<int64_t>(2000)));
  EXPECT_EQ(of<int64_t>(make_timestamp(TimeUnit::ns, true), 2), primitive(18, little<int64_t>(2)));
  EXPECT_EQ(of<uint128_t>(make_type(TypeKind::uuid), uint128_t{1} << 120),
            primitive(20, std::string("\x01") + std::string(15, '\0')));
  EXPECT_EQ(of(make_type(TypeKind::string), make_string_view("1", 1)), text("1"));
  EXPECT_EQ(of(make_type(TypeKind::binary), make_string_view("1", 1)), primitive(15, little<uint32_t>(1) + "1"));
  const std::string long_text(64, 'x');
  EXPECT_EQ(of(make_type(TypeKind::string), make_string_view(long_text.data(), 64)),
            primitive(16, little<uint32_t>(64) + long_text));
  EXPECT_THROW(of<int64_t>(make_timestamp(TimeUnit::ms, false), INT64_MAX), Error);
  EXPECT_FALSE(fits_variant(*make_type(TypeKind::interval)));
  EXPECT_FALSE(fits_variant(*make_tagged(TypeTag::geometry)));
}

TEST(Variant, ResultsHoldText) {
  Memory memory(1 << 20);
  ColumnBuilder rows(memory, make_tagged(TypeTag::variant), 3, true);
  const std::string number = held(primitive(3, "\x07")), word = held(text("a, b"));
  const auto view = [](const std::string& bytes) {
    return make_string_view(bytes.data(), static_cast<uint32_t>(bytes.size()));
  };
  rows.data<StringView>()[0] = view(number);
  rows.data<StringView>()[2] = view(word);
  rows.set_null(1);
  const ColumnPtr variants = rows.finish();
  ColumnBuilder lists(memory, make_list(variants->type), 2, true);
  lists.data<ListEntry>()[0] = {2, 1};
  lists.data<ListEntry>()[1] = {0, 2};
  lists.add_child(variants);
  const ColumnPtr shown = variants_as_text(memory, lists.finish());
  const Column& texts = *shown->children[0];
  const auto text_of = [&](int64_t list, int64_t element) {
    const StringView& text = texts.values<StringView>()[shown->values<ListEntry>()[list].start + element];
    return std::string(text.data(), text.length);
  };
  EXPECT_EQ(text_of(0, 0), "a, b");
  EXPECT_EQ(text_of(1, 0), "7");
  EXPECT_FALSE(texts.is_valid(shown->values<ListEntry>()[1].start + 1));
  const ColumnPtr back = texts_as_variants(memory, shown->children[0]);
  const StringView& again = back->values<StringView>()[0];
  EXPECT_EQ(std::string(again.data(), again.length), word);
}

}  // namespace
}  // namespace quern::test
