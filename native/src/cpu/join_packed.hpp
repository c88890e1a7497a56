// The index of a join by several whole-number keys whose ranges fit into one word together: rows are found by that
// word.
#pragma once
#include <memory>
#include <vector>

#include "context/context.hpp"
#include "cpu/join_index.hpp"
#include "cpu/join_keys.hpp"
#include "plan/pipeline.hpp"

namespace quern::cpu {

// Of the key columns of every chunk; nullptr where the types or the ranges do not suit. `one_is_enough`: of rows with
// one key any will do.
std::unique_ptr<JoinIndex> make_join_packed(Context& context, const JoinKeyTypes& types,
                                            const std::vector<std::vector<ColumnPtr>>& columns, PackedIds packing,
                                            bool one_is_enough, const Parallel& parallel);

}  // namespace quern::cpu
