// date_diff (boundaries crossed) and date_sub (whole parts between).
#include "cpu/expression/date_part.hpp"
#include "ops/interval.hpp"

namespace quern::cpu {

namespace {

using ops::DatePart;

void check_difference(DatePart part, ops::Text name) {
  if (part == DatePart::era || part == DatePart::nanosecond)
    throw runtime_error("no difference in this part: " + quoted(string_of(name)));
}

template <bool whole>
KernelPtr make_difference(const Signature& signature) {
  return strict_kernel([type = signature.arguments[1]](Call& call) {
    const Texts names(call, 0);
    const Moments moments(*type);
    auto* out = call.result.data<int64_t>();
    for_valid(call.valid, call.rows, [&](int64_t row) {
      const DatePart part = part_of_name(names[row]);
      check_difference(part, names[row]);
      if (!moments.finite(call, 1, row) || !moments.finite(call, 2, row)) return call.result.set_null(row);
      // Both counted in microseconds, or nanoseconds where the type does.
      const int64_t from = moments.at(call, 1, row), to = moments.at(call, 2, row);
      const int64_t units = std::max<int64_t>(moments.second_units, 1000000);
      int64_t a, b;
      if (!ops::multiply(from, units / moments.second_units, a) ||
          !ops::multiply(to, units / moments.second_units, b)) {
        throw runtime_error("dates too far apart for a difference in microseconds");
      }
      if (whole) {
        ops::micros_of(a, units, a);
        ops::micros_of(b, units, b);
        int64_t ignored;
        if (!ops::subtract(b, a, ignored)) throw runtime_error("dates too far apart for a difference in microseconds");
        out[row] = ops::parts_between(part, a, b);
      } else {
        out[row] = ops::boundaries_between(part, a, b, units);
      }
    });
  });
}

}  // namespace

void add_date_difference(KernelTable& table) {
  table.add("date_diff", make_difference<false>);
  table.add("date_sub", make_difference<true>);
}

}  // namespace quern::cpu
