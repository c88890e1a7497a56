// VARIANT groups of files: whole and shredded, shapes that are refused, contradictions.
#include "columnar/encoded_variant.hpp"
#include "columnar/value_text.hpp"
#include "parquet/file_builder.hpp"
#include "parquet/scan.hpp"
#include "parquet/variant.hpp"

namespace quern::parquet::test {
namespace {

using namespace quern::test;

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
