// Chains with joins on the device, as single kernels and fused, against loops on the host.
#include <algorithm>
#include <map>
#include <optional>
#include <random>

#include "cuda/device_fixture.hpp"
#include "cuda/random_columns.hpp"
#include "cuda/string_columns.hpp"
#include "cuda/run.hpp"
#include "jit/nvrtc.hpp"
#include "ops/compare.hpp"

namespace quern {
namespace {

using plan::JoinType;
using test::Nulls;

const TypePtr int32 = make_type(TypeKind::int32), int64 = make_type(TypeKind::int64),
              boolean = make_type(TypeKind::boolean), real = make_type(TypeKind::float64),
              text = make_type(TypeKind::string), blob = make_type(TypeKind::binary),
              interval = make_type(TypeKind::interval), wide = make_decimal(30, 2);

#define REQUIRE_COMPILER() \
  if (const auto missing = jit::nvrtc_missing(); !missing.empty()) GTEST_SKIP() << missing

// Whole numbers below `range`, one in nine NULL unless `distinct`: then each once, in random order.
ColumnPtr keys(Memory& memory, const TypePtr& type, int64_t rows, uint64_t range, bool distinct,
               std::mt19937_64& random) {
  std::vector<int64_t> values;
  for (int64_t i = 0; i < rows; ++i) values.push_back(distinct ? i : static_cast<int64_t>(random() % range));
  std::shuffle(values.begin(), values.end(), random);
  if (cuda::has_bytes(*type)) {
    std::vector<test::Text> texts;
    for (const int64_t value : values)
      texts.push_back(!distinct && random() % 9 == 0 ? test::Text{} : test::text_of_number(static_cast<uint64_t>(value)));
    return test::column_of_texts(memory, type, texts);
  }
  ColumnBuilder out(memory, type, rows, true);
  for (int64_t i = 0; i < rows; ++i) {
    const int64_t value = values[static_cast<size_t>(i)] - 5;
    if (!distinct && random() % 9 == 0)
      out.set_null(i);
    else if (width(*type) == 4)
      out.data<int32_t>()[i] = static_cast<int32_t>(value);
    else if (type->kind == TypeKind::float64)
      out.data<double>()[i] = static_cast<double>(value) / 4;
    else if (type->kind == TypeKind::interval)
      out.data<Interval>()[i] = i % 2 == 0 ? Interval{static_cast<int32_t>(value), 0, 0}
                                           : Interval{0, static_cast<int32_t>(30 * value), 0};
    else if (width(*type) == 16)
      out.data<int128_t>()[i] = static_cast<int128_t>(value) << 70;
    else
      out.data<int64_t>()[i] = value << 20;
  }
  return out.finish();
}

std::string row_text(const std::vector<ColumnPtr>& columns, int64_t row) {
  std::string out;
  for (const auto& column : columns) out += plan::literal_json(*column, row) + " ";
  return out;
}

std::vector<std::string> lines_of(const std::vector<Batch>& batches) {
  std::vector<std::string> out;
  for (const auto& batch : batches) {
    for (int64_t i = 0; i < batch.rows; ++i) out.push_back(row_text(batch.columns, i));
  }
  return out;
}

struct Tables {
  std::vector<TypePtr> types;  // of the keys
  Batch first, second;         // keys, then payload
  bool null_safe = false;
};

// The payload: numbers, texts and lists, with NULLs.
Tables random_tables(Memory& memory, const std::vector<TypePtr>& types, int64_t rows, int64_t table_rows,
                     bool distinct) {
  std::mt19937_64 random(static_cast<uint64_t>(rows * 7 + table_rows));
  Tables out;
  out.types = types;
  const uint64_t range = static_cast<uint64_t>(table_rows) + 3;
  out.first.rows = rows;
  out.second.rows = table_rows;
  for (size_t i = 0; i < types.size(); ++i) {
    out.first.columns.push_back(keys(memory, types[i], rows, i == 0 ? range : 2, false, random));
    out.second.columns.push_back(keys(memory, types[i], table_rows, i == 0 ? range : 2, distinct && i == 0, random));
  }
  out.first.columns.push_back(test::numbers(memory, int64, rows, Nulls::some, 5));
  out.second.columns.push_back(test::texts(memory, table_rows, Nulls::some, 6));
  const auto bytes = [&](int64_t n) { return test::numbers(memory, make_type(TypeKind::int8), n, Nulls::some, 8); };
  out.second.columns.push_back(test::lists(memory, make_type(TypeKind::int8), table_rows, Nulls::some, 7, bytes));
  return out;
}

// The rows of the table with the key of each row, in their order; an empty text where a key is NULL.
std::string key_text(const Batch& batch, const Tables& tables, int64_t row) {
  std::string out;
  for (size_t i = 0; i < tables.types.size(); ++i) {
    const Column& column = *batch.columns[i];
    if (!column.is_valid(row) && !tables.null_safe) return "";
    out += column.type->kind == TypeKind::interval && column.is_valid(row)
               ? std::to_string(ops::normalise(column.values<Interval>()[row]).months) + " months"
               : plan::literal_json(column, row) + " ";
  }
  return out;
}

std::vector<std::string> joined_on_host(JoinType type, const Tables& tables, const ColumnPtr& nulls) {
  const size_t keys = tables.types.size();
  std::map<std::string, std::vector<int64_t>> rows_by_key;
  for (int64_t row = 0; row < tables.second.rows; ++row) {
    const auto key = key_text(tables.second, tables, row);
    if (!key.empty()) rows_by_key[key].push_back(row);
  }
  const std::vector<ColumnPtr> first(tables.first.columns.begin() + static_cast<std::ptrdiff_t>(keys),
                                     tables.first.columns.end());
  const std::vector<ColumnPtr> second(tables.second.columns.begin() + static_cast<std::ptrdiff_t>(keys),
                                      tables.second.columns.end());
  std::vector<std::string> out;
  for (int64_t row = 0; row < tables.first.rows; ++row) {
    const auto key = key_text(tables.first, tables, row);
    const auto found = key.empty() ? rows_by_key.end() : rows_by_key.find(key);
    const bool matches = found != rows_by_key.end();
    const std::string own = row_text(first, row);
    if (type == JoinType::semi || type == JoinType::anti) {
      if (matches == (type == JoinType::semi)) out.push_back(own);
    } else if (matches) {
      for (const int64_t other : found->second) out.push_back(own + row_text(second, other));
    } else if (type == JoinType::left) {
      out.push_back(own + row_text({nulls, nulls}, 0));
    }
  }
  return out;
}

void check_join(cuda::Device& device, JoinType type, const std::vector<TypePtr>& types, int64_t rows,
                int64_t table_rows, bool distinct, bool null_safe = false) {
  SCOPED_TRACE(testing::Message() << "kind " << static_cast<int>(type) << ", keys " << types.size() << " of "
                                  << type_name(*types[0]) << ", " << rows << " rows, " << table_rows << " of the table"
                                  << (distinct ? ", distinct" : "") << (null_safe ? ", NULLs match" : ""));
  Memory memory(4LL << 30);
  Context context(memory, Settings{});
  Tables tables = random_tables(memory, types, rows, table_rows, distinct);
  tables.null_safe = null_safe;
  std::vector<TypePtr> first = types, second = types;
  first.push_back(int64);
  second.push_back(text);
  second.push_back(make_list(make_type(TypeKind::int8)));
  std::vector<std::pair<int32_t, int32_t>> pairs;
  const auto count = static_cast<int32_t>(types.size());
  for (int32_t i = 0; i < count; ++i) pairs.emplace_back(i, i);
  std::vector<int32_t> keep = {count};
  if (!plan::decides_rows(type)) keep = {count, 2 * count + 1, 2 * count + 2};
  test::ChainPlan chain(first);
  chain.join(type, pairs, second, keep, null_safe);
  const auto run = cuda::make_run(device, context, chain.plan(), chain.nodes());
  const int64_t half = table_rows / 2;
  run->build(chain.nodes()[0],
             {slice(memory, tables.second, 0, half), slice(memory, tables.second, half, table_rows - half)});
  run->consume({slice(memory, tables.first, 0, rows / 3), slice(memory, tables.first, rows / 3, rows - rows / 3)});
  ColumnBuilder none(memory, int64, 1, true);
  none.set_null(0);
  const auto found = lines_of(run->finish());
  const auto expected = joined_on_host(type, tables, none.finish());
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], expected[i]) << i;
  EXPECT_EQ(run->rows(chain.nodes()[0]), static_cast<int64_t>(expected.size()));
}

