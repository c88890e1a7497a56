// Factories of the aggregate families, one file each. Each throws internal errors for types that the function table
// does not allow.
#pragma once
#include "cpu/aggregate/values.hpp"

namespace quern::cpu {

AggregatePtr make_count(const AggregateSpec& spec);  // count_star, count
AggregatePtr make_sum(const AggregateSpec& spec);
AggregatePtr make_avg(const AggregateSpec& spec);
AggregatePtr make_product(const AggregateSpec& spec);
AggregatePtr make_extreme(const AggregateSpec& spec);      // min, max
AggregatePtr make_arg_extreme(const AggregateSpec& spec);  // arg_min, arg_max
AggregatePtr make_best(const AggregateSpec& spec);         // min(x, n), max(x, n), arg_min(x, y, n), arg_max(x, y, n)
AggregatePtr make_pick(const AggregateSpec& spec);         // first, last, any_value
AggregatePtr make_variance(const AggregateSpec& spec);     // var_*, stddev_*
AggregatePtr make_pairs(const AggregateSpec& spec);        // covar_*, corr
AggregatePtr make_bits(const AggregateSpec& spec);         // bool_*, bit_*
AggregatePtr make_collect(const AggregateSpec& spec);      // list, collect_list, string_agg
AggregatePtr make_quantile(const AggregateSpec& spec);     // median, quantile_cont, quantile_disc
AggregatePtr make_mode(const AggregateSpec& spec);
AggregatePtr make_vector_fold(const AggregateSpec& spec);  // vector_sum, vector_avg
AggregatePtr make_approx_count_distinct(const AggregateSpec& spec);
// Feeds each distinct row of arguments once to `inner`.
AggregatePtr make_distinct(const AggregateSpec& spec, AggregatePtr inner);
AggregatePtr make_count_distinct(const AggregateSpec& spec);

}  // namespace quern::cpu
