// The index of a join by one whole-number key whose values lie close together: a place for every value, no hash.
#pragma once
#include <memory>
#include <vector>

#include "context/context.hpp"
#include "cpu/join_index.hpp"
#include "plan/pipeline.hpp"

namespace quern::cpu {

// Places for each row of the table that such an index may have, and places that it may have in any case.
constexpr int64_t direct_places_per_row = 4;
constexpr int64_t direct_places_always = 1024;

// Of the key column of every chunk; nullptr where the type or the values do not suit. `one_is_enough`: of rows with one
// key any will do.
std::unique_ptr<JoinIndex> make_join_direct(Context& context, const std::vector<ColumnPtr>& keys, PackedIds packing,
                                            bool one_is_enough, const Parallel& parallel);

}  // namespace quern::cpu
