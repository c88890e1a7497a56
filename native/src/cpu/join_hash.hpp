// Indexes of a join through a hash: slots that hold the key where it fits into eight bytes, else pointers to entries.
#pragma once
#include <memory>

#include "cpu/join_index.hpp"
#include "cpu/join_keys.hpp"

namespace quern::cpu {

// `one_is_enough`: of rows with one key any will do. The layout is of `types` and must live as long as the index.
std::unique_ptr<JoinIndex> make_join_hash(Context& context, const JoinKeyTypes& types, const KeyLayout& layout,
                                          std::vector<std::vector<ColumnPtr>> columns, PackedIds packing,
                                          bool one_is_enough, const Parallel& parallel);

}  // namespace quern::cpu
