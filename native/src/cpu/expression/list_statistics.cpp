// list_stddev_*, list_var_*, list_median of numbers as DOUBLE, list_first, list_last, list_any_value of anything,
// list_bool_and, list_bool_or: NULL elements are skipped as by the aggregates of these names.
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

// The middle value, or the mean of the two; NaN is greatest.
KernelPtr make_median(const Signature& signature) {
  return over_numbers(signature, [](std::vector<double>& values, double& out) {
    if (values.empty()) return false;
    const auto less = [](double a, double b) { return a < b || (!ops::is_nan(a) && ops::is_nan(b)); };
    const auto middle = values.begin() + static_cast<int64_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end(), less);
    out = *middle;
    if (values.size() % 2 == 0) {
      const double below = *std::max_element(values.begin(), middle, less);
      out = below + (out - below) / 2;
    }
    return true;
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
  table.add("list_median", make_median);
  for (const char* name : {"list_first", "list_last", "list_any_value"}) table.add(name, make_pick);
  for (const char* name : {"list_bool_and", "list_bool_or"}) table.add(name, make_logic);
}

}  // namespace quern::cpu
