// Where the characters of a text start, as a reader sees them: marks belong to their letter.
#pragma once
#include "cpu/expression/text.hpp"

namespace quern::cpu {

// Byte offsets of the grapheme clusters (Unicode Standard Annex 29); of ASCII text every byte.
void grapheme_starts(ops::Text text, std::vector<int64_t>& starts);

}  // namespace quern::cpu
