// list_stddev_*, list_var_*, list_median and other moments of numbers as DOUBLE, list_first, list_last, list_any_value
// of anything, list_bool_and, list_bool_or: NULL elements are skipped as by the aggregates of these names.
#include <algorithm>

#include "cpu/expression/list_groups.hpp"
#include "cpu/expression/loops.hpp"
#include "cpu/expression/vector_operand.hpp"
#include "ops/list_vector.hpp"

namespace quern::cpu {

namespace {

// reduce(values without NULLs, out) is false for NULL. `values` may be reordered.
template <typename Reduce>
KernelPtr over_numbers(const Signature& signature, Reduce reduce) {
  if (!is_vector_element(*signature.arguments[0]->children[0])) return nullptr;
  return custom_kernel([reduce, values = std::make_shared<std::vector<double>>()](Call& call) {
    const VectorOperand a(call.memory(), call.args[0]);
    auto* out = call.result.data<double>();
    for (int64_t row = 0; row < call.rows; ++row) {
      out[row] = 0;
      bool known = a.valid(row);
      if (known) {
        const ListEntry entry = a.entry(row);
        values->resize(static_cast<size_t>(entry.length));
        a.widen(entry, values->data());
        if (a.has_null(entry)) {
          size_t kept = 0;
          for (int64_t i = 0; i < entry.length; ++i) {
            if (a.elements()->is_valid(entry.start + i)) (*values)[kept++] = (*values)[static_cast<size_t>(i)];
          }
          values->resize(kept);
        }
        known = reduce(*values, out[row]);
      }
      if (!known) call.result.set_null(row);
    }
    return call.result.finish();
  });
}

// Σ (x − mean)² / (count − lost), and its root. NULL with no more than `lost` values.
KernelPtr make_spread(const Signature& signature) {
  const bool root = signature.name.starts_with("list_stddev");
  const int64_t lost = signature.name.ends_with("_samp") ? 1 : 0;
  return over_numbers(signature, [root, lost](const std::vector<double>& values, double& out) {
    const auto count = static_cast<int64_t>(values.size());
    if (count <= lost) return false;
    const double mean = ops::sum_list(values.data(), count) / static_cast<double>(count);
    double lanes[ops::list_lanes] = {};
    for (int64_t i = 0; i < count; ++i) {
      const double difference = values[static_cast<size_t>(i)] - mean;
      double& lane = lanes[i % ops::list_lanes];
      lane = ops::multiply_add(difference, difference, lane);
    }
    const double variance = ops::combine_lanes(lanes) / static_cast<double>(count - lost);
    out = ops::one_nan(root ? std::sqrt(variance) : variance);
    return true;
  });
}

double median_of(std::vector<double>& values) {
  const auto less = [](double a, double b) { return a < b || (!ops::is_nan(a) && ops::is_nan(b)); };
  const auto middle = values.begin() + static_cast<int64_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end(), less);
  if (values.size() % 2 != 0) return *middle;
  const double below = *std::max_element(values.begin(), middle, less);
  return below + (*middle - below) / 2;
}

// The middle value, or the mean of the two; NaN is greatest. list_mad: that of the distances from it.
KernelPtr make_median(const Signature& signature) {
  return over_numbers(signature, [deviation = signature.name == "list_mad"](std::vector<double>& values, double& out) {
    if (values.empty()) return false;
    out = median_of(values);
    if (!deviation) return true;
    for (double& value : values) value = std::fabs(value - out);
    out = median_of(values);
    return true;
  });
}

// Σ (x − mean)^power / count
double central_moment(const std::vector<double>& values, double mean, int power) {
  double lanes[ops::list_lanes] = {};
  for (size_t i = 0; i < values.size(); ++i) {
    const double difference = values[i] - mean;
    double product = difference;
    for (int factor = 1; factor < power; ++factor) product *= difference;
    lanes[i % ops::list_lanes] += product;
  }
  return ops::combine_lanes(lanes) / static_cast<double>(values.size());
}

// The formulas of the aggregates of these names: bias-corrected skewness (three values at least) and excess kurtosis
// (four), excess kurtosis of a population (two), standard error of the mean.
bool shape_of(std::string_view name, const std::vector<double>& values, double& out) {
  const auto n = static_cast<double>(values.size());
  const double mean = ops::sum_list(values.data(), static_cast<int64_t>(values.size())) / n;
  const size_t least = name == "list_skewness" ? 3 : name == "list_kurtosis" ? 4 : name == "list_kurtosis_pop" ? 2 : 1;
  if (values.size() < least) return false;
  const double variance = central_moment(values, mean, 2);
  if (name == "list_sem") {
    out = std::sqrt(variance / n);
  } else if (name == "list_skewness") {
    out = std::sqrt(n * (n - 1)) / (n - 2) * central_moment(values, mean, 3) / (variance * std::sqrt(variance));
  } else {
    if (variance == 0) return false;
    const double ratio = central_moment(values, mean, 4) / (variance * variance);
    out = name == "list_kurtosis_pop" ? ratio - 3 : (n - 1) * ((n + 1) * ratio - 3 * (n - 1)) / ((n - 2) * (n - 3));
  }
  out = ops::one_nan(out);
  return true;
}

KernelPtr make_shape(const Signature& signature) {
  return over_numbers(signature, [name = signature.name](const std::vector<double>& values, double& out) {
    return shape_of(name, values, out);
  });
}

bool is_known(const Column& elements, int64_t at) {
  return elements.type->kind != TypeKind::null && elements.is_valid(elements.form == Form::constant ? 0 : at);
}

KernelPtr make_pick(const Signature& signature) {
  const bool last = signature.name == "list_last", any = signature.name == "list_any_value";
  return custom_kernel([last, any](Call& call) {
    std::vector<int64_t> positions(static_cast<size_t>(call.rows), -1);
    const ColumnPtr& elements = call.args[0]->children[0];
    for (int64_t row = 0; row < call.rows; ++row) {
      if (!call.arg_valid(0, row)) continue;
      const ListEntry entry = call.values<ListEntry>(0)[row * call.step(0)];
      if (entry.length == 0) continue;
      int64_t at = last ? entry.start + entry.length - 1 : entry.start;
      while (any && at < entry.start + entry.length && !is_known(*elements, at)) ++at;
      if (at < entry.start + entry.length) positions[static_cast<size_t>(row)] = at;
    }
    return gather(call.memory(), elements, positions.data(), call.rows);
  });
}

KernelPtr make_logic(const Signature& signature) {
  const uint8_t decisive = signature.name == "list_bool_or" ? 1 : 0;
  return custom_kernel([decisive](Call& call) {
    auto* out = call.result.data<uint8_t>();
    const ColumnPtr elements = flatten(call.memory(), call.args[0]->children[0]);
    for (int64_t row = 0; row < call.rows; ++row) {
      out[row] = 1 - decisive;
      bool any = false;
      if (call.arg_valid(0, row)) {
        const ListEntry entry = call.values<ListEntry>(0)[row * call.step(0)];
        for (int64_t i = entry.start; i < entry.start + entry.length; ++i) {
          if (!elements->is_valid(i)) continue;
          any = true;
          if (elements->values<uint8_t>()[i] == decisive) out[row] = decisive;
        }
      }
      if (!any) call.result.set_null(row);
    }
    return call.result.finish();
  });
}

}  // namespace

void add_list_statistics(KernelTable& table) {
  for (const char* name : {"list_stddev_samp", "list_stddev_pop", "list_var_samp", "list_var_pop"})
    table.add(name, make_spread);
  for (const char* name : {"list_median", "list_mad"}) table.add(name, make_median);
  for (const char* name : {"list_sem", "list_skewness", "list_kurtosis", "list_kurtosis_pop"})
    table.add(name, make_shape);
  for (const char* name : {"list_first", "list_last", "list_any_value"}) table.add(name, make_pick);
  for (const char* name : {"list_bool_and", "list_bool_or"}) table.add(name, make_logic);
}

}  // namespace quern::cpu
