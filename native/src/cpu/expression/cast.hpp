// Casts between types: one file a family, each a factory that gives nullptr for pairs that are not its own.
#pragma once
#include <string>
#include <utility>

#include "cpu/expression/loops.hpp"
#include "cpu/expression/message.hpp"

namespace quern::cpu {

struct CastTypes {
  TypePtr from, to;
  bool try_cast;
};

KernelPtr cast_between_numbers(const CastTypes& types);
KernelPtr cast_decimals(const CastTypes& types);
KernelPtr cast_moments(const CastTypes& types);
KernelPtr cast_from_text(const CastTypes& types);
KernelPtr cast_to_text(const CastTypes& types);
KernelPtr cast_nested(const CastTypes& types);
KernelPtr cast_text_to_nested(const CastTypes& types);

// Decimal digits of the largest value of an integer type.
int integer_digits(const DataType& type);

// out[i] = f(a[i], R&) → whether it fits. A row that does not is NULL when trying, else raises message(a).
template <typename R, typename A, typename F, typename Message>
void convert(Call& call, bool try_cast, F f, Message message) {
  if (!try_cast) return map_unary<R, A>(call, f, message);
  const A* a = call.values<A>(0);
  R* out = call.result.data<R>();
  for (int64_t i = 0; i < call.rows; ++i) {
    if (!f(a[i], out[i])) call.result.set_null(i);
  }
}

// The same for text and other arguments that null rows must not reach.
template <typename R, typename A, typename F, typename Message>
void convert_valid(Call& call, bool try_cast, F f, Message message) {
  const A* a = call.values<A>(0);
  R* out = call.result.data<R>();
  const uint64_t* valid = call.valid;
  for_valid(valid, call.rows, [&](int64_t i) {
    if (f(a[i], out[i])) return;
    if (!try_cast) throw runtime_error(message(a[i]));
    call.result.set_null(i);
  });
}

// Runs a kernel over argument columns of any form: null handling and the result's buffers as in an expression.
ColumnPtr run_kernel(Context& context, Scratch& scratch, Kernel& kernel, const TypePtr& type,
                     std::vector<ColumnPtr> args, int64_t rows);

// A cast as a part of another one: of list elements, fields, entries.
class ElementCast {
 public:
  ElementCast(TypePtr from, TypePtr to, bool try_cast) : to_(std::move(to)) {
    if (!same_type(*from, *to_)) kernel_ = make_cast(from, to_, try_cast);
  }
  ColumnPtr operator()(Context& context, const ColumnPtr& column) {
    if (!kernel_) return column;
    if (!scratch_) scratch_ = std::make_unique<Scratch>(context.memory());
    return run_kernel(context, *scratch_, *kernel_, to_, {column}, column->length);
  }

 private:
  TypePtr to_;
  KernelPtr kernel_;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace quern::cpu
