// The index of a join through a hash: slots of key and row, linear probing. A key of one word stands in its slot, of
// others half of the hash does, and where the words are.
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
