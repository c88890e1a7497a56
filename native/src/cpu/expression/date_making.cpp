// Dates, times and timestamps from numbers, and dates from dates.
#include <cmath>

#include "cpu/expression/date_part.hpp"
#include "ops/interval.hpp"

namespace quern::cpu {

namespace {

std::string joined(std::initializer_list<std::string> parts, const char* separator) {
  std::string out;
  for (const auto& part : parts) out += (out.empty() ? "" : separator) + part;
  return out;
}

bool make_days(int64_t year, int64_t month, int64_t day, int64_t& days) {
  if (year < -10000000 || year > 10000000 || !ops::valid_civil(year, month, day)) return false;
  days = ops::days_of_civil(year, static_cast<int32_t>(month), static_cast<int32_t>(day));
  return ops::finite_date(static_cast<int32_t>(days)) && days == static_cast<int32_t>(days);
}

// Seconds may be 60; fractions round to microseconds.
bool make_micros(int64_t hour, int64_t minute, double second, int64_t& micros) {
  if (minute < 0 || minute > 59 || !(second >= 0 && second <= 60) || hour < 0 || hour > 24) return false;
  if (hour == 24 && (minute != 0 || second != 0)) return false;
  micros = (hour * 60 + minute) * 60000000 + static_cast<int64_t>(std::round(second * 1e6));
  return true;
}

KernelPtr make_date(const Signature& signature) {
  return strict_kernel([type = signature.result](Call& call) {
    const Numbers<int64_t> year(call, 0), month(call, 1), day(call, 2);
    each_value<int32_t>(call, [&](int64_t row) {
      int64_t days;
      if (!make_days(year[row], month[row], day[row], days)) {
        throw runtime_error(range_message(
            *type, joined({number_text(year[row]), number_text(month[row]), number_text(day[row])}, "-")));
      }
      return static_cast<int32_t>(days);
    });
  });
}

KernelPtr make_time(const Signature& signature) {
  return strict_kernel([type = signature.result](Call& call) {
    const Numbers<int64_t> hour(call, 0), minute(call, 1);
    const Numbers<double> second(call, 2);
    each_value<int64_t>(call, [&](int64_t row) {
      int64_t micros;
      if (!make_micros(hour[row], minute[row], second[row], micros)) {
        throw runtime_error(range_message(
            *type, joined({number_text(hour[row]), number_text(minute[row]), number_text(second[row])}, ":")));
      }
      return micros;
    });
  });
}

KernelPtr make_timestamp(const Signature& signature) {
  if (signature.arguments.size() != 6) return nullptr;
  return strict_kernel([type = signature.result](Call& call) {
    const Numbers<int64_t> year(call, 0), month(call, 1), day(call, 2), hour(call, 3), minute(call, 4);
    const Numbers<double> second(call, 5);
    each_value<int64_t>(call, [&](int64_t row) {
      int64_t days, micros, out;
      if (!make_days(year[row], month[row], day[row], days) ||
          !make_micros(hour[row], minute[row], second[row], micros) || !ops::multiply(days, ops::day_micros, out) ||
          !ops::add(out, micros, out) || !ops::finite_timestamp(out)) {
        throw runtime_error(range_message(
            *type, joined({number_text(year[row]), number_text(month[row]), number_text(day[row])}, "-") + " " +
                       joined({number_text(hour[row]), number_text(minute[row]), number_text(second[row])}, ":")));
      }
      return out;
    });
  });
}

// Whole units since the epoch, `micros` microseconds each.
Factory from_units(int64_t micros) {
  return [micros](const Signature& signature) -> KernelPtr {
    if (signature.arguments.size() != 1) return nullptr;
    return strict_kernel([type = signature.result, micros](Call& call) {
      map_unary<int64_t, int64_t>(
          call,
          [micros](int64_t v, int64_t& out) { return ops::multiply(v, micros, out) && ops::finite_timestamp(out); },
          [&](int64_t v) { return range_message(*type, number_text(v)); });
    });
  };
}

KernelPtr make_from_seconds(const Signature& signature) {
  return strict_kernel([type = signature.result](Call& call) {
    map_unary<int64_t, double>(
        call,
        [](double seconds, int64_t& out) {
          out = 0;
          return ops::to_int64(std::round(seconds * 1e6), out) && ops::finite_timestamp(out);
        },
        [&](double seconds) { return range_message(*type, number_text(seconds)); });
  });
}

KernelPtr make_last_day(const Signature& signature) {
  return strict_kernel([type = signature.arguments[0]](Call& call) {
    const Moments moments(*type);
    each_moment<int32_t>(call, 0, moments, [&](int64_t v) {
      const ops::Civil c = ops::civil_of_days(moments.days(v));
      return static_cast<int32_t>(ops::days_of_civil(c.year, c.month, ops::month_days(c.year, c.month)));
    });
  });
}

}  // namespace

void add_date_making(KernelTable& table) {
  table.add("make_date", make_date);
  table.add("make_time", make_time);
  table.add("make_timestamp", make_timestamp);
  table.add("make_timestamp", from_units(1));
  table.add("make_timestamp_ms", from_units(1000));
  table.add("make_timestamp_ns", from_units(1));
  table.add("to_timestamp", make_from_seconds);
  table.add("last_day", make_last_day);
}

}  // namespace quern::cpu
