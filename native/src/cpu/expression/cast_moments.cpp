// Casts among dates, times and timestamps of any unit. With zone means UTC.
#include "cpu/expression/cast.hpp"
#include "ops/calendar.hpp"
#include "ops/decimal.hpp"

namespace quern::cpu {

namespace {

KernelPtr date_to_timestamp(const CastTypes& types) {
  const int64_t day_units = ops::day_seconds * units_per_second(types.to->unit);
  return strict_kernel([types, day_units](Call& call) {
    convert<int64_t, int32_t>(
        call, types.try_cast,
        [day_units](int32_t days, int64_t& out) {
          if (!ops::finite_date(days)) {
            out = days > 0 ? ops::infinite_timestamp : -ops::infinite_timestamp;
            return true;
          }
          return ops::multiply(static_cast<int64_t>(days), day_units, out) && ops::finite_timestamp(out);
        },
        [&](int32_t days) { return range_message(*types.to, date_text(days)); });
  });
}

KernelPtr timestamp_to_date(const CastTypes& types) {
  const int64_t day_units = ops::day_seconds * units_per_second(types.from->unit);
  return strict_kernel([types, day_units](Call& call) {
    convert<int32_t, int64_t>(
        call, types.try_cast,
        [day_units](int64_t v, int32_t& out) {
          if (!ops::finite_timestamp(v)) {
            out = v > 0 ? ops::infinite_date : -ops::infinite_date;
            return true;
          }
          const int64_t days = ops::floor_div(v, day_units);
          out = static_cast<int32_t>(days);
          return days == out && ops::finite_date(out);
        },
        [&](int64_t v) { return range_message(*types.to, timestamp_text(v, *types.from)); });
  });
}

// Nanoseconds lose their last three digits by cutting; coarser units round half away from zero.
bool change_unit(int64_t v, int64_t from, int64_t to, int64_t& out) {
  if (from == to) return out = v, true;
  if (to > from) return ops::multiply(v, to / from, out);
  if (from == 1000000000) v /= 1000, from = 1000000;
  out = from == to ? v : ops::divide_half_away(v, from / to);
  return true;
}

KernelPtr timestamp_to_timestamp(const CastTypes& types) {
  const int64_t from = units_per_second(types.from->unit), to = units_per_second(types.to->unit);
  return strict_kernel([=](Call& call) {
    convert<int64_t, int64_t>(
        call, types.try_cast,
        [=](int64_t v, int64_t& out) {
          out = v;
          return !ops::finite_timestamp(v) || (change_unit(v, from, to, out) && ops::finite_timestamp(out));
        },
        [&](int64_t v) { return range_message(*types.to, timestamp_text(v, *types.from)); });
  });
}

KernelPtr timestamp_to_time(const CastTypes& types) {
  const int64_t from = units_per_second(types.from->unit), to = units_per_second(types.to->unit);
  return strict_kernel([=](Call& call) {
    convert<int64_t, int64_t>(
        call, types.try_cast,
        [=](int64_t v, int64_t& out) {
          // Cut to the time's unit first, as a cast to a timestamp of that unit would.
          const int64_t coarse = to >= from ? v : v / (from / to);
          const int64_t scale = to >= from ? from : to;
          out = ops::floor_mod(coarse, ops::day_seconds * scale) * (to / scale);
          return ops::finite_timestamp(v);
        },
        [&](int64_t v) { return range_message(*types.to, timestamp_text(v, *types.from)); });
  });
}

KernelPtr time_to_time(const CastTypes& types) {
  const int64_t from = units_per_second(types.from->unit), to = units_per_second(types.to->unit);
  return strict_kernel([=](Call& call) {
    map_unary<int64_t, int64_t>(call,
                                [=](int64_t v, int64_t& out) { out = to >= from ? v * (to / from) : v / (from / to); });
  });
}

}  // namespace

KernelPtr cast_moments(const CastTypes& types) {
  const TypeKind from = types.from->kind, to = types.to->kind;
  if (from == TypeKind::date && to == TypeKind::timestamp) return date_to_timestamp(types);
  if (from == TypeKind::timestamp && to == TypeKind::date) return timestamp_to_date(types);
  if (from == TypeKind::timestamp && to == TypeKind::timestamp) return timestamp_to_timestamp(types);
  if (from == TypeKind::timestamp && to == TypeKind::time) return timestamp_to_time(types);
  if (from == TypeKind::time && to == TypeKind::time) return time_to_time(types);
  return nullptr;
}

}  // namespace quern::cpu
