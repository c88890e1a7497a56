#include "cpu/partition.hpp"

#include <gtest/gtest.h>

#include <random>

#include "common/error.hpp"
#include "plan/literal.hpp"

namespace quern::cpu {
namespace {

using plan::LiteralText;

LiteralText text(const std::string& value) {
  LiteralText out;
  out.kind = LiteralText::Kind::text;
  out.text = value;
  return out;
}

LiteralText array(std::vector<LiteralText> items) {
  LiteralText out;
  out.kind = LiteralText::Kind::array;
  out.items = std::move(items);
  return out;
}

// A number, a text, a list of texts and a structure of both, with NULLs: row `i` of eleven that differ.
ColumnPtr value(Memory& memory, const TypePtr& type, int64_t i) {
  if (i % 5 == 3) return make_null_column(type, 1);
  const std::string word(static_cast<size_t>(i * 3), static_cast<char>('a' + i));
  if (type->kind == TypeKind::int64) return plan::literal_column(memory, type, text(std::to_string(i * 1000)));
  if (type->kind == TypeKind::string) return plan::literal_column(memory, type, text(word));
  if (type->kind == TypeKind::structure)
    return plan::literal_column(memory, type, array({text(std::to_string(i)), array({text(word)})}));
  std::vector<LiteralText> items(static_cast<size_t>(i % 4), text(word));
  return plan::literal_column(memory, type, array(std::move(items)));
}

class Partition : public testing::TestWithParam<int64_t> {};

TEST_P(Partition, AgreesWithALoop) {
  Memory memory(1 << 30);
  std::mt19937 random(11);
  const auto list = make_list(make_type(TypeKind::string));
  const std::vector<TypePtr> types = {make_type(TypeKind::int64), make_type(TypeKind::string), list,
                                      make_structure({"n", "l"}, {make_type(TypeKind::int64), list})};
  const int64_t rows = GetParam();
  constexpr int64_t kinds = 11;
  std::vector<int64_t> kind_of(static_cast<size_t>(rows));
  for (auto& kind : kind_of) kind = static_cast<int64_t>(random() % kinds);
  Batch batch;
  batch.rows = rows;
  std::vector<std::vector<std::string>> texts(types.size());
  for (size_t column = 0; column < types.size(); ++column) {
    std::vector<ColumnPtr> values;
    for (int64_t kind = 0; kind < kinds; ++kind) {
      values.push_back(value(memory, types[column], kind));
      texts[column].push_back(plan::literal_json(*values.back(), 0));
    }
    batch.columns.push_back(gather(memory, concat(memory, types[column], values), kind_of.data(), rows));
  }
  for (const int64_t parts : {1, 2, 3, 255, 256, 257, 65536}) {
    for (const bool is_sorted : {false, true}) {
      std::vector<int32_t> part_of(static_cast<size_t>(rows));
      for (auto& part : part_of) part = static_cast<int32_t>(random() % static_cast<uint64_t>(parts));
      if (is_sorted) std::sort(part_of.begin(), part_of.end());
      std::vector<int64_t> expected;
      std::vector<int64_t> boundaries = {0};
      std::vector<std::vector<int64_t>> by_part(static_cast<size_t>(parts));
      for (int64_t row = 0; row < rows; ++row)
        by_part[static_cast<size_t>(part_of[static_cast<size_t>(row)])].push_back(row);
      for (const auto& part : by_part) {
        expected.insert(expected.end(), part.begin(), part.end());
        boundaries.push_back(static_cast<int64_t>(expected.size()));
      }
      const Parts out = partition(memory, batch, part_of, parts);
      ASSERT_EQ(out.boundaries, boundaries) << parts;
      ASSERT_EQ(out.rows.rows, rows);
      for (size_t column = 0; column < types.size(); ++column) {
        for (int64_t row = 0; row < rows; ++row) {
          const auto kind = static_cast<size_t>(kind_of[static_cast<size_t>(expected[static_cast<size_t>(row)])]);
          ASSERT_EQ(plan::literal_json(*out.rows.columns[column], row), texts[column][kind]) << parts << " row " << row;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, Partition, testing::Values(0, 1, 31, 32, 33, 2047, 2048, 2049, 20000));

TEST(PartitionErrors, PartsThatAreNotThere) {
  Memory memory(1 << 20);
  Batch batch;
  batch.rows = 2;
  const std::vector<int32_t> beyond = {0, 3}, below = {-1, 0}, few = {0};
  EXPECT_THROW(partition(memory, batch, beyond, 3), Error);
  EXPECT_THROW(partition(memory, batch, below, 3), Error);
  EXPECT_THROW(partition(memory, batch, few, 3), Error);
  EXPECT_THROW(partition(memory, batch, few, 0), Error);
}

}  // namespace
}  // namespace quern::cpu
