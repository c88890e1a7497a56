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
AggregatePtr make_variance(const AggregateSpec& spec);     // var_*, stddev_*, sem
AggregatePtr make_pairs(const AggregateSpec& spec);        // covar_*, corr, regr_*
AggregatePtr make_bits(const AggregateSpec& spec);         // bool_*, bit_*
AggregatePtr make_collect(const AggregateSpec& spec);      // list, collect_list, string_agg
AggregatePtr make_quantile(const AggregateSpec& spec);     // median, quantile_cont, quantile_disc, approx_quantile
AggregatePtr make_median_distance(const AggregateSpec& spec);  // mad
AggregatePtr make_mode(const AggregateSpec& spec);
AggregatePtr make_entropy(const AggregateSpec& spec);
AggregatePtr make_histogram(const AggregateSpec& spec);
AggregatePtr make_binned_histogram(const AggregateSpec& spec);  // histogram, histogram_exact with bins
AggregatePtr make_top_frequent(const AggregateSpec& spec);      // approx_top_k
AggregatePtr make_shape(const AggregateSpec& spec);             // skewness, kurtosis, kurtosis_pop
AggregatePtr make_compensated(const AggregateSpec& spec);       // fsum, favg
AggregatePtr make_pair_count(const AggregateSpec& spec);        // regr_count
AggregatePtr make_vector_fold(const AggregateSpec& spec);       // vector_sum, vector_avg
AggregatePtr make_approx_count_distinct(const AggregateSpec& spec);
// Feeds each distinct row of arguments once to `inner`.
AggregatePtr make_distinct(const AggregateSpec& spec, AggregatePtr inner);
AggregatePtr make_count_distinct(const AggregateSpec& spec);

}  // namespace quern::cpu
