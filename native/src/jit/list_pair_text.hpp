// list_distance and its kin in kernels: a warp works on one row after the other, before the rows' own statements.
#pragma once
#include <optional>
#include <string>

#include "plan/plan.hpp"

namespace quern::jit {

struct ListPairText {
  std::string sums;     // the call that computes a row's sums; $a and $b are the lists
  std::string measure;  // what it adds up
  std::string finish;   // sets $r, or $n, from the sums $a
  bool trying = false;  // lists of different length give NULL, else the row fails
};

// Nothing for other expressions. Throws unsupported for elements that are no integers, FLOAT, DOUBLE or halves.
std::optional<ListPairText> list_pair_text(const plan::Plan& plan, plan::ExprIndex expr);
// Whether one is in the expression.
bool holds_list_pair(const plan::Plan& plan, plan::ExprIndex root);
// A list as the kernel sees it: a column of the input, or literal number `literal`. Throws unsupported for others.
std::string list_text(const plan::Expr& expr, size_t literal);

}  // namespace quern::jit
