// Aggregates of the group-by on the device that keep more than a sum, against loops on the host: extremes of 128 bits,
// bits, picks by place, moments of one column and of two; in every tier, with NULLs, over several batches.
#include <cmath>
#include <map>
#include <optional>
#include <random>

#include "cuda/device_fixture.hpp"
#include "cuda/group_by.hpp"
#include "jit/nvrtc.hpp"

namespace quern {
namespace {

const TypePtr int64 = make_type(TypeKind::int64), boolean = make_type(TypeKind::boolean),
              real = make_type(TypeKind::float64), wide = make_decimal(38, 0), uuid = make_type(TypeKind::uuid);

const std::vector<std::pair<std::string, cuda::GroupTiers>> every_tier = {
    {"as planned", {}},
    {"blocks over a small table", {true, 1e18, 0, 4096, 16, 512}},
    {"one table", {false, 1e18, 0, 4096, 16, 512}},
    {"parts", {true, 0, 0, 4096, 16, 512}},
};

struct Row {
  int64_t key;
  std::optional<int64_t> value;
  std::optional<double> x, y;
};

// What the columns hold of a value.
int128_t widened(int64_t v) { return static_cast<int128_t>(v) * 1000000007 * 1000003; }
uint128_t identified(int64_t v) {
  return static_cast<uint128_t>(static_cast<uint64_t>(v) * 0x9e3779b97f4a7c15ULL) << 64 | 7;
}
bool truth(int64_t v) { return v % 3 != 0; }

template <typename T, typename F>
ColumnPtr column_of(Memory& memory, const TypePtr& type, const std::vector<Row>& rows, const F& value) {
  ColumnBuilder out(memory, type, static_cast<int64_t>(rows.size()), true);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (const std::optional<T> v = value(rows[i]))
      out.data<T>()[i] = *v;
    else
      out.set_null(static_cast<int64_t>(i));
  }
  return out.finish();
}
template <typename T, typename F>
ColumnPtr of_value(Memory& memory, const TypePtr& type, const std::vector<Row>& rows, const F& value) {
  return column_of<T>(memory, type, rows,
                      [&](const Row& row) { return row.value ? std::optional<T>(value(*row.value)) : std::nullopt; });
}

cuda::DeviceBatch batch_of(cuda::Device& device, Memory& memory, const std::vector<Row>& rows) {
  const std::vector<ColumnPtr> columns = {
      column_of<int64_t>(memory, int64, rows, [](const Row& row) { return std::optional(row.key); }),
      of_value<int64_t>(memory, int64, rows, [](int64_t v) { return v; }),
      of_value<int128_t>(memory, wide, rows, widened),
      of_value<uint128_t>(memory, uuid, rows, identified),
      of_value<uint8_t>(memory, boolean, rows, truth),
      column_of<double>(memory, real, rows, [](const Row& row) { return row.x; }),
      column_of<double>(memory, real, rows, [](const Row& row) { return row.y; })};
  cuda::DeviceBatch out;
  out.rows = static_cast<int64_t>(rows.size());
  for (const auto& column : columns) out.columns.push_back(cuda::to_device(device, memory, {}, column->type, {column}));
  return out;
}

// The result's columns of all batches, by key.
using Found = std::map<int64_t, int64_t>;
struct Result {
  std::vector<ColumnPtr> columns;
  Found rows;
};
Result result_of(cuda::Device& device, Memory& memory, const test::ChainPlan& chain, const std::vector<Row>& rows,
                 cuda::GroupTiers tiers, size_t batches) {
  const auto segment = jit::segments(*chain.plan(), chain.nodes()).at(0);
  cuda::GroupBy group(device, *chain.plan(), segment, tiers);
  for (size_t i = 0; i < batches; ++i) {
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(rows.size() * i / batches),
               end = rows.begin() + static_cast<std::ptrdiff_t>(rows.size() * (i + 1) / batches);
    EXPECT_EQ(group.update(batch_of(device, memory, {first, end})), cuda::no_failure);
  }
  const auto out = group.finish();
  Result result;
  for (const auto& column : out.columns) result.columns.push_back(cuda::to_host(device, memory, *column));
  for (int64_t i = 0; i < out.rows; ++i) result.rows[result.columns[0]->values<int64_t>()[i]] = i;
  EXPECT_EQ(static_cast<int64_t>(result.rows.size()), out.rows);
  return result;
}

std::map<int64_t, std::vector<Row>> groups_of(const std::vector<Row>& rows) {
  std::map<int64_t, std::vector<Row>> out;
  for (const Row& row : rows) out[row.key].push_back(row);
  return out;
}

std::vector<Row> random_rows(size_t count, uint64_t groups, int null_percent) {
  std::mt19937_64 random(count + groups);
  const auto is_null = [&] { return static_cast<int>(random() % 100) < null_percent; };
  std::vector<Row> out;
  for (size_t i = 0; i < count; ++i) {
    Row row{static_cast<int64_t>(random() % groups), {}, {}, {}};
    if (!is_null()) row.value = static_cast<int64_t>(random()) >> (random() % 40);
    // Far from zero, close together, and a pivot that is far from both.
    const double noise = static_cast<double>(random() % 100000) / 7;
    if (!is_null()) row.x = row.key % 3 == 0 ? 1e9 + noise / 1e5 : row.key % 3 == 1 ? (i < 200 ? 1e12 : noise) : 0.1;
    if (!is_null()) row.y = row.x ? *row.x * 0.5 + noise : noise;
    out.push_back(row);
  }
  return out;
}

#define REQUIRE_COMPILER() \
  if (const auto missing = jit::nvrtc_missing(); !missing.empty()) GTEST_SKIP() << missing

template <typename Check>
void in_every_tier(cuda::Device& device, const test::ChainPlan& chain, const Check& check) {
  for (const size_t count : {0, 1, 31, 32, 33, 383, 384, 385, 40000}) {
    for (const uint64_t groups : {3ULL, 5000ULL, 1ULL << 40}) {
      for (const int nulls : {0, 10, 100}) {
        const auto rows = random_rows(count, groups, nulls);
        for (const auto& [name, tiers] : every_tier) {
          SCOPED_TRACE(name + ", " + std::to_string(count) + " rows, " + std::to_string(groups) + " groups, nulls " +
                       std::to_string(nulls));
          Memory memory(8LL << 30);
          const auto expected = groups_of(rows);
          const auto result = result_of(device, memory, chain, rows, tiers, count > 100 ? 3 : 1);
          ASSERT_EQ(result.rows.size(), expected.size());
          for (const auto& [key, members] : expected) {
            ASSERT_TRUE(result.rows.contains(key));
            check(result.columns, result.rows.at(key), members);
            if (testing::Test::HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

template <typename T>
std::optional<T> at(const ColumnPtr& column, int64_t row) {
  return column->is_valid(row) ? std::optional(column->values<T>()[row]) : std::nullopt;
}

TEST(Aggregate, ExtremesOf128BitsBitsAndPicks) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  test::ChainPlan chain({int64, int64, wide, uuid, boolean, real, real});
  const auto value = chain.column(1), big = chain.column(2), id = chain.column(3), flag = chain.column(4);
  chain.group(
      {chain.column(0)},
      {chain.aggregate("min", {big}, wide), chain.aggregate("max", {big}, wide), chain.aggregate("min", {id}, uuid),
       chain.aggregate("max", {id}, uuid), chain.aggregate("bit_and", {value}, int64),
       chain.aggregate("bit_or", {value}, int64), chain.aggregate("bit_xor", {value}, int64),
       chain.aggregate("bool_and", {flag}, boolean), chain.aggregate("bool_or", {flag}, boolean),
       chain.aggregate("first", {value}, int64), chain.aggregate("last", {value}, int64),
       chain.aggregate("any_value", {value}, int64), chain.aggregate("first", {chain.column(5)}, real)});
  in_every_tier(device, chain, [](const std::vector<ColumnPtr>& found, int64_t i, const std::vector<Row>& rows) {
    std::optional<int128_t> least, greatest;
    std::optional<uint128_t> least_id, greatest_id;
    std::optional<int64_t> all, some, odd, any;
    std::optional<uint8_t> both, either;
    for (const Row& row : rows) {
      if (!row.value) continue;
      const int64_t v = *row.value;
      least = least ? std::min(*least, widened(v)) : widened(v);
      greatest = greatest ? std::max(*greatest, widened(v)) : widened(v);
      least_id = least_id ? std::min(*least_id, identified(v)) : identified(v);
      greatest_id = greatest_id ? std::max(*greatest_id, identified(v)) : identified(v);
      all = all.value_or(-1) & v;
      some = some.value_or(0) | v;
      odd = odd.value_or(0) ^ v;
      both = both.value_or(1) & (truth(v) ? 1 : 0);
      either = either.value_or(0) | (truth(v) ? 1 : 0);
      if (!any) any = v;
    }
    ASSERT_TRUE(at<int128_t>(found[1], i) == least);
    ASSERT_TRUE(at<int128_t>(found[2], i) == greatest);
    ASSERT_TRUE(at<uint128_t>(found[3], i) == least_id);
    ASSERT_TRUE(at<uint128_t>(found[4], i) == greatest_id);
    ASSERT_EQ(at<int64_t>(found[5], i), all);
    ASSERT_EQ(at<int64_t>(found[6], i), some);
    ASSERT_EQ(at<int64_t>(found[7], i), odd);
    ASSERT_EQ(at<uint8_t>(found[8], i), both);
    ASSERT_EQ(at<uint8_t>(found[9], i), either);
    ASSERT_EQ(at<int64_t>(found[10], i), rows.front().value);
    ASSERT_EQ(at<int64_t>(found[11], i), rows.back().value);
    ASSERT_EQ(at<int64_t>(found[12], i), any);
    ASSERT_EQ(at<double>(found[13], i), rows.front().x);
  });
}

// Exact to 64 bits of mantissa over the distances from the first value.
struct Moments {
  long double count = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  long double first_x = 0, first_y = 0;
  void add(double value_y, double value_x) {
    if (count == 0) first_x = value_x, first_y = value_y;
    const long double dx = value_x - first_x, dy = value_y - first_y;
    count += 1;
    x += dx, y += dy, xx += dx * dx, yy += dy * dy, xy += dx * dy;
  }
  long double square_x() const { return xx - x * x / count; }
  long double square_y() const { return yy - y * y / count; }
  long double products() const { return xy - x * y / count; }
};

void expect_near(const std::optional<double>& found, std::optional<long double> expected, long double scale) {
  ASSERT_EQ(found.has_value(), expected.has_value());
  if (!found) return;
  ASSERT_NEAR(*found, static_cast<double>(*expected), static_cast<double>(1e-12L * scale + 1e-30L));
}

TEST(Aggregate, MomentsOfOneAndOfTwoColumns) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  test::ChainPlan chain({int64, int64, wide, uuid, boolean, real, real});
  const auto x = chain.column(5), y = chain.column(6);
  chain.group({chain.column(0)},
              {chain.aggregate("var_samp", {x}, real), chain.aggregate("stddev_pop", {x}, real),
               chain.aggregate("covar_samp", {y, x}, real), chain.aggregate("covar_pop", {y, x}, real),
               chain.aggregate("regr_sxx", {y, x}, real), chain.aggregate("regr_avgy", {y, x}, real),
               chain.aggregate("regr_count", {y, x}, int64)});
  in_every_tier(device, chain, [](const std::vector<ColumnPtr>& found, int64_t i, const std::vector<Row>& rows) {
    Moments one, two;
    for (const Row& row : rows) {
      if (row.x) one.add(0, *row.x);
      if (row.x && row.y) two.add(*row.y, *row.x);
    }
    using Value = std::optional<long double>;
    const long double n = one.count, m = two.count;
    // The host's sums are of 64 bits: what is close together beside a pivot far away has lost some of them there.
    const long double spread = n > 0 ? one.square_x() + one.xx * 1e-6L : 0;
    const long double spread_of_pairs = m > 0 ? sqrtl(two.xx * two.yy) : 0;
    expect_near(at<double>(found[1], i), n < 2 ? Value() : one.square_x() / (n - 1), n < 2 ? 1 : spread / (n - 1));
    expect_near(at<double>(found[2], i), n < 1 ? Value() : sqrtl(std::max(one.square_x(), 0.0L) / n),
                n < 1 ? 1 : sqrtl(spread / n));
    expect_near(at<double>(found[3], i), m < 2 ? Value() : two.products() / (m - 1), spread_of_pairs);
    expect_near(at<double>(found[4], i), m < 1 ? Value() : two.products() / m, spread_of_pairs);
    expect_near(at<double>(found[5], i), m < 1 ? Value() : two.square_x(), two.xx);
    expect_near(at<double>(found[6], i), m < 1 ? Value() : two.first_y + two.y / m,
                m < 1 ? 1 : fabsl(two.first_y) + fabsl(two.y / m));
    ASSERT_EQ(at<int64_t>(found[7], i), static_cast<int64_t>(m));
  });
}

// Equal values have no spread at all, whatever they are.
TEST(Aggregate, NoSpread) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  test::ChainPlan chain({int64, int64, wide, uuid, boolean, real, real});
  chain.group({chain.column(0)}, {chain.aggregate("var_pop", {chain.column(5)}, real),
                                  chain.aggregate("corr", {chain.column(6), chain.column(5)}, real)});
  std::vector<Row> rows;
  for (int64_t i = 0; i < 50000; ++i) rows.push_back({i % 50, {}, 0.1 * static_cast<double>(1 + i % 50), 0.3});
  for (const auto& [name, tiers] : every_tier) {
    SCOPED_TRACE(name);
    Memory memory(8LL << 30);
    const auto result = result_of(device, memory, chain, rows, tiers, 2);
    ASSERT_EQ(result.rows.size(), 50U);
    for (int64_t i = 0; i < 50; ++i) {
      ASSERT_EQ(at<double>(result.columns[1], i), 0.0);
      ASSERT_TRUE(std::isnan(at<double>(result.columns[2], i).value()));
    }
  }
}

TEST(Aggregate, ResultsOutOfRangeAreErrors) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  test::ChainPlan chain({int64, int64, wide, uuid, boolean, real, real});
  chain.group({chain.column(0)},
              {chain.aggregate("count_star", {}, int64), chain.aggregate("stddev_samp", {chain.column(5)}, real)});
  Memory memory(8LL << 30);
  try {
    result_of(device, memory, chain, {{1, {}, 1e200, {}}, {1, {}, -1e200, {}}}, {}, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("variance is out of range of DOUBLE"), std::string::npos) << error.message();
  }
}

}  // namespace
}  // namespace quern
