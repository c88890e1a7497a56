// Distinct values of a column chunk, while they are few.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "parquet/write_hybrid.hpp"
#include "parquet/write_shred.hpp"

namespace quern::parquet {

struct EncodedDictionary {
  explicit EncodedDictionary(Memory& memory) : values(memory) {}
  ByteOutput values;  // plain form
  uint32_t entries = 0;
  BufferPtr codes;  // uint32 a value of the chunk
  int bit_width = 1;
};

// None where plain pages are the smaller ones.
std::optional<EncodedDictionary> make_dictionary(Memory& memory, const WriteLeaf& leaf,
                                                 std::span<const LeafPiece* const> pieces);

}  // namespace quern::parquet
