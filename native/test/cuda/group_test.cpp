// Every tier of the group-by on the device against loops on the host: keys and aggregates of all shapes, NULLs,
// filters, several batches.
#include <algorithm>
#include <map>
#include <optional>
#include <random>

#include "cuda/device_fixture.hpp"
#include "cuda/group_by.hpp"
#include "jit/nvrtc.hpp"

namespace quern {
namespace {

const TypePtr int32 = make_type(TypeKind::int32), int64 = make_type(TypeKind::int64),
              boolean = make_type(TypeKind::boolean), real = make_type(TypeKind::float64),
              hugeint = make_decimal(38, 0);

// The least table first, so that all of them spill and grow.
const std::vector<std::pair<std::string, cuda::GroupTiers>> every_tier = {
    {"as planned", {}},
    {"blocks over a small table", {true, 1e18, 0, 4096, 16, 512}},
    {"one table", {false, 1e18, 0, 4096, 16, 512}},
    {"parts", {true, 0, 0, 4096, 16, 512}},
    {"parts at once", {false, 0, 0, 4096, 16, 512}},
};

struct Row {
  std::optional<int64_t> key, narrow, value;
  bool chosen;
};

struct Expected {
  int64_t rows = 0, count = 0;
  int128_t sum = 0, chosen = 0, wide = 0;
  std::optional<int64_t> least, greatest;
  double real = 0;
};

template <typename T>
ColumnPtr column_of(Memory& memory, const TypePtr& type, const std::vector<Row>& rows,
                    const std::function<std::optional<T>(const Row&)>& value) {
  ColumnBuilder out(memory, type, static_cast<int64_t>(rows.size()), true);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (const auto v = value(rows[i]))
      out.data<T>()[i] = *v;
    else
      out.set_null(static_cast<int64_t>(i));
  }
  return out.finish();
}

int128_t widened(int64_t value) { return static_cast<int128_t>(value) * 1000000007; }

class GroupCase {
 public:
  GroupCase(cuda::Device& device, std::vector<Row> rows, bool two_keys) : device_(device), rows_(std::move(rows)) {
    const auto key = chain_.column(0), value = chain_.column(2);
    auto chosen = chain_.aggregate("sum", {value}, hugeint);
    chosen.filter = chain_.column(3);
    std::vector<plan::ExprIndex> keys = {key};
    if (two_keys) keys.push_back(chain_.column(1));
    chain_.group(keys,
                 {chain_.aggregate("sum", {value}, hugeint), chain_.aggregate("count_star", {}, int64),
                  chain_.aggregate("count", {value}, int64), chain_.aggregate("min", {value}, int64),
                  chain_.aggregate("max", {value}, int64), chosen, chain_.aggregate("sum", {chain_.column(4)}, hugeint),
                  chain_.aggregate("sum", {chain_.column(5)}, real), chain_.aggregate("avg", {value}, real)});
    for (const Row& row : rows_) {
      Expected& group = expected_[{row.key, two_keys ? row.narrow : std::nullopt}];
      ++group.rows;
      if (!row.value) continue;
      ++group.count;
      group.sum += *row.value;
      if (row.chosen) group.chosen += *row.value;
      group.wide += widened(*row.value);
      group.least = group.least ? std::min(*group.least, *row.value) : *row.value;
      group.greatest = group.greatest ? std::max(*group.greatest, *row.value) : *row.value;
      group.real += static_cast<double>(*row.value % 1024);
    }
    two_keys_ = two_keys;
  }

  void run(cuda::GroupTiers tiers, size_t batches) {
    const auto segment = jit::segments(*chain_.plan(), chain_.nodes()).at(0);
    cuda::GroupBy group(device_, *chain_.plan(), segment, tiers);
    for (size_t i = 0; i < batches; ++i) {
      const size_t first = rows_.size() * i / batches, end = rows_.size() * (i + 1) / batches;
      ASSERT_EQ(group.update(batch_of(first, end)), cuda::no_failure);
    }
    const auto out = group.finish();
    SCOPED_TRACE(group.tier());
    ASSERT_EQ(group.passed(), static_cast<int64_t>(rows_.size()));
    ASSERT_EQ(out.rows, static_cast<int64_t>(expected_.size()));
    std::vector<ColumnPtr> columns;
    for (const auto& column : out.columns) columns.push_back(cuda::to_host(device_, memory_, *column));
    for (int64_t i = 0; i < out.rows; ++i) check(columns, i);
  }

