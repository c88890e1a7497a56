// What every map keeps: no key is NULL, none stands twice.
#pragma once
#include <cstdint>
#include <vector>

#include "columnar/column.hpp"

namespace quern::cpu {

// Throws when one of the keys at `rows` is NULL or two are equal.
void check_map_keys(const Column& keys, std::vector<int64_t> rows);

}  // namespace quern::cpu
