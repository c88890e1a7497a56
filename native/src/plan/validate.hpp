// Checks a decoded plan: what decode() cannot see from one row alone.
#pragma once
#include <string>

#include "plan/plan.hpp"

namespace quern::plan {

// "scan_parquet", "filter", …: the wire word of a node's operator.
std::string node_kind(const Node& node);

// Indices, arity, types against the function table, output schemas, devices. Throws internal errors that name the row.
void validate(const Plan& plan);

}  // namespace quern::plan
