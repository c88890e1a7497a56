// round, trunc, ceil, floor. Digits are the same for every row of a decimal: its result scale is part of the type.
#include <algorithm>
#include <cmath>

#include "cpu/expression/loops.hpp"
#include "cpu/expression/message.hpp"
#include "ops/real.hpp"

namespace quern::cpu {

namespace {

template <typename F>
KernelPtr map_float(const DataType& type, F f) {
  return with_float(type, [&]<typename T>() {
    return strict_kernel([f](Call& call) { map_unary<T, T>(call, [f](T a, T& out) { out = f(a); }); });
  });
}

template <typename F>
KernelPtr map_float_digits(const DataType& type, F f) {
  return with_float(type, [&]<typename T>() {
    return strict_kernel(
        [f](Call& call) { map_binary<T, T, int32_t>(call, [f](T a, int32_t digits, T& out) { out = f(a, digits); }); });
  });
}

// Integers change only for negative digits.
KernelPtr round_integer(const Signature& signature) {
  const TypePtr type = signature.arguments[0];
  return with_integer(*type, [&]<typename T>() {
    return strict_kernel([type](Call& call) {
      map_binary<T, T, int32_t>(
          call,
          [](T a, int32_t digits, T& out) {
            out = a;
            if (digits >= 0) return true;
            const int128_t rounded =
                digits < -20 ? 0 : ops::round_to_multiple(static_cast<int128_t>(a), ops::power_of_ten(-digits));
            out = static_cast<T>(rounded);
            return static_cast<int128_t>(out) == rounded;
          },
          [&](T a, int32_t digits) {
            return range_message(*type, "round(" + number_text(a) + ", " + number_text(digits) + ")");
          });
    });
  });
}

enum class Direction { half_away, zero, up, down };

int128_t divide(int128_t v, int128_t divisor, Direction direction) {
  switch (direction) {
    case Direction::half_away:
      return ops::divide_half_away(v, divisor);
    case Direction::zero:
      return v / divisor;
    case Direction::up:
      return ops::divide_ceil(v, divisor);
    case Direction::down:
      return ops::divide_floor(v, divisor);
  }
  return v;
}

// v of scale `from.scale` → a multiple of 10^-digits in the result's scale, which is at most the argument's.
template <Direction direction>
KernelPtr round_decimal(const Signature& signature) {
  const TypePtr from = signature.arguments[0], to = signature.result;
  if (from->kind != TypeKind::decimal) return nullptr;
  if (to->scale > from->scale) throw internal_error("rounding cannot add digits");
  return strict_kernel([=](Call& call) {
    const int32_t digits = call.args.size() == 2 ? call.values<int32_t>(1)[0] : 0;
    if (call.args.size() == 2 && !call.constant(1) && call.rows > 1)
      throw unsupported("digits of a decimal that differ by row");
    const int64_t dropped = static_cast<int64_t>(from->scale) - digits;
    const int128_t limit = ops::power_of_ten(to->precision);
    const int128_t divisor = ops::power_of_ten(static_cast<int>(std::clamp<int64_t>(dropped, 0, 38)));
    // After division the value counts 10^-digits; the result may have a finer scale.
    const int128_t factor = ops::power_of_ten(static_cast<int>(
        std::clamp<int64_t>(to->scale - std::max<int64_t>(std::min<int64_t>(digits, from->scale), -38), 0, 38)));
    const bool narrow_in = narrow_decimal(*from), narrow_out = narrow_decimal(*to);
    for_valid(call.valid, call.rows, [&](int64_t i) {
      const int128_t value =
          narrow_in ? call.values<int64_t>(0)[i * call.step(0)] : call.values<int128_t>(0)[i * call.step(0)];
      int128_t out = dropped > 38 ? 0 : dropped > 0 ? divide(value, divisor, direction) : value;
      if (!ops::scale_up(out, factor, limit, out)) throw runtime_error(range_message(*to, decimal_text(value, *from)));
      if (narrow_out)
        call.result.data<int64_t>()[i] = static_cast<int64_t>(out);
      else
        call.result.data<int128_t>()[i] = out;
    });
  });
}

}  // namespace

void add_rounding(KernelTable& table) {
  table.add("round", [](const Signature& s) -> KernelPtr {
    if (s.arguments.size() == 1) return map_float(*s.arguments[0], [](auto a) { return std::round(a); });
    return map_float_digits(*s.arguments[0], [](auto a, int32_t digits) { return ops::round_digits(a, digits); });
  });
  table.add("round",
            [](const Signature& s) -> KernelPtr { return s.arguments.size() == 2 ? round_integer(s) : nullptr; });
  table.add("round", round_decimal<Direction::half_away>);
  table.add("trunc", [](const Signature& s) -> KernelPtr {
    if (s.arguments.size() == 1) return map_float(*s.arguments[0], [](auto a) { return std::trunc(a); });
    return map_float_digits(*s.arguments[0], [](auto a, int32_t digits) { return ops::trunc_digits(a, digits); });
  });
  table.add("trunc", round_decimal<Direction::zero>);
  table.add("ceil", [](const Signature& s) { return map_float(*s.arguments[0], [](auto a) { return std::ceil(a); }); });
  table.add("ceil", round_decimal<Direction::up>);
  table.add("floor",
            [](const Signature& s) { return map_float(*s.arguments[0], [](auto a) { return std::floor(a); }); });
  table.add("floor", round_decimal<Direction::down>);
}

}  // namespace quern::cpu
