// Chains of filter, project and group-by on the device against loops on the host.
#include <algorithm>
#include <map>
#include <optional>
#include <random>

#include "cuda/device_fixture.hpp"
#include "cuda/run.hpp"
#include "jit/nvrtc.hpp"
#include "ops/list_vector.hpp"

namespace quern {
namespace {

using plan::ExprKind;

const TypePtr int32 = make_type(TypeKind::int32), int64 = make_type(TypeKind::int64),
              boolean = make_type(TypeKind::boolean), real = make_type(TypeKind::float64),
              text = make_type(TypeKind::string), hugeint = make_decimal(38, 0);

#define REQUIRE_COMPILER() \
  if (const auto missing = jit::nvrtc_missing(); !missing.empty()) GTEST_SKIP() << missing

struct Rows {
  std::vector<std::optional<int64_t>> key, value;
};

Rows random_rows(int64_t count, uint64_t groups, uint64_t seed) {
  std::mt19937_64 random(seed);
  Rows out;
  for (int64_t i = 0; i < count; ++i) {
    out.key.push_back(random() % 50 == 0 ? std::nullopt
                                         : std::optional<int64_t>(static_cast<int64_t>(random() % groups) - 7));
    out.value.push_back(random() % 20 == 0 ? std::nullopt
                                           : std::optional<int64_t>(static_cast<int64_t>(random()) >> 1));
  }
  return out;
}

ColumnPtr column_of(Memory& memory, const TypePtr& type, const std::vector<std::optional<int64_t>>& values) {
  ColumnBuilder out(memory, type, static_cast<int64_t>(values.size()), true);
  for (size_t i = 0; i < values.size(); ++i) {
    if (!values[i])
      out.set_null(static_cast<int64_t>(i));
    else if (width(*type) == 4)
      out.data<int32_t>()[i] = static_cast<int32_t>(*values[i]);
    else
      out.data<int64_t>()[i] = *values[i];
  }
  return out.finish();
}

Batch batch_of(Memory& memory, const Rows& rows, const TypePtr& key_type) {
  Batch out;
  out.rows = static_cast<int64_t>(rows.key.size());
  out.columns = {column_of(memory, key_type, rows.key), column_of(memory, int64, rows.value)};
  return out;
}

std::vector<std::string> lines_of(const std::vector<Batch>& batches) {
  std::vector<std::string> out;
  for (const auto& batch : batches) {
    for (int64_t i = 0; i < batch.rows; ++i) {
      std::string line;
      for (const auto& column : batch.columns) line += plan::literal_json(*column, i) + " ";
      out.push_back(line);
    }
  }
  return out;
}

struct Expected {
  int64_t rows = 0, count = 0;
  int128_t sum = 0;
  std::optional<int64_t> least, greatest;
};

std::string decimal(int128_t v) {
  std::string out;
  const bool negative = v < 0;
  for (uint128_t left = negative ? -static_cast<uint128_t>(v) : static_cast<uint128_t>(v); left != 0; left /= 10)
    out.insert(out.begin(), static_cast<char>('0' + static_cast<int>(left % 10)));
  return out.empty() ? "0" : negative ? "-" + out : out;
}

// sum, count(*), count, min, max, avg of value by key, of the rows with an odd or a NULL value.
void check_groups(cuda::Device& device, int64_t count, uint64_t groups, const TypePtr& key_type) {
  Memory memory(8LL << 30);
  Context context(memory, Settings{});
  const Rows rows = random_rows(count, groups, groups + static_cast<uint64_t>(count));
  test::ChainPlan chain({key_type, int64});
  const auto key = chain.column(0), value = chain.column(1);
  const auto rest = chain.call("mod", {value, chain.literal(memory, int64, "2")}, int64);
  chain.filter({chain.call("is_distinct_from", {rest, chain.literal(memory, int64, "0")}, boolean)});
  chain.group({key}, {chain.aggregate("sum", {value}, hugeint), chain.aggregate("count_star", {}, int64),
                      chain.aggregate("count", {value}, int64), chain.aggregate("min", {value}, int64),
                      chain.aggregate("max", {value}, int64), chain.aggregate("avg", {value}, real)});
  std::map<std::optional<int64_t>, Expected> expected;
  for (size_t i = 0; i < rows.key.size(); ++i) {
    const auto& v = rows.value[i];
    if (v && *v % 2 == 0) continue;
    Expected& group = expected[rows.key[i]];
    ++group.rows;
    if (!v) continue;
    ++group.count;
    group.sum += *v;
    group.least = group.least ? std::min(*group.least, *v) : *v;
    group.greatest = group.greatest ? std::max(*group.greatest, *v) : *v;
  }
  const auto run = cuda::make_run(device, context, chain.plan(), chain.nodes());
  // In two chunks of three batches.
  const Batch all = batch_of(memory, rows, key_type);
  const int64_t third = count / 3;
  run->consume({slice(memory, all, 0, third), slice(memory, all, third, third)});
  run->consume({slice(memory, all, 2 * third, count - 2 * third)});
  const auto found = run->finish();
  int64_t total = 0;
  for (const auto& batch : found) {
    total += batch.rows;
    for (int64_t i = 0; i < batch.rows; ++i) {
      const auto& columns = batch.columns;
      std::optional<int64_t> k;
      if (columns[0]->is_valid(i))
        k = key_type->kind == TypeKind::int32 ? columns[0]->values<int32_t>()[i] : columns[0]->values<int64_t>()[i];
      const auto entry = expected.find(k);
      ASSERT_NE(entry, expected.end());
      const Expected& e = entry->second;
      ASSERT_EQ(columns[2]->values<int64_t>()[i], e.rows);
      ASSERT_EQ(columns[3]->values<int64_t>()[i], e.count);
      ASSERT_EQ(columns[1]->is_valid(i), e.count > 0);
      if (e.count == 0) continue;
      ASSERT_EQ(decimal(columns[1]->values<int128_t>()[i]), decimal(e.sum));
      ASSERT_EQ(columns[4]->values<int64_t>()[i], *e.least);
      ASSERT_EQ(columns[5]->values<int64_t>()[i], *e.greatest);
      const auto mean = static_cast<double>(static_cast<long double>(e.sum) / static_cast<long double>(e.count));
      ASSERT_EQ(columns[6]->values<double>()[i], mean);
    }
  }
  EXPECT_EQ(total, static_cast<int64_t>(expected.size()));
  int64_t passed = 0;
  for (const auto& [k, e] : expected) passed += e.rows;
  EXPECT_EQ(run->rows(chain.nodes()[0]), passed);
  EXPECT_EQ(run->rows(chain.nodes()[1]), static_cast<int64_t>(expected.size()));
}

TEST(Run, GroupsAtEverySize) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  for (const int64_t count : {0, 1, 31, 32, 33, 511, 512, 513, 100000}) {
    SCOPED_TRACE(count);
    check_groups(device, count, 5, int32);
  }
}

// From the shared tables over the global one to a global one that grows.
TEST(Run, GroupsOfEveryNumber) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  for (const uint64_t groups : {1ULL, 128ULL, 129ULL, 1000ULL, 5000ULL, 100000ULL, 1ULL << 40}) {
    SCOPED_TRACE(groups);
    check_groups(device, 3000000, groups, int64);
  }
}

