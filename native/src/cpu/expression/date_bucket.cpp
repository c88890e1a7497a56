// time_bucket: start of the bucket of a width that holds a date or timestamp.
#include "cpu/expression/date_part.hpp"
#include "ops/time_bucket.hpp"

namespace quern::cpu {

namespace {

constexpr int64_t micros_a_second = 1000000;

// A width is whole months, or days and time.
void check_width(Interval width) {
  if (width.months != 0 && (width.days != 0 || width.micros != 0))
    throw runtime_error("a bucket of months has no days or time: " + interval_text(width));
}

// Everything in microseconds since the epoch; nothing is said about an origin when it is null.
int64_t bucket_of(Interval width, int64_t micros, const int64_t* origin, const DataType& type) {
  int64_t out = 0;
  bool fits = false;
  if (width.months != 0) {
    const int64_t first = origin != nullptr ? ops::floor_div(*origin, ops::day_micros) : ops::month_bucket_origin_day;
    int64_t days = 0;
    fits = ops::month_bucket_start(ops::floor_div(micros, ops::day_micros), width.months, first, days) &&
           ops::multiply(days, ops::day_micros, out);
    if (width.months < 0) throw runtime_error("the width of a bucket is above 0, not: " + interval_text(width));
  } else {
    int64_t size = 0;
    const int64_t first = origin != nullptr ? *origin : ops::bucket_origin_day * ops::day_micros;
    fits = ops::multiply(static_cast<int64_t>(width.days), ops::day_micros, size) && ops::add(size, width.micros, size);
    if (fits && size <= 0) throw runtime_error("the width of a bucket is above 0, not: " + interval_text(width));
    fits = fits && ops::bucket_start(micros, size, first, out);
  }
  if (!fits) throw runtime_error(range_message(type, "time_bucket(" + interval_text(width) + ", …)"));
  return out;
}

int64_t shifted(int64_t micros, Interval by, const DataType& type) {
  int64_t out;
  if (!ops::add_to_timestamp(micros, by, micros_a_second, out))
    throw runtime_error(range_message(type, "time_bucket with offset " + interval_text(by)));
  return out;
}

// A moment of the call in microseconds.
int64_t micros_at(const Call& call, size_t i, const Moments& moments, int64_t row) {
  int64_t out;
  if (!ops::micros_of(moments.at(call, i, row), moments.second_units, out))
    throw runtime_error(range_message(*call.args[i]->type, "time_bucket"));
  return out;
}

// time_bucket(width, moment[, offset | origin])
KernelPtr make_bucket(const Signature& signature) {
  const bool date = signature.arguments[1]->kind == TypeKind::date;
  if (!date && signature.arguments[1]->unit != TimeUnit::us)
    throw unsupported("time_bucket of " + type_name(*signature.arguments[1]));
  const bool third = signature.arguments.size() == 3;
  const bool offset = third && signature.arguments[2]->kind == TypeKind::interval;
  return strict_kernel([=, type = signature.result](Call& call) {
    const Numbers<Interval> widths(call, 0);
    const Moments moments(*type);
    for_valid(call.valid, call.rows, [&](int64_t row) {
      const auto put = [&](int64_t v) {
        if (date)
          call.result.data<int32_t>()[row] = static_cast<int32_t>(v);
        else
          call.result.data<int64_t>()[row] = v;
      };
      const Interval width = widths[row];
      check_width(width);
      if (third && !offset && !moments.finite(call, 2, row)) {
        put(0);
        return call.result.set_null(row);
      }
      if (!moments.finite(call, 1, row)) {
        const int64_t index = row * call.step(1);
        return put(date ? call.values<int32_t>(1)[index] : call.values<int64_t>(1)[index]);
      }
      const int64_t micros = micros_at(call, 1, moments, row);
      int64_t start;
      if (offset) {
        const Interval by = Numbers<Interval>(call, 2)[row];
        Interval back;
        if (!ops::negate(by, back)) throw runtime_error(range_message(*call.args[2]->type, interval_text(by)));
        start = shifted(bucket_of(width, shifted(micros, back, *type), nullptr, *type), by, *type);
      } else {
        const int64_t origin = third ? micros_at(call, 2, moments, row) : 0;
        start = bucket_of(width, micros, third ? &origin : nullptr, *type);
      }
      put(date ? ops::floor_div(start, ops::day_micros) : start);
    });
  });
}

}  // namespace

void add_date_bucket(KernelTable& table) { table.add("time_bucket", make_bucket); }

}  // namespace quern::cpu