TEST(JoinRun, EveryKindAtEverySize) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  for (const JoinType type : {JoinType::inner, JoinType::left, JoinType::semi, JoinType::anti}) {
    for (const int64_t rows : {0, 1, 31, 32, 33, 255, 256, 257, 40001}) {
      for (const int64_t table_rows : {0, 1, 33, 1000}) {
        for (const bool distinct : {true, false}) check_join(device, type, {int64}, rows, table_rows, distinct);
      }
    }
  }
}

TEST(JoinRun, EveryKeyType) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  const std::vector<std::vector<TypePtr>> keys = {{int32},        {real},         {wide},        {interval}, {text},
                                                  {int32, int32}, {int64, int32}, {wide, int64}, {blob},
                                                  {text, int32},  {interval, text}};
  for (const auto& types : keys) {
    for (const JoinType type : {JoinType::inner, JoinType::left}) {
      for (const bool distinct : {true, false}) {
        for (const bool null_safe : {true, false}) check_join(device, type, types, 20011, 5003, distinct, null_safe);
      }
    }
  }
}

TEST(JoinRun, StringsAtEverySize) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  for (const JoinType type : {JoinType::inner, JoinType::left, JoinType::semi, JoinType::anti}) {
    for (const int64_t rows : {0, 1, 31, 32, 33, 255, 256, 257, 30011}) {
      for (const int64_t table_rows : {0, 1, 33, 1000}) check_join(device, type, {text}, rows, table_rows, rows % 2 == 0);
    }
  }
}

