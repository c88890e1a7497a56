// A cast of whole columns outside any plan: files that store a column in another type than the scan gives.
#pragma once
#include "cpu/expression.hpp"

namespace quern::cpu {

class ColumnCast {
 public:
  ColumnCast(Context& context, const TypePtr& from, const TypePtr& to);
  ColumnPtr cast(const ColumnPtr& column);

 private:
  std::unique_ptr<Evaluator> evaluator_;
};

}  // namespace quern::cpu
