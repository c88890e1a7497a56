// Casts from and to decimals.
#include "cpu/expression/cast.hpp"
#include "ops/cast.hpp"

namespace quern::cpu {

namespace {

template <typename Visit>
KernelPtr with_decimal(const DataType& type, Visit&& visit) {
  return narrow_decimal(type) ? visit.template operator()<int64_t>() : visit.template operator()<int128_t>();
}

// `f(From, int128_t&)` into the result's storage.
template <typename From, typename F, typename Text>
KernelPtr into_decimal(const CastTypes& types, F f, Text text) {
  return with_decimal(*types.to, [&]<typename To>() {
    return strict_kernel([types, f, text](Call& call) {
      convert<To, From>(
          call, types.try_cast,
          [f](From v, To& out) {
            int128_t wide;
            const bool fits = f(v, wide);
            out = static_cast<To>(fits ? wide : 0);
            return fits;
          },
          [&](From v) { return range_message(*types.to, text(v)); });
    });
  });
}

KernelPtr to_decimal(const CastTypes& types) {
  const int128_t limit = ops::power_of_ten(types.to->precision);
  const int128_t factor = ops::power_of_ten(types.to->scale);
  if (types.from->kind == TypeKind::boolean) {
    return into_decimal<uint8_t>(
        types, [=](uint8_t v, int128_t& out) { return ops::integer_to_decimal(v, factor, limit, out); },
        [](uint8_t v) { return std::string(v != 0 ? "true" : "false"); });
  }
  if (KernelPtr kernel = with_integer(*types.from, [&]<typename From>() -> KernelPtr {
        // Every value fits: a product without checks, in int64 where the result is.
        if (integer_digits(*types.from) + types.to->scale <= types.to->precision) {
          return with_decimal(*types.to, [&]<typename To>() {
            return strict_kernel([power = static_cast<To>(factor)](Call& call) {
              map_unary<To, From>(call, [power](From v, To& out) { out = static_cast<To>(v) * power; });
            });
          });
        }
        return into_decimal<From>(
            types, [=](From v, int128_t& out) { return ops::integer_to_decimal(v, factor, limit, out); },
            [](From v) { return number_text(v); });
      })) {
    return kernel;
  }
  return with_float(*types.from, [&]<typename From>() {
    const auto real_factor = static_cast<double>(factor), real_limit = static_cast<double>(limit);
    return into_decimal<From>(
        types, [=](From v, int128_t& out) { return ops::real_to_decimal(v, real_factor, real_limit, out); },
        [](From v) { return number_text(v); });
  });
}

KernelPtr between_decimals(const CastTypes& types) {
  const DataType &from = *types.from, &to = *types.to;
  const bool up = to.scale >= from.scale;
  const int128_t factor = ops::power_of_ten(up ? to.scale - from.scale : from.scale - to.scale);
  const int128_t limit = ops::power_of_ten(to.precision);
  // No value of the argument's precision leaves the result's: nothing to check, and int64 where both are narrow.
  if (up && to.precision - to.scale >= from.precision - from.scale) {
    return with_decimal(from, [&]<typename From>() {
      return with_decimal(to, [&]<typename To>() {
        return strict_kernel([factor = static_cast<To>(factor)](Call& call) {
          map_unary<To, From>(call, [factor](From v, To& out) { out = static_cast<To>(v) * factor; });
        });
      });
    });
  }
  return with_decimal(from, [&]<typename From>() {
    return into_decimal<From>(
        types, [=](From v, int128_t& out) { return ops::decimal_to_decimal(v, up, factor, limit, out); },
        [type = types.from](From v) { return decimal_text(v, *type); });
  });
}

KernelPtr from_decimal(const CastTypes& types) {
  const int128_t factor = ops::power_of_ten(types.from->scale);
  const int scale = types.from->scale;
  return with_decimal(*types.from, [&]<typename From>() -> KernelPtr {
    if (types.to->kind == TypeKind::boolean) {
      return strict_kernel(
          [](Call& call) { map_unary<uint8_t, From>(call, [](From v, uint8_t& out) { out = v != 0; }); });
    }
    if (KernelPtr kernel = with_integer(*types.to, [&]<typename To>() {
          return strict_kernel([types, factor](Call& call) {
            convert<To, From>(
                call, types.try_cast, [factor](From v, To& out) { return ops::decimal_to_integer(v, factor, out); },
                [&](From v) { return range_message(*types.to, decimal_text(v, *types.from)); });
          });
        })) {
      return kernel;
    }
    return with_float(*types.to, [&]<typename To>() -> KernelPtr {
      if constexpr (sizeof(From) == 8) {
        if (types.from->precision <= 15) {  // exact in a double: one division, correctly rounded
          return strict_kernel([power = static_cast<double>(factor)](Call& call) {
            map_unary<To, From>(call,
                                [power](From v, To& out) { out = static_cast<To>(static_cast<double>(v) / power); });
          });
        }
      }
      return strict_kernel([scale](Call& call) {
        map_unary<To, From>(call,
                            [scale](From v, To& out) { out = static_cast<To>(ops::decimal_to_double(v, scale)); });
      });
    });
  });
}

}  // namespace

int integer_digits(const DataType& type) {
  switch (width(type)) {
    case 1:
      return 3;
    case 2:
      return 5;
    case 4:
      return 10;
    default:
      return type.kind == TypeKind::uint64 ? 20 : 19;
  }
}

KernelPtr cast_decimals(const CastTypes& types) {
  if (types.from->kind == TypeKind::decimal && types.to->kind == TypeKind::decimal) return between_decimals(types);
  if (types.from->kind == TypeKind::decimal) return from_decimal(types);
  if (types.to->kind == TypeKind::decimal) return to_decimal(types);
  return nullptr;
}

}  // namespace quern::cpu
