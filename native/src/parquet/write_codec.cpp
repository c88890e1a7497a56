#include "parquet/write_codec.hpp"

#include <algorithm>

namespace quern::parquet {

namespace {

// Three samples at the start, in the middle and at the end of the chunk, of so many bytes each.
constexpr int64_t sample_bytes = 64 << 10;
constexpr int64_t samples = 3;
// Chunks below this are not judged.
constexpr int64_t least_bytes = 1 << 20;
// A sample must become smaller by this part of it.
constexpr int64_t least_gain = 16;

// At most `sample_bytes` of the plain values from byte `start` of the chunk on, all of one piece.
Bytes values_at(std::span<const LeafPiece* const> pieces, int64_t start) {
  for (const LeafPiece* piece : pieces) {
    if (start < piece->data_bytes)
      return {piece->data->data() + start, static_cast<size_t>(std::min(sample_bytes, piece->data_bytes - start))};
    start -= piece->data_bytes;
  }
  return {};
}

}  // namespace

Codec chunk_codec(Memory& memory, std::span<const LeafPiece* const> pieces, const WriteOptions& options) {
  if (options.codec == Codec::uncompressed) return options.codec;
  int64_t bytes = 0;
  for (const LeafPiece* piece : pieces) bytes += piece->data_bytes;
  if (bytes < least_bytes) return options.codec;
  ByteOutput room(memory);
  size_t plain = 0, compressed = 0;
  for (int64_t i = 0; i < samples; ++i) {
    const Bytes sample = values_at(pieces, i * (bytes - sample_bytes) / (samples - 1));
    room.clear();
    uint8_t* out = room.extend(compressed_bound(options.codec, sample.size()));
    plain += sample.size();
    compressed += compress(options.codec, options.level, sample, {out, room.size()});
  }
  return compressed + plain / least_gain > plain ? Codec::uncompressed : options.codec;
}

}  // namespace quern::parquet
