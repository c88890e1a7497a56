// Bit operations and shifts of integers.
#include "cpu/expression/loops.hpp"
#include "cpu/expression/message.hpp"
#include "ops/integer.hpp"

namespace quern::cpu {

namespace {

// A factory for `f(T, T) -> T` over every integer type.
template <typename F>
Factory binary(F f) {
  return [f](const Signature& signature) {
    return with_integer(*signature.arguments[0], [&]<typename T>() {
      return strict_kernel(
          [f](Call& call) { map_binary<T, T, T>(call, [f](T a, T b, T& out) { out = static_cast<T>(f(a, b)); }); });
    });
  };
}

KernelPtr make_not(const Signature& signature) {
  return with_integer(*signature.arguments[0], []<typename T>() {
    return strict_kernel([](Call& call) { map_unary<T, T>(call, [](T a, T& out) { out = static_cast<T>(~a); }); });
  });
}

KernelPtr make_shift_left(const Signature& signature) {
  return with_integer(*signature.arguments[0], [&]<typename T>() {
    return strict_kernel([type = signature.arguments[0]](Call& call) {
      map_binary<T, T, T>(
          call, [](T a, T n, T& out) { return ops::shift_left(a, n, out); },
          [&](T a, T n) { return overflow_message("left shift", *type, number_text(a) + " << " + number_text(n)); });
    });
  });
}

KernelPtr make_bit_count(const Signature& signature) {
  return with_integer(*signature.arguments[0], []<typename T>() {
    return strict_kernel(
        [](Call& call) { map_unary<int8_t, T>(call, [](T a, int8_t& out) { out = ops::bit_count(a); }); });
  });
}

}  // namespace

void add_bits(KernelTable& table) {
  table.add("and_bits", binary([](auto a, auto b) { return a & b; }));
  table.add("or_bits", binary([](auto a, auto b) { return a | b; }));
  table.add("xor_bits", binary([](auto a, auto b) { return a ^ b; }));
  table.add("shift_right", binary([](auto a, auto n) { return ops::shift_right(a, n); }));
  table.add("not_bits", make_not);
  table.add("shift_left", make_shift_left);
  table.add("bit_count", make_bit_count);
}

}  // namespace quern::cpu
