// flatten, slice, gather, concat, compact against host loops, at the sizes where words and vectors end.
#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>

#include "columnar/column.hpp"

namespace quern {
namespace {

using Cell = std::optional<std::string>;

// Text of one value, nested kinds included: what two columns are compared by.
Cell cell(const Column& column, int64_t row) {
  if (column.form == Form::constant) row = 0;
  if (!column.is_valid(row)) return std::nullopt;
  if (column.form == Form::dictionary) return cell(*column.children[0], column.values<uint32_t>()[row]);
  switch (physical(*column.type)) {
    case Physical::int64:
      return std::to_string(column.values<int64_t>()[row]);
    case Physical::int32:
      return std::to_string(column.values<int32_t>()[row]);
    case Physical::string: {
      const auto& view = column.values<StringView>()[row];
      return std::string(view.data(), view.length);
    }
    case Physical::list: {
      std::string text = "[";
      const auto entry = column.values<ListEntry>()[row];
      for (int64_t i = 0; i < entry.length; ++i)
        text += cell(*column.children[0], entry.start + i).value_or("NULL") + ",";
      return text + "]";
    }
    case Physical::structure: {
      std::string text = "{";
      for (const auto& child : column.children) text += cell(*child, row).value_or("NULL") + ",";
      return text + "}";
    }
    default:
      ADD_FAILURE() << "kind without text";
      return "";
  }
}

std::vector<Cell> cells(const Column& column) {
  std::vector<Cell> out;
  for (int64_t i = 0; i < column.length; ++i) out.push_back(cell(column, i));
  return out;
}

class Verbs : public testing::TestWithParam<std::tuple<int, int>> {
 protected:
  Memory memory{1LL << 30};
  std::mt19937 random{7};
  int rows() const { return std::get<0>(GetParam()); }
  // 0 = no nulls, 1 = all null, 3 = about a third
  bool null_here() {
    return std::get<1>(GetParam()) != 0 && random() % static_cast<unsigned>(std::get<1>(GetParam())) == 0;
  }

