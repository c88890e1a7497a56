#include <algorithm>
#include <random>

#include "cpu/hash_join.hpp"
#include "cpu/union_all.hpp"
#include "exec/harness.hpp"

namespace quern::test {
namespace {

using plan::JoinType;

// A row of either side: key (NULL allowed), value (may be NULL), number of the row.
struct Row {
  std::optional<int64_t> key, value;
  int64_t number;
};
using Rows = std::vector<Row>;

// What keys the table is made of, and so which index finds them.
enum class Shape { number, text, two_numbers };

// mixed: a comparison that is tested early, one of two columns of the first side, and one for pairs; band: two
// comparisons with an order; either: for pairs only.
enum class Condition {
  keys,
  keys_and_residual,
  null_safe_keys,
  keys_and_mixed,
  residual_only,
  band,
  mixed,
  either,
  none
};

bool has_keys(Condition condition) { return condition <= Condition::keys_and_mixed; }

// SQL's answer by trying every pair.
bool is_pair(Condition condition, const Row& probe, const Row& build) {
  const bool equal = probe.key && build.key && *probe.key == *build.key;
  const bool less = probe.value && build.value && *probe.value < *build.value;
  const auto below = [](const std::optional<int64_t>& a, const std::optional<int64_t>& b) { return a && b && *a < *b; };
  const bool either = below(probe.value, build.value) || build.number < probe.number;
  const bool mixed = below(build.value, probe.number) && below(probe.value, probe.number) && either;
  switch (condition) {
    case Condition::keys_and_mixed:
      return equal && mixed;
    case Condition::band:
      return less && build.number < probe.number;
    case Condition::mixed:
      return mixed;
    case Condition::either:
      return either;
    case Condition::keys:
      return equal;
    case Condition::keys_and_residual:
      return equal && less;
    case Condition::null_safe_keys:
      return probe.key == build.key;
    case Condition::residual_only:
      return less;
    case Condition::none:
      return true;
  }
  return false;
}

std::string text(const std::optional<int64_t>& value) { return value ? "\"" + std::to_string(*value) + "\"" : "null"; }

std::vector<std::string> oracle(JoinType type, Condition condition, const Rows& probe, const Rows& build) {
  std::vector<std::string> out;
  std::vector<bool> matched(build.size(), false);
  const auto pair = [](const Row* p, const Row* b) {
    return text(p != nullptr ? std::optional(p->number) : std::nullopt) + " " +
           text(b != nullptr ? std::optional(b->number) : std::nullopt);
  };
  for (const auto& p : probe) {
    bool any = false;
    for (size_t i = 0; i < build.size(); ++i) {
      if (!is_pair(condition, p, build[i])) continue;
      any = true;
      matched[i] = true;
      if (type == JoinType::inner || type == JoinType::left || type == JoinType::right || type == JoinType::full)
        out.push_back(pair(&p, &build[i]));
    }
    if (!any && (type == JoinType::left || type == JoinType::full)) out.push_back(pair(&p, nullptr));
    if (type == JoinType::semi ? any : type == JoinType::anti && !any) out.push_back(text(p.number));
    if (type == JoinType::mark) out.push_back(text(p.number) + (any ? " true" : " false"));
  }
  if (type == JoinType::right || type == JoinType::full) {
    for (size_t i = 0; i < build.size(); ++i) {
      if (!matched[i]) out.push_back(pair(nullptr, &build[i]));
    }
  }
  return out;
}

ColumnPtr key_column(Harness& harness, const Ints& keys, Shape shape) {
  if (shape != Shape::text) return int64s(harness.memory(), keys);
  std::vector<std::optional<std::string>> texts;
  for (const auto& key : keys)
    texts.push_back(key ? std::optional("a key of some length " + std::to_string(*key)) : std::nullopt);
  return strings(harness.memory(), texts);
}

std::vector<Batch> batches_of(Harness& harness, const Rows& rows, size_t morsel_rows, Shape shape) {
  std::vector<Batch> out;
  for (size_t at = 0; at < rows.size(); at += morsel_rows) {
    Ints keys, values, numbers;
    for (size_t row = at; row < std::min(rows.size(), at + morsel_rows); ++row) {
      keys.push_back(rows[row].key);
      values.push_back(rows[row].value);
      numbers.push_back(rows[row].number);
    }
    out.push_back(batch_of(
        {key_column(harness, keys, shape), int64s(harness.memory(), values), int64s(harness.memory(), numbers)}));
  }
  return out;
}

// Keys that lie close together are found without a hash, those far apart through one.
Rows random_rows(std::mt19937& random, int64_t count, int64_t distinct, int64_t apart = 1) {
  Rows rows;
  for (int64_t i = 0; i < count; ++i) {
    const auto draw = [&](int64_t among) {
      return random() % 9 == 0 ? std::nullopt : std::optional(static_cast<int64_t>(random() % among));
    };
    auto key = draw(distinct);
    if (key) *key = *key * apart - 7;
    rows.push_back({key, draw(5), i});
  }
  return rows;
}

// Runs one join as the cut does.
std::vector<std::string> run_join(Harness& harness, JoinType type, Condition condition, const Rows& probe,
                                  const Rows& build, size_t morsel_rows, Shape shape = Shape::number,
                                  bool sorted = false) {
  Exprs exprs;
  const auto int64 = make_type(TypeKind::int64);
  const auto boolean = make_type(TypeKind::boolean);
  const bool probe_only = type == JoinType::semi || type == JoinType::anti || type == JoinType::mark;
  plan::Join join;
  join.type = type;
  join.sorted = sorted;
  if (has_keys(condition)) {
    const auto type = shape == Shape::text ? make_type(TypeKind::string) : int64;
    for (int32_t key = 0; key < (shape == Shape::two_numbers ? 2 : 1); ++key)
      join.keys.push_back({exprs.column(0, type), exprs.column(0, type), condition == Condition::null_safe_keys});
  }
  enum : int32_t { probe_value = 1, probe_number = 2, build_value = 4, build_number = 5 };
  const auto less = [&](int32_t a, int32_t b) {
    return exprs.call("lt", {exprs.column(a, int64), exprs.column(b, int64)}, boolean);
  };
  const auto either = [&] {
    plan::Expr any;
    any.kind = plan::ExprKind::disjunction;
    any.type = boolean;
    any.args = {less(probe_value, build_value), less(build_number, probe_number)};
    return exprs.add(std::move(any));
  };
  if (condition == Condition::keys_and_residual || condition == Condition::residual_only)
    join.residual = {less(probe_value, build_value)};
  if (condition == Condition::band) join.residual = {less(probe_value, build_value), less(build_number, probe_number)};
  if (condition == Condition::mixed || condition == Condition::keys_and_mixed)
    join.residual = {less(build_value, probe_number), less(probe_value, probe_number), either()};
  if (condition == Condition::either) join.residual = {either()};
  join.keep = probe_only ? std::vector<int32_t>{2} : std::vector<int32_t>{2, 5};
  const auto plan = exprs.plan();
  plan::Node side;
  for (const char* name : {"key", "value", "number"}) side.output.push_back({name, int64});
  plan->nodes = {side, side, plan::Node{}};
  plan->nodes[2].inputs = {0, 1};
  plan->nodes[2].op = join;
  for (size_t i = 0; i < join.keep.size(); ++i) plan->nodes[2].output.push_back({"number", int64});

  NodeCounters counters;
  const auto built = cpu::make_join_build(harness.context(), plan, 2, std::make_shared<cpu::JoinFilters>(0), counters);
  harness.run(harness.source(batches_of(harness, build, morsel_rows, shape)), {}, built);
  std::vector<std::unique_ptr<Step>> steps;
  steps.push_back(cpu::make_join_probe(harness.context(), plan, 2, built));
  auto source = harness.source(batches_of(harness, probe, morsel_rows, shape));
  if (type != JoinType::right && type != JoinType::full)
    return texts_of(harness.collect(std::move(source), std::move(steps)));
  const auto gate = cpu::make_join_gate();
  std::vector<cpu::UnionInput> parts;
  parts.push_back({cpu::make_gated(std::move(source), gate), -1, {}});
  parts.back().steps.push_back({std::move(steps[0]), 2});
  parts.push_back({cpu::make_join_unmatched(harness.context(), plan, 2, built, gate), -1, {}});
  return texts_of(harness.collect(cpu::make_union_all(std::move(parts), [](plan::NodeIndex, int64_t) {})));
}

constexpr std::array all_types = {JoinType::inner, JoinType::left, JoinType::right, JoinType::full,
                                  JoinType::semi,  JoinType::anti, JoinType::mark};

class JoinSizes : public testing::TestWithParam<int64_t> {};

TEST_P(JoinSizes, EqualsTheNestedLoop) {
  std::mt19937 random(static_cast<uint32_t>(GetParam()) + 1);
  const std::array conditions = {Condition::keys, Condition::keys_and_residual, Condition::null_safe_keys,
                                 Condition::keys_and_mixed};
  int draws = 0;
  for (const int64_t other : {0, 1, 33, 2048}) {
    for (const int64_t distinct : {3, 1000}) {
      // Few keys in many rows give pairs without end.
      if (distinct == 3 && GetParam() * other > 100'000) continue;
      for (const int64_t apart : {1, 1'000'000'007}) {
        const Rows probe = random_rows(random, GetParam(), distinct, apart);
        const Rows build = random_rows(random, other, distinct, apart);
        for (const auto condition : conditions) {
          for (const auto type : all_types) {
            Harness harness(3, 100);
            const auto shape = apart == 1 ? Shape::number : static_cast<Shape>(draws++ % 3);
            EXPECT_EQ(run_join(harness, type, condition, probe, build, 300, shape),
                      oracle(type, condition, probe, build))
                << static_cast<int>(type) << " " << static_cast<int>(condition) << " " << other << " " << distinct;
          }
        }
      }
    }
  }
}

TEST_P(JoinSizes, EqualsTheNestedLoopWithoutKeys) {
  std::mt19937 random(static_cast<uint32_t>(GetParam()) + 2);
  for (const int64_t other : {0, 1, 31, 70}) {
    const Rows probe = random_rows(random, GetParam(), 10);
    const Rows build = random_rows(random, other, 10);
    for (const auto condition :
         {Condition::residual_only, Condition::band, Condition::mixed, Condition::either, Condition::none}) {
      for (const auto type : all_types) {
        auto expected = oracle(type, condition, probe, build);
        std::sort(expected.begin(), expected.end());
        for (const bool sorted : {false, true}) {
          Harness harness(2, 64);
          auto rows = run_join(harness, type, condition, probe, build, 500, Shape::number, sorted);
          std::sort(rows.begin(), rows.end());
          EXPECT_EQ(rows, expected) << static_cast<int>(type) << " " << static_cast<int>(condition) << " " << other
                                    << " " << sorted;
        }
      }
    }
  }
}

// Sorted rows in blocks of blocks.
TEST(Join, SearchInManySortedRows) {
  std::mt19937 random(8);
  for (const int64_t rows : {63, 64, 65, 4095, 4096, 4097, 20'000}) {
    const Rows build = random_rows(random, rows, 1000);
    const Rows probe = random_rows(random, 50, 1000);
    for (const auto condition : {Condition::residual_only, Condition::band, Condition::mixed}) {
      for (const auto type : {JoinType::inner, JoinType::full, JoinType::anti}) {
        auto expected = oracle(type, condition, probe, build);
        std::sort(expected.begin(), expected.end());
        Harness harness(4);
        auto found = run_join(harness, type, condition, probe, build, 7'000, Shape::number, true);
        std::sort(found.begin(), found.end());
        EXPECT_TRUE(found == expected) << static_cast<int>(type) << " " << static_cast<int>(condition) << " " << rows;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, JoinSizes, testing::Values(0, 1, 31, 32, 33, 2047, 2048, 2049));

// More rows than one part holds: the index is made in parts.
TEST(Join, LargeTable) {
  std::mt19937 random(5);
  for (const int64_t apart : {1, 1'000'003}) {
    const Rows build = random_rows(random, 100'000, 60'000, apart);
    const Rows probe = random_rows(random, 300, 60'000, apart);
    for (const auto shape : {Shape::number, Shape::text, Shape::two_numbers}) {
      for (const auto type : {JoinType::inner, JoinType::full, JoinType::semi}) {
        Harness harness(4);
        EXPECT_EQ(run_join(harness, type, Condition::keys, probe, build, 7'000, shape),
                  oracle(type, Condition::keys, probe, build));
      }
    }
  }
}

// Every key once, in any order; the last key just inside and just outside of what has a place of its own.
TEST(Join, UniqueKeys) {
  std::mt19937 random(7);
  for (const int64_t last : {4'999, 19'999, 20'000, 1'000'000'000}) {
    Rows build, probe;
    for (int64_t i = 0; i < 5'000; ++i) build.push_back({i < 4'999 ? i : last, i % 7, i});
    std::shuffle(build.begin(), build.end(), random);
    for (int64_t i = 0; i < 5'000; ++i) build[static_cast<size_t>(i)].number = i;
    for (int64_t i = 0; i < 3'000; ++i)
      probe.push_back({i % 11 == 0 ? std::nullopt : std::optional(static_cast<int64_t>(random() % 6'000)), i % 5, i});
    probe.push_back({last, 0, 3'000});
    probe.push_back({std::numeric_limits<int64_t>::min(), 0, 3'001});
    for (const auto condition :
         {Condition::keys, Condition::keys_and_residual, Condition::null_safe_keys, Condition::keys_and_mixed}) {
      for (const auto type : all_types) {
        Harness harness(3, 100);
        EXPECT_EQ(run_join(harness, type, condition, probe, build, 700), oracle(type, condition, probe, build))
            << static_cast<int>(type) << " " << static_cast<int>(condition) << " " << last;
      }
    }
  }
}

TEST(Join, MoreThanOneRowOfAScalarSubqueryIsAnError) {
  const Rows probe = {{1, 1, 0}, {2, 1, 1}};
  const Rows build = {{1, 1, 0}, {2, 1, 1}, {2, 3, 2}};
  Harness harness;
  EXPECT_EQ(run_join(harness, JoinType::single, Condition::keys, {probe[0]}, build, 10),
            (std::vector<std::string>{"\"0\" \"0\""}));
  EXPECT_THROW(run_join(harness, JoinType::single, Condition::keys, probe, build, 10), Error);
  Harness other;
  EXPECT_THROW(run_join(other, JoinType::single, Condition::none, probe, build, 10), Error);
  Harness third(2, 1);
  EXPECT_THROW(run_join(third, JoinType::single, Condition::keys, probe, build, 10), Error);
}

TEST(Join, CountsPairs) {
  std::mt19937 random(6);
  const Rows rows = random_rows(random, 500, 10);
  Harness harness;
  const auto pairs = run_join(harness, JoinType::inner, Condition::keys_and_residual, rows, rows, 100);
  EXPECT_EQ(harness.context().metrics().pairs_written, static_cast<int64_t>(pairs.size()));
  EXPECT_EQ(harness.context().metrics().pairs_tested,
            static_cast<int64_t>(oracle(JoinType::inner, Condition::keys, rows, rows).size()));
}

}  // namespace
}  // namespace quern::test
