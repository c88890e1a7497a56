// What a batch of the first input gives to the early part of a residual (cpu/join_residual.hpp): which rows may match,
// and the operands of tests.
#pragma once
#include <optional>

#include "context/context.hpp"
#include "cpu/expression.hpp"
#include "cpu/join_residual.hpp"

namespace quern::cpu {

// One thread's.
class JoinOperands {
 public:
  JoinOperands(Context& context, const std::shared_ptr<const plan::Plan>& plan, const JoinResidual& residual);

  // False when computing for all rows raises an error: then pairs need the whole residual, which raises it if a pair
  // comes to it.
  bool read(const Batch& batch);

  bool has_tests() const { return !tests_.empty(); }
  bool may_match(int64_t row) const { return may_match_[static_cast<size_t>(row)] != 0; }
  // The tests with the operands of a row; values are the caller's to set.
  std::vector<ValueTest>& tests_of(int64_t row) {
    for (size_t test = 0; test < tests_.size(); ++test)
      tests_[test].operand = operands_[test][static_cast<size_t>(row)];
    return tests_;
  }
  // Whether one row of the second input passes all tests against a row.
  bool passes(int64_t row, int64_t id) const {
    for (size_t test = 0; test < tests_.size(); ++test) {
      if (!residual_.passes(test, id, operands_[test][static_cast<size_t>(row)])) return false;
    }
    return true;
  }

 private:
  void read_operands(const Batch& batch, size_t test);

  Context& context_;
  const JoinResidual& residual_;
  std::optional<Predicate> rows_;
  std::vector<Evaluator> evaluators_;  // by test
  std::vector<ValueTest> tests_;
  std::vector<std::vector<int64_t>> operands_;  // by test, by row
  std::vector<int32_t> narrow_;
  std::vector<uint8_t> may_match_;
  std::vector<uint32_t> selected_;
};

}  // namespace quern::cpu
