// Aggregate functions on the CPU: a state of fixed size a group, inside a row of the group table.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "columnar/column.hpp"
#include "context/context.hpp"
#include "plan/plan.hpp"

namespace quern::cpu {

// Rows to add: the state of row i is at groups[i] + offset, or at groups[0] + offset for all rows when `one_group`.
struct AggregateInput {
  const ColumnPtr* args = nullptr;  // any form; `rows` rows each
  int64_t rows = 0;
  uint8_t* const* groups = nullptr;
  int64_t offset = 0;
  bool one_group = false;
  StringHeap* heap = nullptr;  // of the thread, for bytes that states point into; lives as long as the states
  // Place of row i in the input order: sequence + (positions ? positions[i] : i). Lets first, last, list and string_agg
  // follow input order on any number of threads.
  int64_t sequence = 0;
  const uint32_t* positions = nullptr;

  uint8_t* state(int64_t row) const { return groups[one_group ? 0 : row] + offset; }
  int64_t place(int64_t row) const { return sequence + (positions != nullptr ? positions[row] : row); }
};

// One aggregate of a plan, bound to argument and result types (DISTINCT and ORDER BY inside are its own; FILTER is the
// caller's). Thread-safe after construction: all that changes is in the states.
class AggregateFunction {
 public:
  virtual ~AggregateFunction() = default;
  // Multiple of 8. States start 8-byte aligned and are moved by memcpy.
  virtual int32_t state_bytes() const = 0;
  // Allocates nothing: states that were never updated may be copied by memcpy, and need no destroy.
  virtual void init(uint8_t* state) const = 0;
  virtual void update(const AggregateInput& input) const = 0;
  // into += from, in any order; `from` needs no destroy afterwards.
  virtual void merge(uint8_t* into, uint8_t* from) const = 0;
  // One row a state. The states are destroyed later by destroy().
  virtual ColumnPtr finish(uint8_t* const* states, int64_t rows) const = 0;
  // True when destroy() has something to do (a state that owns memory).
  virtual bool owns_memory() const { return false; }
  virtual void destroy(uint8_t* /*state*/) const {}
};

// Throws unsupported for names and types it does not know. The plan validated name and types before.
std::unique_ptr<AggregateFunction> make_aggregate(Context& context, const std::shared_ptr<const plan::Plan>& plan,
                                                  const plan::Aggregate& aggregate);

}  // namespace quern::cpu
