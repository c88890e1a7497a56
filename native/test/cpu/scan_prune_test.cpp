#include "cpu/scan_prune.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "columnar/compare.hpp"
#include "cpu/hive_path.hpp"

namespace quern::cpu {
namespace {

ColumnPtr doubles(Memory& memory, double value) {
  ColumnBuilder builder(memory, make_type(TypeKind::float64), 1);
  builder.data<double>()[0] = value;
  return builder.finish();
}

// Every comparison over every small set of values: pruning must never deny a row that the comparison accepts.
class Prune : public testing::Test {
 protected:
  plan::ExprIndex add(plan::Expr expr) {
    plan_.exprs.push_back(std::move(expr));
    return static_cast<plan::ExprIndex>(plan_.exprs.size()) - 1;
  }
  plan::ExprIndex column() {
    plan::Expr expr;
    expr.kind = plan::ExprKind::column;
    expr.column = 0;
    expr.type = make_type(TypeKind::float64);
    return add(expr);
  }
  plan::ExprIndex literal(double value) {
    plan::Expr expr;
    expr.kind = plan::ExprKind::literal;
    expr.type = make_type(TypeKind::float64);
    expr.literal = doubles(memory_, value);
    return add(expr);
  }
  plan::ExprIndex make(plan::ExprKind kind, const std::string& fn, std::vector<plan::ExprIndex> args) {
    plan::Expr expr;
    expr.kind = kind;
    expr.fn = fn;
    expr.args = std::move(args);
    expr.type = make_type(TypeKind::boolean);
    return add(expr);
  }
  plan::ExprIndex call(const std::string& fn, std::vector<plan::ExprIndex> args) {
    return make(plan::ExprKind::call, fn, std::move(args));
  }

  // What a footer says of these values.
  static KnownColumn known(Memory& memory, const std::vector<std::optional<double>>& values) {
    KnownColumn out;
    out.rows = static_cast<int64_t>(values.size());
    out.bounds.null_count = 0;
    out.bounds.may_hold_nan = true;
    std::optional<double> min, max;
    for (const auto& value : values) {
      if (!value) ++*out.bounds.null_count;
      if (!value || std::isnan(*value)) continue;
      min = min ? std::min(*min, *value) : *value;
      max = max ? std::max(*max, *value) : *value;
    }
    if (min) out.bounds.min = doubles(memory, *min);
    if (max) out.bounds.max = doubles(memory, *max);
    return out;
  }

  bool may_match(plan::ExprIndex predicate, const KnownColumn& column) {
    Knowledge knowledge;
    knowledge.column = [&](int32_t) { return &column; };
    return cpu::may_match(plan_, {predicate}, knowledge);
  }

  static std::optional<bool> compare(const std::string& fn, std::optional<double> a, double b, Memory& memory) {
    if (!a) return std::nullopt;
    const int order = compare_values(*doubles(memory, *a), 0, *doubles(memory, b), 0);
    if (fn == "eq") return order == 0;
    if (fn == "ne") return order != 0;
    if (fn == "lt") return order < 0;
    if (fn == "le") return order <= 0;
    if (fn == "gt") return order > 0;
    return order >= 0;
  }

  Memory memory_{1 << 28};
  plan::Plan plan_;
};

TEST_F(Prune, NeverDeniesARowThatPasses) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::optional<double>> pool = {std::nullopt, -1.0, -0.0, 0.0, 2.0, nan};
  int64_t pruned = 0;
  for (size_t a = 0; a < pool.size(); ++a) {
    for (size_t b = 0; b < pool.size(); ++b) {
      const std::vector<std::optional<double>> values = {pool[a], pool[b]};
      const auto bounds = known(memory_, values);
      for (const std::string fn : {"eq", "ne", "lt", "le", "gt", "ge"}) {
        for (const double literal_value : {-2.0, -1.0, 0.0, 1.0, 2.0, 3.0, nan}) {
          const auto test = call(fn, {column(), literal(literal_value)});
          const auto flipped = call(fn == "lt"   ? "gt"
                                    : fn == "le" ? "ge"
                                    : fn == "gt" ? "lt"
                                    : fn == "ge" ? "le"
                                                 : fn,
                                    {literal(literal_value), column()});
          const auto negated = call("not", {test});
          bool any = false, none = false;
          for (const auto& value : values) {
            const auto result = compare(fn, value, literal_value, memory_);
            any |= result == true;
            none |= result == false;
          }
          if (any) EXPECT_TRUE(may_match(test, bounds)) << fn << literal_value << " " << a << b;
          if (any) EXPECT_TRUE(may_match(flipped, bounds));
          if (none) EXPECT_TRUE(may_match(negated, bounds)) << "not " << fn << literal_value << " " << a << b;
          EXPECT_EQ(may_match(test, bounds), may_match(flipped, bounds));
          pruned += !may_match(test, bounds);
        }
      }
    }
  }
  EXPECT_GT(pruned, 200);
}

TEST_F(Prune, CombinesAndTestsNulls) {
  const auto some = known(memory_, {1.0, 5.0, std::nullopt});
  const auto plain = known(memory_, {1.0, 5.0});
  const auto nulls = known(memory_, {std::nullopt, std::nullopt});
  const auto below = call("lt", {column(), literal(0)});
  const auto inside = call("ge", {column(), literal(3)});
  EXPECT_FALSE(may_match(make(plan::ExprKind::conjunction, "", {inside, below}), some));
  EXPECT_TRUE(may_match(make(plan::ExprKind::disjunction, "", {inside, below}), some));
  EXPECT_FALSE(may_match(make(plan::ExprKind::disjunction, "", {below, below}), some));
  EXPECT_TRUE(may_match(call("is_null", {column()}), some));
  EXPECT_FALSE(may_match(call("is_null", {column()}), plain));
  EXPECT_FALSE(may_match(call("is_not_null", {column()}), nulls));
  EXPECT_FALSE(may_match(inside, nulls));
  EXPECT_FALSE(may_match(make(plan::ExprKind::in_list, "", {column(), literal(-4), literal(7)}), [&] {
    auto bounded = plain;
    bounded.bounds.may_hold_nan = false;
    return bounded;
  }()));
  EXPECT_TRUE(may_match(make(plan::ExprKind::in_list, "", {column(), literal(-4), literal(3)}), plain));
  EXPECT_TRUE(may_match(call("like", {column(), literal(0)}), plain));
}

TEST(HivePath, FindsAndDecodes) {
  EXPECT_EQ(hive_value("/data/year=2024/month=02/x.parquet", "month"), "02");
  EXPECT_EQ(hive_value("/data/year=2024/x.parquet", "day"), std::nullopt);
  EXPECT_EQ(hive_value("a%20b=c%2Fd/x.parquet", "a b"), "c/d");
  EXPECT_EQ(hive_value("k=__HIVE_DEFAULT_PARTITION__/x", "k"), std::nullopt);
  EXPECT_EQ(hive_value("k=1/k=2/x", "k"), "2");
  EXPECT_EQ(hive_value("k=%zz/x", "k"), "%zz");
  EXPECT_EQ(hive_value("k=/x", "k"), "");
}

}  // namespace
}  // namespace quern::cpu
