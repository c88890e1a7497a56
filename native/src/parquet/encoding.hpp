// Value encodings of Parquet pages. Every decoder checks every size against the bytes it was given and throws
// corrupt_file with a short cause ("delta: miniblock width 65 exceeds 64"); callers add file, column and page.
// Source: Apache Parquet format specification, Encodings.md.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "common/utf8.hpp"
#include "context/memory.hpp"
#include "ops/value.hpp"

namespace quern::parquet {

using Bytes = std::span<const uint8_t>;

// ---- RLE / bit-packed hybrid (hybrid.cpp) ----

// A run of an RLE/bit-packed hybrid section: `count` equal values, or `count` packed values. Values of a repeated run
// may exceed the width's range by the spare bits of their last byte: callers check levels and indices against maxima.
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
  // A look at the run at the cursor; throws when the section has ended. Never returns count 0 for a positive limit.
  Run peek(int64_t limit);
  // Consumes `count` values of the current run without decoding; `count` at most what peek gave.
  void advance(int64_t count);
  // Decodes `count` values across runs.
  void read(uint32_t* out, int64_t count);
  void read_u8(uint8_t* out, int64_t count);  // widths up to 8
  void skip(int64_t count);
  // Of width 1, in a packed run that holds `count` values more: positions of its zeros, plus `base`, but never more
  // than `wanted` in all. Returns how many values stand before the first zero too many, and consumes none.
  int64_t find_zeros(int64_t count, int64_t wanted, int64_t base, uint32_t* positions, int64_t& found) const;
  // The byte at which the next run header stands, where no value of a run is left over; else 0.
  size_t boundary() const { return run_left_ == 0 ? position_ : 0; }
  // How often the bytes from boundary `from` to the one at the cursor stand again right behind it, at most `limit`
  // times: lists of one length give the same runs again and again. What is counted can be passed with jump().
  int64_t count_repeats(size_t from, int64_t limit) const;
  // Passes `repeats` times `size` bytes; only as count_repeats() allows.
  void jump(int64_t repeats, size_t size) { position_ += static_cast<size_t>(repeats) * size; }

 private:
  void next_run();
  template <typename T>
  void read_as(T* out, int64_t count);
  template <typename T>
  void unpack_run(T* out, int64_t count);

  Bytes bytes_;
  size_t position_ = 0;  // of the next run header
  int bit_width_ = 0;
  int64_t run_left_ = 0;  // values of the current run that are still to come
  bool repeated_ = false;
  uint32_t value_ = 0;
  size_t packed_start_ = 0;   // byte where the current packed run begins
  int64_t packed_index_ = 0;  // values of it that are consumed
};

// Deprecated BIT_PACKED levels: MSB first, no length prefix.
void read_bit_packed_levels(Bytes bytes, int bit_width, uint8_t* out, int64_t count);

// ---- plain bit packing (unpack.cpp) ----

// Unpacks `count` little-endian values of `bit_width` bits; the section must hold ceil(count * width / 8) bytes.
void unpack8(Bytes bytes, int bit_width, uint8_t* out, int64_t count);    // 0..8
void unpack32(Bytes bytes, int bit_width, uint32_t* out, int64_t count);  // 0..32
void unpack64(Bytes bytes, int bit_width, uint64_t* out, int64_t count);  // 0..64

// ---- DELTA_BINARY_PACKED (delta.cpp) ----

// Streaming; sums wrap in unsigned arithmetic. The 32-bit form gives the low halves of the same sums, which is what
// 32-bit wrapping gives. Reading past total() throws.
class DeltaDecoder {
 public:
  DeltaDecoder() = default;
  explicit DeltaDecoder(Bytes bytes);
  int64_t total() const { return total_; }  // values the header declares; never allocate by it
  void read(int64_t* out, int64_t count);
  void read(int32_t* out, int64_t count);
  void skip(int64_t count);
  // Bytes of the whole section (needed by DELTA_LENGTH and DELTA_BYTE_ARRAY): walks what is not yet read, block by
  // block; nothing can be read afterwards.
  size_t bytes_consumed();

 private:
  void next_block();
  void next_mini();
  template <typename T>
  void read_as(T* out, int64_t count);

  Bytes bytes_;
  size_t position_ = 0;  // of the next miniblock or block
  int64_t total_ = 0;
  int64_t left_ = 0;  // values not yet given
  int64_t mini_values_ = 0, minis_ = 0;
  int64_t minis_left_ = 0;  // miniblocks of the current block after the current one
  size_t width_at_ = 0;     // byte that holds the next miniblock's width
  int64_t mini_left_ = 0;   // deltas of the current miniblock that are still to come, at most left_
  int64_t mini_index_ = 0;  // deltas of it that are consumed
  size_t mini_start_ = 0;   // byte where its deltas begin
  int mini_width_ = 0;
  uint64_t min_delta_ = 0;
  uint64_t last_ = 0;  // the value given last; before the first one, the first value
  bool first_ = true;
};

// ---- BYTE_STREAM_SPLIT (byte_stream_split.cpp) ----

// `bytes` = width streams of `total` bytes each; writes values [start, start + count) of `width` bytes.
void read_byte_stream_split(Bytes bytes, int width, int64_t total, int64_t start, int64_t count, uint8_t* out);

// ---- DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY (byte_array.cpp) ----

// Values of a whole page: value i is bytes[offsets[i], offsets[i + 1]). `count` = min(values encoded, max_values).
struct ByteArrays {
  int64_t count = 0;
  BufferPtr offsets_owner;
  const int64_t* offsets = nullptr;  // count + 1
  BufferPtr owned;                   // DELTA_BYTE_ARRAY builds its bytes; else null and `bytes` points into the page
  const uint8_t* bytes = nullptr;
};
ByteArrays read_delta_length_byte_array(Memory& memory, Bytes bytes, int64_t max_values);
ByteArrays read_delta_byte_array(Memory& memory, Bytes bytes, int64_t max_values);

// ---- UTF-8 ----

using quern::valid_utf8;

// ---- hashing (bloom_hash.cpp) ----

// XXH64 with seed 0, as bloom filters use it.
uint64_t xxhash64(const void* data, size_t length);

}  // namespace quern::parquet
