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
      texts.push_back(!distinct && random() % 9 == 0 ? test::Text{}
                                                     : test::text_of_number(static_cast<uint64_t>(value)));
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
      out.data<Interval>()[i] =
          i % 2 == 0 ? Interval{static_cast<int32_t>(value), 0, 0} : Interval{0, static_cast<int32_t>(30 * value), 0};
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
  bool tested = false;      // pairs pass where the number of the first row is less than that of the second
  bool null_aware = false;  // mark joins
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
  out.second.columns.push_back(test::numbers(memory, int64, table_rows, Nulls::some, 9));
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

bool passes(const Tables& tables, int64_t row, int64_t other) {
  if (!tables.tested) return true;
  const Column &own = *tables.first.columns.back(), &limit = *tables.second.columns.back();
  return own.is_valid(row) && limit.is_valid(other) && own.values<int64_t>()[row] < limit.values<int64_t>()[other];
}

// Empty where a row of a single join has several partners.
std::optional<std::vector<std::string>> joined_on_host(JoinType type, const Tables& tables) {
  const size_t keys = tables.types.size();
  std::map<std::string, std::vector<int64_t>> rows_by_key;
  bool null_key = false;
  for (int64_t row = 0; row < tables.second.rows; ++row) {
    const auto key = key_text(tables.second, tables, row);
    null_key |= key.empty();
    if (!key.empty()) rows_by_key[key].push_back(row);
  }
  const std::vector<ColumnPtr> first = {tables.first.columns[keys]},
                               second = {tables.second.columns[keys], tables.second.columns[keys + 1]};
  std::vector<bool> had(static_cast<size_t>(tables.second.rows), false);
  std::vector<std::string> out;
  for (int64_t row = 0; row < tables.first.rows; ++row) {
    const auto key = key_text(tables.first, tables, row);
    const auto found = key.empty() ? rows_by_key.end() : rows_by_key.find(key);
    std::vector<int64_t> others;
    if (found != rows_by_key.end())
      std::copy_if(found->second.begin(), found->second.end(), std::back_inserter(others),
                   [&](int64_t other) { return passes(tables, row, other); });
    const std::string own = row_text(first, row);
    if (type == JoinType::mark) {
      const bool open = tables.null_aware && tables.second.rows > 0 && (key.empty() || null_key);
      out.push_back(own + (!others.empty() ? "true " : open ? "null " : "false "));
    } else if (type == JoinType::semi || type == JoinType::anti) {
      if (others.empty() == (type == JoinType::anti)) out.push_back(own);
    } else {
      if (type == JoinType::single && others.size() > 1) return std::nullopt;
      for (const int64_t other : others) {
        had[static_cast<size_t>(other)] = true;
        out.push_back(own + row_text(second, other));
      }
      if (others.empty() && type != JoinType::inner && type != JoinType::right) out.push_back(own + "null null ");
    }
  }
  if (type != JoinType::right && type != JoinType::full) return out;
  for (int64_t row = 0; row < tables.second.rows; ++row) {
    if (!had[static_cast<size_t>(row)]) out.push_back("null " + row_text(second, row));
  }
  return out;
}

struct JoinForm {
  bool distinct = false;
  bool null_safe = false;
  bool tested = false;
  bool null_aware = false;
};

void check_join(cuda::Device& device, JoinType type, const std::vector<TypePtr>& types, int64_t rows,
                int64_t table_rows, const JoinForm& form) {
  SCOPED_TRACE(testing::Message() << "kind " << static_cast<int>(type) << ", keys " << types.size() << " of "
                                  << type_name(*types[0]) << ", " << rows << " rows, " << table_rows << " of the table"
                                  << (form.distinct ? ", distinct" : "") << (form.null_safe ? ", NULLs match" : "")
                                  << (form.tested ? ", tested" : "") << (form.null_aware ? ", null-aware" : ""));
  Memory memory(4LL << 30);
  Context context(memory, Settings{});
  Tables tables = random_tables(memory, types, rows, table_rows, form.distinct);
  tables.null_safe = form.null_safe;
  tables.tested = form.tested;
  tables.null_aware = form.null_aware;
  std::vector<TypePtr> first = types, second = types;
  first.push_back(int64);
  second.push_back(text);
  second.push_back(make_list(make_type(TypeKind::int8)));
  second.push_back(int64);
  std::vector<std::pair<int32_t, int32_t>> pairs;
  const auto count = static_cast<int32_t>(types.size());
  for (int32_t i = 0; i < count; ++i) pairs.emplace_back(i, i);
  std::vector<int32_t> keep = {count};
  if (!plan::decides_rows(type)) keep = {count, 2 * count + 1, 2 * count + 2};
  test::ChainPlan chain(first);
  std::vector<plan::ExprIndex> residual;
  if (form.tested)
    residual = {chain.call("lt", {chain.column_of(count, int64), chain.column_of(2 * count + 3, int64)}, boolean)};
  chain.join(type, pairs, second, keep, form.null_safe, residual, form.null_aware);
  const auto run = cuda::make_run(device, context, chain.plan(), chain.nodes());
  const int64_t half = table_rows / 2;
  run->build(chain.nodes()[0],
             {slice(memory, tables.second, 0, half), slice(memory, tables.second, half, table_rows - half)});
  const auto expected = joined_on_host(type, tables);
  const auto consume = [&] {
    run->consume({slice(memory, tables.first, 0, rows / 3), slice(memory, tables.first, rows / 3, rows - rows / 3)});
  };
  if (!expected) {
    EXPECT_THROW(consume(), Error);
    return;
  }
  consume();
  const auto found = lines_of(run->finish());
  ASSERT_EQ(found.size(), expected->size());
  for (size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], (*expected)[i]) << i;
  EXPECT_EQ(run->rows(chain.nodes()[0]), static_cast<int64_t>(expected->size()));
}

