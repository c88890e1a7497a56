// + - * // % and signs of decimals. Precision ≤ 18 is int64, above int128; where the result's precision holds every
// possible result nothing is checked.
#include <algorithm>

#include "cpu/expression/loops.hpp"
#include "cpu/expression/message.hpp"
#include "ops/decimal.hpp"

namespace quern::cpu {

namespace {

// visit.operator()<T>() for a decimal's storage.
template <typename Visit>
KernelPtr with_decimal(const DataType& type, Visit&& visit) {
  return narrow_decimal(type) ? visit.template operator()<int64_t>() : visit.template operator()<int128_t>();
}

// A binary operation over any mix of storage. `exact`: no result can leave the result's precision.
template <typename Op>
KernelPtr make_binary(const Signature& signature, bool exact) {
  const TypePtr left = signature.arguments[0], right = signature.arguments[1], type = signature.result;
  return with_decimal(*left, [&]<typename A>() {
    return with_decimal(*right, [&]<typename B>() {
      return with_decimal(*type, [&]<typename R>() -> KernelPtr {
        if (exact) {
          return strict_kernel([](Call& call) {
            map_binary<R, A, B>(call, [](A a, B b, R& out) { out = Op::exact(static_cast<R>(a), static_cast<R>(b)); });
          });
        }
        const int128_t limit = ops::power_of_ten(type->precision);
        return strict_kernel([=](Call& call) {
          map_binary<R, A, B>(
              call,
              [limit](A a, B b, R& out) {
                int128_t wide;
                const bool fits = Op::checked(a, b, wide) && ops::in_precision(wide, limit);
                out = static_cast<R>(wide);
                return fits;
              },
              [&](A a, B b) {
                return overflow_message(Op::word, *type, decimal_text(a, *left) + Op::sign + decimal_text(b, *right));
              });
        });
      });
    });
  });
}

struct Add {
  static constexpr const char* word = "addition";
  static constexpr const char* sign = " + ";
  static bool checked(int128_t a, int128_t b, int128_t& out) { return ops::add(a, b, out); }
  template <typename T>
  static T exact(T a, T b) {
    return a + b;
  }
};

struct Subtract {
  static constexpr const char* word = "subtraction";
  static constexpr const char* sign = " - ";
  static bool checked(int128_t a, int128_t b, int128_t& out) { return ops::subtract(a, b, out); }
  template <typename T>
  static T exact(T a, T b) {
    return a - b;
  }
};

struct Multiply {
  static constexpr const char* word = "multiplication";
  static constexpr const char* sign = " * ";
  static bool checked(int128_t a, int128_t b, int128_t& out) { return ops::multiply(a, b, out); }
  template <typename T>
  static T exact(T a, T b) {
    return a * b;
  }
};

bool decimals(const Signature& signature) {
  return signature.arguments.size() == 2 && signature.arguments[0]->kind == TypeKind::decimal &&
         signature.arguments[1]->kind == TypeKind::decimal;
}

template <typename Op>
KernelPtr make_sum(const Signature& signature) {
  if (!decimals(signature)) return nullptr;
  return make_binary<Op>(signature, signature.result->precision >
                                        std::max(signature.arguments[0]->precision, signature.arguments[1]->precision));
}

KernelPtr make_product(const Signature& signature) {
  if (!decimals(signature)) return nullptr;
  return make_binary<Multiply>(
      signature, signature.result->precision >= signature.arguments[0]->precision + signature.arguments[1]->precision);
}

// Whole quotient (as a decimal of the same scale) or remainder; NULL for a divisor of 0.
template <bool quotient>
KernelPtr make_division(const Signature& signature) {
  if (!decimals(signature)) return nullptr;
  const TypePtr left = signature.arguments[0], right = signature.arguments[1], type = signature.result;
  return with_decimal(*left, [&]<typename A>() {
    return with_decimal(*right, [&]<typename B>() {
      return with_decimal(*type, [&]<typename R>() -> KernelPtr {
        const int128_t limit = ops::power_of_ten(type->precision);
        const int128_t unit = quotient ? ops::power_of_ten(type->scale) : 1;
        return strict_kernel([=](Call& call) {
          const A* a = call.values<A>(0);
          const B* b = call.values<B>(1);
          R* out = call.result.data<R>();
          const int64_t sa = call.step(0), sb = call.step(1);
          for (int64_t i = 0; i < call.rows; ++i) {
            const int128_t x = a[i * sa], y = b[i * sb];
            int128_t value = 0;
            if (y == 0) {
              call.result.set_null(i);
            } else if (!quotient) {
              value = ops::remainder(x, y);
            } else if ((!ops::multiply(x / y, unit, value) || !ops::in_precision(value, limit)) && call.row_valid(i)) {
              throw runtime_error(
                  overflow_message("division", *type, decimal_text(x, *left) + " // " + decimal_text(y, *right)));
            }
            out[i] = static_cast<R>(value);
          }
        });
      });
    });
  });
}

KernelPtr make_negate(const Signature& signature) {
  if (signature.arguments[0]->kind != TypeKind::decimal) return nullptr;
  return with_decimal(*signature.arguments[0], []<typename T>() {
    return strict_kernel([](Call& call) { map_unary<T, T>(call, [](T a, T& out) { out = -a; }); });
  });
}

KernelPtr make_absolute(const Signature& signature) {
  if (signature.arguments[0]->kind != TypeKind::decimal) return nullptr;
  return with_decimal(*signature.arguments[0], []<typename T>() {
    return strict_kernel([](Call& call) { map_unary<T, T>(call, [](T a, T& out) { out = a < 0 ? -a : a; }); });
  });
}

}  // namespace

void add_decimal_arithmetic(KernelTable& table) {
  table.add("add", make_sum<Add>);
  table.add("sub", make_sum<Subtract>);
  table.add("mul", make_product);
  table.add("int_div", make_division<true>);
  table.add("mod", make_division<false>);
  table.add("neg", make_negate);
  table.add("abs", make_absolute);
}

}  // namespace quern::cpu
