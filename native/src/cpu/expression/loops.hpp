// Loops over rows that the compiler can vectorise: every row is computed, null rows too (their bytes are zero), and
// failures are looked at afterwards for the rows that are not null.
#pragma once
#include <cstring>
#include <type_traits>
#include <utility>

#include "common/error.hpp"
#include "cpu/expression/kernel.hpp"
#include "ops/text.hpp"

namespace quern::cpu {

// Calls f(row) for every row that is not null.
template <typename F>
void for_valid(const uint64_t* valid, int64_t rows, F f) {
  if (valid == nullptr) {
    for (int64_t i = 0; i < rows; ++i) f(i);
    return;
  }
  for (int64_t start = 0; start < rows; start += 64) {
    uint64_t bits = valid[start >> 6];
    const int64_t count = std::min<int64_t>(64, rows - start);
    if (count < 64) bits &= (1ULL << count) - 1;
    if (bits == ~0ULL) {
      for (int64_t i = start; i < start + 64; ++i) f(i);
    } else {
      for (; bits != 0; bits &= bits - 1) f(start + __builtin_ctzll(bits));
    }
  }
}

// Something failed: raises `message(row)` for the first row that is not null and fails again; returns when there is
// none.
template <typename Works, typename Message>
[[gnu::noinline, gnu::cold]] void raise_first(const Call& call, Works works, Message message) {
  for_valid(call.valid, call.rows, [&](int64_t row) {
    if (!works(row)) throw runtime_error(message(row));
  });
}

struct Infallible {};

// out[i] = f(a[i]) where f(A, R&) returns nothing, or false when it fails; `message(a)` says why.
template <typename R, typename A, typename F, typename Message = Infallible>
void map_unary(Call& call, F f, Message message = {}) {
  const A* __restrict a = call.values<A>(0);
  R* __restrict out = call.result.data<R>();
  const int64_t rows = call.rows;
  if constexpr (std::is_same_v<Message, Infallible>) {
    for (int64_t i = 0; i < rows; ++i) f(a[i], out[i]);
  } else {
    bool ok = true;
    for (int64_t i = 0; i < rows; ++i) ok &= f(a[i], out[i]);
    if (!ok) {
      raise_first(call, [&](int64_t i) { return f(a[i], out[i]); }, [&](int64_t i) { return message(a[i]); });
    }
  }
}

// Whether what a fallible function returned for one row, or all of them together, means success: true, or a flag that
// is not negative.
inline bool worked(bool outcome) { return outcome; }
template <typename Flag>
bool worked(Flag outcome) {
  return outcome >= 0;
}

// Runs f over the rows, a(i) and b(i) giving the arguments; the outcomes of all rows together. The accumulator is a
// local variable so that it stays in a vector register.
template <typename R, typename A, typename B, typename F>
auto gather_outcomes(int64_t rows, A a, B b, F f, R* __restrict out) {
  using Outcome = decltype(f(a(0), b(0), *out));
  if constexpr (std::is_same_v<Outcome, bool>) {
    bool all = true;
    for (int64_t i = 0; i < rows; ++i) all &= f(a(i), b(i), out[i]);
    return all;
  } else {
    Outcome all = 0;
    for (int64_t i = 0; i < rows; ++i) all |= f(a(i), b(i), out[i]);
    return all;
  }
}

// out[i] = f(a[i], b[i]) likewise; one of them may be constant (never both: see run_kernel). f may also return a flag
// that is negative when it fails.
template <typename R, typename A, typename B, typename F, typename Message = Infallible>
void map_binary(Call& call, F f, Message message = {}) {
  const A* __restrict a = call.values<A>(0);
  const B* __restrict b = call.values<B>(1);
  R* __restrict out = call.result.data<R>();
  const int64_t rows = call.rows;
  const auto loop = [&](auto first, auto second) {
    if constexpr (std::is_same_v<Message, Infallible>) {
      for (int64_t i = 0; i < rows; ++i) f(first(i), second(i), out[i]);
    } else if (!worked(gather_outcomes<R>(rows, first, second, f, out))) {
      raise_first(
          call, [&](int64_t i) { return worked(f(first(i), second(i), out[i])); },
          [&](int64_t i) { return message(first(i), second(i)); });
    }
  };
  const auto row_a = [a](int64_t i) -> const A& { return a[i]; };
  const auto row_b = [b](int64_t i) -> const B& { return b[i]; };
  if (call.constant(1)) {
    loop(row_a, [y = b[0]](int64_t) -> const B& { return y; });
  } else if (call.constant(0)) {
    loop([x = a[0]](int64_t) -> const A& { return x; }, row_b);
  } else {
    loop(row_a, row_b);
  }
}

// ---- types to storage ----

// visit.operator()<T>() for an integer type's storage; nullptr for other types.
template <typename Visit>
KernelPtr with_integer(const DataType& type, Visit&& visit) {
  switch (type.kind) {
    case TypeKind::int8:
      return visit.template operator()<int8_t>();
    case TypeKind::int16:
      return visit.template operator()<int16_t>();
    case TypeKind::int32:
      return visit.template operator()<int32_t>();
    case TypeKind::int64:
      return visit.template operator()<int64_t>();
    case TypeKind::uint8:
      return visit.template operator()<uint8_t>();
    case TypeKind::uint16:
      return visit.template operator()<uint16_t>();
    case TypeKind::uint32:
      return visit.template operator()<uint32_t>();
    case TypeKind::uint64:
      return visit.template operator()<uint64_t>();
    default:
      return nullptr;
  }
}

template <typename Visit>
KernelPtr with_float(const DataType& type, Visit&& visit) {
  if (type.kind == TypeKind::float32) return visit.template operator()<float>();
  if (type.kind == TypeKind::float64) return visit.template operator()<double>();
  return nullptr;
}

inline bool narrow_decimal(const DataType& type) { return type.precision <= 18; }

inline ops::Text text_at(const StringView* views, int64_t row) { return ops::text_of(views[row]); }
inline std::string_view string_at(const StringView* views, int64_t row) {
  return {views[row].data(), views[row].length};
}

// As make_string_view, with copies of fixed size that may overlap.
inline StringView view_of(ops::Text text) {
  char bytes[sizeof(StringView)] = {};  // a view as it lies in memory
  const auto length = static_cast<uint32_t>(text.length);
  std::memcpy(bytes, &length, 4);
  char* out = bytes + 4;
  if (text.length > 12) {
    std::memcpy(out, text.data, 4);
    std::memcpy(bytes + 8, &text.data, 8);
  } else if (text.length >= 8) {
    std::memcpy(out, text.data, 8);
    std::memcpy(out + text.length - 4, text.data + text.length - 4, 4);
  } else if (text.length >= 4) {
    std::memcpy(out, text.data, 4);
    std::memcpy(out + text.length - 4, text.data + text.length - 4, 4);
  } else if (text.length > 0) {
    out[0] = text.data[0];
    out[text.length / 2] = text.data[text.length / 2];
    out[text.length - 1] = text.data[text.length - 1];
  }
  return ops::load<StringView>(bytes);
}

}  // namespace quern::cpu
