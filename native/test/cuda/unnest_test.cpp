// Lists become rows on the device as a loop over the host's columns makes them.
#include "cuda/unnest_stage.hpp"

#include <algorithm>

#include "cuda/device_fixture.hpp"
#include "cuda/random_columns.hpp"

namespace quern {
namespace {

using test::Nulls, test::sizes;

const TypePtr int32 = make_type(TypeKind::int32), text = make_type(TypeKind::string);

int64_t length_of(const Column& list, int64_t row) {
  return list.is_valid(row) ? list.values<ListEntry>()[row].length : 0;
}

std::vector<std::string> expected_rows(const std::vector<ColumnPtr>& kept, const std::vector<ColumnPtr>& lists,
                                       int64_t rows, bool ordinality, bool outer) {
  std::vector<std::string> out;
  for (int64_t row = 0; row < rows; ++row) {
    int64_t longest = 0;
    for (const auto& list : lists) longest = std::max(longest, length_of(*list, row));
    for (int64_t k = 0; k < std::max<int64_t>(longest, outer ? 1 : 0); ++k) {
      std::string line;
      for (const auto& column : kept) line += plan::literal_json(*column, row) + "|";
      for (const auto& list : lists) {
        const bool there = k < length_of(*list, row);
        line += there ? plan::literal_json(*list->children[0], list->values<ListEntry>()[row].start + k) : "null";
        line += "|";
      }
      if (ordinality) line += longest == 0 ? "null" : std::to_string(k + 1);
      out.push_back(line);
    }
  }
  return out;
}

std::vector<std::string> lines_of(cuda::Device& device, Memory& memory, const cuda::DeviceBatch& batch, size_t fields,
                                  bool ordinality) {
  std::vector<std::string> out(static_cast<size_t>(batch.rows));
  for (size_t i = 0; i < batch.columns.size(); ++i) {
    const auto column = cuda::to_host(device, memory, *batch.columns[i]);
    EXPECT_EQ(column->length, batch.rows);
    int64_t nulls = 0;
    for (int64_t row = 0; row < batch.rows; ++row) {
      nulls += column->is_valid(row) ? 0 : 1;
      auto& line = out[static_cast<size_t>(row)];
      if (i == fields && ordinality)
        line += column->is_valid(row) ? std::to_string(column->values<int64_t>()[row]) : "null";
      else
        line += plan::literal_json(*column, row) + "|";
    }
    EXPECT_EQ(nulls, column->null_count);
  }
  return out;
}

void expect_rows(cuda::Device& device, int64_t rows, Nulls nulls, int64_t limit, int64_t piece) {
  Memory memory(8LL << 30);
  const cuda::Layout layout{limit};
  const std::vector<ColumnPtr> kept = {test::numbers(memory, int32, rows, nulls, 1),
                                       test::texts(memory, rows, nulls, 2)};
  const std::vector<ColumnPtr> lists = {
      test::lists(memory, int32, rows, nulls, 3,
                  [&](int64_t count) { return test::numbers(memory, int32, count, nulls, 4); }),
      test::lists(memory, text, rows, nulls, 5, [&](int64_t count) { return test::texts(memory, count, nulls, 6); }),
      test::lists(memory, make_list(int32), rows, nulls, 7, [&](int64_t count) {
        return test::lists(memory, int32, count, nulls, 8,
                           [&](int64_t inner) { return test::numbers(memory, int32, inner, nulls, 9); });
      })};
  cuda::DeviceBatch batch;
  batch.rows = rows;
  for (const auto& column : kept)
    batch.columns.push_back(cuda::to_device(device, memory, layout, column->type, {column}));
  std::vector<cuda::DeviceColumnPtr> there;
  for (const auto& list : lists) there.push_back(cuda::to_device(device, memory, layout, list->type, {list}));
  for (const bool outer : {false, true}) {
    for (const bool ordinality : {false, true}) {
      for (size_t first = 0; first < lists.size(); ++first) {
        for (size_t last = first + 1; last <= lists.size(); last += 2) {
          SCOPED_TRACE("lists " + std::to_string(first) + " to " + std::to_string(last) + (outer ? ", outer" : "") +
                       (ordinality ? ", ordinality" : ""));
          const auto begin = static_cast<std::ptrdiff_t>(first), end = static_cast<std::ptrdiff_t>(last);
          const std::vector<ColumnPtr> chosen(lists.begin() + begin, lists.begin() + end);
          // Without kept columns where only elements are wanted.
          const bool keep = first != 1 || ordinality;
          cuda::UnnestForm form{keep ? std::vector<int32_t>{0, 1} : std::vector<int32_t>{}, ordinality, outer, piece};
          std::vector<std::string> found;
          cuda::unnest(device, layout, batch, {there.begin() + begin, there.begin() + end}, form,
                       [&](const cuda::DeviceBatch& out) {
                         EXPECT_LE(out.rows, piece);
                         const auto lines = lines_of(device, memory, out, form.keep.size() + chosen.size(), ordinality);
                         found.insert(found.end(), lines.begin(), lines.end());
                       });
          EXPECT_EQ(found, expected_rows(keep ? kept : std::vector<ColumnPtr>{}, chosen, rows, ordinality, outer));
          if (::testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

TEST(Unnest, EveryFormAtEverySize) {
  REQUIRE_DEVICE();
  for (const int64_t rows : sizes) {
    if (rows > 3000) continue;
    for (const Nulls nulls : {Nulls::none, Nulls::some, Nulls::all}) {
      SCOPED_TRACE(std::to_string(rows) + " rows, nulls " + std::to_string(static_cast<int>(nulls)));
      expect_rows(device, rows, nulls, (1LL << 31) - 1, 64 << 20);
      if (HasFailure()) return;
    }
  }
}

TEST(Unnest, InPiecesWithWideOffsets) {
  REQUIRE_DEVICE();
  for (const int64_t piece : {31, 33, 500}) expect_rows(device, 129, Nulls::some, 16, piece);
  expect_rows(device, 9, Nulls::some, 16, 1);
}

}  // namespace
}  // namespace quern
