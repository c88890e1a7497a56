#include "cpu/sort.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "columnar/compare.hpp"
#include "cpu/top_k.hpp"
#include "exec/harness.hpp"

namespace quern::test {
namespace {

struct Key {
  ColumnPtr column;
  bool descending = false;
  bool nulls_first = false;
};

// Order of two rows as SQL defines it, written down once more.
int compare_rows(const std::vector<Key>& keys, int64_t a, int64_t b) {
  for (const auto& key : keys) {
    const bool null_a = plan::literal_json(*key.column, a) == "null";
    const bool null_b = plan::literal_json(*key.column, b) == "null";
    if (null_a != null_b) return null_a == key.nulls_first ? -1 : 1;
    if (null_a) continue;
    const int order = compare_values(*key.column, a, *key.column, b);
    if (order != 0) return key.descending ? -order : order;
  }
  return 0;
}

std::vector<int64_t> expected_order(const std::vector<Key>& keys, int64_t rows) {
  std::vector<int64_t> order(static_cast<size_t>(rows));
  for (int64_t i = 0; i < rows; ++i) order[static_cast<size_t>(i)] = i;
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return compare_rows(keys, a, b) < 0; });
  return order;
}

class SortCase {
 public:
  SortCase(Harness& harness, std::vector<Key> keys)
      : harness_(harness), keys_(std::move(keys)), rows_(keys_[0].column->length) {
    for (size_t i = 0; i < keys_.size(); ++i) {
      sort_keys_.push_back(
          {exprs_.column(static_cast<int32_t>(i), keys_[i].column->type), keys_[i].descending, keys_[i].nulls_first});
    }
  }

  // The keys and a last column that numbers the rows, cut into morsels.
  std::vector<Batch> input(int64_t morsel_rows) const {
    Ints numbers;
    for (int64_t i = 0; i < rows_; ++i) numbers.push_back(i);
    std::vector<ColumnPtr> columns;
    for (const auto& key : keys_) columns.push_back(key.column);
    columns.push_back(int64s(harness_.memory(), numbers));
    const Batch all = batch_of(columns);
    std::vector<Batch> morsels;
    for (int64_t at = 0; at < rows_; at += morsel_rows) {
      morsels.push_back(slice(harness_.memory(), all, at, std::min(morsel_rows, rows_ - at)));
    }
    return morsels;
  }

  Ints sort(int64_t morsel_rows) {
    auto sink = cpu::make_sort(harness_.context(), exprs_.plan(), sort_keys_);
    harness_.run(harness_.source(input(morsel_rows)), {}, sink);
    return numbers(harness_.read(*sink));
  }

  Ints top(int64_t morsel_rows, int64_t limit, int64_t offset) {
    const plan::TopK top_k{sort_keys_, limit, offset};
    auto sink = cpu::make_top_k(harness_.context(), exprs_.plan(), top_k);
    harness_.run(harness_.source(input(morsel_rows)), {}, sink);
    return numbers(harness_.read(*sink));
  }

  Ints expected() const {
    Ints out;
    for (int64_t row : expected_order(keys_, rows_)) out.push_back(row);
    return out;
  }

 private:
  Ints numbers(const Batch& batch) {
    return batch.rows == 0 ? Ints{} : ints_of(batch.columns.back(), harness_.memory());
  }

  Harness& harness_;
  std::vector<Key> keys_;
  int64_t rows_;
  Exprs exprs_;
  std::vector<plan::SortKey> sort_keys_;
};

Ints part(const Ints& all, int64_t offset, int64_t limit) {
  const auto size = static_cast<int64_t>(all.size());
  return {all.begin() + std::min(offset, size), all.begin() + std::min(offset + limit, size)};
}

void expect_sorted(Harness& harness, const std::vector<Key>& keys, int64_t morsel_rows) {
  SortCase sort(harness, keys);
  const Ints expected = sort.expected();
  EXPECT_EQ(sort.sort(morsel_rows), expected);
  for (const auto& [limit, offset] :
       std::vector<std::pair<int64_t, int64_t>>{{1, 0}, {3, 2}, {100, 7}, {1 << 20, 0}, {5, 1 << 20}}) {
    EXPECT_EQ(sort.top(morsel_rows, limit, offset), part(expected, offset, limit)) << limit << " " << offset;
  }
}

Ints random_ints(std::mt19937& random, int64_t rows, int64_t distinct, int null_percent) {
  Ints out;
  for (int64_t i = 0; i < rows; ++i) {
    const bool null = static_cast<int>(random() % 100) < null_percent;
    out.push_back(
        null ? std::nullopt
             : std::optional<int64_t>(static_cast<int64_t>(random() % static_cast<uint64_t>(distinct)) - distinct / 2));
  }
  return out;
}

class SortSizes : public testing::TestWithParam<int64_t> {};

TEST_P(SortSizes, OneKeyKeepsInputOrderOfTies) {
  std::mt19937 random(1);
  Harness harness;
  for (const int nulls : {0, 20, 100}) {
    for (const bool descending : {false, true}) {
      for (const bool nulls_first : {false, true}) {
        const auto column = int64s(harness.memory(), random_ints(random, GetParam(), 50, nulls));
        expect_sorted(harness, {{column, descending, nulls_first}}, 777);
      }
    }
  }
}

