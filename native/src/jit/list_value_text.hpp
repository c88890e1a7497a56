// Lists as values of a row (cuda/fragments/list_values.cuh) and what is made of them by row.
#pragma once
#include <optional>
#include <string>

#include "plan/plan.hpp"

namespace quern::jit {

// The type of a list's elements; NoElement where kernels can only count them.
std::string list_element_type(const DataType& list);
// The type of an expression's value in device code: list_value_type of lists, else device_type.
std::string value_type(const plan::Plan& plan, plan::ExprIndex expr);
// Throws unsupported for lists that device code does not make.
std::string list_value_type(const plan::Plan& plan, plan::ExprIndex expr);

// A statement over non-NULL arguments $a, $b, $c that sets $r, or $n.
struct ListCallText {
  std::string statement;
  bool may_be_null = false;
};
// Functions that need no loop of a warp; nothing for others.
std::optional<ListCallText> list_call_text(const plan::Plan& plan, const plan::Expr& call);

// One value of a list, by a function of cuda/fragments/list_reductions.cuh. In `call` $w is its form, $a the list, $t
// the condition under which there is one, behind a comma, $b the value looked for, $m whether it is NULL.
struct ReductionText {
  std::string call;
  std::string type;  // of Reduced
};
std::optional<ReductionText> reduction_text(const plan::Plan& plan, const plan::Expr& call);

// Whether it can be computed for rows that do not want it: nothing in it fails.
bool is_harmless(const plan::Plan& plan, plan::ExprIndex expr);

}  // namespace quern::jit
