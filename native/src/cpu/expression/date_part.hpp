// Moments of any type as days and time of day, and part names.
#pragma once
#include "cpu/expression/loops.hpp"
#include "cpu/expression/text.hpp"
#include "ops/parse.hpp"

namespace quern::cpu {

// The part a constant or row of text names; raises for another word.
inline ops::DatePart part_of_name(ops::Text name) {
  ops::DatePart part;
  if (!ops::parse_date_part(name, part)) throw runtime_error("no such date part: " + quoted(string_of(name)));
  return part;
}

// How a date, timestamp or time column counts: rows as int32 days or int64 units.
struct Moments {
  explicit Moments(const DataType& type)
      : date(type.kind == TypeKind::date),
        time(type.kind == TypeKind::time),
        second_units(date ? 1 : units_per_second(type.unit)) {}
  // In units of 1/second_units since the epoch (or midnight). Finite values only.
  int64_t at(const Call& call, size_t i, int64_t row) const {
    const int64_t index = row * call.step(i);
    return date ? call.values<int32_t>(i)[index] * ops::day_seconds : call.values<int64_t>(i)[index];
  }
  bool finite(const Call& call, size_t i, int64_t row) const {
    const int64_t index = row * call.step(i);
    return date ? ops::finite_date(call.values<int32_t>(i)[index])
                : ops::finite_timestamp(call.values<int64_t>(i)[index]);
  }
  int64_t days(int64_t v) const { return ops::floor_div(v, ops::day_seconds * second_units); }
  bool date, time;
  int64_t second_units;
};

// out[row] = f(moment) for rows that are neither null nor infinite; the others are null.
template <typename R, typename F>
void each_moment(Call& call, size_t arg, const Moments& moments, F f) {
  R* out = call.result.data<R>();
  for_valid(call.valid, call.rows, [&](int64_t row) {
    if (moments.finite(call, arg, row)) {
      out[row] = f(moments.at(call, arg, row));
    } else {
      out[row] = R{};
      call.result.set_null(row);
    }
  });
}

}  // namespace quern::cpu
