// Every aggregate gives the same answer whole, split over groups and merged in any order, over every column form;
// simple ones also equal a host loop.
#include "cpu/aggregate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "columnar/compare.hpp"

namespace quern::cpu {
namespace {

struct Case {
  const char* fn;
  std::vector<TypeKind> args;
  TypePtr result;
  bool distinct = false;
};

TypePtr type_of(TypeKind kind) {
  return kind == TypeKind::list ? make_list(make_type(TypeKind::int32)) : make_type(kind);
}

std::vector<Case> cases() {
  const auto t = [](TypeKind kind) { return make_type(kind); };
  const auto int64 = t(TypeKind::int64), real = t(TypeKind::float64), text = t(TypeKind::string);
  using K = TypeKind;
  return {
      {"count_star", {}, int64},
      {"count", {K::int32}, int64},
      {"count", {K::string}, int64},
      {"count", {K::int64}, int64, true},
      {"count", {K::string}, int64, true},
      {"sum", {K::int32}, int64},
      {"sum", {K::int64}, make_decimal(38, 0)},
      {"sum", {K::float64}, real},
      {"sum", {K::int32}, int64, true},
      {"avg", {K::int32}, real},
      {"avg", {K::float64}, real},
      {"min", {K::int32}, t(K::int32)},
      {"max", {K::float64}, real},
      {"min", {K::string}, text},
      {"max", {K::list}, type_of(K::list)},
      {"arg_min", {K::string, K::int32}, text},
      {"arg_max", {K::int64, K::string}, int64},
      {"first", {K::string}, text},
      {"last", {K::int64}, int64},
      {"any_value", {K::list}, type_of(K::list)},
      {"var_samp", {K::float64}, real},
      {"stddev_pop", {K::float64}, real},
      {"corr", {K::float64, K::float64}, real},
      {"covar_samp", {K::float64, K::float64}, real},
      {"bit_xor", {K::int64}, int64},
      {"bool_and", {K::boolean}, t(K::boolean)},
      {"list", {K::int32}, make_list(t(K::int32))},
      {"string_agg", {K::string, K::string}, text},
      {"median", {K::float64}, real},
      {"mode", {K::string}, text},
      {"approx_count_distinct", {K::int64}, int64},
  };
}

class Aggregates : public testing::TestWithParam<std::tuple<int, int>> {
 protected:
  Memory memory{1LL << 30};
  Context context{memory, Settings{}};
  std::mt19937_64 random{11};
  int rows() const { return std::get<0>(GetParam()); }
  bool null_here() {
    return std::get<1>(GetParam()) != 0 && random() % static_cast<unsigned>(std::get<1>(GetParam())) == 0;
  }

  // `nan`: some floats are NaN.
  ColumnPtr column(TypeKind kind, bool nan = false) {
    ColumnBuilder out(memory, type_of(kind), rows(), true);
    StringHeap heap(memory);
    ColumnPtr child;
    if (kind == TypeKind::list) {
      ColumnBuilder elements(memory, make_type(TypeKind::int32), 64);
      for (int i = 0; i < 64; ++i) elements.data<int32_t>()[i] = static_cast<int32_t>(random() % 5);
      child = elements.finish();
    }
    for (int i = 0; i < rows(); ++i) {
      if (null_here()) {
        out.set_null(i);
        continue;
      }
      const auto draw = static_cast<int64_t>(random() % 50) - 25;
      switch (kind) {
        case TypeKind::boolean:
          out.data<uint8_t>()[i] = draw > -20;
          break;
        case TypeKind::int32:
          out.data<int32_t>()[i] = static_cast<int32_t>(draw);
          break;
        case TypeKind::int64:
          out.data<int64_t>()[i] = draw * 1'000'000'007;
          break;
        case TypeKind::float64:
          out.data<double>()[i] = nan && draw == 0 ? std::nan("") : static_cast<double>(draw) / 8;
          break;
        case TypeKind::string: {
          const std::string value = "value number " + std::to_string(draw);
          out.data<StringView>()[i] = heap.append(value.data(), draw % 2 == 0 ? value.size() : 5);
          break;
        }
        case TypeKind::list:
          out.data<ListEntry>()[i] = {draw + 25, (draw + 25) % 4};
          break;
        default:
          ADD_FAILURE() << "no values of this kind";
      }
    }
    out.keep(heap.owners());
    if (child) out.add_child(child);
    return out.finish();
  }

  std::unique_ptr<AggregateFunction> make(const Case& test) {
    auto plan = std::make_shared<plan::Plan>();
    plan::Aggregate aggregate;
    aggregate.fn = test.fn;
    aggregate.type = test.result;
    aggregate.distinct = test.distinct;
    for (const auto kind : test.args) {
      plan::Expr expr;
      expr.kind = plan::ExprKind::column;
      expr.column = static_cast<int32_t>(plan->exprs.size());
      expr.type = type_of(kind);
      aggregate.args.push_back(expr.column);
      plan->exprs.push_back(expr);
    }
    return make_aggregate(context, plan, aggregate);
  }

