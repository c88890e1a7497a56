// extract: parts of dates, times, timestamps and intervals; date_trunc.
#include "cpu/expression/date_part.hpp"

namespace quern::cpu {

namespace {

using ops::DatePart;

int64_t part_of_moment(DatePart part, const Moments& moments, int64_t v) {
  if (moments.time) return ops::part_of_time(part, v, moments.second_units);
  const int64_t day_units = ops::day_seconds * moments.second_units;
  if (ops::below_day(part)) return ops::part_of_time(part, ops::floor_mod(v, day_units), moments.second_units);
  if (part == DatePart::epoch) return v / moments.second_units;
  return ops::part_of_days(part, ops::floor_div(v, day_units));
}

// The part is a template argument, so that each loop holds one formula.
template <DatePart part>
KernelPtr make_part(const Signature& signature) {
  const TypePtr type = signature.arguments[0];
  if (type->kind == TypeKind::interval) {
    return strict_kernel([](Call& call) {
      map_unary<int64_t, Interval>(call, [](Interval v, int64_t& out) { out = ops::part_of_interval(part, v); });
    });
  }
  if (type->kind == TypeKind::date) {
    return strict_kernel([type](Call& call) {
      const auto* days = call.values<int32_t>(0);
      auto* out = call.result.data<int64_t>();
      bool infinite = false;
      for (int64_t i = 0; i < call.rows; ++i) {
        out[i] = ops::part_of_days(part, days[i]);
        infinite |= !ops::finite_date(days[i]);
      }
      if (!infinite) return;
      for (int64_t i = 0; i < call.rows; ++i) {
        if (!ops::finite_date(days[i])) call.result.set_null(i);
      }
    });
  }
  if (type->kind == TypeKind::timestamp && type->unit == TimeUnit::us) {  // the usual unit, divided by constants
    return strict_kernel([](Call& call) {
      const auto* micros = call.values<int64_t>(0);
      auto* out = call.result.data<int64_t>();
      bool infinite = false;
      for (int64_t i = 0; i < call.rows; ++i) {
        out[i] = ops::below_day(part) ? ops::part_of_time(part, ops::floor_mod(micros[i], ops::day_micros), 1000000)
                                      : ops::part_of_days(part, ops::floor_div(micros[i], ops::day_micros));
        infinite |= !ops::finite_timestamp(micros[i]);
      }
      if (!infinite) return;
      for (int64_t i = 0; i < call.rows; ++i) {
        if (!ops::finite_timestamp(micros[i])) call.result.set_null(i);
      }
    });
  }
  return strict_kernel([type](Call& call) {
    const Moments moments(*type);
    each_moment<int64_t>(call, 0, moments, [&](int64_t v) { return part_of_moment(part, moments, v); });
  });
}

// date_part(name, x): the name may differ by row.
KernelPtr make_named_part(const Signature& signature) {
  const TypePtr type = signature.arguments[1];
  return strict_kernel([type](Call& call) {
    const Texts names(call, 0);
    auto* out = call.result.data<int64_t>();
    const bool fixed = call.constant(0);
    const DatePart first = fixed ? part_of_name(names[0]) : DatePart::year;
    const Moments moments(*type);
    for_valid(call.valid, call.rows, [&](int64_t row) {
      const DatePart part = fixed ? first : part_of_name(names[row]);
      if (type->kind == TypeKind::interval) {
        const Interval v = call.values<Interval>(1)[row * call.step(1)];
        out[row] = part == DatePart::epoch ? static_cast<int64_t>(ops::micros_of_interval(v) / 1000000)
                                           : ops::part_of_interval(part, v);
      } else if (moments.finite(call, 1, row)) {
        out[row] = part_of_moment(part, moments, moments.at(call, 1, row));
      } else {
        call.result.set_null(row);
      }
    });
  });
}

KernelPtr make_julian(const Signature& signature) {
  return strict_kernel([type = signature.arguments[0]](Call& call) {
    const Moments moments(*type);
    constexpr double epoch_day = 2440588;  // Julian day of 1970-01-01
    each_moment<double>(call, 0, moments, [&](int64_t v) {
      const int64_t days = moments.days(v);
      const double day_units = static_cast<double>(ops::day_seconds * moments.second_units);
      return epoch_day + static_cast<double>(days) +
             static_cast<double>(v - days * ops::day_seconds * moments.second_units) / day_units;
    });
  });
}

KernelPtr make_epoch(const Signature& signature) {
  return strict_kernel([type = signature.arguments[0]](Call& call) {
    if (type->kind == TypeKind::interval) {
      return map_unary<double, Interval>(
          call, [](Interval v, double& out) { out = static_cast<double>(ops::micros_of_interval(v)) / 1e6; });
    }
    const Moments moments(*type);
    const double units = static_cast<double>(moments.second_units);
    each_moment<double>(call, 0, moments, [&](int64_t v) { return static_cast<double>(v) / units; });
  });
}

// Whole 1/target seconds since the epoch; coarser units are cut towards zero. Months of an interval have 30 days.
Factory epoch_in(int64_t target) {
  return [target](const Signature& signature) {
    return strict_kernel([type = signature.arguments[0], result = signature.result, target](Call& call) {
      auto* out = call.result.data<int64_t>();
      const Moments moments(*type);
      for_valid(call.valid, call.rows, [&](int64_t row) {
        int128_t units;
        if (type->kind == TypeKind::interval) {
          const Interval v = call.values<Interval>(0)[row * call.step(0)];
          const int128_t micros = (static_cast<int128_t>(v.months) * 30 + v.days) * ops::day_micros + v.micros;
          units = target >= 1000000 ? micros * (target / 1000000) : micros / (1000000 / target);
        } else if (moments.finite(call, 0, row)) {
          const int128_t v = moments.at(call, 0, row);
          units = target >= moments.second_units ? v * (target / moments.second_units)
                                                 : v / (moments.second_units / target);
        } else {
          return call.result.set_null(row);
        }
        out[row] = static_cast<int64_t>(units);
        if (units != out[row]) throw runtime_error("epoch does not fit BIGINT");
      });
    });
  };
}

// Parts that a moment can be cut to.
void check_trunc(DatePart part) {
  if (part == DatePart::era || part == DatePart::nanosecond)
    throw runtime_error("cannot cut a date to this part: era and nanosecond");
}

KernelPtr make_trunc(const Signature& signature) {
  const TypePtr type = signature.arguments[1];
  if (type->kind == TypeKind::interval) {
    return strict_kernel([](Call& call) {
      const Texts names(call, 0);
      const auto* values = call.values<Interval>(1);
      auto* out = call.result.data<Interval>();
      for_valid(call.valid, call.rows, [&](int64_t row) {
        if (!ops::trunc_interval(part_of_name(names[row]), values[row * call.step(1)], out[row])) {
          throw runtime_error("cannot cut an interval to this part: " + quoted(string_of(names[row])));
        }
      });
    });
  }
  // Dates become midnight timestamps in microseconds.
  const bool date = type->kind == TypeKind::date;
  const int64_t units = units_per_second(signature.result->unit);
  return strict_kernel([date, units, result = signature.result](Call& call) {
    const Texts names(call, 0);
    auto* out = call.result.data<int64_t>();
    const bool fixed = call.constant(0);
    const DatePart first = fixed ? part_of_name(names[0]) : DatePart::year;
    check_trunc(first);
    if (fixed && !date && !call.constant(1) && ops::below_day(first)) {
      const auto* values = call.values<int64_t>(1);
      const int64_t step = std::max<int64_t>(ops::part_units(first, units), 1);
      for (int64_t i = 0; i < call.rows; ++i)
        out[i] = ops::finite_timestamp(values[i]) ? values[i] - ops::floor_mod(values[i], step) : values[i];
      return;
    }
    if (fixed && !date && !call.constant(1) && units == 1000000) {  // the usual unit, divided by constants
      const auto* values = call.values<int64_t>(1);
      for_valid(call.valid, call.rows, [&](int64_t row) {
        out[row] = values[row];
        if (ops::finite_timestamp(values[row]) &&
            !ops::multiply(ops::trunc_days(first, ops::floor_div(values[row], ops::day_micros)), ops::day_micros,
                           out[row])) {
          throw runtime_error("date_trunc leaves the range of " + type_name(*result));
        }
      });
      return;
    }
    for_valid(call.valid, call.rows, [&](int64_t row) {
      const DatePart part = fixed ? first : part_of_name(names[row]);
      check_trunc(part);
      const int64_t index = row * call.step(1);
      bool fits = true;
      if (date) {
        const int32_t days = call.values<int32_t>(1)[index];
        if (!ops::finite_date(days))
          out[row] = days > 0 ? ops::infinite_timestamp : -ops::infinite_timestamp;
        else
          fits = ops::multiply(ops::below_day(part) ? static_cast<int64_t>(days) : ops::trunc_days(part, days),
                               ops::day_seconds * units, out[row]);
      } else {
        const int64_t v = call.values<int64_t>(1)[index];
        out[row] = v;
        if (ops::finite_timestamp(v)) fits = ops::trunc_timestamp(part, v, units, out[row]);
      }
      if (!fits) throw runtime_error("date_trunc leaves the range of " + type_name(*result));
    });
  });
}

template <DatePart part>
void add_part(KernelTable& table, const char* name) {
  table.add(name, make_part<part>);
}

}  // namespace

void add_date_parts(KernelTable& table) {
  add_part<DatePart::era>(table, "era");
  add_part<DatePart::millennium>(table, "millennium");
  add_part<DatePart::century>(table, "century");
  add_part<DatePart::decade>(table, "decade");
  add_part<DatePart::year>(table, "year");
  add_part<DatePart::quarter>(table, "quarter");
  add_part<DatePart::month>(table, "month");
  add_part<DatePart::day>(table, "day");
  add_part<DatePart::week>(table, "week");
  add_part<DatePart::isoyear>(table, "isoyear");
  add_part<DatePart::yearweek>(table, "yearweek");
  add_part<DatePart::dow>(table, "dow");
  add_part<DatePart::isodow>(table, "isodow");
  add_part<DatePart::doy>(table, "doy");
  add_part<DatePart::hour>(table, "hour");
  add_part<DatePart::minute>(table, "minute");
  add_part<DatePart::second>(table, "second");
  add_part<DatePart::millisecond>(table, "millisecond");
  add_part<DatePart::microsecond>(table, "microsecond");
  add_part<DatePart::nanosecond>(table, "nanosecond");
  table.add("julian", make_julian);
  table.add("epoch", make_epoch);
  table.add("epoch_ms", epoch_in(1000));
  table.add("epoch_us", epoch_in(1000000));
  table.add("epoch_ns", epoch_in(1000000000));
  table.add("date_part", make_named_part);
  table.add("date_trunc", make_trunc);
}

}  // namespace quern::cpu
