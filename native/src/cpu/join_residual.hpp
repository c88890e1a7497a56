// What of a join's residual is decided before a pair is made: conditions on rows of the first input alone, and
// comparisons of a value of either side, which one loop tests for all candidates of a row.
#pragma once
#include <memory>
#include <vector>

#include "cpu/chunked_rows.hpp"
#include "cpu/join_columns.hpp"
#include "cpu/value_tests.hpp"
#include "plan/plan.hpp"

namespace quern::cpu {

// build op probe, of types with order values (cpu/order_value.hpp).
struct ResidualTest {
  TestOp op = TestOp::equal;
  plan::ExprIndex probe = 0;  // over the first input
  plan::ExprIndex build = 0;  // over the second
  bool wide = false;
};

// The conjuncts of a residual. Those behind one of `pairs` that may fail are in `pairs` too: they see only pairs that
// it let through.
struct ResidualParts {
  std::vector<plan::ExprIndex> rows;
  std::vector<ResidualTest> tests;
  std::vector<plan::ExprIndex> pairs;

  bool decides_early() const { return !rows.empty() || !tests.empty(); }
};

// An error that a value raises, and that another order of evaluation may not.
inline bool is_error_of_values(const Error& error) {
  return error.source() == ErrorSource::user && error.code() != ErrorCode::cancelled;
}

// The values that tests read of the second input, a chunk each.
class JoinResidual {
 public:
  // `rows`: the payload of the join's table. Values are computed for every row; when one raises an error, its test is
  // left to the pairs, where it raises if a pair comes to it.
  JoinResidual(Context& context, const std::shared_ptr<const plan::Plan>& plan, plan::NodeIndex node,
               const JoinColumns& columns, const ChunkedRows& rows);

  const ResidualParts& parts() const { return parts_; }

  template <typename T>
  const T* values(size_t test, size_t chunk) const {
    return static_cast<const T*>(values_[test][chunk].values);
  }
  bool is_valid(size_t test, size_t chunk, int64_t row) const {
    const auto* valid = values_[test][chunk].valid;
    return valid == nullptr || bit_at(valid, row);
  }
  bool has_nulls() const { return has_nulls_; }
  // Whether a row of the second input (cpu/chunked_rows.hpp) passes `test` against an operand.
  bool passes(size_t test, int64_t id, int64_t operand) const {
    const ResidualTest& of = parts_.tests[test];
    const auto chunk = static_cast<size_t>(id >> 32);
    const auto row = static_cast<uint32_t>(id);
    if (!is_valid(test, chunk, row)) return false;
    return compare(of.op, of.wide ? values<int64_t>(test, chunk)[row] : values<int32_t>(test, chunk)[row], operand);
  }

 private:
  struct Values {
    const void* values = nullptr;
    const uint64_t* valid = nullptr;
    ColumnPtr column;  // what valid, and perhaps values, point into
    BufferPtr buffer;
  };

  static bool compare(TestOp op, int64_t value, int64_t operand) {
    switch (op) {
      case TestOp::equal:
        return value == operand;
      case TestOp::unequal:
        return value != operand;
      case TestOp::less:
        return value < operand;
      case TestOp::less_or_equal:
        return value <= operand;
      case TestOp::greater:
        return value > operand;
      case TestOp::greater_or_equal:
        return value >= operand;
    }
    return false;
  }

  bool evaluate(Context& context, const std::shared_ptr<const plan::Plan>& plan, const JoinColumns& columns,
                const ChunkedRows& rows, const ResidualTest& test, std::vector<Values>& into);

  ResidualParts parts_;
  std::vector<std::vector<Values>> values_;  // by test, by chunk
  bool has_nulls_ = false;
};

}  // namespace quern::cpu
