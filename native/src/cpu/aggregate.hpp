// Aggregate functions on the CPU: state of fixed size a group inside a row of the group table.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "columnar/column.hpp"
#include "context/context.hpp"
#include "plan/plan.hpp"

namespace quern::cpu {

// One aggregate of a plan, bound to argument and result types. Thread-safe after construction (states are the caller's).
class AggregateFunction {
 public:
  virtual ~AggregateFunction() = default;
  virtual int32_t state_bytes() const = 0;  // aligned to 8
  virtual void init(uint8_t* state) const = 0;
  // states[i] is the group of row i; all args have `rows` rows. Null handling is the function's own.
  virtual void update(const ColumnPtr* args, int64_t rows, uint8_t* const* states) const = 0;
  // All rows belong to one group.
  virtual void update_one(const ColumnPtr* args, int64_t rows, uint8_t* state) const = 0;
  // into += from; `from` is left destroyed. Parts arrive in input order for first, list, string_agg.
  virtual void merge(uint8_t* into, uint8_t* from) const = 0;
  virtual ColumnPtr finish(uint8_t* const* states, int64_t rows) const = 0;
  // Frees what a state owns outside its bytes.
  virtual void destroy(uint8_t* state) const {}
};

std::unique_ptr<AggregateFunction> make_aggregate(Context& context, const plan::Plan& plan, const plan::Aggregate& aggregate);

}  // namespace quern::cpu