TEST(Run, AggregatesWithoutKeys) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  Memory memory(1LL << 30);
  Context context(memory, Settings{});
  for (const int64_t count : {0, 1, 1000}) {
    test::ChainPlan chain({int32, int64});
    chain.group({}, {chain.aggregate("count_star", {}, int64), chain.aggregate("sum", {chain.column(0)}, int64)});
    const auto run = cuda::make_run(device, context, chain.plan(), chain.nodes());
    Rows rows;
    for (int64_t i = 0; i < count; ++i) {
      rows.key.push_back(i);
      rows.value.push_back(i);
    }
    if (count > 0) run->consume({batch_of(memory, rows, int32)});
    const std::string sum = count == 0 ? "null " : "\"" + std::to_string(count * (count - 1) / 2) + "\" ";
    EXPECT_EQ(lines_of(run->finish()), std::vector<std::string>{"\"" + std::to_string(count) + "\" " + sum});
  }
}

TEST(Run, FiltersAndProjectsInOrder) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  Memory memory(1LL << 30);
  Context context(memory, Settings{});
  for (const int64_t count : {0, 1, 31, 32, 33, 255, 256, 257, 70001}) {
    SCOPED_TRACE(count);
    const Rows rows = random_rows(count, 1000, 3);
    test::ChainPlan chain({int64, int64});
    const auto key = chain.column(0);
    chain.filter({chain.call("gt", {key, chain.literal(memory, int64, "100")}, boolean)});
    const auto k = chain.column(0), v = chain.column(1);
    const auto sum = chain.call("add", {k, chain.literal(memory, int64, "5")}, int64);
    const auto either = chain.of_kind(ExprKind::coalesce, {v, k}, int64);
    chain.project({v, sum, either});
    std::vector<std::string> expected;
    for (size_t i = 0; i < rows.key.size(); ++i) {
      const auto &a = rows.key[i], &b = rows.value[i];
      if (!a || *a <= 100) continue;
      const std::string value = b ? "\"" + std::to_string(*b) + "\" " : "null ";
      expected.push_back(value + "\"" + std::to_string(*a + 5) + "\" \"" + std::to_string(b ? *b : *a) + "\" ");
    }
    const auto run = cuda::make_run(device, context, chain.plan(), chain.nodes());
    const Batch all = batch_of(memory, rows, int64);
    run->consume({slice(memory, all, 0, count / 2), slice(memory, all, count / 2, count - count / 2)});
    EXPECT_EQ(lines_of(run->finish()), expected);
  }
}