TEST_P(SortSizes, SeveralKeysOfOtherKinds) {
  std::mt19937 random(2);
  Harness harness;
  std::vector<std::optional<std::string>> words;
  std::vector<std::optional<Ints>> arrays;
  const std::vector<std::string> parts = {
      "", "a", "ab", "abc", std::string("a\0b", 3), std::string("a\0", 2), "\xff", "ünïcode and long enough"};
  for (int64_t i = 0; i < GetParam(); ++i) {
    words.push_back(random() % 10 == 0
                        ? std::nullopt
                        : std::optional(parts[random() % parts.size()] + parts[random() % parts.size()]));
    arrays.push_back(random() % 10 == 0 ? std::nullopt : std::optional(random_ints(random, random() % 4, 3, 20)));
  }
  const auto text = strings(harness.memory(), words);
  const auto list = lists(harness.memory(), arrays);
  const auto number = int64s(harness.memory(), random_ints(random, GetParam(), 3, 10));
  expect_sorted(harness, {{text, false, false}, {number, true, true}}, 1000);
  expect_sorted(harness, {{text, true, true}}, 2048);
  expect_sorted(harness, {{list, false, true}, {text, true, false}}, 64);
  expect_sorted(harness, {{list, true, false}}, 100000);
}

INSTANTIATE_TEST_SUITE_P(Rows, SortSizes, testing::Values(0, 1, 31, 32, 33, 2047, 2048, 2049, 10000));

template <typename T>
ColumnPtr column_of(Memory& memory, TypePtr type, const std::vector<T>& values) {
  ColumnBuilder builder(memory, std::move(type), static_cast<int64_t>(values.size()));
  std::copy(values.begin(), values.end(), builder.data<T>());
  return builder.finish();
}

TEST(Sort, FloatsNanGreatestAndZerosEqual) {
  Harness harness;
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto values = column_of<double>(harness.memory(), make_type(TypeKind::float64),
                                        {0.0, nan, -0.0, inf, -inf, -nan, 1e-300, -1e-300, 0.0});
  for (const bool descending : {false, true}) expect_sorted(harness, {{values, descending, false}}, 2);
  const auto singles = column_of<float>(harness.memory(), make_type(TypeKind::float32),
                                        {0.0F, NAN, -0.0F, INFINITY, -INFINITY, 1.5F, -1.5F});
  for (const bool descending : {false, true}) expect_sorted(harness, {{singles, descending, false}}, 3);
}

TEST(Sort, WideIntegersUuidsIntervalsHalves) {
  Harness harness;
  auto& memory = harness.memory();
  const int128_t big = static_cast<int128_t>(1) << 100;
  expect_sorted(harness,
                {{column_of<int128_t>(memory, make_decimal(38, 2), {0, -1, big, -big, 1, big + 1}), false, false}}, 2);
  expect_sorted(harness,
                {{column_of<int128_t>(memory, make_type(TypeKind::uuid), {0, -1, big, -big, 1, big + 1}), true, false}},
                2);
  expect_sorted(harness,
                {{column_of<Interval>(memory, make_type(TypeKind::interval),
                                      {{0, 30, 0}, {1, 0, 0}, {0, 29, 86400000000}, {-1, 0, 5}, {0, 0, -1}}),
                  false, false}},
                2);
  expect_sorted(harness,
                {{column_of<uint16_t>(memory, make_type(TypeKind::float16),
                                      {0x3c00, 0xbc00, 0x7e00, 0x0000, 0x8000, 0x7c00, 0xfc00}),
                  false, false}},
                2);
  expect_sorted(
      harness,
      {{column_of<uint64_t>(memory, make_type(TypeKind::uint64), {0, UINT64_MAX, 1, UINT64_MAX - 1}), true, false}}, 2);
}

TEST(Sort, ManyRowsInRunsAndParts) {
  std::mt19937 random(3);
  Harness harness(4);
  const auto column = int64s(harness.memory(), random_ints(random, 300000, 1000, 5));
  expect_sorted(harness, {{column, true, false}}, 8192);
}

TEST(Sort, DictionaryAndConstantKeys) {
  Harness harness;
  auto& memory = harness.memory();
  const auto words = strings(memory, {{"b"}, {"a"}, {"c"}});
  auto dictionary = std::make_shared<Column>();
  const auto codes = column_of<uint32_t>(memory, make_type(TypeKind::uint32), {2, 0, 1, 1, 0, 2, 2});
  dictionary->type = words->type;
  dictionary->form = Form::dictionary;
  dictionary->length = codes->length;
  dictionary->data = codes->data;
  dictionary->children = {words};
  dictionary->owners = {codes};
  const ColumnPtr constant = make_constant(int64s(memory, {5}), 0, codes->length);
  expect_sorted(harness, {{constant, true, false}, {dictionary, false, false}}, 3);
}

}  // namespace
}  // namespace quern::test
