// VARIANT: the text of encoded values (DuckDB's), shredded files, shapes that are refused, damaged bytes.
#include <random>

#include "columnar/value_text.hpp"
#include "parquet/file_builder.hpp"
#include "parquet/scan.hpp"
#include "parquet/variant.hpp"
#include "parquet/variant_value.hpp"

namespace quern::parquet::test {
namespace {

template <typename T>
std::string little(T value, size_t bytes = sizeof(T)) {
  return {reinterpret_cast<const char*>(&value), bytes};
}

std::string primitive(int id, const std::string& payload = "") { return static_cast<char>(id << 2) + payload; }
std::string text(const std::string& value) { return static_cast<char>(value.size() << 2 | 1) + value; }

std::string offsets_and(const std::vector<std::string>& values) {
  std::string offsets, all;
  for (const std::string& value : values) {
    offsets += little<uint32_t>(static_cast<uint32_t>(all.size()));
    all += value;
  }
  return offsets + little<uint32_t>(static_cast<uint32_t>(all.size())) + all;
}

// Offsets of four bytes, one byte of count.
std::string array(const std::vector<std::string>& values) {
  return static_cast<char>(3 << 2 | 3) + little<uint8_t>(static_cast<uint8_t>(values.size())) + offsets_and(values);
}
// Field numbers of one byte.
std::string object(const std::vector<std::pair<uint8_t, std::string>>& fields) {
  std::string ids;
  std::vector<std::string> values;
  for (const auto& [id, value] : fields) {
    ids += static_cast<char>(id);
    values.push_back(value);
  }
  return static_cast<char>(3 << 2 | 2) + little<uint8_t>(static_cast<uint8_t>(fields.size())) + ids +
         offsets_and(values);
}
std::string metadata(const std::vector<std::string>& names) {
  std::string offsets(1, '\0'), all;
  for (const std::string& name : names) {
    all += name;
    offsets += static_cast<char>(all.size());
  }
  return "\x01" + little<uint8_t>(static_cast<uint8_t>(names.size())) + offsets + all;
}

const std::string no_names = metadata({});

// "NULL" for variant null; "! message" for bytes that are refused.
std::string shown(const std::string& value, const std::string& names = no_names) {
  try {
    // Copies of exactly these sizes, so that a read past the end is seen.
    const std::vector<char> value_bytes(value.begin(), value.end()), name_bytes(names.begin(), names.end());
    const VariantMetadata parsed(std::string_view(name_bytes.data(), name_bytes.size()));
    std::string out;
    return write_variant(parsed, std::string_view(value_bytes.data(), value_bytes.size()), false, out) ? out : "NULL";
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

// ---- files ----

std::function<void(ThriftWriter&)> variant_mark() {
  return [](ThriftWriter& writer) { writer.structure(16, [] {}); };
}

BuiltNode variant_group(int children) {
  BuiltNode node = group("v", children, Repetition::optional);
  node.logical = variant_mark();
  return node;
}

BuiltChunk chunk(std::vector<std::string> path, PhysicalType type, const std::vector<uint8_t>& levels, int max_level,
                 Encoded values) {
  BuiltChunk out;
  out.path = std::move(path);
  out.type = type;
  out.entries = static_cast<int64_t>(levels.size());
  out.has_definition = true;
  BuiltPage page;
  page.entries = static_cast<int>(levels.size());
  page.definition = runs(levels, max_level);
  page.values = std::move(values);
  out.pages.push_back(page);
  return out;
}

// Rows of an optional group {required metadata, optional value, optional int64 typed_value}; absent = not stored.
struct Row {
  bool present = true;
  std::optional<std::string> value;
  std::optional<int64_t> typed;
};

FileBuilder shredded_int(const std::vector<Row>& rows) {
  FileBuilder builder;
  builder.nodes = {variant_group(3), leaf("metadata", PhysicalType::byte_array),
                   leaf("value", PhysicalType::byte_array, Repetition::optional),
                   leaf("typed_value", PhysicalType::int64, Repetition::optional)};
  std::vector<uint8_t> group_levels, value_levels, typed_levels;
  std::vector<std::string> names, values;
  std::vector<int64_t> numbers;
  for (const Row& row : rows) {
    group_levels.push_back(row.present);
    value_levels.push_back(!row.present ? 0 : row.value ? 2 : 1);
    typed_levels.push_back(!row.present ? 0 : row.typed ? 2 : 1);
    if (row.present) names.push_back(no_names);
    if (row.value) values.push_back(*row.value);
    if (row.typed) numbers.push_back(*row.typed);
  }
  builder.groups.push_back({static_cast<int64_t>(rows.size()),
                            {chunk({"v", "metadata"}, PhysicalType::byte_array, group_levels, 1, plain_strings(names)),
                             chunk({"v", "value"}, PhysicalType::byte_array, value_levels, 2, plain_strings(values)),
                             chunk({"v", "typed_value"}, PhysicalType::int64, typed_levels, 2, plain(numbers))}});
  return builder;
}

// Rows of the one field, or "! message".
std::string rows_of(FileBuilder& builder) {
  Memory memory(1 << 26);
  Context context(memory, {});
  try {
    const FilePtr file = open(memory, builder.write());
    const ColumnPtr column = read_field(context, *file, 0, 0, {}, nullptr);
    EXPECT_EQ(type_name(*column->type), "VARIANT");
    std::string out;
    for (int64_t row = 0; row < column->length; ++row) {
      if (row > 0) out += " | ";
      append_text(*column, row, false, out);
    }
    return out;
  } catch (const Error& error) {
    const std::string& message = error.message();
    return "! " + (message.starts_with(builder.path) ? message.substr(builder.path.size() + 2) : message);
  }
}

TEST(Variant, ShreddedFile) {
  FileBuilder builder = shredded_int({{true, std::nullopt, 7},
                                      {true, text("x"), std::nullopt},
                                      {false, {}, {}},
                                      {true, primitive(0), {}},
                                      {true, {}, {}}});
  EXPECT_EQ(rows_of(builder), "7 | x | NULL | NULL | NULL");
}

TEST(Variant, ContradictingFile) {
  FileBuilder builder = shredded_int({{true, text("x"), 7}});
  EXPECT_EQ(rows_of(builder), "! row group 0, column v: VARIANT with a value beside a typed_value that is no object");
  FileBuilder damaged = shredded_int({{true, text("x"), {}}, {true, primitive(30), {}}});
  EXPECT_EQ(rows_of(damaged), "! row group 0, column v: VARIANT value of unknown type 30");
}

// An object {a: int64} whose other fields stay in the value.
TEST(Variant, PartlyShreddedObject) {
  const auto build = [](const std::vector<std::string>& values, const std::vector<std::string>& names) {
    FileBuilder builder;
    builder.nodes = {variant_group(3),
                     leaf("metadata", PhysicalType::byte_array),
                     leaf("value", PhysicalType::byte_array, Repetition::optional),
                     group("typed_value", 1, Repetition::optional),
                     group("b", 2),
                     leaf("value", PhysicalType::byte_array, Repetition::optional),
                     leaf("typed_value", PhysicalType::int64, Repetition::optional)};
    const std::vector<uint8_t> all(2, 2), typed = {3, 2};
    builder.groups.push_back({2,
                              {chunk({"v", "metadata"}, PhysicalType::byte_array, {1, 1}, 1,
                                     plain_strings({metadata(names), metadata(names)})),
                               chunk({"v", "value"}, PhysicalType::byte_array, all, 2, plain_strings(values)),
                               chunk({"v", "typed_value", "b", "value"}, PhysicalType::byte_array, {2, 2}, 3, {}),
                               chunk({"v", "typed_value", "b", "typed_value"}, PhysicalType::int64, typed, 3,
                                     plain(std::vector<int64_t>{5}))}});
    return builder;
  };
  FileBuilder builder = build({object({{1, primitive(1)}, {0, primitive(2)}}), object({})}, {"c", "a"});
  EXPECT_EQ(rows_of(builder), "{'a': true, 'b': 5, 'c': false} | {}");
  FileBuilder twice = build({object({{0, primitive(1)}}), object({})}, {"b"});
  EXPECT_EQ(rows_of(twice), "! row group 0, column v: VARIANT object with field b in its value and in a column");
  FileBuilder other = build({primitive(0), object({})}, {});
  EXPECT_EQ(rows_of(other), "! row group 0, column v: VARIANT value beside a typed_value that is an object is none");
}

TEST(Variant, ShapesThatAreRefused) {
  const auto reason = [](std::vector<BuiltNode> nodes) {
    FileBuilder builder;
    builder.nodes = std::move(nodes);
    Memory memory(1 << 26);
    const FieldInfo field = fields(*open(memory, builder.write()), {}).at(0);
    return field.type ? type_name(*field.type) : field.reason;
  };
  const BuiltNode bytes = leaf("value", PhysicalType::byte_array, Repetition::optional),
                  names = leaf("metadata", PhysicalType::byte_array);
  EXPECT_EQ(reason({variant_group(2), names, bytes}), "VARIANT");
  EXPECT_EQ(reason({variant_group(1), bytes}), "VARIANT without metadata");
  EXPECT_EQ(reason({variant_group(1), names}), "VARIANT with a part that has no value column");
  EXPECT_EQ(reason({variant_group(2), names, leaf("value", PhysicalType::int32)}),
            "VARIANT with a part that has no value column");
  EXPECT_EQ(reason({variant_group(3), names, bytes, leaf("more", PhysicalType::int32)}),
            "VARIANT with columns of unknown names");
  EXPECT_EQ(reason({variant_group(3), names, bytes, group("typed_value", 1, Repetition::optional),
                    leaf("a", PhysicalType::int32)}),
            "VARIANT with a part that has no value column");
}

}  // namespace
}  // namespace quern::parquet::test
