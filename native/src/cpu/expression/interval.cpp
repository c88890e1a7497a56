// Arithmetic of intervals, and intervals from counts of a unit.
#include <cmath>

#include "cpu/expression/loops.hpp"
#include "cpu/expression/message.hpp"
#include "ops/interval.hpp"

namespace quern::cpu {

namespace {

bool is(const Signature& signature, size_t count, TypeKind second) {
  return signature.arguments.size() == count && signature.arguments[0]->kind == TypeKind::interval &&
         (count == 1 || signature.arguments[1]->kind == second);
}

template <bool plus>
KernelPtr make_sum(const Signature& signature) {
  if (!is(signature, 2, TypeKind::interval)) return nullptr;
  return strict_kernel([type = signature.result](Call& call) {
    map_binary<Interval, Interval, Interval>(
        call,
        [](Interval a, Interval b, Interval& out) { return plus ? ops::add(a, b, out) : ops::subtract(a, b, out); },
        [&](Interval a, Interval b) {
          return overflow_message(plus ? "addition" : "subtraction", *type,
                                  interval_text(a) + (plus ? " + " : " - ") + interval_text(b));
        });
  });
}

KernelPtr make_negate(const Signature& signature) {
  if (!is(signature, 1, TypeKind::interval)) return nullptr;
  return strict_kernel([type = signature.result](Call& call) {
    map_unary<Interval, Interval>(
        call, [](Interval a, Interval& out) { return ops::negate(a, out); },
        [&](Interval a) { return overflow_message("negation", *type, "-(" + interval_text(a) + ")"); });
  });
}

template <typename T>
KernelPtr make_product(const Signature& signature, TypeKind second) {
  if (!is(signature, 2, second)) return nullptr;
  return strict_kernel([type = signature.result](Call& call) {
    map_binary<Interval, Interval, T>(
        call, [](Interval a, T b, Interval& out) { return ops::multiply(a, b, out); },
        [&](Interval a, T b) {
          return overflow_message("multiplication", *type, interval_text(a) + " * " + number_text(b));
        });
  });
}

// NULL for a divisor of 0.
KernelPtr make_quotient(const Signature& signature) {
  if (!is(signature, 2, TypeKind::float64)) return nullptr;
  return strict_kernel([type = signature.result](Call& call) {
    const auto* a = call.values<Interval>(0);
    const auto* b = call.values<double>(1);
    auto* out = call.result.data<Interval>();
    for_valid(call.valid, call.rows, [&](int64_t row) {
      const Interval x = a[row * call.step(0)];
      const double y = b[row * call.step(1)];
      out[row] = {0, 0, 0};
      if (y == 0)
        call.result.set_null(row);
      else if (!ops::multiply(x, 1 / y, out[row]))
        throw runtime_error(overflow_message("division", *type, interval_text(x) + " / " + number_text(y)));
    });
  });
}

// `count` units of months, days or microseconds each.
Factory from_count(const char* name, Interval unit) {
  return [=](const Signature& signature) {
    return strict_kernel([=, type = signature.result](Call& call) {
      map_unary<Interval, int64_t>(
          call, [unit](int64_t count, Interval& out) { return ops::multiply(unit, count, out); },
          [&](int64_t count) { return range_message(*type, name + std::string("(") + number_text(count) + ")"); });
    });
  };
}

Factory from_fraction(const char* name, double micros) {
  return [=](const Signature& signature) {
    return strict_kernel([=, type = signature.result](Call& call) {
      map_unary<Interval, double>(
          call,
          [micros](double count, Interval& out) {
            out = {0, 0, 0};
            return ops::to_int64(std::round(count * micros), out.micros);
          },
          [&](double count) { return range_message(*type, name + std::string("(") + number_text(count) + ")"); });
    });
  };
}

}  // namespace

void add_interval(KernelTable& table) {
  table.add("add", make_sum<true>);
  table.add("sub", make_sum<false>);
  table.add("neg", make_negate);
  table.add("mul", [](const Signature& s) { return make_product<int64_t>(s, TypeKind::int64); });
  table.add("mul", [](const Signature& s) { return make_product<double>(s, TypeKind::float64); });
  table.add("div", make_quotient);
  table.add("normalized_interval", [](const Signature&) {
    return strict_kernel([](Call& call) {
      map_unary<Interval, Interval>(call, [](Interval v, Interval& out) { out = ops::normalise(v); });
    });
  });
  table.add("to_millennia", from_count("to_millennia", {12000, 0, 0}));
  table.add("to_centuries", from_count("to_centuries", {1200, 0, 0}));
  table.add("to_decades", from_count("to_decades", {120, 0, 0}));
  table.add("to_years", from_count("to_years", {12, 0, 0}));
  table.add("to_quarters", from_count("to_quarters", {3, 0, 0}));
  table.add("to_months", from_count("to_months", {1, 0, 0}));
  table.add("to_weeks", from_count("to_weeks", {0, 7, 0}));
  table.add("to_days", from_count("to_days", {0, 1, 0}));
  table.add("to_hours", from_count("to_hours", {0, 0, 3600000000}));
  table.add("to_minutes", from_count("to_minutes", {0, 0, 60000000}));
  table.add("to_microseconds", from_count("to_microseconds", {0, 0, 1}));
  table.add("to_seconds", from_fraction("to_seconds", 1e6));
  table.add("to_milliseconds", from_fraction("to_milliseconds", 1e3));
}

}  // namespace quern::cpu
