#include "cpu/chunked_rows.hpp"

#include <gtest/gtest.h>

#include <random>

#include "plan/literal.hpp"

namespace quern::cpu {
namespace {

plan::LiteralText text(const std::string& value) {
  plan::LiteralText out;
  out.kind = plan::LiteralText::Kind::text;
  out.text = value;
  return out;
}

TEST(ChunkedRows, AnyOrderOfAnyKind) {
  Memory memory(1 << 30);
  std::mt19937 random(4);
  const auto number = make_type(TypeKind::int32);
  const auto word = make_type(TypeKind::string);
  const auto list = make_list(word);
  const auto structure = make_structure({"n", "l"}, {number, list});
  const std::vector<TypePtr> types = {
      number, word, list, structure, make_type(TypeKind::null), make_type(TypeKind::boolean), make_decimal(30, 2)};
  const auto value_of = [&](const TypePtr& type, auto&& self) -> plan::LiteralText {
    if (random() % 6 == 0 || type->kind == TypeKind::null) return {};
    plan::LiteralText out;
    if (type->kind == TypeKind::boolean) {
      out.kind = plan::LiteralText::Kind::boolean;
      out.value = random() % 2 == 0;
    } else if (type->kind == TypeKind::string) {
      out = text(std::string(random() % 30, static_cast<char>('a' + random() % 26)));
    } else if (type->kind == TypeKind::list || type->kind == TypeKind::structure) {
      out.kind = plan::LiteralText::Kind::array;
      const size_t count = type->kind == TypeKind::list ? random() % 4 : type->children.size();
      for (size_t i = 0; i < count; ++i)
        out.items.push_back(self(type->children[type->kind == TypeKind::list ? 0 : i], self));
    } else {
      out = text(std::to_string(static_cast<int>(random() % 1000) - 500));
    }
    return out;
  };
  std::vector<Batch> chunks;
  std::vector<int64_t> ids;
  std::vector<std::vector<std::string>> expected;  // by id's place, by column
  for (int64_t chunk = 0; chunk < 7; ++chunk) {
    const int64_t rows = chunk == 3 ? 0 : 1 + static_cast<int64_t>(random() % 100);
    Batch batch;
    batch.rows = rows;
    std::vector<std::vector<std::string>> texts(static_cast<size_t>(rows));
    for (const auto& type : types) {
      std::vector<ColumnPtr> pieces;
      for (int64_t row = 0; row < rows; ++row) {
        pieces.push_back(plan::literal_column(memory, type, value_of(type, value_of)));
        texts[static_cast<size_t>(row)].push_back(plan::literal_json(*pieces.back(), 0));
      }
      batch.columns.push_back(concat(memory, type, pieces));
    }
    chunks.push_back(batch);
    for (int64_t row = 0; row < rows; ++row) {
      ids.push_back(row_id(chunk, row));
      expected.push_back(texts[static_cast<size_t>(row)]);
    }
  }
  const auto all = static_cast<int64_t>(ids.size());
  auto rows = std::make_shared<ChunkedRows>(std::move(chunks));
  EXPECT_EQ(rows->rows(), all);
  // The first rounds move the elements of lists; when every row has been asked for once, columns are put together.
  for (int round = 0; round < 40; ++round) {
    std::vector<int64_t> wanted;
    std::vector<size_t> from;
    const bool one_chunk = round % 3 == 0;
    const int64_t chunk = ids[random() % ids.size()] >> 32;
    for (uint32_t i = 0; i < random() % (round < 10 ? 30 : 200); ++i) {
      const size_t at = random() % ids.size();
      if (one_chunk && ids[at] >> 32 != chunk) continue;
      from.push_back(at);
      wanted.push_back(ids[at]);
    }
    const auto out = rows->gather(memory, wanted.data(), static_cast<int64_t>(wanted.size()));
    ASSERT_EQ(out.rows, static_cast<int64_t>(wanted.size()));
    for (size_t i = 0; i < wanted.size(); ++i) {
      for (size_t column = 0; column < types.size(); ++column) {
        ASSERT_EQ(plan::literal_json(*out.columns[column], static_cast<int64_t>(i)), expected[from[i]][column])
            << type_name(*types[column]);
      }
    }
  }
  // Strings outlive the chunks.
  const auto kept = rows->gather(memory, ids.data(), all);
  rows.reset();
  for (int64_t i = 0; i < all; ++i)
    ASSERT_EQ(plan::literal_json(*kept.columns[1], i), expected[static_cast<size_t>(i)][1]);
}

}  // namespace
}  // namespace quern::cpu
