// Pages so large that their values go from the file into the column, and small ones between them.
#include <filesystem>
#include <numeric>

#include "parquet/file_builder.hpp"
#include "parquet/scan.hpp"

namespace quern::parquet::test {
namespace {

constexpr int large = 100'000;  // values of 4 bytes: above the size from which pages are not held
constexpr int small = 1'000;

struct Opened {
  explicit Opened(FileBuilder& builder) : memory(1 << 28), context(memory, {}), file(open(memory, builder.write())) {}
  Memory memory;
  Context context;
  FilePtr file;
};

// Rows 0 … of int32, in pages of `sizes` values; every `null_every`-th is NULL where that is not 0.
FileBuilder numbers_file(const std::vector<int>& sizes, bool v2, int null_every, bool with_index = false) {
  FileBuilder builder;
  builder.nodes = {leaf("x", PhysicalType::int32, null_every > 0 ? Repetition::optional : Repetition::required)};
  BuiltChunk chunk;
  chunk.path = {"x"};
  chunk.has_definition = null_every > 0;
  for (const int size : sizes) {
    BuiltPage page;
    page.entries = page.rows = size;
    page.v2 = v2;
    std::vector<int32_t> values;
    std::vector<uint8_t> levels;
    for (int i = 0; i < size; ++i) {
      const auto row = static_cast<int32_t>(chunk.entries + i);
      const bool valid = null_every == 0 || row % null_every != 0;
      levels.push_back(valid);
      if (valid) values.push_back(row);
      page.nulls += !valid;
    }
    if (null_every > 0) page.definition = runs(levels, 1);
    page.values = plain(values);
    if (with_index) page.first_row = chunk.entries;
    chunk.pages.push_back(page);
    chunk.entries += size;
  }
  builder.groups.push_back({chunk.entries, {chunk}});
  return builder;
}

void expect_rows(const Column& column, int64_t first, int null_every, const std::string& what) {
  for (int64_t i = 0; i < column.length; ++i) {
    const bool valid = null_every == 0 || (first + i) % null_every != 0;
    ASSERT_EQ(column.is_valid(i), valid) << what << " row " << first + i;
    if (valid) ASSERT_EQ(column.values<int32_t>()[i], first + i) << what << " row " << first + i;
  }
}

class StoredPages : public testing::TestWithParam<std::tuple<bool, int>> {};

// 1,023, 1,024 and 1,025 values: on both sides of what is read straight from the file.
TEST_P(StoredPages, InAnyPiecesAndSkips) {
  const auto [v2, null_every] = GetParam();
  FileBuilder builder = numbers_file({large, small, large, large + 1, small}, v2, null_every);
  Opened opened(builder);
  const int64_t rows = builder.groups[0].rows;
  for (const int64_t piece : {7, 1023, 1024, 1025, 30'000, 150'000, 400'000}) {
    for (const int64_t skipped : {0, 3, 5'000, 120'000}) {
      auto reader = make_field_reader(opened.context, opened.file, 0, 0, {});
      const std::string what = std::to_string(piece) + " after " + std::to_string(skipped);
      for (int64_t row = 0; row < rows;) {
        const int64_t passed = std::min(skipped, rows - row);
        reader->skip(passed);
        row += passed;
        const ColumnPtr column = flatten(opened.memory, reader->read(piece));
        ASSERT_EQ(column->length, std::min(piece, rows - row)) << what;
        expect_rows(*column, row, null_every, what);
        row += column->length;
      }
    }
  }
}

TEST_P(StoredPages, AreReadOnce) {
  const auto [v2, null_every] = GetParam();
  FileBuilder builder = numbers_file({large, large, large}, v2, null_every);
  Opened opened(builder);
  const auto size = static_cast<int64_t>(std::filesystem::file_size(builder.path));
  auto reader = make_field_reader(opened.context, opened.file, 0, 0, {});
  while (reader->read(50'000)->length > 0) {
  }
  EXPECT_EQ(opened.context.metrics().pages_read.load(), 3);
  EXPECT_LE(opened.context.metrics().bytes_read.load(), size);
  // Neither a page nor all rows are held twice.
  EXPECT_LT(opened.memory.peak(), 1 << 20);
}

TEST_P(StoredPages, RangesReadWhatTheyNeed) {
  const auto [v2, null_every] = GetParam();
  FileBuilder builder = numbers_file({large, large, large, large}, v2, null_every, true);
  Opened opened(builder);
  const std::vector<RowRange> ranges = {{10, 20}, {2 * large + 5, 2 * large + 7}};
  const ColumnPtr column = flatten(opened.memory, read_field(opened.context, *opened.file, 0, 0, {}, &ranges));
  ASSERT_EQ(column->length, 12);
  for (int64_t i = 0; i < 12; ++i) {
    const int64_t row = i < 10 ? 10 + i : 2 * large + 5 + (i - 10);
    const bool valid = null_every == 0 || row % null_every != 0;
    EXPECT_EQ(column->is_valid(i), valid);
    if (valid) EXPECT_EQ(column->values<int32_t>()[i], row);
  }
  EXPECT_EQ(opened.context.metrics().pages_skipped.load(), 1);
}

TEST_P(StoredPages, TooFewValuesAreAnError) {
  const auto [v2, null_every] = GetParam();
  if (null_every == 1) return;  // no values
  FileBuilder builder = numbers_file({large, large}, v2, null_every);
  auto& values = builder.groups[0].chunks[0].pages[1].values;
  values.resize(values.size() - 6);
  Opened opened(builder);
  try {
    auto reader = make_field_reader(opened.context, opened.file, 0, 0, {});
    while (reader->read(30'000)->length > 0) {
    }
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::corrupt_file);
    EXPECT_NE(error.message().find("page 1 @"), std::string::npos) << error.message();
    EXPECT_NE(error.message().find(" values of 4 bytes expected, "), std::string::npos) << error.message();
  }
}

INSTANTIATE_TEST_SUITE_P(Versions, StoredPages, testing::Combine(testing::Bool(), testing::Values(0, 1, 3, 1'000'000)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param) ? "v2" : "v1") + "_null_every_" +
                                  std::to_string(std::get<1>(info.param));
                         });

constexpr int lists = 3'000, list_length = 128, page_lists = 1'000;

// Element `place` of all lists; hardly compressible.
int32_t element_at(int64_t place) { return static_cast<int32_t>(static_cast<uint32_t>(place) * 2'654'435'761U); }

// Lists of 128 values: level sections are longer than what is read with the header.
FileBuilder lists_file(Codec codec, bool v2) {
  FileBuilder builder;
  builder.nodes = {group("l", 1, Repetition::optional, 3), group("list", 1, Repetition::repeated),
                   leaf("element", PhysicalType::int32, Repetition::optional)};
  BuiltChunk chunk;
  chunk.path = {"l", "list", "element"};
  chunk.has_repetition = chunk.has_definition = true;
  chunk.codec = codec;
  for (int first = 0; first < lists; first += page_lists) {
    BuiltPage page;
    std::vector<uint8_t> repetition, definition;
    std::vector<int32_t> values;
    for (int i = 0; i < page_lists * list_length; ++i) {
      repetition.push_back(i % list_length > 0);
      definition.push_back(3);
      values.push_back(element_at(chunk.entries + i));
    }
    page.v2 = v2;
    page.rows = page_lists;
    page.entries = static_cast<int>(repetition.size());
    page.repetition = runs(repetition, 1);
    page.definition = runs(definition, 3);
    page.values = plain(values);
    chunk.entries += page.entries;
    chunk.pages.push_back(page);
  }
  builder.groups.push_back({lists, {chunk}});
  return builder;
}

TEST(StoredLists, LevelsLongerThanTheLookAtAHeader) {
  for (const Codec codec : {Codec::uncompressed, Codec::zstd}) {
    FileBuilder builder = lists_file(codec, false);
    Opened opened(builder);
    for (const int64_t piece : {1, 500, 999, 1000, 3000}) {
      auto reader = make_field_reader(opened.context, opened.file, 0, 0, {});
      int64_t at = 0;
      while (true) {
        const ColumnPtr column = flatten(opened.memory, reader->read(piece));
        if (column->length == 0) break;
        for (int64_t row = 0; row < column->length; ++row, at += list_length) {
          const ListEntry& entry = column->values<ListEntry>()[row];
          ASSERT_EQ(entry.length, list_length);
          for (int64_t i = 0; i < list_length; ++i)
            ASSERT_EQ(column->children[0]->values<int32_t>()[entry.start + i], element_at(at + i)) << piece;
        }
      }
      EXPECT_EQ(at, static_cast<int64_t>(lists) * list_length);
    }
  }
}

// Readers that share a row group each stop where the next one's page begins.
TEST(StoredLists, AReadThatEndsWithAPageLeavesTheNextAlone) {
  const std::pair<Codec, bool> forms[] = {
      {Codec::uncompressed, false}, {Codec::uncompressed, true}, {Codec::zstd, false}};
  for (const auto& [codec, v2] : forms) {
    FileBuilder builder = lists_file(codec, v2);
    Opened opened(builder);
    auto reader = make_field_reader(opened.context, opened.file, 0, 0, {});
    EXPECT_EQ(reader->read(page_lists)->length, page_lists);
    EXPECT_EQ(opened.context.metrics().pages_read.load(), 1);
    EXPECT_EQ(reader->read(1)->children[0]->values<int32_t>()[0], element_at(page_lists * list_length));
    EXPECT_EQ(opened.context.metrics().pages_read.load(), 2);
  }
}

}  // namespace
}  // namespace quern::parquet::test
