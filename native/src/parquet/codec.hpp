// Page decompression. Twin of the codec numbers in parquet.thrift.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "parquet/encoding.hpp"

namespace quern::parquet {

enum class Codec : int32_t {
  uncompressed = 0,
  snappy = 1,
  gzip = 2,
  lzo = 3,
  brotli = 4,
  lz4 = 5,
  zstd = 6,
  lz4_raw = 7
};

// "ZSTD"; numbers that the specification does not know give "codec 99".
std::string codec_name(int32_t codec);

// Fills `out` exactly: throws corrupt_file when the data is damaged or gives another size, unsupported for LZO and
// unknown codecs. gzip: several members, zlib or gzip headers. zstd: several frames. lz4 (5): Hadoop framing, else
// frame, else raw block. Thread-safe; per-thread decompression state is reused.
void decompress(int32_t codec, Bytes in, std::span<uint8_t> out);

// Fills `out` with the first bytes of what `in`, the first bytes of a compressed body, expands to. False where that
// cannot be told from them: another codec, too few bytes, damage.
bool decompress_head(int32_t codec, Bytes in, std::span<uint8_t> out);
// Bytes of a body that suffice for its head: a frame's header and its first block.
constexpr size_t longest_head = 132 << 10;

// Compressed bytes that come piece by piece, so that a large page need not be held in both forms.
class PieceSource {
 public:
  virtual ~PieceSource() = default;
  virtual size_t left() const = 0;
  // The bytes at hand, at least one unless left() is 0. Valid until the next call.
  virtual Bytes piece() = 0;
  virtual void skip(size_t count) = 0;
};
bool can_decompress_pieces(int32_t codec);
void decompress_pieces(int32_t codec, PieceSource& in, std::span<uint8_t> out);

// ---- compression (write_compress.cpp): none, snappy, gzip, brotli, zstd, lz4_raw ----

// Bytes that the compressed form of `size` < 2^31 - 2^24 bytes needs at most.
size_t compressed_bound(Codec codec, size_t size);
// Gives the bytes written; `out` has room for compressed_bound. Not for Codec::uncompressed. `level`: of gzip, brotli
// and zstd; none = one that is fast.
size_t compress(Codec codec, std::optional<int> level, Bytes in, std::span<uint8_t> out);

}  // namespace quern::parquet
