// Reading files that are built byte by byte: pages, levels, nesting, streaming, errors.
#include "parquet/file_builder.hpp"
#include "parquet/leaf_digest.hpp"
#include "parquet/scan.hpp"

namespace quern::parquet::test {
namespace {

// A query's worth of objects over one file.
struct Opened {
  explicit Opened(FileBuilder& builder, int64_t limit = 1 << 28)
      : memory(limit), context(memory, {}), file(open(memory, builder.write())) {}
  ColumnPtr read(int32_t field = 0) { return read_field(context, *file, 0, field, {}, nullptr); }
  Memory memory;
  Context context;
  FilePtr file;
};

std::string failure(FileBuilder& builder) {
  try {
    Opened opened(builder);
    for (size_t field = 0; field < fields(*opened.file, {}).size(); ++field) opened.read(static_cast<int32_t>(field));
  } catch (const Error& error) {
    EXPECT_TRUE(error.message().starts_with(builder.path + ": ") || error.code() == ErrorCode::unsupported)
        << error.message();
    size_t prefix = builder.path.size() + 2;
    return error.message().starts_with(builder.path) ? error.message().substr(prefix) : error.message();
  }
  return "";
}

template <typename T>
std::vector<T> values_of(const Column& column) {
  std::vector<T> values;
  for (int64_t row = 0; row < column.length; ++row)
    values.push_back(column.values<T>()[column.form == Form::constant ? 0 : row]);
  return values;
}

// "[1,2] [] null": lists of int32 as text.
std::string list_text(const Column& column) {
  std::string text;
  for (int64_t row = 0; row < column.length; ++row) {
    if (row > 0) text += " ";
    if (!column.is_valid(row)) {
      text += "null";
      continue;
    }
    const ListEntry& entry = column.values<ListEntry>()[row];
    text += "[";
    for (int64_t i = 0; i < entry.length; ++i) {
      const Column& child = *column.children[0];
      if (i > 0) text += ",";
      text += child.is_valid(entry.start + i) ? std::to_string(child.values<int32_t>()[entry.start + i]) : "null";
    }
    text += "]";
  }
  return text;
}

// optional list "l" of optional int32; levels: 0 null, 1 empty, 2 null element, 3 element.
FileBuilder list_file(const std::vector<BuiltPage>& pages, int64_t rows) {
  FileBuilder builder;
  builder.nodes = {group("l", 1, Repetition::optional, 3), group("list", 1, Repetition::repeated),
                   leaf("element", PhysicalType::int32, Repetition::optional)};
  BuiltChunk chunk;
  chunk.path = {"l", "list", "element"};
  chunk.has_repetition = chunk.has_definition = true;
  chunk.pages = pages;
  for (const BuiltPage& page : pages) chunk.entries += page.entries;
  builder.groups.push_back({rows, {chunk}});
  return builder;
}

BuiltPage list_page(const std::vector<uint8_t>& repetition, const std::vector<uint8_t>& definition,
                    const std::vector<int32_t>& values, int64_t first_row = -1) {
  BuiltPage page;
  page.entries = static_cast<int>(repetition.size());
  page.repetition = runs(repetition, 1);
  page.definition = runs(definition, 3);
  page.values = plain(values);
  page.first_row = first_row;
  return page;
}

TEST(Read, FlatPagesInAnyPieces) {
  FileBuilder builder = int_file({{1, 2, 3}, {}, {4}, {5, 6, 7, 8}});
  Opened opened(builder);
  for (int64_t piece = 1; piece <= 9; ++piece) {
    auto reader = make_field_reader(opened.context, opened.file, 0, 0, {});
    std::vector<int32_t> all;
    for (int64_t left = 8; left > 0;) {
      ColumnPtr column = reader->read(piece);
      ASSERT_EQ(column->length, std::min(piece, left));
      for (int32_t value : values_of<int32_t>(*column)) all.push_back(value);
      left -= column->length;
    }
    EXPECT_EQ(all, (std::vector<int32_t>{1, 2, 3, 4, 5, 6, 7, 8})) << piece;
    EXPECT_EQ(reader->read(5)->length, 0);
  }
}

TEST(Read, RangesUseTheOffsetIndex) {
  FileBuilder builder = int_file({{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}}, true);
  Opened opened(builder);
  std::vector<RowRange> ranges = {{1, 2}, {13, 15}};
  ColumnPtr column = read_field(opened.context, *opened.file, 0, 0, {}, &ranges);
  EXPECT_EQ(values_of<int32_t>(*column), (std::vector<int32_t>{1, 13, 14}));
  EXPECT_EQ(opened.context.metrics().pages_read.load(), 2);
  EXPECT_EQ(opened.context.metrics().pages_skipped.load(), 2);
}

TEST(Read, AWrongOffsetIndexChangesNothing) {
  FileBuilder builder = int_file({{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}}, true);
  builder.groups[0].chunks[0].pages[2].first_row = 9;
  Opened opened(builder);
  std::vector<RowRange> ranges = {{2, 3}, {10, 11}};
  ColumnPtr column = read_field(opened.context, *opened.file, 0, 0, {}, &ranges);
  EXPECT_EQ(values_of<int32_t>(*column), (std::vector<int32_t>{2, 10}));
  EXPECT_TRUE(page_bounds(opened.context, *opened.file, 0, 0, {}).empty());
}

TEST(Read, ListsSpanPages) {
  // [1,2,3] over three pages, null, [], [null,4].
  FileBuilder builder = list_file({list_page({0, 1}, {3, 3}, {1, 2}), list_page({1}, {3}, {3}),
                                   list_page({0, 0, 0}, {0, 1, 2}, {}), list_page({1}, {3}, {4})},
                                  4);
  Opened opened(builder);
  EXPECT_EQ(list_text(*opened.read()), "[1,2,3] null [] [null,4]");
  auto reader = make_field_reader(opened.context, opened.file, 0, 0, {});
  EXPECT_EQ(list_text(*reader->read(1)), "[1,2,3]");
  reader->skip(2);
  EXPECT_EQ(list_text(*reader->read(1)), "[null,4]");
}

TEST(Read, ListJumpsCheckThePage) {
  std::vector<BuiltPage> pages = {list_page({0, 1}, {3, 3}, {1, 2}, 0), list_page({0, 0}, {3, 3}, {3, 4}, 1),
                                  list_page({0, 1}, {3, 3}, {5, 6}, 3)};
  FileBuilder builder = list_file(pages, 4);
  {
    Opened opened(builder);
    std::vector<RowRange> ranges = {{3, 4}};
    EXPECT_EQ(list_text(*read_field(opened.context, *opened.file, 0, 0, {}, &ranges)), "[5,6]");
    EXPECT_EQ(opened.context.metrics().pages_skipped.load(), 2);
  }
  // The second page begins inside row 0: its row count contradicts the index, which is then left alone.
  pages[1] = list_page({1, 0}, {3, 3}, {3, 4}, 1);
  pages[2] = list_page({0, 0}, {3, 3}, {5, 6}, 3);
  FileBuilder wrong = list_file(pages, 4);
  Opened opened(wrong);
  for (int64_t row = 0; row < 4; ++row) {
    std::vector<RowRange> ranges = {{row, row + 1}};
    const char* expected[] = {"[1,2,3]", "[4]", "[5]", "[6]"};
    EXPECT_EQ(list_text(*read_field(opened.context, *opened.file, 0, 0, {}, &ranges)), expected[row]);
  }
}

TEST(Read, ContradictingLevelsAreErrors) {
  const std::string at = "row group 0, column l.list.element";
  FileBuilder first = list_file({list_page({1, 0}, {3, 3}, {1, 2})}, 1);
  EXPECT_EQ(failure(first), at + ", page 0 @4: first repetition level of the column chunk is 1");
  FileBuilder empty = list_file({list_page({0, 1}, {1, 3}, {1})}, 1);
  EXPECT_EQ(failure(empty), at + ": levels continue a list that is null or empty");
  FileBuilder hole = list_file({list_page({0, 1}, {3, 1}, {1})}, 1);
  EXPECT_EQ(failure(hole), at + ": levels continue a list that is null or empty");
  FileBuilder more = list_file({list_page({0, 0}, {3, 3}, {1, 2})}, 1);
  EXPECT_EQ(failure(more), at + ", page 0 @4: column chunk has more rows than the row group's 1");
  FileBuilder fewer = list_file({list_page({0, 1}, {3, 3}, {1, 2})}, 2);
  EXPECT_EQ(failure(fewer), at + ", page 0 @4: column chunk ends after 1 rows, expected 2");
  FileBuilder values = list_file({list_page({0, 1}, {3, 3}, {1})}, 1);
  EXPECT_EQ(failure(values), at + ", page 0 @4: 2 values of 4 bytes expected, 4 bytes left");
}

TEST(Read, SiblingsMustAgree) {
  auto make = [](const std::vector<uint8_t>& second) {
    FileBuilder builder;
    builder.nodes = {group("l", 1, Repetition::required, 3), group("list", 1, Repetition::repeated),
                     group("element", 2), leaf("a", PhysicalType::int32), leaf("b", PhysicalType::int32)};
    FileBuilder::Group rows{2, {}};
    for (const char* name : {"a", "b"}) {
      BuiltChunk chunk;
      chunk.path = {"l", "list", "element", name};
      chunk.has_repetition = chunk.has_definition = true;
      chunk.entries = 3;
      BuiltPage page = list_page(name[0] == 'a' ? std::vector<uint8_t>{0, 1, 0} : second, {1, 1, 1}, {1, 2, 3});
      page.definition = runs({1, 1, 1}, 1);
      chunk.pages = {page};
      rows.chunks.push_back(chunk);
    }
    builder.groups.push_back(rows);
    return builder;
  };
  FileBuilder same = make({0, 1, 0});
  Opened opened(same);
  ColumnPtr column = opened.read();
  EXPECT_EQ(type_name(*column->type), "STRUCT(a INTEGER, b INTEGER)[]");
  EXPECT_EQ(column->values<ListEntry>()[1].start, 2);
  FileBuilder other = make({0, 0, 1});
  EXPECT_EQ(failure(other),
            "row group 0, column l.list.element.b: its lists or structs differ from those of the columns beside it");
}

FileBuilder string_file(const std::vector<BuiltPage>& pages, Repetition repetition = Repetition::required) {
  FileBuilder builder;
  builder.nodes = {leaf("s", PhysicalType::byte_array, repetition, 0)};
  BuiltChunk chunk;
  chunk.path = {"s"};
  chunk.type = PhysicalType::byte_array;
  chunk.has_definition = repetition == Repetition::optional;
  chunk.pages = pages;
  for (const BuiltPage& page : pages) chunk.entries += page.dictionary ? 0 : page.entries;
  builder.groups.push_back({chunk.entries, {chunk}});
  return builder;
}

BuiltPage dictionary_page(const std::vector<std::string>& values) {
  BuiltPage page;
  page.dictionary = true;
  page.entries = static_cast<int>(values.size());
  page.values = plain_strings(values);
  return page;
}

BuiltPage code_page(const std::vector<uint64_t>& codes, int width = 2) {
  BuiltPage page;
  page.entries = static_cast<int>(codes.size());
  page.encoding = Encoding::rle_dictionary;
  page.values = {static_cast<uint8_t>(width)};
  reference::append_packed(page.values, width, codes);
  return page;
}

std::vector<std::string> strings_of(const Column& column) {
  std::vector<std::string> strings;
  for (int64_t row = 0; row < column.length; ++row) {
    const Column& values = column.form == Form::dictionary ? *column.children[0] : column;
    int64_t at = column.form == Form::dictionary ? column.values<uint32_t>()[row]
                 : column.form == Form::constant ? 0
                                                 : row;
    const StringView& view = values.values<StringView>()[at];
    strings.emplace_back(view.data(), view.length);
  }
  return strings;
}

TEST(Read, DictionariesStayDictionaries) {
  std::string text = "a text of more than twelve bytes";
  FileBuilder builder = string_file({dictionary_page({"x", text, ""}), code_page({0, 1, 2, 1}), code_page({2, 2, 0})});
  Opened opened(builder);
  auto reader = make_field_reader(opened.context, opened.file, 0, 0, {});
  ColumnPtr first = reader->read(3), second = reader->read(4);
  ASSERT_EQ(first->form, Form::dictionary);
  EXPECT_EQ(first->children[0], second->children[0]);
  EXPECT_EQ(strings_of(*first), (std::vector<std::string>{"x", text, ""}));
  EXPECT_EQ(strings_of(*second), (std::vector<std::string>{text, "", "", "x"}));
}

TEST(Read, DictionaryFallsBackInOneRead) {
  BuiltPage direct;
  direct.entries = 2;
  direct.values = plain_strings({"direct", "another text of more than twelve bytes"});
  FileBuilder builder = string_file({dictionary_page({"x", "y"}), code_page({1, 0}), direct});
  Opened opened(builder);
  ColumnPtr column = opened.read();
  EXPECT_EQ(column->form, Form::flat);
  EXPECT_EQ(strings_of(*column),
            (std::vector<std::string>{"y", "x", "direct", "another text of more than twelve bytes"}));
}

TEST(Read, RunsBecomeConstants) {
  BuiltPage page;
  page.entries = 1000;
  page.encoding = Encoding::rle_dictionary;
  page.values = {2};
  reference::append_repeated(page.values, 2, 1000, 1);
  FileBuilder builder = string_file({dictionary_page({"x", "y"}), page});
  Opened opened(builder);
  ColumnPtr column = opened.read();
  EXPECT_EQ(column->form, Form::constant);
  EXPECT_EQ(column->length, 1000);
  EXPECT_EQ(strings_of(*column)[999], "y");
}

TEST(Read, DamagedDictionariesAreErrors) {
  const std::string at = "row group 0, column s, page ";
  FileBuilder beyond = string_file({dictionary_page({"x", "y"}), code_page({0, 3})});
  EXPECT_EQ(failure(beyond).substr(0, at.size() + 1), at + "0");
  EXPECT_TRUE(failure(beyond).ends_with("dictionary code 3, the dictionary has 2")) << failure(beyond);
  FileBuilder twice = string_file({dictionary_page({"x"}), dictionary_page({"y"}), code_page({0})});
  EXPECT_TRUE(failure(twice).ends_with("second dictionary page")) << failure(twice);
  FileBuilder late = string_file({code_page({0}), dictionary_page({"y"}), code_page({0})});
  EXPECT_TRUE(failure(late).ends_with("without a dictionary page")) << failure(late);
  FileBuilder text = string_file({dictionary_page({"\xFF"}), code_page({0})});
  EXPECT_TRUE(failure(text).ends_with("string is not valid UTF-8")) << failure(text);
}

TEST(Read, NullsKeepTheirPlaces) {
  std::vector<uint8_t> levels;
  std::vector<std::string> values, expected;
  for (int i = 0; i < 500; ++i) {
    bool valid = i % 7 != 3 && !(i >= 100 && i < 200);
    levels.push_back(valid);
    if (valid) values.push_back("value " + std::to_string(i));
    expected.push_back(valid ? values.back() : "");
  }
  BuiltPage page;
  page.entries = 500;
  page.definition = runs(levels, 1);
  page.values = plain_strings(values);
  FileBuilder builder = string_file({page}, Repetition::optional);
  Opened opened(builder);
  ColumnPtr column = opened.read();
  EXPECT_EQ(strings_of(*column), expected);
  EXPECT_EQ(column->null_count, static_cast<int64_t>(500 - values.size()));
  for (int i = 0; i < 500; ++i) EXPECT_EQ(column->is_valid(i), levels[i] != 0) << i;
}

TEST(Read, PageCountsAreChecked) {
  FileBuilder more = int_file({{1, 2}, {3}});
  more.groups[0].chunks[0].entries = more.groups[0].rows = 2;
  EXPECT_EQ(failure(more), "");  // pages behind the last value are not looked at
  FileBuilder fewer = int_file({{1, 2}});
  fewer.groups[0].chunks[0].entries = fewer.groups[0].rows = 3;
  EXPECT_NE(failure(fewer), "");
  FileBuilder rows = int_file({{1, 2}});
  rows.groups[0].rows = 5;
  EXPECT_EQ(failure(rows), "row group 0, column x: 2 values, the row group has 5 rows");
  FileBuilder path = int_file({{1}});
  path.groups[0].chunks[0].path = {"y"};
  EXPECT_EQ(failure(path), "row group 0, column x: column chunk is of 'y', the schema says 'x'");
}

TEST(Read, FailuresLeaveTheRestUsable) {
  FileBuilder bad = int_file({{1, 2}});
  bad.groups[0].chunks[0].pages[0].encoding = Encoding::delta_byte_array;
  EXPECT_EQ(failure(bad), "row group 0, column x, page 0 @4: INT32 values in DELTA_BYTE_ARRAY");
  FileBuilder good = int_file({{1, 2}});
  Opened opened(good);
  EXPECT_EQ(values_of<int32_t>(*opened.read()), (std::vector<int32_t>{1, 2}));
}

TEST(Read, MemoryLimitIsAnError) {
  FileBuilder builder = int_file({std::vector<int32_t>(100000, 7)});
  Opened opened(builder, 300 << 10);
  try {
    opened.read();
    FAIL() << "400 KB fit in 300 KB";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::oom);
    EXPECT_NE(error.message().find("reading " + builder.path), std::string::npos) << error.message();
  }
  auto reader = make_field_reader(opened.context, opened.file, 0, 0, {});
  EXPECT_THROW(reader->read(100000), Error);
}

}  // namespace
}  // namespace quern::parquet::test