// Bit for bit what ops say, for every length, with NULL lists and elements.
TEST(Run, SumsListPairs) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  Memory memory(1LL << 30);
  Context context(memory, Settings{});
  const TypePtr real32 = make_type(TypeKind::float32), vectors = make_list(real32);
  std::mt19937_64 random(3);
  for (const int64_t rows : {1, 31, 32, 33, 1000}) {
    const auto column = [&] {
      ColumnBuilder lists(memory, vectors, rows, true);
      int64_t elements = 0;
      for (int64_t i = 0; i < rows; ++i) {
        const int64_t length = i % 100;
        if (random() % 10 == 0)
          lists.set_null(i);
        else if (length > 0)
          lists.data<ListEntry>()[i] = {elements, length};
        if (lists.data<ListEntry>()[i].length > 0) elements += length;
      }
      ColumnBuilder values(memory, real32, elements, true);
      for (int64_t i = 0; i < elements; ++i) {
        if (random() % 500 == 0)
          values.set_null(i);
        else
          values.data<float>()[i] = static_cast<float>(random() >> 40) / 1e6F - 8;
      }
      lists.add_child(values.finish());
      return lists.finish();
    };
    const auto a = column(), b = column();
    test::ChainPlan chain({vectors, vectors});
    const std::vector<plan::ExprIndex> both = {chain.column(0), chain.column(1)};
    chain.project({chain.call("try_list_distance", both, real), chain.call("try_list_inner_product", both, real),
                   chain.call("try_list_cosine_similarity", both, real)});
    std::vector<std::string> expected;
    for (int64_t i = 0; i < rows; ++i) {
      const ListEntry x = a->values<ListEntry>()[i], y = b->values<ListEntry>()[i];
      bool known = a->is_valid(i) && b->is_valid(i) && x.length == y.length;
      for (int64_t k = 0; known && k < x.length; ++k)
        known = a->children[0]->is_valid(x.start + k) && b->children[0]->is_valid(y.start + k);
      if (!known) {
        expected.push_back("null null null ");
        continue;
      }
      const float* p = a->children[0]->values<float>() + x.start;
      const float* q = b->children[0]->values<float>() + y.start;
      const double product = ops::fold_pairs<ops::Product>(p, q, x.length);
      ColumnBuilder row(memory, real, 3, true);
      row.data<double>()[0] = ops::distance_of(ops::fold_pairs<ops::SquaredDifference>(p, q, x.length));
      row.data<double>()[1] = ops::one_nan(product);
      if (!ops::cosine_of(product, ops::fold_pairs<ops::Product>(p, p, x.length),
                          ops::fold_pairs<ops::Product>(q, q, x.length), row.data<double>()[2]))
        row.set_null(2);
      const auto values = row.finish();
      std::string line;
      for (int64_t k = 0; k < 3; ++k) line += plan::literal_json(*values, k) + " ";
      expected.push_back(line);
    }
    const auto run = cuda::make_run(device, context, chain.plan(), chain.nodes());
    Batch batch;
    batch.rows = rows;
    batch.columns = {a, b};
    run->consume(std::vector<Batch>{batch});
    EXPECT_EQ(lines_of(run->finish()), expected);
  }
}