  ColumnPtr integers() {
    ColumnBuilder out(memory, make_type(TypeKind::int64), rows(), true);
    for (int i = 0; i < rows(); ++i) {
      if (null_here())
        out.set_null(i);
      else
        out.data<int64_t>()[i] = static_cast<int64_t>(random());
    }
    return out.finish();
  }
  ColumnPtr strings() {
    ColumnBuilder out(memory, make_type(TypeKind::string), rows(), true);
    StringHeap heap(memory);
    for (int i = 0; i < rows(); ++i) {
      if (null_here()) {
        out.set_null(i);
      } else {
        const std::string text(random() % 30, static_cast<char>('a' + i % 26));
        out.data<StringView>()[i] = heap.append(text.data(), text.size());
      }
    }
    out.keep(heap.owners());
    return out.finish();
  }
  ColumnPtr lists(const ColumnPtr& child) {
    ColumnBuilder out(memory, make_list(child->type), rows(), true);
    for (int i = 0; i < rows(); ++i) {
      if (null_here()) {
        out.set_null(i);
      } else if (child->length > 0) {
        const auto start = static_cast<int64_t>(random() % static_cast<uint64_t>(child->length));
        out.data<ListEntry>()[i] = {start,
                                    std::min<int64_t>(static_cast<int64_t>(random() % 4), child->length - start)};
      }
    }
    out.add_child(child);
    return out.finish();
  }
  ColumnPtr structures() {
    auto a = integers();
    auto b = strings();
    ColumnBuilder out(memory, make_structure({"a", "b"}, {a->type, b->type}), rows());
    for (int i = 0; i < rows(); ++i) {
      if (null_here()) out.set_null(i);
    }
    out.add_child(a);
    out.add_child(b);
    return out.finish();
  }
  ColumnPtr dictionary() {
    ColumnBuilder values(memory, make_type(TypeKind::string), 3, true);
    StringHeap heap(memory);
    const std::string texts[] = {"", "short", "longer than twelve bytes"};
    for (int i = 0; i < 3; ++i) values.data<StringView>()[i] = heap.append(texts[i].data(), texts[i].size());
    values.keep(heap.owners());
    ColumnBuilder codes(memory, make_type(TypeKind::int32), rows(), true);
    for (int i = 0; i < rows(); ++i) {
      if (null_here())
        codes.set_null(i);
      else
        codes.data<uint32_t>()[i] = static_cast<uint32_t>(random() % 3);
    }
    auto column = std::make_shared<Column>(*codes.finish());
    column->type = make_type(TypeKind::string);
    column->form = Form::dictionary;
    column->children = {values.finish()};
    return column;
  }
  std::vector<ColumnPtr> all() {
    std::vector<ColumnPtr> out{integers(), strings(), structures(), dictionary()};
    out.push_back(lists(integers()));
    out.push_back(lists(strings()));
    out.push_back(lists(lists(structures())));
    if (rows() > 0) {
      for (size_t i = 0, n = out.size(); i < n; ++i) out.push_back(make_constant(out[i], rows() / 2, rows()));
    }
    return out;
  }
};

TEST_P(Verbs, FlattenKeepsRows) {
  for (const auto& column : all()) {
    const auto flat = flatten(memory, column);
    EXPECT_EQ(flat->form, Form::flat);
    EXPECT_EQ(cells(*flat), cells(*column)) << type_name(*column->type);
    EXPECT_EQ(flat->null_count, column->null_count);
  }
}

TEST_P(Verbs, SliceTakesRows) {
  for (const auto& column : all()) {
    const auto expected = cells(*column);
    for (const int start : {0, 1, 31, 63, 64, 65}) {
      if (start > rows()) continue;
      const int64_t length = rows() - start;
      const auto part = slice(memory, column, start, length);
      EXPECT_EQ(cells(*part), std::vector<Cell>(expected.begin() + start, expected.end()))
          << type_name(*column->type) << " from " << start;
      const auto nulls = std::count(expected.begin() + start, expected.end(), std::nullopt);
      EXPECT_EQ(part->null_count, nulls);
    }
  }
}

TEST_P(Verbs, GatherPicksRowsAndNulls) {
  if (rows() == 0) GTEST_SKIP() << "no rows to pick";
  for (const auto& column : all()) {
    const auto from = cells(*column);
    std::vector<int64_t> rows_wanted;
    std::vector<Cell> expected;
    for (int i = 0; i < 100; ++i) {
      const auto row = static_cast<int64_t>(random() % static_cast<unsigned>(rows() + 1)) - 1;
      rows_wanted.push_back(row);
      expected.push_back(row < 0 ? std::nullopt : from[static_cast<size_t>(row)]);
    }
    const auto got = gather(memory, column, rows_wanted.data(), 100);
    EXPECT_EQ(cells(*got), expected) << type_name(*column->type);
    EXPECT_EQ(got->null_count, std::count(expected.begin(), expected.end(), std::nullopt));
  }
}

TEST_P(Verbs, ConcatAppendsAndCompactKeepsOnlyReferenced) {
  for (const auto& column : all()) {
    const auto expected = cells(*column);
    const int64_t middle = rows() / 3;
    const auto joined = concat(memory, column->type,
                               {slice(memory, column, middle, rows() - middle), slice(memory, column, 0, middle)});
    std::vector<Cell> rotated(expected.begin() + middle, expected.end());
    rotated.insert(rotated.end(), expected.begin(), expected.begin() + middle);
    EXPECT_EQ(cells(*joined), rotated) << type_name(*column->type);
    const auto packed = compact(memory, column);
    EXPECT_EQ(cells(*packed), expected);
    if (physical(*column->type) == Physical::list) {
      int64_t elements = 0;
      for (int64_t i = 0; i < packed->length; ++i) elements += packed->values<ListEntry>()[i].length;
      EXPECT_EQ(packed->children[0]->length, elements);
    }
    EXPECT_EQ(row_bytes(*packed), row_bytes(*flatten(memory, column)));
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Verbs,
                         testing::Combine(testing::Values(0, 1, 31, 32, 33, 63, 64, 65, 127, 2048, 2049),
                                          testing::Values(0, 1, 3)));

}  // namespace
}  // namespace quern