// Strings as keys of two joins and of the groups, in one kernel and in single ones.
TEST(JoinRun, StringsFusedAndApartGiveTheSameGroups) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  Memory memory(8LL << 30);
  Context context(memory, Settings{});
  for (const int64_t rows : {0, 1, 31, 32, 33, 511, 512, 513, 100003}) {
    for (const JoinType outer : {JoinType::inner, JoinType::left, JoinType::semi, JoinType::anti}) {
      SCOPED_TRACE(testing::Message() << rows << " rows, kind " << static_cast<int>(outer));
      std::mt19937_64 random(7);
      Batch fact, days, items;
      fact.rows = rows;
      fact.columns = {keys(memory, text, rows, 1100, false, random), keys(memory, text, rows, 60000, false, random)};
      days.rows = 1000;
      days.columns = {keys(memory, text, 1000, 0, true, random), keys(memory, text, 1000, 12, false, random)};
      items.rows = 50000;
      items.columns = {keys(memory, text, 50000, 0, true, random), keys(memory, text, 50000, 200, false, random)};
      std::vector<std::vector<std::string>> found;
      for (const bool fuse : {true, false}) {
        test::ChainPlan chain({text, text});
        chain.join(JoinType::inner, {{0, 0}}, {text, text}, {0, 1, 3});
        const bool by_row = plan::decides_rows(outer);
        chain.join(outer, {{1, 0}}, {text, text}, {0, 2, by_row ? 2 : 4});
        chain.group({chain.column(1), chain.column(2)}, {chain.aggregate("count_star", {}, int64)});
        if (fuse) chain.fuse();
        const auto run = cuda::make_run(device, context, chain.plan(), chain.nodes());
        run->build(chain.nodes()[1], {items});
        run->build(chain.nodes()[0], {days});
        run->consume({slice(memory, fact, 0, rows / 2), slice(memory, fact, rows / 2, rows - rows / 2)});
        found.push_back(lines_of(run->finish()));
        std::sort(found.back().begin(), found.back().end());
        EXPECT_EQ(run->metrics().tiers.at(0).second.find("fused") != std::string::npos, fuse);
      }
      EXPECT_EQ(found[0], found[1]);
      if (rows > 1000) EXPECT_GE(found[0].size(), 5U);
    }
  }
}

// Pairs come in several pieces: 3,000 rows with 30,000 each.
TEST(JoinRun, ManyPairsOfOneKey) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  Memory memory(8LL << 30);
  Context context(memory, Settings{});
  const auto constant = [&](int64_t rows) {
    ColumnBuilder out(memory, int64, rows, true);
    for (int64_t i = 0; i < rows; ++i) out.data<int64_t>()[i] = 77;
    Batch batch;
    batch.rows = rows;
    batch.columns = {out.finish(), test::numbers(memory, int32, rows, Nulls::none, 1)};
    return batch;
  };
  test::ChainPlan chain({int64, int32});
  chain.join(JoinType::inner, {{0, 0}}, {int64, int32}, {1, 3});
  chain.group({}, {chain.aggregate("count_star", {}, int64)});
  chain.fuse();
  const auto run = cuda::make_run(device, context, chain.plan(), chain.nodes());
  run->build(chain.nodes()[0], {constant(30000)});
  run->consume({constant(3000)});
  EXPECT_EQ(lines_of(run->finish()), std::vector<std::string>{"\"90000000\" "});
  EXPECT_NE(run->metrics().tiers.at(0).second.find("not fused: keys repeat"), std::string::npos);
  EXPECT_EQ(run->rows(chain.nodes()[0]), 90000000);
}