// The least row that fails comes back; rows that the filter drops do not fail.
TEST(Run, GivesTheRowThatFailed) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  Memory memory(1LL << 30);
  Context context(memory, Settings{});
  test::ChainPlan chain({int64, int64});
  chain.filter({chain.call("gt", {chain.column(0), chain.literal(memory, int64, "3")}, boolean)});
  const auto sum = chain.call("add", {chain.column(0), chain.column(1)}, int64);
  chain.project({sum});
  Rows rows;
  for (int64_t i = 0; i < 1000; ++i) {
    rows.key.push_back(i);
    rows.value.push_back(i == 2 || i == 700 || i == 800 ? INT64_MAX : 1);
  }
  const auto run = cuda::make_run(device, context, chain.plan(), chain.nodes());
  try {
    run->consume({batch_of(memory, rows, int64)});
    FAIL() << "no failure";
  } catch (const cuda::RowFailure& failure) {
    EXPECT_EQ(failure.node, chain.nodes()[0]);
    EXPECT_EQ(lines_of({failure.row}), std::vector<std::string>{"\"700\" \"9223372036854775807\" "});
  }
}

// Strings that a projection makes, of every row, and groups of them.
TEST(Run, MakesStrings) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  Memory memory(1LL << 30);
  Context context(memory, Settings{});
  for (const int64_t rows : {0, 1, 31, 32, 33, 255, 256, 257, 20011}) {
    ColumnBuilder texts(memory, text, rows, true), numbers(memory, int64, rows, true);
    StringHeap heap(memory);
    std::vector<std::string> expected;
    std::map<std::string, int64_t> groups;
    for (int64_t i = 0; i < rows; ++i) {
      const std::string own = i % 5 == 0 ? "a text longer than a view " + std::to_string(i) : std::to_string(i);
      numbers.data<int64_t>()[i] = i % 40;
      if (i % 7 == 3) {
        texts.set_null(i);
      } else {
        texts.data<StringView>()[i] = heap.append(own.data(), own.size());
      }
      const bool null = i % 7 == 3;
      const std::string part = null ? "null" : "\"" + own.substr(0, static_cast<size_t>(i % 40)) + "\"";
      const std::string other = null ? "\"a literal longer than a view\"" : "\"" + own + "\"";
      expected.push_back(part + " " + other + " ");
      ++groups[part];
    }
    texts.keep(heap.owners());
    Batch batch;
    batch.rows = rows;
    batch.columns = {texts.finish(), numbers.finish()};
    test::ChainPlan chain({text, int64});
    const auto part = chain.call("left", {chain.column(0), chain.column(1)}, text);
    const auto other = chain.of_kind(
        ExprKind::coalesce, {chain.column(0), chain.literal(memory, text, "a literal longer than a view")}, text);
    chain.project({part, other});
    const auto run = cuda::make_run(device, context, chain.plan(), chain.nodes());
    run->consume(std::vector<Batch>{batch});
    EXPECT_EQ(lines_of(run->finish()), expected);
    chain.group({chain.column(0)}, {chain.aggregate("count_star", {}, int64)});
    const auto grouped = cuda::make_run(device, context, chain.plan(), chain.nodes());
    grouped->consume(std::vector<Batch>{batch});
    std::vector<std::string> counts;
    for (const auto& [key, count] : groups) counts.push_back(key + " \"" + std::to_string(count) + "\" ");
    auto found = lines_of(grouped->finish());
    std::sort(counts.begin(), counts.end());
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, counts);
    // The same key made by the group-by itself, behind a filter.
    test::ChainPlan direct({text, int64});
    direct.filter({direct.call("is_not_null", {direct.column(1)}, boolean)});
    direct.group({direct.call("left", {direct.column(0), direct.column(1)}, text)},
                 {direct.aggregate("count_star", {}, int64)});
    const auto made = cuda::make_run(device, context, direct.plan(), direct.nodes());
    made->consume(std::vector<Batch>{batch});
    found = lines_of(made->finish());
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, counts);
  }
}

}  // namespace
}  // namespace quern
