// + - * / // % and signs of integers and floats.
#include <cmath>

#include "cpu/expression/loops.hpp"
#include "cpu/expression/message.hpp"
#include "ops/integer.hpp"
#include "ops/real.hpp"

namespace quern::cpu {

namespace {

struct Add {
  static constexpr const char* word = "addition";
  static constexpr const char* sign = " + ";
  template <typename T>
  static auto checked(T a, T b, T& out) {
    if constexpr (ops::is_signed<T>())
      return ops::add_flag(a, b, out);
    else
      return ops::add(a, b, out);
  }
  template <typename T>
  static void real(T a, T b, T& out) {
    out = a + b;
  }
};

struct Subtract {
  static constexpr const char* word = "subtraction";
  static constexpr const char* sign = " - ";
  template <typename T>
  static auto checked(T a, T b, T& out) {
    if constexpr (ops::is_signed<T>())
      return ops::subtract_flag(a, b, out);
    else
      return ops::subtract(a, b, out);
  }
  template <typename T>
  static void real(T a, T b, T& out) {
    out = a - b;
  }
};

struct Multiply {
  static constexpr const char* word = "multiplication";
  static constexpr const char* sign = " * ";
  template <typename T>
  static bool checked(T a, T b, T& out) {
    return ops::multiply(a, b, out);
  }
  template <typename T>
  static void real(T a, T b, T& out) {
    out = a * b;
  }
};

template <typename Op>
KernelPtr make_binary(const Signature& signature) {
  if (signature.arguments.size() != 2) return nullptr;
  const TypePtr type = signature.arguments[0];
  if (KernelPtr kernel = with_integer(*type, [&]<typename T>() {
        return strict_kernel([type](Call& call) {
          map_binary<T, T, T>(
              call, [](T a, T b, T& out) { return Op::checked(a, b, out); },
              [&](T a, T b) { return overflow_message(Op::word, *type, number_text(a) + Op::sign + number_text(b)); });
        });
      })) {
    return kernel;
  }
  return with_float(*type, [&]<typename T>() {
    return strict_kernel([](Call& call) { map_binary<T, T, T>(call, [](T a, T b, T& out) { Op::real(a, b, out); }); });
  });
}

KernelPtr make_divide(const Signature& signature) {
  return with_float(*signature.arguments[0], []<typename T>() {
    return strict_kernel([](Call& call) { map_binary<T, T, T>(call, [](T a, T b, T& out) { out = a / b; }); });
  });
}

// Division that gives NULL for a divisor of 0. `f(a, b, out)` is only called for others; false = overflow.
template <typename T, typename F, typename Message>
void divide_rows(Call& call, F f, Message message) {
  const T* a = call.values<T>(0);
  const T* b = call.values<T>(1);
  T* out = call.result.data<T>();
  const int64_t sa = call.step(0), sb = call.step(1);
  for (int64_t i = 0; i < call.rows; ++i) {
    const T x = a[i * sa], y = b[i * sb];
    if (y == 0) {
      out[i] = 0;
      call.result.set_null(i);
    } else if (!f(x, y, out[i]) && call.row_valid(i)) {
      throw runtime_error(message(x, y));
    }
  }
}

KernelPtr make_whole_divide(const Signature& signature) {
  const TypePtr type = signature.arguments[0];
  if (KernelPtr kernel = with_integer(*type, [&]<typename T>() {
        return strict_kernel([type](Call& call) {
          divide_rows<T>(
              call, [](T a, T b, T& out) { return ops::divide(a, b, out); },
              [&](T a, T b) { return overflow_message("division", *type, number_text(a) + " // " + number_text(b)); });
        });
      })) {
    return kernel;
  }
  return with_float(*type, []<typename T>() {
    return strict_kernel([](Call& call) {
      divide_rows<T>(call, [](T a, T b, T& out) { return out = a / b, true; }, [](T, T) { return std::string(); });
    });
  });
}

KernelPtr make_modulo(const Signature& signature) {
  if (KernelPtr kernel = with_integer(*signature.arguments[0], []<typename T>() {
        return strict_kernel([](Call& call) {
          divide_rows<T>(
              call, [](T a, T b, T& out) { return out = ops::remainder(a, b), true; },
              [](T, T) { return std::string(); });
        });
      })) {
    return kernel;
  }
  return with_float(*signature.arguments[0], []<typename T>() {
    return strict_kernel(
        [](Call& call) { map_binary<T, T, T>(call, [](T a, T b, T& out) { out = ops::real_remainder(a, b); }); });
  });
}

KernelPtr make_negate(const Signature& signature) {
  const TypePtr type = signature.arguments[0];
  if (KernelPtr kernel = with_integer(*type, [&]<typename T>() {
        return strict_kernel([type](Call& call) {
          map_unary<T, T>(
              call, [](T a, T& out) { return ops::negate(a, out); },
              [&](T a) { return overflow_message("negation", *type, "-(" + number_text(a) + ")"); });
        });
      })) {
    return kernel;
  }
  return with_float(*type, []<typename T>() {
    return strict_kernel([](Call& call) { map_unary<T, T>(call, [](T a, T& out) { out = -a; }); });
  });
}

KernelPtr make_absolute(const Signature& signature) {
  const TypePtr type = signature.arguments[0];
  if (KernelPtr kernel = with_integer(*type, [&]<typename T>() {
        return strict_kernel([type](Call& call) {
          map_unary<T, T>(
              call, [](T a, T& out) { return ops::absolute(a, out); },
              [&](T a) { return overflow_message("abs", *type, "abs(" + number_text(a) + ")"); });
        });
      })) {
    return kernel;
  }
  return with_float(*type, []<typename T>() {
    return strict_kernel([](Call& call) { map_unary<T, T>(call, [](T a, T& out) { out = std::fabs(a); }); });
  });
}

KernelPtr make_sign(const Signature& signature) {
  const auto& type = *signature.arguments[0];
  if (type.kind == TypeKind::decimal) {
    if (narrow_decimal(type)) {
      return strict_kernel(
          [](Call& call) { map_unary<int8_t, int64_t>(call, [](int64_t a, int8_t& out) { out = ops::sign(a); }); });
    }
    return strict_kernel(
        [](Call& call) { map_unary<int8_t, int128_t>(call, [](int128_t a, int8_t& out) { out = ops::sign(a); }); });
  }
  if (KernelPtr kernel = with_integer(type, []<typename T>() {
        return strict_kernel(
            [](Call& call) { map_unary<int8_t, T>(call, [](T a, int8_t& out) { out = ops::sign(a); }); });
      })) {
    return kernel;
  }
  return with_float(type, []<typename T>() {
    return strict_kernel(
        [](Call& call) { map_unary<int8_t, T>(call, [](T a, int8_t& out) { out = ops::real_sign(a); }); });
  });
}

}  // namespace

void add_arithmetic(KernelTable& table) {
  table.add("add", make_binary<Add>);
  table.add("sub", make_binary<Subtract>);
  table.add("mul", make_binary<Multiply>);
  table.add("div", make_divide);
  table.add("int_div", make_whole_divide);
  table.add("mod", make_modulo);
  table.add("neg", make_negate);
  table.add("abs", make_absolute);
  table.add("sign", make_sign);
}

}  // namespace quern::cpu
