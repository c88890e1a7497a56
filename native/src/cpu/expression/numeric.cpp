// Functions of floats with their domains, and of whole numbers.
#include <cmath>
#include <numbers>

#include "cpu/expression/loops.hpp"
#include "cpu/expression/message.hpp"
#include "ops/real.hpp"

namespace quern::cpu {

namespace {

// double → double that cannot fail.
Factory real(double (*f)(double)) {
  return [f](const Signature&) {
    return strict_kernel(
        [f](Call& call) { map_unary<double, double>(call, [f](double a, double& out) { out = f(a); }); });
  };
}

// double → double with a domain; `reason` stands before the value.
Factory real_in_domain(bool (*f)(double, double&), const char* reason) {
  return [f, reason](const Signature&) {
    return strict_kernel([f, reason](Call& call) {
      map_unary<double, double>(
          call, [f](double a, double& out) { return f(a, out); },
          [reason](double a) { return reason + std::string(": ") + number_text(a); });
    });
  };
}

// A logarithm: zero and negative numbers have messages of their own.
Factory logarithm(bool (*f)(double, double&)) {
  return [f](const Signature&) {
    return strict_kernel([f](Call& call) {
      map_unary<double, double>(
          call, [f](double a, double& out) { return f(a, out); },
          [](double a) {
            return a == 0 ? std::string("cannot take logarithm of zero")
                          : "cannot take logarithm of a negative number: " + number_text(a);
          });
    });
  };
}

KernelPtr make_log_base(const Signature&) {
  return strict_kernel([](Call& call) {
    map_binary<double, double, double>(
        call, [](double base, double x, double& out) { return ops::log_base(base, x, out); },
        [](double base, double x) {
          const double bad = base <= 0 ? base : x;
          if (bad == 0) return std::string("cannot take logarithm of zero");
          if (bad < 0) return "cannot take logarithm of a negative number: " + number_text(bad);
          return "no logarithm to this base: " + number_text(base);
        });
  });
}

Factory real_pair(double (*f)(double, double)) {
  return [f](const Signature&) {
    return strict_kernel([f](Call& call) {
      map_binary<double, double, double>(call, [f](double a, double b, double& out) { out = f(a, b); });
    });
  };
}

template <typename F>
KernelPtr test_float(const DataType& type, F f) {
  return with_float(type, [&]<typename T>() {
    return strict_kernel([f](Call& call) { map_unary<uint8_t, T>(call, [f](T a, uint8_t& out) { out = f(a); }); });
  });
}

// Dates and timestamps have infinities too.
template <bool finite>
KernelPtr make_moment_test(const Signature& signature) {
  if (signature.arguments[0]->kind == TypeKind::date) {
    return strict_kernel([](Call& call) {
      map_unary<uint8_t, int32_t>(
          call, [](int32_t a, uint8_t& out) { out = (a != 2147483647 && a != -2147483647) == finite; });
    });
  }
  if (signature.arguments[0]->kind == TypeKind::timestamp) {
    return strict_kernel([](Call& call) {
      map_unary<uint8_t, int64_t>(call,
                                  [](int64_t a, uint8_t& out) { out = (a != INT64_MAX && a != -INT64_MAX) == finite; });
    });
  }
  return nullptr;
}

KernelPtr make_next_after(const Signature& signature) {
  return with_float(*signature.arguments[0], []<typename T>() {
    return strict_kernel(
        [](Call& call) { map_binary<T, T, T>(call, [](T a, T b, T& out) { out = std::nextafter(a, b); }); });
  });
}

KernelPtr make_pi(const Signature&) {
  return custom_kernel([](Call& call) {
    std::fill_n(call.result.data<double>(), call.rows, std::numbers::pi);
    return call.result.finish();
  });
}

KernelPtr make_factorial(const Signature& signature) {
  return strict_kernel([type = signature.result](Call& call) {
    map_unary<int128_t, int32_t>(
        call, [](int32_t a, int128_t& out) { return ops::factorial(a, out); },
        [&](int32_t a) {
          return a < 0 ? "no factorial of a negative number: " + number_text(a)
                       : range_message(*type, "factorial(" + number_text(a) + ")");
        });
  });
}

Factory whole_pair(bool (*f)(int64_t, int64_t, int64_t&), const char* name) {
  return [=](const Signature& signature) {
    return strict_kernel([=, type = signature.result](Call& call) {
      map_binary<int64_t, int64_t, int64_t>(
          call, [f](int64_t a, int64_t b, int64_t& out) { return f(a, b, out); },
          [&](int64_t a, int64_t b) {
            return range_message(*type, name + std::string("(") + number_text(a) + ", " + number_text(b) + ")");
          });
    });
  };
}

}  // namespace

void add_numeric(KernelTable& table) {
  table.add("sqrt", real_in_domain(ops::square_root, "cannot take square root of a negative number"));
  table.add("ln", logarithm(ops::natural_log));
  table.add("log2", logarithm(ops::log_base_2));
  table.add("log10", logarithm(ops::log_base_10));
  table.add("log", make_log_base);
  table.add("sin", real_in_domain(ops::sine, "value out of range for sin"));
  table.add("cos", real_in_domain(ops::cosine, "value out of range for cos"));
  table.add("tan", real_in_domain(ops::tangent, "value out of range for tan"));
  table.add("cot", real_in_domain(ops::cotangent, "value out of range for cot"));
  table.add("asin", real_in_domain(ops::arc_sine, "asin is undefined outside [-1, 1]"));
  table.add("acos", real_in_domain(ops::arc_cosine, "acos is undefined outside [-1, 1]"));
  table.add("acosh", real_in_domain(ops::arc_cosine_hyperbolic, "value out of range for acosh"));
  table.add("atanh", real_in_domain(ops::arc_tangent_hyperbolic, "atanh is undefined outside [-1, 1]"));
  table.add("atan", real([](double a) { return std::atan(a); }));
  table.add("sinh", real([](double a) { return std::sinh(a); }));
  table.add("cosh", real([](double a) { return std::cosh(a); }));
  table.add("tanh", real([](double a) { return std::tanh(a); }));
  table.add("asinh", real([](double a) { return std::asinh(a); }));
  table.add("cbrt", real([](double a) { return std::cbrt(a); }));
  table.add("exp", real([](double a) { return std::exp(a); }));
  table.add("degrees", real([](double a) { return a * (180.0 / std::numbers::pi); }));
  table.add("radians", real([](double a) { return a * (std::numbers::pi / 180.0); }));
  table.add("gamma", real_in_domain(ops::gamma_function, "no gamma of zero"));
  table.add("lgamma", real_in_domain(ops::log_gamma, "no logarithm of gamma of zero"));
  table.add("nextafter", make_next_after);
  table.add("signbit",
            [](const Signature& s) { return test_float(*s.arguments[0], [](auto a) { return ops::sign_bit(a); }); });
  table.add("even", real(ops::even));
  table.add("pow", real_pair([](double a, double b) { return std::pow(a, b); }));
  table.add("atan2", real_pair([](double a, double b) { return std::atan2(a, b); }));
  table.add("pi", make_pi);
  table.add("isnan",
            [](const Signature& s) { return test_float(*s.arguments[0], [](auto a) { return ops::is_nan(a); }); });
  table.add("isinf",
            [](const Signature& s) { return test_float(*s.arguments[0], [](auto a) { return ops::is_infinite(a); }); });
  table.add("isfinite",
            [](const Signature& s) { return test_float(*s.arguments[0], [](auto a) { return ops::is_finite(a); }); });
  table.add("isinf", make_moment_test<false>);
  table.add("isfinite", make_moment_test<true>);
  table.add("factorial", make_factorial);
  table.add("gcd", whole_pair(ops::gcd, "gcd"));
  table.add("lcm", whole_pair(ops::lcm, "lcm"));
}

}  // namespace quern::cpu
