// Which codec a column chunk gets.
#pragma once
#include <span>

#include "parquet/write.hpp"

namespace quern::parquet {

// The codec of `options`, or none for plain values that it would hardly make smaller: random floats and hashes then
// cost their readers no copy. Judged by samples of the values; small chunks keep the codec.
Codec chunk_codec(Memory& memory, std::span<const LeafPiece* const> pieces, const WriteOptions& options);

}  // namespace quern::parquet