 private:
  cuda::DeviceBatch batch_of(size_t first, size_t end) {
    const std::vector<Row> rows(rows_.begin() + static_cast<std::ptrdiff_t>(first),
                                rows_.begin() + static_cast<std::ptrdiff_t>(end));
    const std::vector<ColumnPtr> columns = {
        column_of<int64_t>(memory_, int64, rows, [](const Row& row) { return row.key; }),
        column_of<int32_t>(memory_, int32, rows,
                           [](const Row& row) {
                             return row.narrow ? std::optional(static_cast<int32_t>(*row.narrow)) : std::nullopt;
                           }),
        column_of<int64_t>(memory_, int64, rows, [](const Row& row) { return row.value; }),
        column_of<uint8_t>(memory_, boolean, rows, [](const Row& row) { return std::optional<uint8_t>(row.chosen); }),
        column_of<int128_t>(
            memory_, hugeint, rows,
            [](const Row& row) { return row.value ? std::optional(widened(*row.value)) : std::nullopt; }),
        column_of<double>(memory_, real, rows,
                          [](const Row& row) {
                            return row.value ? std::optional(static_cast<double>(*row.value % 1024)) : std::nullopt;
                          }),
    };
    cuda::DeviceBatch out;
    out.rows = static_cast<int64_t>(rows.size());
    for (const auto& column : columns)
      out.columns.push_back(cuda::to_device(device_, memory_, {}, column->type, {column}));
    return out;
  }

  void check(const std::vector<ColumnPtr>& columns, int64_t i) {
    size_t at = 0;
    std::optional<int64_t> key, narrow;
    if (columns[at]->is_valid(i)) key = columns[at]->values<int64_t>()[i];
    if (two_keys_ && columns[++at]->is_valid(i)) narrow = columns[at]->values<int32_t>()[i];
    const auto found = expected_.find({key, narrow});
    ASSERT_NE(found, expected_.end());
    const Expected& e = found->second;
    const auto valid = [&](size_t column) { return columns[at + column]->is_valid(i); };
    const auto wide = [&](size_t column) { return columns[at + column]->values<int128_t>()[i]; };
    const auto whole = [&](size_t column) { return columns[at + column]->values<int64_t>()[i]; };
    ASSERT_EQ(whole(2), e.rows);
    ASSERT_EQ(whole(3), e.count);
    for (const size_t column : {1, 4, 5, 7, 8, 9}) ASSERT_EQ(valid(column), e.count > 0);
    if (e.count == 0) return;
    ASSERT_TRUE(wide(1) == e.sum);
    ASSERT_EQ(whole(4), *e.least);
    ASSERT_EQ(whole(5), *e.greatest);
    ASSERT_TRUE(!valid(6) || wide(6) == e.chosen);
    ASSERT_TRUE(wide(7) == e.wide);
    ASSERT_EQ(columns[at + 8]->values<double>()[i], e.real);
    const auto mean = static_cast<double>(static_cast<long double>(e.sum) / static_cast<long double>(e.count));
    ASSERT_DOUBLE_EQ(columns[at + 9]->values<double>()[i], mean);
  }

