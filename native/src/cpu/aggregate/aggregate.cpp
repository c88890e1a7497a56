#include "cpu/aggregate.hpp"

#include <unordered_map>

#include "cpu/aggregate/families.hpp"

namespace quern::cpu {

namespace {

using Factory = AggregatePtr (*)(const AggregateSpec&);

const std::unordered_map<std::string, Factory>& factories() {
  static const std::unordered_map<std::string, Factory> table = {
      {"count_star", make_count},
      {"count", make_count},
      {"sum", make_sum},
      {"avg", make_avg},
      {"product", make_product},
      {"min", make_extreme},
      {"max", make_extreme},
      {"arg_min", make_arg_extreme},
      {"arg_max", make_arg_extreme},
      {"arg_min_null", make_arg_extreme},
      {"arg_max_null", make_arg_extreme},
      {"arg_min_nulls_last", make_arg_extreme},
      {"arg_max_nulls_last", make_arg_extreme},
      {"first", make_pick},
      {"last", make_pick},
      {"any_value", make_pick},
      {"var_samp", make_variance},
      {"var_pop", make_variance},
      {"stddev_samp", make_variance},
      {"stddev_pop", make_variance},
      {"covar_samp", make_pairs},
      {"covar_pop", make_pairs},
      {"corr", make_pairs},
      {"regr_avgx", make_pairs},
      {"regr_avgy", make_pairs},
      {"regr_sxx", make_pairs},
      {"regr_syy", make_pairs},
      {"regr_sxy", make_pairs},
      {"regr_slope", make_pairs},
      {"regr_intercept", make_pairs},
      {"regr_r2", make_pairs},
      {"regr_count", make_pair_count},
      {"sem", make_variance},
      {"skewness", make_shape},
      {"kurtosis", make_shape},
      {"kurtosis_pop", make_shape},
      {"fsum", make_compensated},
      {"favg", make_compensated},
      {"bool_and", make_bits},
      {"bool_or", make_bits},
      {"bit_and", make_bits},
      {"bit_or", make_bits},
      {"bit_xor", make_bits},
      {"list", make_collect},
      {"collect_list", make_collect},
      {"string_agg", make_collect},
      {"median", make_quantile},
      {"quantile_cont", make_quantile},
      {"quantile_disc", make_quantile},
      {"approx_quantile", make_quantile},
      {"mad", make_median_distance},
      {"mode", make_mode},
      {"entropy", make_entropy},
      {"histogram", make_histogram},
      {"histogram_exact", make_binned_histogram},
      {"approx_top_k", make_top_frequent},
      {"vector_sum", make_vector_fold},
      {"vector_avg", make_vector_fold},
      {"approx_count_distinct", make_approx_count_distinct},
  };
  return table;
}

// With a number of rows after the arguments: a list of the first ones.
bool is_best(const plan::Aggregate& aggregate) {
  const bool of_one = aggregate.fn == "min" || aggregate.fn == "max";
  const bool of_two = aggregate.fn == "arg_min" || aggregate.fn == "arg_max";
  return (of_one && aggregate.args.size() == 2) || (of_two && aggregate.args.size() == 3);
}

// Aggregates that a repeated value does not change: DISTINCT is free.
bool ignores_repeats(const plan::Aggregate& aggregate) {
  const std::string& fn = aggregate.fn;
  if (is_best(aggregate)) return false;
  return fn == "min" || fn == "max" || fn == "any_value" || fn == "bool_and" || fn == "bool_or" || fn == "bit_and" ||
         fn == "bit_or" || fn == "approx_count_distinct" || fn == "arg_min" || fn == "arg_max";
}

}  // namespace

std::unique_ptr<AggregateFunction> make_aggregate(Context& context, const std::shared_ptr<const plan::Plan>& plan,
                                                  const plan::Aggregate& aggregate) {
  const auto found = factories().find(aggregate.fn);
  if (found == factories().end()) throw unsupported("aggregate " + aggregate.fn);
  AggregateSpec spec{context, aggregate, {}, {}};
  const auto add = [&](plan::ExprIndex index) {
    const auto& expr = plan->exprs[static_cast<size_t>(index)];
    spec.args.push_back(expr.type);
    spec.constants.push_back(expr.kind == plan::ExprKind::literal ? expr.literal : nullptr);
  };
  for (const auto index : aggregate.args) add(index);
  for (const auto& key : aggregate.order) add(key.expr);
  const bool binned = aggregate.fn == "histogram" && aggregate.args.size() == 2;
  const Factory make = is_best(aggregate) ? make_best : binned ? make_binned_histogram : found->second;
  if (aggregate.distinct && !ignores_repeats(aggregate)) {
    if (aggregate.fn == "count") return make_count_distinct(spec);
    return make_distinct(spec, make(spec));
  }
  return make(spec);
}

}  // namespace quern::cpu
