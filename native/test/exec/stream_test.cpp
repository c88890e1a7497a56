#include <random>

#include "cpu/filter.hpp"
#include "cpu/limit.hpp"
#include "cpu/project.hpp"
#include "cpu/range.hpp"
#include "cpu/union_all.hpp"
#include "cpu/unnest.hpp"
#include "cpu/values.hpp"
#include "exec/harness.hpp"

namespace quern::test {
namespace {

std::vector<Batch> numbered(Harness& harness, int64_t rows, int64_t morsel_rows) {
  std::vector<Batch> out;
  for (int64_t at = 0; at < rows; at += morsel_rows) {
    Ints values;
    for (int64_t row = at; row < std::min(rows, at + morsel_rows); ++row)
      values.push_back(row % 3 == 0 ? std::nullopt : std::optional(row));
    out.push_back(batch_of({int64s(harness.memory(), values)}));
  }
  return out;
}

Ints first_column(Harness& harness, const Batch& batch) {
  return batch.columns.empty() ? Ints{} : ints_of(batch.columns[0], harness.memory());
}

Ints expected_rows(int64_t rows, const std::function<bool(std::optional<int64_t>)>& keep) {
  Ints out;
  for (int64_t row = 0; row < rows; ++row) {
    const std::optional<int64_t> value = row % 3 == 0 ? std::nullopt : std::optional(row);
    if (keep(value)) out.push_back(value);
  }
  return out;
}

class Sizes : public testing::TestWithParam<int64_t> {};

TEST_P(Sizes, TableKeepsOrderOnManyThreads) {
  Harness harness(4);
  const auto all = expected_rows(GetParam(), [](auto) { return true; });
  EXPECT_EQ(first_column(harness, harness.collect(harness.source(numbered(harness, GetParam(), 100)))), all);
  EXPECT_EQ(first_column(harness, harness.collect(harness.source(numbered(harness, GetParam(), 5000)))), all);
}

TEST_P(Sizes, FilterKeepsTrueRowsOnly) {
  Harness harness(2);
  Exprs exprs;
  const auto int64 = make_type(TypeKind::int64);
  const auto test = exprs.call("gt", {exprs.column(0, int64), exprs.literal(harness.memory(), int64, "40")},
                               make_type(TypeKind::boolean));
  std::vector<std::unique_ptr<Step>> steps;
  steps.push_back(cpu::make_filter(harness.context(), exprs.plan(), {test}));
  const auto out = harness.collect(harness.source(numbered(harness, GetParam(), 1000)), std::move(steps));
  EXPECT_EQ(first_column(harness, out), expected_rows(GetParam(), [](auto value) { return value && *value > 40; }));
}

TEST_P(Sizes, ProjectComputes) {
  Harness harness(2);
  Exprs exprs;
  const auto int64 = make_type(TypeKind::int64);
  const auto sum = exprs.call("add", {exprs.column(0, int64), exprs.literal(harness.memory(), int64, "1")}, int64);
  const plan::Project project{{sum}};
  std::vector<std::unique_ptr<Step>> steps;
  steps.push_back(cpu::make_project(harness.context(), exprs.plan(), project));
  const auto out = harness.collect(harness.source(numbered(harness, GetParam(), 1000)), std::move(steps));
  Ints expected;
  for (const auto& value : expected_rows(GetParam(), [](auto) { return true; }))
    expected.push_back(value ? std::optional(*value + 1) : std::nullopt);
  EXPECT_EQ(first_column(harness, out), expected);
}

TEST_P(Sizes, LimitGivesTheFirstRows) {
  const auto all = expected_rows(GetParam(), [](auto) { return true; });
  for (const int64_t offset : {0, 1, 50, 100000}) {
    for (const std::optional<int64_t> limit :
         {std::optional<int64_t>(), std::optional<int64_t>(0), std::optional<int64_t>(1), std::optional<int64_t>(40),
          std::optional<int64_t>(1 << 30)}) {
      Harness harness(4);
      auto sink = cpu::make_limit(harness.context(), plan::Limit{limit, offset});
      harness.run(harness.source(numbered(harness, GetParam(), 33)), {}, sink);
      const auto size = static_cast<int64_t>(all.size());
      const int64_t start = std::min(offset, size);
      const int64_t end = limit ? std::min(size, start + *limit) : size;
      EXPECT_EQ(first_column(harness, harness.read(*sink)), Ints(all.begin() + start, all.begin() + end));
    }
  }
}

TEST_P(Sizes, UnionAllKeepsInputsApart) {
  Harness harness(4);
  Exprs exprs;
  const auto int64 = make_type(TypeKind::int64);
  const auto test = exprs.call("is_not_null", {exprs.column(0, int64)}, make_type(TypeKind::boolean));
  std::vector<cpu::UnionInput> inputs;
  for (int i = 0; i < 3; ++i) {
    inputs.push_back({harness.source(numbered(harness, GetParam(), 77)), i, {}});
    if (i == 1) inputs.back().steps.push_back({cpu::make_filter(harness.context(), exprs.plan(), {test}), 5});
  }
  std::atomic<int64_t> filtered{0};
  const auto out = harness.collect(cpu::make_union_all(std::move(inputs), [&](plan::NodeIndex node, int64_t rows) {
    if (node == 5) filtered += rows;
  }));
  const auto all = expected_rows(GetParam(), [](auto) { return true; });
  const auto some = expected_rows(GetParam(), [](auto value) { return value.has_value(); });
  Ints expected = all;
  expected.insert(expected.end(), some.begin(), some.end());
  expected.insert(expected.end(), all.begin(), all.end());
  EXPECT_EQ(first_column(harness, out), expected);
  EXPECT_EQ(filtered, static_cast<int64_t>(some.size()));
}

TEST_P(Sizes, UnnestPadsAndCounts) {
  Harness harness(2, 16);
  std::mt19937 random(7);
  std::vector<std::optional<Ints>> first;
  std::vector<std::optional<Ints>> second;
  for (int64_t i = 0; i < GetParam(); ++i) {
    const auto make = [&]() -> std::optional<Ints> {
      if (random() % 5 == 0) return std::nullopt;
      Ints list;
      for (uint32_t at = 0; at < random() % 40; ++at)
        list.push_back(random() % 4 == 0 ? std::nullopt : std::optional<int64_t>(random() % 100));
      return list;
    };
    first.push_back(make());
    second.push_back(make());
  }
  Ints numbers;
  for (int64_t i = 0; i < GetParam(); ++i) numbers.push_back(i);
  const Batch all =
      batch_of({int64s(harness.memory(), numbers), lists(harness.memory(), first), lists(harness.memory(), second)});
  const auto list = make_list(make_type(TypeKind::int64));
  for (const bool outer : {false, true}) {
    Exprs exprs;
    const plan::Unnest unnest{{0}, {exprs.column(1, list), exprs.column(2, list)}, true, outer};
    std::vector<std::unique_ptr<Step>> steps;
    steps.push_back(cpu::make_unnest(harness.context(), exprs.plan(), unnest));
    const auto out = harness.collect(harness.source({all}), std::move(steps));
    std::vector<std::string> expected;
    for (int64_t row = 0; row < GetParam(); ++row) {
      const auto& a = first[static_cast<size_t>(row)];
      const auto& b = second[static_cast<size_t>(row)];
      const size_t count = std::max(a ? a->size() : 0, b ? b->size() : 0);
      const auto text = [](const std::optional<Ints>& values, size_t at) -> std::string {
        if (!values || at >= values->size() || !(*values)[at]) return "null";
        return "\"" + std::to_string(*(*values)[at]) + "\"";
      };
      for (size_t at = 0; at < count; ++at) {
        expected.push_back("\"" + std::to_string(row) + "\" " + text(a, at) + " " + text(b, at) + " \"" +
                           std::to_string(at + 1) + "\"");
      }
      if (count == 0 && outer) expected.push_back("\"" + std::to_string(row) + "\" null null null");
    }
    EXPECT_EQ(texts_of(out), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, Sizes, testing::Values(0, 1, 31, 32, 33, 2047, 2048, 2049, 20000));

int64_t range_rows(Harness& harness, const plan::Range& range) {
  return harness.collect(cpu::make_range(harness.context(), range)).rows;
}

TEST(Range, CountsAndEnds) {
  Harness harness(2);
  const plan::Range plain{3, 200003, 2};
  const auto out = first_column(harness, harness.collect(cpu::make_range(harness.context(), plain)));
  ASSERT_EQ(out.size(), 100000U);
  for (size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], static_cast<int64_t>(3 + 2 * i));
  EXPECT_EQ(range_rows(harness, {0, 0, 1}), 0);
  EXPECT_EQ(range_rows(harness, {5, 0, 1}), 0);
  EXPECT_EQ(range_rows(harness, {0, 5, -1}), 0);
  EXPECT_EQ(range_rows(harness, {5, 0, -2}), 3);
  EXPECT_EQ(range_rows(harness, {INT64_MAX - 1, INT64_MAX, 1}), 1);
  const plan::Range wide{INT64_MIN, INT64_MAX, INT64_MAX};
  EXPECT_EQ(first_column(harness, harness.collect(cpu::make_range(harness.context(), wide))),
            (Ints{INT64_MIN, -1, INT64_MAX - 1}));
  EXPECT_THROW(range_rows(harness, {INT64_MIN, INT64_MAX, 1}), Error);
}

TEST(Values, RowsOfLiterals) {
  Harness harness(2);
  Exprs exprs;
  const auto int64 = make_type(TypeKind::int64);
  const auto text = make_type(TypeKind::string);
  plan::Values values;
  for (int i = 0; i < 5000; ++i) {
    const auto number = exprs.literal(harness.memory(), int64, std::to_string(i));
    const auto sum = exprs.call("add", {number, number}, int64);
    values.rows.push_back(
        {i % 2 == 0 ? number : sum, exprs.literal(harness.memory(), text, "text number " + std::to_string(i))});
  }
  plan::Node node;
  node.output = {{"n", int64}, {"t", text}};
  node.op = values;
  const auto out = texts_of(harness.collect(cpu::make_values(harness.context(), exprs.plan(), node)));
  ASSERT_EQ(out.size(), 5000U);
  EXPECT_EQ(out[0], "\"0\" \"text number 0\"");
  EXPECT_EQ(out[4999], "\"9998\" \"text number 4999\"");
}

// A source of many morsels that fails in one of them, or counts what is opened.
class ProbeSource : public Source {
 public:
  explicit ProbeSource(int64_t failing = -1) : failing_(failing) {}
  int64_t morsels() override { return 100000; }
  std::unique_ptr<Reader> open(int64_t morsel) override {
    ++opened;
    if (morsel == failing_) throw runtime_error("morsel " + std::to_string(morsel) + " fails");
    class One : public Reader {
     public:
      bool next(Batch& batch) override {
        if (given_) return false;
        given_ = true;
        batch.rows = 10;
        return true;
      }

     private:
      bool given_ = false;
    };
    return std::make_unique<One>();
  }
  static std::atomic<int64_t> opened;

 private:
  int64_t failing_;
};
std::atomic<int64_t> ProbeSource::opened{0};

TEST(Run, FirstErrorStopsEveryThread) {
  Harness harness(4);
  ProbeSource::opened = 0;
  try {
    harness.run(std::make_unique<ProbeSource>(50), {}, std::make_shared<cpu::TableSink>(harness.context()));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "morsel 50 fails");
  }
  EXPECT_LT(ProbeSource::opened, 100000);
  EXPECT_TRUE(harness.context().cancelled());
}

TEST(Run, SatisfiedLimitStopsTheSource) {
  Harness harness(4);
  ProbeSource::opened = 0;
  auto sink = cpu::make_limit(harness.context(), plan::Limit{25, 0});
  harness.run(std::make_unique<ProbeSource>(), {}, sink);
  EXPECT_LT(ProbeSource::opened, 1000);
}

TEST(Run, CancelledQueryEnds) {
  Harness harness(4);
  harness.context().cancel();
  EXPECT_THROW(harness.run(std::make_unique<ProbeSource>(), {}, std::make_shared<cpu::TableSink>(harness.context())),
               Error);
}

TEST(Run, FinishErrorsComeOut) {
  Harness harness(3);
  const auto parallel = make_parallel(harness.pool(), harness.context());
  std::atomic<int64_t> sum{0};
  parallel(1000, [&](int64_t task) { sum += task; });
  EXPECT_EQ(sum, 499500);
  EXPECT_THROW(parallel(10,
                        [&](int64_t task) {
                          if (task == 3) throw runtime_error("task 3");
                        }),
               Error);
}

}  // namespace
}  // namespace quern::test