// One kernel and single ones: the groups of two joins with filters between them.
TEST(JoinRun, FusedAndApartGiveTheSameGroups) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  Memory memory(8LL << 30);
  Context context(memory, Settings{});
  for (const int64_t rows : {0, 1, 31, 32, 33, 511, 512, 513, 300007}) {
    for (const JoinType outer : {JoinType::inner, JoinType::left, JoinType::semi, JoinType::anti}) {
      SCOPED_TRACE(testing::Message() << rows << " rows, kind " << static_cast<int>(outer));
      std::mt19937_64 random(7);
      Batch fact, days, items;
      fact.rows = rows;
      fact.columns = {keys(memory, int32, rows, 1100, false, random), keys(memory, int64, rows, 60000, false, random),
                      test::numbers(memory, int64, rows, Nulls::some, 2)};
      days.rows = 1000;
      days.columns = {keys(memory, int32, 1000, 0, true, random), keys(memory, int32, 1000, 12, false, random)};
      items.rows = 50000;
      items.columns = {keys(memory, int64, 50000, 0, true, random), keys(memory, int32, 50000, 200, false, random)};
      std::vector<std::vector<std::string>> found;
      std::vector<std::vector<int64_t>> counts;
      for (const bool fuse : {true, false}) {
        test::ChainPlan chain({int32, int64, int64});
        chain.filter({chain.call("is_not_null", {chain.column(2)}, boolean)});
        chain.join(JoinType::inner, {{0, 0}}, {int32, int32}, {1, 2, 4});
        chain.filter({chain.call("gt", {chain.column(2), chain.literal(memory, int32, "1")}, boolean)});
        const bool by_row = plan::decides_rows(outer);
        chain.join(outer, {{0, 0}}, {int64, int32}, {1, 2, by_row ? 2 : 4});
        chain.group(
            {chain.column(1), chain.column(2)},
            {chain.aggregate("count_star", {}, int64), chain.aggregate("sum", {chain.column(0)}, make_decimal(38, 0))});
        if (fuse) chain.fuse();
        const auto run = cuda::make_run(device, context, chain.plan(), chain.nodes());
        run->build(chain.nodes()[3], {items});
        run->build(chain.nodes()[1], {days});
        run->consume({slice(memory, fact, 0, rows / 2), slice(memory, fact, rows / 2, rows - rows / 2)});
        found.push_back(lines_of(run->finish()));
        std::sort(found.back().begin(), found.back().end());
        counts.emplace_back();
        for (const auto node : chain.nodes()) counts.back().push_back(run->rows(node));
        EXPECT_EQ(run->metrics().tiers.at(0).second.find("fused") != std::string::npos, fuse);
      }
      EXPECT_EQ(found[0], found[1]);
      EXPECT_EQ(counts[0], counts[1]);
      if (rows > 1000) EXPECT_GE(found[0].size(), 5U);
    }
  }
}

// What a fused kernel refuses is the row at the node that refuses it.
TEST(JoinRun, FusedGivesTheRowThatFailed) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  Memory memory(1LL << 30);
  Context context(memory, Settings{});
  ColumnBuilder key(memory, int64, 1000, true), value(memory, int64, 1000, true);
  for (int64_t i = 0; i < 1000; ++i) {
    key.data<int64_t>()[i] = i;
    value.data<int64_t>()[i] = i == 300 || i == 700 ? INT64_MAX : 1;  // 300 has no partner
  }
  Batch rows, table;
  rows.rows = 1000;
  rows.columns = {key.finish(), value.finish()};
  ColumnBuilder own(memory, int64, 500, true);
  for (int64_t i = 0; i < 500; ++i) own.data<int64_t>()[i] = i + 400;
  table.rows = 500;
  table.columns = {own.finish()};
  test::ChainPlan chain({int64, int64});
  chain.join(JoinType::inner, {{0, 0}}, {int64}, {1});
  chain.project({chain.call("add", {chain.column(0), chain.column(0)}, int64)});
  chain.group({}, {chain.aggregate("max", {chain.column(0)}, int64)});
  chain.fuse();
  const auto run = cuda::make_run(device, context, chain.plan(), chain.nodes());
  run->build(chain.nodes()[0], {table});
  try {
    run->consume(std::vector<Batch>{rows});
    FAIL() << "no failure";
  } catch (const cuda::RowFailure& failure) {
    EXPECT_EQ(failure.node, chain.nodes()[1]);
    EXPECT_EQ(lines_of({failure.row}), std::vector<std::string>{"\"9223372036854775807\" "});
  }
}

}  // namespace
}  // namespace quern
