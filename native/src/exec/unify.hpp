// One type for a column that several files store differently.
#pragma once
#include "columnar/data_type.hpp"

namespace quern {

// The narrowest type that holds every value of both; nullptr when there is none.
TypePtr unify_types(const TypePtr& a, const TypePtr& b);
// The type as the JSON of DataType in src/common/data_type.ts.
std::string type_json(const DataType& type);

}  // namespace quern
