// The index of a join by one whole-number key whose values lie close together: places (join_places.hpp), no hash.
#pragma once
#include <memory>
#include <vector>

#include "context/context.hpp"
#include "cpu/join_index.hpp"
#include "plan/pipeline.hpp"

namespace quern::cpu {

// Numbers of the range for each row of the table up to which each number has a place, and up to which those have one
// that occur; and how many there may be in any case.
constexpr int64_t direct_span_per_row = 4, direct_span_always = 1024;
constexpr int64_t ranked_span_per_row = 128, ranked_span_always = 64 * 1024;

// Of the key column of every chunk; nullptr where the type or the values do not suit. `one_is_enough`: of rows with one
// key any will do.
std::unique_ptr<JoinIndex> make_join_direct(Context& context, const std::vector<ColumnPtr>& keys, PackedIds packing,
                                            bool one_is_enough, const Parallel& parallel);

}  // namespace quern::cpu
