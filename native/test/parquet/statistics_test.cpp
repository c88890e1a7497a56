// Bounds are given only where they are safe; bloom filters only deny what is absent.
#include <cmath>
#include <nlohmann/json.hpp>

#include "parquet/file_builder.hpp"
#include "parquet/scan.hpp"
#include "parquet/value_text.hpp"

namespace quern::parquet::test {
namespace {

template <typename T>
std::string raw(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

struct Stored {
  std::optional<std::string> min, max, min_value, max_value;
  std::optional<int64_t> nulls;
  std::optional<bool> max_exact;
};

std::function<void(ThriftWriter&)> statistics(const Stored& stored) {
  return [stored](ThriftWriter& writer) {
    if (stored.max) writer.binary(1, *stored.max);
    if (stored.min) writer.binary(2, *stored.min);
    if (stored.nulls) writer.int64(3, *stored.nulls);
    if (stored.max_value) writer.binary(5, *stored.max_value);
    if (stored.min_value) writer.binary(6, *stored.min_value);
    if (stored.max_exact) writer.boolean(7, *stored.max_exact);
  };
}

// "min..max" of a column whose chunk says `stored`; an exact bound carries "=".
std::string bounds_of(BuiltNode node, const Stored& stored, bool known_order = true) {
  FileBuilder builder;
  node.name = "x";
  builder.nodes = {node};
  builder.has_column_orders = known_order;
  BuiltChunk chunk;
  chunk.path = {"x"};
  chunk.type = *node.type;
  chunk.entries = 2;
  chunk.pages = {BuiltPage{.entries = 2}};
  chunk.statistics = statistics(stored);
  builder.groups.push_back({2, {chunk}});
  Memory memory(1 << 24);
  FilePtr file = open(memory, builder.write());
  auto bounds = row_group_bounds(*file, 0, 0, {});
  if (!bounds) return "none";
  auto text = [](const ColumnPtr& bound, bool exact) { return bound ? (exact ? "=" : "") + value_text(*bound) : "?"; };
  std::string result = text(bounds->min, bounds->min_exact) + ".." + text(bounds->max, bounds->max_exact);
  if (bounds->may_hold_nan) result += " nan?";
  return result;
}

// Times of UTC outside of the day are wrapped into it: then the stored bounds say nothing.
TEST(Statistics, TimesThatAreWrapped) {
  BuiltNode x = leaf("x", PhysicalType::int64);
  x.logical = [](ThriftWriter& writer) {
    writer.structure(7, [&] {
      writer.boolean(1, true);
      writer.structure(2, [&] { writer.structure(2, [] {}); });
    });
  };
  constexpr int64_t day = 86400000000;
  EXPECT_EQ(bounds_of(x, {.min_value = raw<int64_t>(0), .max_value = raw(day)}), "=00:00:00..=24:00:00");
  EXPECT_EQ(bounds_of(x, {.min_value = raw<int64_t>(-1), .max_value = raw<int64_t>(5)}), "?..?");
  EXPECT_EQ(bounds_of(x, {.min_value = raw<int64_t>(0), .max_value = raw(day + 1)}), "?..?");
  EXPECT_EQ(bounds_of(x, {.min_value = raw<int64_t>(0)}), "?..?");
}

// Geometries are compared in another form than they are stored in.
TEST(Statistics, GeometriesHaveNone) {
  BuiltNode x = leaf("x", PhysicalType::byte_array);
  x.logical = [](ThriftWriter& writer) { writer.structure(17, [] {}); };
  EXPECT_EQ(bounds_of(x, {.min_value = "a", .max_value = "b"}), "?..?");
}

TEST(Statistics, SignedNumbersUseEitherForm) {
  BuiltNode x = leaf("x", PhysicalType::int32);
  EXPECT_EQ(bounds_of(x, {.min_value = raw(-5), .max_value = raw(7)}), "=-5..=7");
  EXPECT_EQ(bounds_of(x, {.min_value = raw(-5), .max_value = raw(7), .max_exact = false}), "=-5..7");
  EXPECT_EQ(bounds_of(x, {.min = raw(-5), .max = raw(7)}), "-5..7");
  EXPECT_EQ(bounds_of(x, {.min_value = raw(-5), .max_value = raw(7)}, false), "=-5..=7");
  EXPECT_EQ(bounds_of(x, {.min_value = raw<int64_t>(-5), .max_value = raw(7)}), "?..=7");  // wrong length
  EXPECT_EQ(bounds_of(x, {.min_value = raw(8), .max_value = raw(7)}), "?..?");
  EXPECT_EQ(bounds_of(leaf("x", PhysicalType::int32, Repetition::required, 15),
                      {.min_value = raw(-500), .max_value = raw(7)}),
            "?..=7");
  EXPECT_EQ(bounds_of(leaf("x", PhysicalType::int32, Repetition::required, 6),
                      {.min_value = raw(0), .max_value = raw(19000)}),
            "=1970-01-01..=2022-01-08");
}

TEST(Statistics, UnsignedAndTextNeedTheDeclaredOrder) {
  BuiltNode x = leaf("x", PhysicalType::int32, Repetition::required, 13);
  EXPECT_EQ(bounds_of(x, {.min_value = raw(5U), .max_value = raw(4000000000U)}), "=5..=4000000000");
  EXPECT_EQ(bounds_of(x, {.min_value = raw(5U), .max_value = raw(4000000000U)}, false), "?..?");
  EXPECT_EQ(bounds_of(x, {.min = raw(4000000000U), .max = raw(5U)}), "?..?");
  BuiltNode text = leaf("x", PhysicalType::byte_array, Repetition::required, 0);
  EXPECT_EQ(bounds_of(text, {.min_value = "a", .max_value = "b"}), "a..b");
  EXPECT_EQ(bounds_of(text, {.min_value = "a", .max_value = "b", .max_exact = true}), "a..=b");
  EXPECT_EQ(bounds_of(text, {.min = "a", .max = "b"}), "?..?");
  EXPECT_EQ(bounds_of(text, {.min_value = "a", .max_value = "\xFF"}), "a..?");
  EXPECT_EQ(bounds_of(leaf("x", PhysicalType::int96),
                      {.min_value = std::string(12, '\0'), .max_value = std::string(12, '\0')}),
            "?..?");
}

TEST(Statistics, FloatsAllowForNanAndZeros) {
  BuiltNode x = leaf("x", PhysicalType::float64);
  EXPECT_EQ(bounds_of(x, {.min_value = raw(1.5), .max_value = raw(2.5)}), "1.5..2.5 nan?");
  EXPECT_EQ(bounds_of(x, {.min_value = raw(0.0), .max_value = raw(-0.0)}), "-0..0 nan?");
  EXPECT_EQ(bounds_of(x, {.min_value = raw(std::nan("")), .max_value = raw(2.5)}), "?..? nan?");
}

TEST(Statistics, NullCounts) {
  auto nulls = [](std::optional<int64_t> count, Repetition repetition) {
    FileBuilder builder = int_file({{1, 2}});
    builder.nodes[0].repetition = repetition;
    builder.groups[0].chunks[0].statistics = statistics({.nulls = count});
    Memory memory(1 << 24);
    return row_group_bounds(*open(memory, builder.write()), 0, 0, {})->null_count;
  };
  EXPECT_EQ(nulls(1, Repetition::optional), 1);
  EXPECT_EQ(nulls(std::nullopt, Repetition::optional), std::nullopt);
  EXPECT_EQ(nulls(3, Repetition::optional), std::nullopt);
  EXPECT_EQ(nulls(std::nullopt, Repetition::required), 0);
}

TEST(Statistics, PageBounds) {
  FileBuilder builder = int_file({{1, 2}, {5, 6, 7}}, true);
  builder.groups[0].chunks[0].column_index = [](ThriftWriter& writer) {
    writer.list(1, 2, 2);
    writer.bytes.push_back(2);
    writer.bytes.push_back(2);
    writer.list(2, 8, 2);
    writer.raw_binary(raw(1));
    writer.raw_binary(raw(5));
    writer.list(3, 8, 2);
    writer.raw_binary(raw(2));
    writer.raw_binary(raw(7));
    writer.int32(4, 1);
  };
  Memory memory(1 << 24);
  Context context(memory, {});
  auto pages = page_bounds(context, *open(memory, builder.write()), 0, 0, {});
  ASSERT_EQ(pages.size(), 2U);
  EXPECT_EQ(pages[1].rows.start, 2);
  EXPECT_EQ(pages[1].rows.end, 5);
  EXPECT_EQ(value_text(*pages[1].bounds.min), "5");
  EXPECT_EQ(value_text(*pages[1].bounds.max), "7");
  EXPECT_EQ(pages[1].bounds.null_count, 0);
  EXPECT_FALSE(pages[1].all_null);
}

// A filter of one block that holds the given values.
Encoded bloom_of(const std::vector<int32_t>& values) {
  constexpr uint32_t salt[8] = {0x47b6137bU, 0x44974d91U, 0x8824ad5bU, 0xa2b7289dU,
                                0x705495c7U, 0x2df1424bU, 0x9efc4947U, 0x5c6bfb31U};
  uint32_t words[8] = {};
  for (int32_t value : values) {
    auto key = static_cast<uint32_t>(xxhash64(&value, 4));
    for (int i = 0; i < 8; ++i) words[i] |= 1U << (key * salt[i] >> 27);
  }
  ThriftWriter header;
  header.nested([&] {
    header.int32(1, 32);
    for (int id : {2, 3, 4}) header.structure(id, [&] { header.structure(1, [] {}); });
  });
  const auto* bytes = reinterpret_cast<const uint8_t*>(words);
  header.bytes.insert(header.bytes.end(), bytes, bytes + 32);
  return header.bytes;
}

TEST(Bloom, DeniesOnlyAbsentValues) {
  FileBuilder builder = int_file({{1, 2, 3}});
  builder.groups[0].chunks[0].bloom = bloom_of({1, 2, 3});
  Memory memory(1 << 24);
  Context context(memory, {});
  FilePtr file = open(memory, builder.write());
  auto may = [&](int32_t value) {
    ColumnBuilder column(memory, make_type(TypeKind::int32), 1);
    column.data<int32_t>()[0] = value;
    return bloom_may_contain(context, *file, 0, 0, column.finish());
  };
  EXPECT_TRUE(may(1) && may(2) && may(3));
  int denied = 0;
  for (int32_t value = 100; value < 200; ++value) denied += !may(value);
  EXPECT_GT(denied, 90);
}

TEST(Inspect, ShowsTheFile) {
  FileBuilder builder = int_file({{1, 2}, {3}});
  builder.groups[0].chunks[0].statistics = statistics({.min_value = raw(1), .max_value = raw(3), .nulls = 0});
  Memory memory(1 << 24);
  Context context(memory, {});
  FilePtr file = open(memory, builder.write());
  auto document = nlohmann::json::parse(inspect_json(context, *file, true));
  EXPECT_EQ(document["rows"], 3);
  EXPECT_EQ(document["fields"][0]["type"], "INTEGER");
  EXPECT_EQ(document["schema"][0]["physical"], "INT32");
  const auto& column = document["row_groups"][0]["columns"][0];
  EXPECT_EQ(column["codec"], "UNCOMPRESSED");
  EXPECT_EQ(column["statistics"]["min"], "1");
  EXPECT_EQ(column["statistics"]["max"], "3");
  EXPECT_EQ(column["leaves"], 3);
  EXPECT_EQ(column["pages"], 2);
}

}  // namespace
}  // namespace quern::parquet::test
