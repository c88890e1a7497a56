// Value encodings of Parquet pages. Every decoder checks every size against the bytes it was given and throws
// corrupt_file with a short cause ("delta: miniblock width 65 exceeds 64"); callers add file, column and page.
// Source: Apache Parquet format specification, Encodings.md.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "context/memory.hpp"
#include "ops/value.hpp"

namespace quern::parquet {

using Bytes = std::span<const uint8_t>;

// A run of an RLE/bit-packed hybrid section: `count` equal values, or `count` packed values.
class HybridDecoder {
 public:
  HybridDecoder() = default;
  // `bit_width` 0..32. Width 0 needs no bytes and gives zeros.
  HybridDecoder(Bytes bytes, int bit_width);
  // Next run, clipped to `limit` values: repeated (value) or literal (unpacked by read()).
  struct Run {
    int64_t count;
    bool repeated;
    uint32_t value;
  };
  // A look at the run at the cursor; throws when the section has ended. Never returns count 0.
  Run peek(int64_t limit);
  // Consumes `count` values of the current run without decoding.
  void advance(int64_t count);
  // Decodes `count` values across runs.
  void read(uint32_t* out, int64_t count);
  void read_u8(uint8_t* out, int64_t count);   // widths up to 8
  void skip(int64_t count);
 private:
  Bytes bytes_;
  size_t position_ = 0;
  int bit_width_ = 0;
  int64_t run_left_ = 0;
  bool repeated_ = false;
  uint32_t value_ = 0;
  size_t packed_bit_ = 0;  // cursor inside the packed run, from packed_start_
  size_t packed_start_ = 0;
};

// Deprecated BIT_PACKED levels: MSB first, no length prefix.
void read_bit_packed_levels(Bytes bytes, int bit_width, uint8_t* out, int64_t count);

// Unpacks `count` little-endian values of `bit_width` (0..64) bits; the section must hold ceil(count*width/8) bytes.
void unpack32(Bytes bytes, int bit_width, uint32_t* out, int64_t count);
void unpack64(Bytes bytes, int bit_width, uint64_t* out, int64_t count);

// DELTA_BINARY_PACKED, streaming: read() wraps in unsigned arithmetic, also for int32. bytes_consumed() after all values were read
// (needed by DELTA_LENGTH and DELTA_BYTE_ARRAY).
class DeltaDecoder {
 public:
  DeltaDecoder() = default;
  explicit DeltaDecoder(Bytes bytes);
  int64_t total() const;  // values the header declares; never allocate by it
  void read(int64_t* out, int64_t count);  // 64-bit wrap; the caller truncates for INT32
  void skip(int64_t count);
  size_t bytes_consumed();  // skips the rest
 private:
  Bytes bytes_;
  size_t position_ = 0;
  int64_t total_ = 0, left_ = 0;
  int64_t block_values_ = 0, mini_values_ = 0;
  int64_t minis_ = 0, mini_index_ = 0, mini_left_ = 0;
  int64_t mini_buffered_ = 0;
  uint64_t last_ = 0;
  int64_t min_delta_ = 0;
  size_t widths_at_ = 0;
  size_t mini_at_ = 0;
  bool first_ = true;
  std::vector<uint64_t> scratch_;
};

// BYTE_STREAM_SPLIT: `bytes` = width streams of `total` bytes each; writes values [start, start + count) of `width` bytes.
void read_byte_stream_split(Bytes bytes, int width, int64_t total, int64_t start, int64_t count, uint8_t* out);

// DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY over the whole page: offsets (count + 1, 64-bit) into bytes.
struct ByteArrays {
  std::vector<int64_t> offsets;
  BufferPtr owned;             // DELTA_BYTE_ARRAY builds its bytes; else null and `bytes` points into the page
  const uint8_t* bytes = nullptr;
};
ByteArrays read_delta_length_byte_array(Memory& memory, Bytes bytes, int64_t max_values);
ByteArrays read_delta_byte_array(Memory& memory, Bytes bytes, int64_t max_values);

// True when `bytes` is well-formed UTF-8.
bool valid_utf8(const char* data, size_t length);

// XXH64 with seed 0, as bloom filters use it.
uint64_t xxhash64(const void* data, size_t length);

}  // namespace quern::parquet
