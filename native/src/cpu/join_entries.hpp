// The index of a join by keys of any shape: slots point to entries of key words, strings are compared by content.
#pragma once
#include "cpu/join_hash.hpp"

namespace quern::cpu {

std::unique_ptr<JoinIndex> make_join_entries(Context& context, const JoinKeyTypes& types, const KeyLayout& layout,
                                             std::unique_ptr<JoinKeys> keys, PackedIds packing, bool one_is_enough,
                                             const Parallel& parallel);

}  // namespace quern::cpu