const std::vector<JoinType> every_kind = {JoinType::inner, JoinType::left, JoinType::right, JoinType::full,
                                          JoinType::semi,  JoinType::anti, JoinType::mark,  JoinType::single};

TEST(JoinRun, EveryKindAtEverySize) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  for (const JoinType type : every_kind) {
    for (const int64_t rows : {0, 1, 31, 32, 33, 255, 256, 257, 40001}) {
      for (const int64_t table_rows : {0, 1, 33, 1000}) {
        for (const bool distinct : {true, false}) {
          for (const bool tested : {true, false})
            check_join(device, type, {int64}, rows, table_rows, {distinct, false, tested});
        }
      }
    }
  }
}

TEST(JoinRun, MarksOfNulls) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  for (const int64_t rows : {0, 1, 31, 32, 33, 20011}) {
    for (const int64_t table_rows : {0, 1, 33, 1000}) {
      for (const bool distinct : {true, false}) {
        check_join(device, JoinType::mark, {int64}, rows, table_rows, {distinct, false, false, true});
        check_join(device, JoinType::mark, {text}, rows, table_rows, {distinct, false, false, true});
      }
    }
  }
}

TEST(JoinRun, EveryKeyType) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  const std::vector<std::vector<TypePtr>> keys = {{int32}, {real},         {wide},          {interval},
                                                  {text},  {int32, int32}, {int64, int32},  {wide, int64},
                                                  {blob},  {text, int32},  {interval, text}};
  for (const auto& types : keys) {
    for (const JoinType type : {JoinType::inner, JoinType::left}) {
      for (const bool distinct : {true, false}) {
        for (const bool null_safe : {true, false})
          check_join(device, type, types, 20011, 5003, {distinct, null_safe, null_safe});
      }
    }
  }
}

TEST(JoinRun, StringsAtEverySize) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  for (const JoinType type : every_kind) {
    for (const int64_t rows : {0, 1, 31, 32, 33, 255, 256, 257, 30011}) {
      for (const int64_t table_rows : {0, 1, 33, 1000})
        check_join(device, type, {text}, rows, table_rows, {rows % 2 == 0, false, rows % 3 == 0});
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

// A key that cannot be computed: in a kernel of its own and in a fused one.
TEST(JoinRun, GivesTheRowWhoseKeyFailed) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  Memory memory(1LL << 30);
  Context context(memory, Settings{});
  ColumnBuilder key(memory, int64, 1000, true);
  for (int64_t i = 0; i < 1000; ++i) key.data<int64_t>()[i] = i == 300 || i == 700 ? INT64_MAX - i : i;
  Batch rows, table;
  rows.rows = 1000;
  rows.columns = {key.finish()};
  ColumnBuilder own(memory, int64, 500, true);
  for (int64_t i = 0; i < 500; ++i) own.data<int64_t>()[i] = i + 1;
  table.rows = 500;
  table.columns = {own.finish()};
  for (const bool fuse : {true, false}) {
    test::ChainPlan chain({int64});
    const auto sum = chain.call("add", {chain.column(0), chain.column(0)}, int64);
    chain.join(JoinType::inner, {{0, 0}}, {int64}, {0});
    chain.set_probe_key(sum);
    chain.group({}, {chain.aggregate("count_star", {}, int64)});
    if (fuse) chain.fuse();
    const auto run = cuda::make_run(device, context, chain.plan(), chain.nodes());
    run->build(chain.nodes()[0], {table});
    try {
      run->consume(std::vector<Batch>{rows});
      FAIL() << "no failure";
    } catch (const cuda::RowFailure& failure) {
      EXPECT_EQ(failure.node, chain.nodes()[0]);
      EXPECT_EQ(lines_of({failure.row}), std::vector<std::string>{"\"9223372036854775507\" "});
    }
  }
}

}  // namespace
}  // namespace quern