  cuda::Device& device_;
  Memory memory_{8LL << 30};
  std::vector<Row> rows_;
  test::ChainPlan chain_{{int64, int32, int64, boolean, hugeint, real}};
  std::map<std::pair<std::optional<int64_t>, std::optional<int64_t>>, Expected> expected_;
  bool two_keys_ = false;
};

std::vector<Row> random_rows(size_t count, uint64_t groups, int null_percent) {
  std::mt19937_64 random(count + groups);
  std::vector<Row> out;
  const auto is_null = [&] { return static_cast<int>(random() % 100) < null_percent; };
  for (size_t i = 0; i < count; ++i) {
    Row row;
    // Zero is a key as others are, and so are the ends.
    const uint64_t group = random() % groups;
    if (!is_null()) row.key = group == 1 ? INT64_MIN : group == 2 ? INT64_MAX : static_cast<int64_t>(group);
    if (!is_null()) row.narrow = static_cast<int64_t>(group % 3) - 1;
    if (!is_null()) row.value = static_cast<int64_t>(random()) >> (group % 2 == 0 ? 1 : 30);
    row.chosen = random() % 2 == 0;
    out.push_back(row);
  }
  return out;
}

#define REQUIRE_COMPILER() \
  if (const auto missing = jit::nvrtc_missing(); !missing.empty()) GTEST_SKIP() << missing

void check_tiers(cuda::Device& device, std::vector<Row> rows, size_t batches) {
  for (const bool two_keys : {false, true}) {
    GroupCase group(device, rows, two_keys);
    for (const auto& [name, tiers] : every_tier) {
      SCOPED_TRACE(name + (two_keys ? ", two keys" : ", one key"));
      group.run(tiers, batches);
    }
  }
}

TEST(Group, EveryTierAtEverySize) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  for (const size_t count : {0, 1, 31, 32, 33, 255, 256, 257, 511, 512, 513, 2049, 20000}) {
    SCOPED_TRACE(count);
    check_tiers(device, random_rows(count, 7, 10), 1);
    check_tiers(device, random_rows(count, 7, 10), 3);
  }
}

TEST(Group, EveryTierOfEveryNumberOfGroups) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  for (const uint64_t groups : {1ULL, 128ULL, 129ULL, 1000ULL, 3000ULL, 30000ULL, 1ULL << 40}) {
    SCOPED_TRACE(groups);
    check_tiers(device, random_rows(150000, groups, 5), 2);
  }
}

TEST(Group, AllNullAndNoNull) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  check_tiers(device, random_rows(5000, 100, 100), 2);
  check_tiers(device, random_rows(5000, 100, 0), 2);
}

// One key has half of the rows, the others are each of one: parts overflow.
TEST(Group, OneKeyOfMany) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  auto rows = random_rows(150000, 1ULL << 40, 0);
  for (size_t i = 0; i < rows.size(); i += 2) rows[i].key = 5;
  check_tiers(device, rows, 2);
}

// Runs of equal keys: tables of blocks are emptied again and again.
TEST(Group, SortedKeys) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  auto rows = random_rows(400000, 10, 5);
  for (size_t i = 0; i < rows.size(); ++i) rows[i].key = static_cast<int64_t>(i / 20);
  check_tiers(device, rows, 2);
}

// Parts for real: more groups than a table in the L2 cache has, with groups from before.
TEST(Group, ManyGroupsInParts) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  constexpr int64_t count = 6000000;
  test::ChainPlan chain({int64, int64});
  chain.group({chain.column(0)}, {chain.aggregate("sum", {chain.column(1)}, hugeint)});
  const auto segment = jit::segments(*chain.plan(), chain.nodes()).at(0);
  Memory memory(8LL << 30);
  cuda::GroupBy group(device, *chain.plan(), segment);
  // Key k comes once in each of two batches, the second in another order.
  for (const int64_t factor : {1, 7}) {
    ColumnBuilder keys(memory, int64, count, false), values(memory, int64, count, false);
    for (int64_t i = 0; i < count; ++i) {
      keys.data<int64_t>()[i] = i * factor % count;
      values.data<int64_t>()[i] = (i * factor % count) * factor;
    }
    cuda::DeviceBatch batch;
    batch.rows = count;
    for (const auto& column : {keys.finish(), values.finish()})
      batch.columns.push_back(cuda::to_device(device, memory, {}, column->type, {column}));
    ASSERT_EQ(group.update(batch), cuda::no_failure);
  }
  const auto out = group.finish();
  EXPECT_NE(group.tier().find("parts"), std::string::npos) << group.tier();
  ASSERT_EQ(out.rows, count);
  const auto keys = cuda::to_host(device, memory, *out.columns[0]),
             sums = cuda::to_host(device, memory, *out.columns[1]);
  std::vector<bool> seen(count, false);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t key = keys->values<int64_t>()[i];
    ASSERT_TRUE(key >= 0 && key < count && !seen[static_cast<size_t>(key)]);
    seen[static_cast<size_t>(key)] = true;
    ASSERT_TRUE(sums->values<int128_t>()[i] == static_cast<int128_t>(key) * 8);
  }
}

}  // namespace
}  // namespace quern
