// Groups of strings and intervals in every tier against a map on the host.
#include <map>

#include "cuda/device_fixture.hpp"
#include "cuda/group_by.hpp"
#include "cuda/string_columns.hpp"
#include "jit/nvrtc.hpp"
#include "ops/compare.hpp"

namespace quern {
namespace {

using test::Nulls;
using test::Text;

const TypePtr text = make_type(TypeKind::string), blob = make_type(TypeKind::binary),
              int32 = make_type(TypeKind::int32), int64 = make_type(TypeKind::int64),
              interval = make_type(TypeKind::interval);

#define REQUIRE_COMPILER() \
  if (const auto missing = jit::nvrtc_missing(); !missing.empty()) GTEST_SKIP() << missing

// The least tables first, so that all of them spill and grow.
const std::vector<std::pair<std::string, cuda::GroupTiers>> every_tier = {
    {"as planned", {}},
    {"blocks over a small table", {true, 1e18, 0, 16, 512}},
    {"one table", {false, 1e18, 0, 16, 512}},
    {"parts", {true, 0, 0, 16, 512}},
    {"parts at once", {false, 0, 0, 16, 512}},
};

struct Group {
  int64_t rows = 0, sum = 0;
};

std::string row_key(const std::vector<ColumnPtr>& columns, const std::vector<int32_t>& keys, int64_t row) {
  std::string out;
  for (const int32_t key : keys) {
    const Column& column = *columns[static_cast<size_t>(key)];
    out += column.type->kind == TypeKind::interval && column.is_valid(row)
               ? std::to_string(ops::normalise(column.values<Interval>()[row]).months) + " months"
               : plan::literal_json(column, row) + " ";
  }
  return out;
}

// Columns: text, bytes, a number, months (those of odd rows as days), a value.
Batch batch_of(Memory& memory, int64_t rows, uint64_t domain, Nulls nulls, uint64_t seed) {
  ColumnBuilder numbers(memory, int32, rows, true), months(memory, interval, rows, true),
      values(memory, int64, rows, true);
  std::mt19937_64 random(seed);
  for (int64_t i = 0; i < rows; ++i) {
    numbers.data<int32_t>()[i] = static_cast<int32_t>(random() % 3);
    const auto month = static_cast<int32_t>(random() % std::min<uint64_t>(domain, 1000));
    if (nulls == Nulls::all)
      months.set_null(i);
    else
      months.data<Interval>()[i] = i % 2 == 0 ? Interval{month, 0, 0} : Interval{0, 30 * month, 0};
    values.data<int64_t>()[i] = static_cast<int64_t>(random() % 1000) - 500;
  }
  Batch out;
  out.rows = rows;
  out.columns = {test::column_of_texts(memory, text, test::some_texts(rows, domain, nulls, seed + 1)),
                 test::column_of_texts(memory, blob, test::some_texts(rows, 3, nulls, seed + 2)), numbers.finish(),
                 months.finish(), values.finish()};
  return out;
}

void check_groups(cuda::Device& device, const std::vector<int32_t>& keys, int64_t rows, uint64_t domain, Nulls nulls) {
  SCOPED_TRACE(testing::Message() << rows << " rows, " << keys.size() << " keys from column " << keys[0] << ", "
                                  << domain << " strings, nulls " << static_cast<int>(nulls));
  Memory memory(8LL << 30);
  const std::vector<TypePtr> types = {text, blob, int32, interval, int64};
  test::ChainPlan chain(types);
  std::vector<plan::ExprIndex> exprs;
  for (const int32_t key : keys) exprs.push_back(chain.column(key));
  chain.group(exprs, {chain.aggregate("count_star", {}, int64), chain.aggregate("sum", {chain.column(4)}, int64)});
  const auto segment = jit::segments(*chain.plan(), chain.nodes()).at(0);
  std::vector<int32_t> outputs;
  for (size_t i = 0; i < keys.size(); ++i) outputs.push_back(static_cast<int32_t>(i));

  std::vector<Batch> batches;
  std::map<std::string, Group> expected;
  for (uint64_t i = 0; i < 2; ++i) {
    batches.push_back(batch_of(memory, rows, domain, nulls, 10 * i));
    for (int64_t row = 0; row < rows; ++row) {
      Group& group = expected[row_key(batches.back().columns, keys, row)];
      ++group.rows;
      group.sum += batches.back().columns[4]->values<int64_t>()[row];
    }
  }
  for (const auto& [name, tiers] : every_tier) {
    SCOPED_TRACE(name);
    cuda::GroupBy groups(device, *chain.plan(), segment, tiers, {rows % 2 == 0 ? 40 : 1 << 30});
    for (const auto& batch : batches) {
      cuda::DeviceBatch on_device;
      on_device.rows = batch.rows;
      for (const auto& column : batch.columns)
        on_device.columns.push_back(cuda::to_device(device, memory, {}, column->type, {column}));
      ASSERT_EQ(groups.update(on_device), cuda::no_failure);
    }
    const auto out = groups.finish();
    ASSERT_EQ(out.rows, static_cast<int64_t>(expected.size()));
    std::vector<ColumnPtr> columns;
    for (const auto& column : out.columns) columns.push_back(cuda::to_host(device, memory, *column));
    for (int64_t row = 0; row < out.rows; ++row) {
      const auto found = expected.find(row_key(columns, outputs, row));
      ASSERT_NE(found, expected.end()) << row_key(columns, outputs, row);
      ASSERT_EQ(columns[keys.size()]->values<int64_t>()[row], found->second.rows);
      ASSERT_EQ(columns[keys.size() + 1]->values<int64_t>()[row], found->second.sum);
    }
  }
}

TEST(StringGroup, EveryTierAtEverySize) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  for (const int64_t rows : {0, 1, 31, 32, 33, 255, 256, 257, 2049, 20000}) {
    check_groups(device, {0}, rows, 50, Nulls::some);
    check_groups(device, {0, 1, 2}, rows, 50, Nulls::some);
    check_groups(device, {3, 0}, rows, 5, Nulls::none);
  }
}

TEST(StringGroup, EveryNumberOfStrings) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  for (const uint64_t domain : {1ULL, 2ULL, 1000ULL, 1ULL << 40}) {
    for (const Nulls nulls : {Nulls::none, Nulls::some, Nulls::all}) {
      check_groups(device, {0}, 100003, domain, nulls);
      check_groups(device, {2, 0, 3}, 30011, domain, nulls);
    }
  }
}

}  // namespace
}  // namespace quern
