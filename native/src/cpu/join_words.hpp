// The index of a join by keys of one word: slots of key and row, linear probing, one line of memory a lookup.
#pragma once
#include "cpu/join_hash.hpp"

namespace quern::cpu {

std::unique_ptr<JoinIndex> make_join_words(Context& context, const JoinKeyTypes& types, const KeyLayout& layout,
                                           const JoinKeys& keys, PackedIds packing, bool one_is_enough,
                                           const Parallel& parallel);

}  // namespace quern::cpu
