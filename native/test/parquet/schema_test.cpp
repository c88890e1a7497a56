// Types of columns: legacy list and map shapes, annotations, limits.
#include "parquet/file_builder.hpp"
#include "parquet/scan.hpp"

namespace quern::parquet::test {
namespace {

constexpr int list_mark = 3, map_mark = 1, map_key_value_mark = 2, utf8_mark = 0;

// SQL type of the one field that `nodes` describe; "! reason" when unsupported, "!! message" when the file is refused.
std::string type_of(std::vector<BuiltNode> nodes, const ReadOptions& options = {}) {
  FileBuilder builder;
  builder.nodes = std::move(nodes);
  try {
    Memory memory(1 << 26);
    FilePtr file = open(memory, builder.write());
    FieldInfo field = fields(*file, options).at(0);
    return field.type ? type_name(*field.type) : "! " + field.reason;
  } catch (const Error& error) {
    return "!! " + error.message().substr(builder.path.size() + 2);
  }
}

BuiltNode logical_leaf(PhysicalType type, std::function<void(ThriftWriter&)> logical, int length = 0) {
  BuiltNode node = leaf("x", type);
  node.type_length = length;
  node.logical = std::move(logical);
  return node;
}

std::function<void(ThriftWriter&)> member(int id) {
  return [id](ThriftWriter& writer) { writer.structure(id, [] {}); };
}

std::function<void(ThriftWriter&)> time_member(int id, bool utc, int unit) {
  return [=](ThriftWriter& writer) {
    writer.structure(id, [&] {
      writer.boolean(1, utc);
      writer.structure(2, [&] { writer.structure(unit, [] {}); });
    });
  };
}

TEST(Schema, ListShapes) {
  auto outer = [](Repetition repetition = Repetition::optional) { return group("l", 1, repetition, list_mark); };
  BuiltNode element = leaf("element", PhysicalType::int32, Repetition::optional);
  EXPECT_EQ(type_of({outer(), group("list", 1, Repetition::repeated), element}), "INTEGER[]");
  EXPECT_EQ(type_of({outer(), group("bag", 1, Repetition::repeated),
                     leaf("array_element", PhysicalType::int32, Repetition::optional)}),
            "INTEGER[]");
  // Two levels: the repeated field is the element.
  EXPECT_EQ(type_of({outer(), leaf("element", PhysicalType::int32, Repetition::repeated)}), "INTEGER[]");
  EXPECT_EQ(type_of({outer(), group("element", 2, Repetition::repeated), leaf("a", PhysicalType::int32),
                     leaf("b", PhysicalType::float64)}),
            "STRUCT(a INTEGER, b DOUBLE)[]");
  // Groups of one field that are the element by their name.
  EXPECT_EQ(type_of({outer(), group("array", 1, Repetition::repeated), leaf("a", PhysicalType::int32)}),
            "STRUCT(a INTEGER)[]");
  EXPECT_EQ(type_of({outer(), group("l_tuple", 1, Repetition::repeated), leaf("a", PhysicalType::int32)}),
            "STRUCT(a INTEGER)[]");
  EXPECT_EQ(type_of({outer(), group("m_tuple", 1, Repetition::repeated), leaf("a", PhysicalType::int32)}), "INTEGER[]");
  // The repeated group holds a repeated field: an element of one field.
  EXPECT_EQ(
      type_of({outer(), group("list", 1, Repetition::repeated), leaf("a", PhysicalType::int32, Repetition::repeated)}),
      "STRUCT(a INTEGER[])[]");
  // The repeated group is itself a list.
  EXPECT_EQ(type_of({outer(), group("list", 1, Repetition::repeated, list_mark), group("list", 1, Repetition::repeated),
                     element}),
            "INTEGER[][]");
  // Without annotation.
  EXPECT_EQ(type_of({leaf("l", PhysicalType::int32, Repetition::repeated)}), "INTEGER[]");
  EXPECT_EQ(type_of({group("l", 2, Repetition::repeated), leaf("a", PhysicalType::int32),
                     leaf("b", PhysicalType::int32, Repetition::repeated)}),
            "STRUCT(a INTEGER, b INTEGER[])[]");
  EXPECT_EQ(type_of({outer(), leaf("element", PhysicalType::int32)}), "! LIST group must have one repeated field");
}

TEST(Schema, MapShapes) {
  auto outer = [](int mark) { return group("m", 1, Repetition::optional, mark); };
  BuiltNode entries = group("key_value", 2, Repetition::repeated);
  BuiltNode key = leaf("key", PhysicalType::byte_array, Repetition::required, utf8_mark);
  BuiltNode value = leaf("value", PhysicalType::int32, Repetition::optional);
  EXPECT_EQ(type_of({outer(map_mark), entries, key, value}), "MAP(VARCHAR, INTEGER)");
  EXPECT_EQ(type_of({outer(map_key_value_mark), entries, key, value}), "MAP(VARCHAR, INTEGER)");
  BuiltNode legacy = group("map", 2, Repetition::repeated, map_key_value_mark);
  EXPECT_EQ(type_of({outer(map_mark), legacy, key, value}), "MAP(VARCHAR, INTEGER)");
  // Without a value: the keys.
  EXPECT_EQ(type_of({outer(map_mark), group("key_value", 1, Repetition::repeated), key}), "VARCHAR[]");
  EXPECT_EQ(type_of({outer(map_mark), group("key_value", 3, Repetition::repeated), key, value, value}),
            "! MAP entries must have a key and a value");
}

TEST(Schema, LeafTypes) {
  using enum PhysicalType;
  EXPECT_EQ(type_of({leaf("x", byte_array)}), "BLOB");
  EXPECT_EQ(type_of({leaf("x", byte_array)}, {.binary_as_string = true}), "VARCHAR");
  EXPECT_EQ(type_of({leaf("x", int96)}), "TIMESTAMP");
  // STRING without a converted type.
  EXPECT_EQ(type_of({logical_leaf(byte_array, member(1))}), "VARCHAR");
  EXPECT_EQ(type_of({logical_leaf(byte_array, member(4))}), "VARCHAR");
  EXPECT_EQ(type_of({logical_leaf(byte_array, member(12))}), "JSON");
  EXPECT_EQ(type_of({logical_leaf(byte_array, member(13))}), "BLOB");
  EXPECT_EQ(type_of({logical_leaf(fixed, member(14), 16)}), "UUID");
  EXPECT_EQ(type_of({logical_leaf(fixed, member(15), 2)}), "FLOAT16");
  EXPECT_EQ(type_of({logical_leaf(int32, member(99))}), "INTEGER");  // a kind of a later format
  EXPECT_EQ(type_of({logical_leaf(int32, member(11))}), "INTEGER");
  EXPECT_EQ(type_of({logical_leaf(int64, time_member(8, false, 1))}), "TIMESTAMP");
  EXPECT_EQ(type_of({logical_leaf(int64, time_member(8, false, 3))}), "TIMESTAMP_NS");
  EXPECT_EQ(type_of({logical_leaf(int64, time_member(8, true, 3))}), "TIMESTAMP WITH TIME ZONE");
  EXPECT_EQ(type_of({logical_leaf(int64, time_member(7, true, 2))}), "TIME WITH TIME ZONE");
  EXPECT_EQ(type_of({logical_leaf(int64, time_member(7, false, 2))}), "TIME");
  EXPECT_EQ(type_of({leaf("x", int64, Repetition::required, 9)}), "TIMESTAMP");
  EXPECT_EQ(type_of({leaf("x", int32, Repetition::required, 12)}), "USMALLINT");
  BuiltNode decimal = leaf("x", fixed, Repetition::required, 5);
  decimal.type_length = 9;
  decimal.precision = 20;
  decimal.scale = 3;
  EXPECT_EQ(type_of({decimal}), "DECIMAL(20,3)");
  decimal.type_length = 33;
  decimal.precision = 77;
  EXPECT_EQ(type_of({decimal}), "DOUBLE");
  BuiltNode interval = leaf("x", fixed, Repetition::required, 21);
  interval.type_length = 12;
  EXPECT_EQ(type_of({interval}), "INTERVAL");
  BuiltNode nothing = leaf("x", fixed);
  EXPECT_EQ(type_of({nothing}), "! FIXED_LEN_BYTE_ARRAY of length 0");
}

TEST(Schema, Bfloat16ByName) {
  using enum PhysicalType;
  ReadOptions options{.bfloat16 = {"x"}};
  EXPECT_EQ(type_of({leaf("x", int32, Repetition::required, 12)}, options), "BFLOAT16");
  BuiltNode two = leaf("x", fixed);
  two.type_length = 2;
  EXPECT_EQ(type_of({two}, options), "BFLOAT16");
  EXPECT_EQ(type_of({leaf("y", int32, Repetition::required, 12)}, options), "USMALLINT");
  EXPECT_EQ(type_of({leaf("x", int64)}, options), "! bfloat16 needs 16-bit values");
}

TEST(Schema, DamagedTreesAreRefused) {
  BuiltNode lacking = group("g", 3);
  EXPECT_EQ(type_of({lacking, leaf("a", PhysicalType::int32)}), "!! schema element 'g' lacks 2 children");
  FileBuilder two;
  EXPECT_EQ(type_of({leaf("a", PhysicalType::int32), leaf("b", PhysicalType::int32)}),
            "!! schema has elements beyond the root's children");
  EXPECT_EQ(type_of({group("g", -1)}), "!! schema element 'g' has -1 children");
  std::vector<BuiltNode> deep(100000, group("g", 1, Repetition::optional));
  deep.push_back(leaf("x", PhysicalType::int32));
  EXPECT_EQ(type_of(deep), "!! unsupported: schema nested deeper than 400 levels");
  std::vector<BuiltNode> levels(300, group("g", 1, Repetition::optional));
  levels.push_back(leaf("x", PhysicalType::int32));
  EXPECT_EQ(type_of(levels), "! more than 255 levels");
  levels.erase(levels.begin(), levels.begin() + 100);
  EXPECT_TRUE(type_of(levels).starts_with("STRUCT(g STRUCT(g "));
}

}  // namespace
}  // namespace quern::parquet::test
