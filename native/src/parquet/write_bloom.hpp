// Bloom filters of the distinct values of a chunk.
#pragma once
#include <string>

#include "parquet/write_dictionary.hpp"

namespace quern::parquet {

// Header and bits of a filter over the dictionary's entries that gives `false_positives` (0..1) of wrong hits; empty
// where none is written: nested columns, which no filter looks at, and types whose equal values have several forms.
std::string bloom_filter(const WriteLeaf& leaf, const EncodedDictionary& dictionary, double false_positives);

}  // namespace quern::parquet
