// list_sum, list_avg, list_min, list_max, list_count, list_product: NULL elements are skipped; a NULL list, and a list
// without a value to reduce, give NULL. Types as the aggregates of the same names.
#include <cmath>

#include "columnar/compare.hpp"
#include "columnar/dispatch.hpp"
#include "cpu/expression/loops.hpp"
#include "ops/decimal.hpp"
#include "ops/compare.hpp"
#include "ops/list_reduce.hpp"

namespace quern::cpu {

namespace {

// Calls visit(value) for every element of the entry that is not NULL; returns how many.
template <typename T, typename Visit>
int64_t each_element(const Column& elements, ListEntry entry, Visit&& visit) {
  const T* values = elements.values<T>() + entry.start;
  if (elements.null_count == 0) {
    for (int64_t i = 0; i < entry.length; ++i) visit(i, values[i]);
    return entry.length;
  }
  int64_t count = 0;
  for (int64_t i = 0; i < entry.length; ++i) {
    if (!elements.is_valid(entry.start + i)) continue;
    visit(i, values[i]);
    ++count;
  }
  return count;
}

// One result a list: reduce(elements, entry, out) is false for NULL.
template <typename Out, typename Reduce>
KernelPtr reduction(Reduce reduce) {
  return custom_kernel([reduce](Call& call) {
    auto* out = call.result.template data<Out>();
    const ColumnPtr elements =
        call.args[0]->children.empty() ? nullptr : flatten(call.memory(), call.args[0]->children[0]);
    for (int64_t row = 0; row < call.rows; ++row) {
      out[row] = Out{};
      if (!call.arg_valid(0, row) || !reduce(*elements, call.values<ListEntry>(0)[row * call.step(0)], out[row]))
        call.result.set_null(row);
    }
    return call.result.finish();
  });
}

template <typename T>
double real_sum(const Column& elements, ListEntry entry, int64_t& count) {
  if (elements.null_count == 0) {
    count = entry.length;
    return ops::sum_list(elements.values<T>() + entry.start, entry.length);
  }
  double lanes[ops::list_lanes] = {};
  count = each_element<T>(elements, entry,
                          [&](int64_t i, T value) { lanes[i % ops::list_lanes] += static_cast<double>(value); });
  return ops::combine_lanes(lanes);
}

template <typename T>
int128_t exact_sum(const Column& elements, ListEntry entry, int64_t& count) {
  int128_t sum = 0;
  bool overflow = false;
  count = each_element<T>(elements, entry, [&](int64_t, T value) {
    overflow |= __builtin_add_overflow(sum, static_cast<int128_t>(value), &sum);
  });
  if (overflow || sum >= ops::decimal_limit || sum <= -ops::decimal_limit)
    throw runtime_error("list_sum is out of range of DECIMAL(38)");
  return sum;
}

template <typename T>
KernelPtr make_sum_of(const TypePtr& result) {
  if constexpr (std::is_floating_point_v<T>) {
    return reduction<double>([](const Column& elements, ListEntry entry, double& out) {
      int64_t count = 0;
      out = real_sum<T>(elements, entry, count);
      return count > 0;
    });
  } else if (physical(*result) == Physical::int64) {
    return reduction<int64_t>([](const Column& elements, ListEntry entry, int64_t& out) {
      int64_t sum = 0;
      bool overflow = false;
      const int64_t count = each_element<T>(
          elements, entry, [&](int64_t, T value) { overflow |= __builtin_add_overflow(sum, value, &sum); });
      if (overflow) throw runtime_error("list_sum is out of range of BIGINT");
      out = sum;
      return count > 0;
    });
  } else {
    return reduction<int128_t>([](const Column& elements, ListEntry entry, int128_t& out) {
      int64_t count = 0;
      out = exact_sum<T>(elements, entry, count);
      return count > 0;
    });
  }
}

template <typename T>
KernelPtr make_avg_of(const DataType& element) {
  if constexpr (std::is_floating_point_v<T>) {
    return reduction<double>([](const Column& elements, ListEntry entry, double& out) {
      int64_t count = 0;
      out = real_sum<T>(elements, entry, count) / static_cast<double>(count);
      return count > 0;
    });
  } else {
    const long double divisor =
        element.kind == TypeKind::decimal ? std::pow(10.0L, static_cast<long double>(element.scale)) : 1.0L;
    return reduction<double>([divisor](const Column& elements, ListEntry entry, double& out) {
      int64_t count = 0;
      out = static_cast<double>(static_cast<long double>(exact_sum<T>(elements, entry, count)) / divisor /
                                static_cast<long double>(count));
      return count > 0;
    });
  }
}

KernelPtr make_sum(const Signature& signature) {
  const Physical kind = physical(*signature.arguments[0]->children[0]);
  if (!is_number(kind)) return nullptr;
  return with_number(kind, [&]<typename T>() { return make_sum_of<T>(signature.result); });
}

KernelPtr make_avg(const Signature& signature) {
  const auto& element = *signature.arguments[0]->children[0];
  if (!is_number(physical(element))) return nullptr;
  return with_number(physical(element), [&]<typename T>() { return make_avg_of<T>(element); });
}

// list_bit_and, list_bit_or, list_bit_xor
KernelPtr make_bits(const Signature& signature) {
  return with_number(physical(*signature.result), [&]<typename T>() -> KernelPtr {
    if constexpr (std::is_integral_v<T> && sizeof(T) <= 8) {
      return reduction<T>([name = signature.name](const Column& elements, ListEntry entry, T& out) {
        out = name == "list_bit_and" ? static_cast<T>(~T{}) : T{};
        return each_element<T>(elements, entry, [&](int64_t, T value) {
                 if (name == "list_bit_and")
                   out = static_cast<T>(out & value);
                 else if (name == "list_bit_or")
                   out = static_cast<T>(out | value);
                 else
                   out = static_cast<T>(out ^ value);
               }) > 0;
      });
    }
    return nullptr;
  });
}

KernelPtr make_product(const Signature&) {
  return reduction<double>([](const Column& elements, ListEntry entry, double& out) {
    double product = 1;
    const int64_t count = each_element<double>(elements, entry, [&](int64_t, double value) { product *= value; });
    out = product;
    return count > 0;
  });
}

KernelPtr make_count(const Signature&) {
  return reduction<int64_t>([](const Column& elements, ListEntry entry, int64_t& out) {
    out = 0;
    for (int64_t i = 0; i < entry.length; ++i) {
      out += elements.type->kind != TypeKind::null &&
             elements.is_valid(elements.form == Form::constant ? 0 : entry.start + i);
    }
    return true;
  });
}

// One element a list, by the position that find(elements, entry) gives; -1 = NULL.
template <typename Find>
KernelPtr picked(Find find) {
  return custom_kernel([find](Call& call) {
    std::vector<int64_t> positions(static_cast<size_t>(call.rows), -1);
    const ColumnPtr elements = flatten(call.memory(), call.args[0]->children[0]);
    for (int64_t row = 0; row < call.rows; ++row) {
      if (!call.arg_valid(0, row)) continue;
      positions[static_cast<size_t>(row)] = find(*elements, call.values<ListEntry>(0)[row * call.step(0)]);
    }
    return gather(call.memory(), elements, positions.data(), call.rows);
  });
}

// The first of the least or greatest numbers.
template <typename T, bool greatest>
int64_t extreme_number(const Column& elements, ListEntry entry) {
  int64_t at = -1;
  T held{};
  each_element<T>(elements, entry, [&](int64_t i, T value) {
    const bool better = greatest ? ops::less<T>(held, value) : ops::less<T>(value, held);
    if (at < 0 || better) {
      at = i;
      held = value;
    }
  });
  return at < 0 ? -1 : entry.start + at;
}

// The same of any type.
int64_t extreme_value(const Column& elements, ListEntry entry, bool greatest) {
  int64_t at = -1;
  for (int64_t i = entry.start; i < entry.start + entry.length; ++i) {
    if (elements.type->kind == TypeKind::null || !elements.is_valid(i)) continue;
    const int order = at < 0 ? 0 : compare_values(elements, i, elements, at);
    if (at < 0 || (greatest ? order > 0 : order < 0)) at = i;
  }
  return at;
}

KernelPtr make_extreme(const Signature& signature) {
  const bool greatest = signature.name == "list_max";
  const auto& element = *signature.arguments[0]->children[0];
  if (element.kind != TypeKind::uuid && is_number(physical(element))) {
    return with_number(physical(element), [&]<typename T>() {
      return greatest ? picked(extreme_number<T, true>) : picked(extreme_number<T, false>);
    });
  }
  return picked(
      [greatest](const Column& elements, ListEntry entry) { return extreme_value(elements, entry, greatest); });
}

}  // namespace

void add_list_reductions(KernelTable& table) {
  table.add("list_sum", make_sum);
  table.add("list_avg", make_avg);
  table.add("list_product", make_product);
  for (const char* name : {"list_bit_and", "list_bit_or", "list_bit_xor"}) table.add(name, make_bits);
  table.add("list_count", make_count);
  table.add("list_min", make_extreme);
  table.add("list_max", make_extreme);
}

}  // namespace quern::cpu