  // One group over all rows in one call.
  ColumnPtr whole(const AggregateFunction& function, const std::vector<ColumnPtr>& args) {
    std::vector<uint64_t> bytes(static_cast<size_t>(function.state_bytes()) / 8);
    auto* state = reinterpret_cast<uint8_t*>(bytes.data());
    function.init(state);
    StringHeap heap(memory);
    AggregateInput input;
    input.args = args.data();
    input.rows = rows();
    input.groups = &state;
    input.one_group = true;
    input.heap = &heap;
    if (rows() > 0) function.update(input);
    auto out = function.finish(&state, 1);
    function.destroy(state);
    return out;
  }

  // Rows dealt over three states by row number modulo 3, in batches of 50, merged last to first.
  ColumnPtr split(const AggregateFunction& function, const std::vector<ColumnPtr>& args) {
    const auto size = static_cast<size_t>(function.state_bytes());
    constexpr int64_t offset = 16;  // states stand somewhere inside a row
    std::vector<std::vector<uint64_t>> bytes(3, std::vector<uint64_t>((size + offset) / 8));
    std::vector<uint8_t*> groups;
    StringHeap heap(memory);
    for (auto& state : bytes) {
      groups.push_back(reinterpret_cast<uint8_t*>(state.data()));
      function.init(groups.back() + offset);
    }
    for (int64_t start = 0; start < rows(); start += 50) {
      const int64_t count = std::min<int64_t>(50, rows() - start);
      std::vector<ColumnPtr> part;
      for (const auto& arg : args) part.push_back(slice(memory, arg, start, count));
      std::vector<uint8_t*> of_row;
      for (int64_t i = 0; i < count; ++i) of_row.push_back(groups[static_cast<size_t>((start + i) % 3)]);
      AggregateInput input;
      input.args = part.data();
      input.rows = count;
      input.groups = of_row.data();
      input.offset = offset;
      input.sequence = start;
      input.heap = &heap;
      function.update(input);
    }
    function.merge(groups[2] + offset, groups[0] + offset);
    function.merge(groups[2] + offset, groups[1] + offset);
    uint8_t* state = groups[2] + offset;
    auto out = function.finish(&state, 1);
    function.destroy(state);
    return out;
  }

  void expect_same(const Case& test, const ColumnPtr& a, const ColumnPtr& b) {
    ASSERT_EQ(a->null_count, b->null_count) << test.fn;
    if (a->null_count > 0) return;
    if (physical(*a->type) == Physical::float64) {
      const double x = flatten(memory, a)->values<double>()[0], y = flatten(memory, b)->values<double>()[0];
      EXPECT_TRUE((std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= 1e-12 * std::max(1.0, std::abs(x)) * rows())
          << test.fn << " " << x << " " << y;
      return;
    }
    EXPECT_EQ(compare_values(*a, 0, *b, 0), 0) << test.fn;
  }
};

TEST_P(Aggregates, WholeSplitAndMergedAgreeOverAllForms) {
  for (const auto& test : cases()) {
    const auto function = make(test);
    std::vector<ColumnPtr> args;
    // Variances of NaN are an error, as in DuckDB.
    const std::string fn = test.fn;
    for (const auto kind : test.args) args.push_back(column(kind, fn == "max" || fn == "median" || fn == "sum"));
    expect_same(test, whole(*function, args), split(*function, args));
    if (rows() == 0 || args.empty()) continue;
    std::vector<ColumnPtr> constants, flat;
    for (const auto& arg : args) {
      constants.push_back(make_constant(arg, rows() / 2, rows()));
      flat.push_back(flatten(memory, constants.back()));
    }
    expect_same(test, whole(*function, constants), whole(*function, flat));
    expect_same(test, split(*function, constants), split(*function, flat));
  }
  EXPECT_EQ(memory.used(), 0) << "a state was not destroyed";
}

TEST_P(Aggregates, CountSumMinMaxEqualAHostLoop) {
  const auto arg = column(TypeKind::int32);
  int64_t count = 0, sum = 0;
  int32_t least = INT32_MAX, greatest = INT32_MIN;
  for (int64_t i = 0; i < rows(); ++i) {
    if (!arg->is_valid(i)) continue;
    const int32_t value = arg->values<int32_t>()[i];
    ++count;
    sum += value;
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
  const auto int32 = make_type(TypeKind::int32), int64 = make_type(TypeKind::int64);
  EXPECT_EQ(whole(*make({"count", {TypeKind::int32}, int64}), {arg})->values<int64_t>()[0], count);
  EXPECT_EQ(whole(*make({"count_star", {}, int64}), {})->values<int64_t>()[0], rows());
  const auto total = whole(*make({"sum", {TypeKind::int32}, int64}), {arg});
  const auto low = whole(*make({"min", {TypeKind::int32}, int32}), {arg});
  const auto high = whole(*make({"max", {TypeKind::int32}, int32}), {arg});
  EXPECT_EQ(total->null_count, count == 0 ? 1 : 0);
  if (count == 0) return;
  EXPECT_EQ(total->values<int64_t>()[0], sum);
  EXPECT_EQ(low->values<int32_t>()[0], least);
  EXPECT_EQ(high->values<int32_t>()[0], greatest);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Aggregates,
                         testing::Combine(testing::Values(0, 1, 31, 32, 33, 49, 50, 51, 1000),
                                          testing::Values(0, 1, 3)));

}  // namespace
}  // namespace quern::cpu
