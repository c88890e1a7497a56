// + and - of dates, times, timestamps and intervals.
#include "cpu/expression/loops.hpp"
#include "cpu/expression/message.hpp"
#include "ops/interval.hpp"

namespace quern::cpu {

namespace {

bool is(const Signature& signature, TypeKind first, TypeKind second) {
  return signature.arguments.size() == 2 && signature.arguments[0]->kind == first &&
         signature.arguments[1]->kind == second;
}

template <bool plus>
bool signed_interval(Interval v, Interval& out) {
  out = v;
  return plus || ops::negate(v, out);
}

constexpr const char* word(bool plus) { return plus ? "addition" : "subtraction"; }
constexpr const char* sign(bool plus) { return plus ? " + " : " - "; }

// DATE ± days
template <bool plus>
KernelPtr date_days(const Signature& signature) {
  if (!is(signature, TypeKind::date, TypeKind::int32)) return nullptr;
  return strict_kernel([type = signature.result](Call& call) {
    map_binary<int32_t, int32_t, int32_t>(
        call,
        [](int32_t date, int32_t days, int32_t& out) {
          out = date;
          if (!ops::finite_date(date)) return true;
          return (plus ? ops::add(date, days, out) : ops::subtract(date, days, out)) && ops::finite_date(out);
        },
        [&](int32_t date, int32_t days) {
          return overflow_message(word(plus), *type, date_text(date) + sign(plus) + number_text(days));
        });
  });
}

KernelPtr date_minus_date(const Signature& signature) {
  if (!is(signature, TypeKind::date, TypeKind::date)) return nullptr;
  return strict_kernel([](Call& call) {
    map_binary<int64_t, int32_t, int32_t>(
        call, [](int32_t a, int32_t b, int64_t& out) { out = static_cast<int64_t>(a) - b; });
  });
}

// DATE + TIME → TIMESTAMP; the time may count another unit than the result.
KernelPtr date_plus_time(const Signature& signature) {
  if (!is(signature, TypeKind::date, TypeKind::time)) return nullptr;
  const int64_t units = units_per_second(signature.arguments[1]->unit);
  return strict_kernel([type = signature.result, units](Call& call) {
    map_binary<int64_t, int32_t, int64_t>(
        call,
        [units](int32_t date, int64_t time, int64_t& out) {
          out = date > 0 ? ops::infinite_timestamp : -ops::infinite_timestamp;
          if (!ops::finite_date(date)) return true;
          int64_t micros;
          return ops::micros_of(time, units, micros) &&
                 ops::multiply(static_cast<int64_t>(date), ops::day_micros, out) && ops::add(out, micros, out) &&
                 ops::finite_timestamp(out);
        },
        [&](int32_t date, int64_t) { return range_message(*type, date_text(date)); });
  });
}

// DATE ± INTERVAL → TIMESTAMP
template <bool plus>
KernelPtr date_interval(const Signature& signature) {
  if (!is(signature, TypeKind::date, TypeKind::interval)) return nullptr;
  return strict_kernel([type = signature.result](Call& call) {
    map_binary<int64_t, int32_t, Interval>(
        call,
        [](int32_t date, Interval interval, int64_t& out) {
          out = date > 0 ? ops::infinite_timestamp : -ops::infinite_timestamp;
          if (!ops::finite_date(date)) return true;
          Interval step;
          return signed_interval<plus>(interval, step) &&
                 ops::multiply(static_cast<int64_t>(date), ops::day_micros, out) &&
                 ops::add_to_timestamp(out, step, 1000000, out);
        },
        [&](int32_t date, Interval interval) {
          return overflow_message(word(plus), *type, date_text(date) + sign(plus) + interval_text(interval));
        });
  });
}

// DATE ± INTERVAL of whole days and months → DATE
template <bool plus>
KernelPtr date_whole_interval(const Signature& signature) {
  return strict_kernel([type = signature.result](Call& call) {
    map_binary<int32_t, int32_t, Interval>(
        call,
        [](int32_t date, Interval interval, int32_t& out) {
          Interval step;
          return signed_interval<plus>(interval, step) && ops::add_to_date(date, step, out);
        },
        [&](int32_t date, Interval interval) {
          return overflow_message(word(plus), *type, date_text(date) + sign(plus) + interval_text(interval));
        });
  });
}

template <bool plus>
KernelPtr timestamp_interval(const Signature& signature) {
  if (!is(signature, TypeKind::timestamp, TypeKind::interval)) return nullptr;
  const int64_t units = units_per_second(signature.result->unit);
  return strict_kernel([type = signature.result, units](Call& call) {
    map_binary<int64_t, int64_t, Interval>(
        call,
        [units](int64_t v, Interval interval, int64_t& out) {
          Interval step;
          return signed_interval<plus>(interval, step) && ops::add_to_timestamp(v, step, units, out);
        },
        [&](int64_t v, Interval interval) {
          return overflow_message(word(plus), *type, timestamp_text(v, *type) + sign(plus) + interval_text(interval));
        });
  });
}

template <bool plus>
KernelPtr time_interval(const Signature& signature) {
  if (!is(signature, TypeKind::time, TypeKind::interval)) return nullptr;
  const int64_t units = units_per_second(signature.result->unit);
  return strict_kernel([units](Call& call) {
    map_binary<int64_t, int64_t, Interval>(call, [units](int64_t time, Interval interval, int64_t& out) {
      const int64_t micros = interval.micros % ops::day_micros;
      out = ops::add_to_time(time, plus ? micros : -micros, units);
    });
  });
}

bool age(int64_t a, int64_t b, Interval& out) {
  out = ops::age(a, b);
  return true;
}

// `f`: microseconds of both → interval.
template <bool (*f)(int64_t, int64_t, Interval&)>
KernelPtr timestamp_difference(const Signature& signature) {
  if (!is(signature, TypeKind::timestamp, TypeKind::timestamp)) return nullptr;
  const TypePtr type = signature.arguments[0];
  const int64_t units = units_per_second(type->unit);
  return strict_kernel([type, units](Call& call) {
    map_binary<Interval, int64_t, int64_t>(
        call,
        [units](int64_t a, int64_t b, Interval& out) {
          int64_t x, y;
          out = {0, 0, 0};
          return ops::finite_timestamp(a) && ops::finite_timestamp(b) && ops::micros_of(a, units, x) &&
                 ops::micros_of(b, units, y) && f(x, y, out);
        },
        [&](int64_t a, int64_t b) {
          return overflow_message("subtraction", *type, timestamp_text(a, *type) + " - " + timestamp_text(b, *type));
        });
  });
}

}  // namespace

void add_date_arithmetic(KernelTable& table) {
  table.add("add", date_days<true>);
  table.add("sub", date_days<false>);
  table.add("sub", date_minus_date);
  table.add("add", date_plus_time);
  table.add("add", date_interval<true>);
  table.add("sub", date_interval<false>);
  table.add("add_date", date_whole_interval<true>);
  table.add("sub_date", date_whole_interval<false>);
  table.add("add", timestamp_interval<true>);
  table.add("sub", timestamp_interval<false>);
  table.add("add", time_interval<true>);
  table.add("sub", time_interval<false>);
  table.add("sub", timestamp_difference<ops::between>);
  table.add("age", timestamp_difference<age>);
}

}  // namespace quern::cpu
