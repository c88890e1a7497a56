// Evaluates plan expressions over batches of vectors on the CPU.
#pragma once
#include <memory>

#include "columnar/column.hpp"
#include "context/context.hpp"
#include "plan/plan.hpp"

namespace quern::cpu {

// One expression tree bound to a plan; keeps scratch, so one per thread. Errors carry the span of the failing call and
// are raised only for rows that reach it (AND, OR, CASE, COALESCE guard their operands).
class Evaluator {
 public:
  Evaluator(Context& context, std::shared_ptr<const plan::Plan> plan, plan::ExprIndex root);
  ~Evaluator();
  Evaluator(Evaluator&&) noexcept;

  // One value a row of `input`. The result may be constant or dictionary form.
  ColumnPtr evaluate(const Batch& input);
  // Whether some row may raise an error.
  bool fallible() const;

 private:
  struct Node;
  std::unique_ptr<Node> root_;
};

// A conjunction in written order: a conjunct sees only rows that the earlier ones kept.
class Predicate {
 public:
  Predicate(Context& context, std::shared_ptr<const plan::Plan> plan, const std::vector<plan::ExprIndex>& conjuncts);
  ~Predicate();
  Predicate(Predicate&&) noexcept;

  // Writes the indices of rows where every conjunct is true, ascending; returns how many. `selected` has room for
  // input.rows.
  int64_t select(const Batch& input, uint32_t* selected);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace quern::cpu
