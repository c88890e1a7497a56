// The values of one data page, in order, decoded straight into a column's form.
#pragma once
#include <memory>
#include <vector>

#include "columnar/column.hpp"
#include "parquet/convert.hpp"
#include "parquet/pages.hpp"

namespace quern::parquet {

// Values of a dictionary page, decoded once a chunk; codes point into it.
struct Dictionary {
  ColumnPtr values;  // flat, no nulls
  int64_t count = 0;
};

class PageValues {
 public:
  // `max_values`: entries of the page, the most values it can hold. `dictionary` may be null when the encoding needs
  // none.
  PageValues(Memory& memory, const LeafType& leaf, int32_t encoding, Bytes bytes, BufferPtr owner, int64_t max_values,
             std::shared_ptr<const Dictionary> dictionary);

  // Plain values that come as a stream, of a leaf that can_stream().
  PageValues(Memory& memory, const LeafType& leaf, std::shared_ptr<ValueStream> stream);
  static bool can_stream(const LeafType& leaf);

  bool is_dictionary() const { return kind_ == Kind::codes; }
  const std::shared_ptr<const Dictionary>& dictionary() const { return dictionary_; }
  // Decodes `count` values; string views point into owner().
  void read(int64_t count, void* out);
  // Of a dictionary page: the next run of codes, and codes checked against the dictionary.
  HybridDecoder::Run peek_codes(int64_t limit);
  void read_codes(int64_t count, uint32_t* out);
  void skip(int64_t count);
  // What string views point into; null when they are self-contained.
  const Owner& owner() const { return owner_; }

 private:
  enum class Kind : uint8_t { fixed, stream, bits, bit_runs, deltas, strings, byte_arrays, codes };
  void open_byte_arrays(ByteArrays arrays);
  void read_fixed(int64_t count, void* out);
  void read_stream(int64_t count, void* out);
  void check_left(int64_t count, size_t left) const;
  void read_bits(int64_t count, uint8_t* out);
  void read_deltas(int64_t count, void* out);
  void read_strings(int64_t count, void* out);
  void read_byte_arrays(int64_t count, void* out);
  void gather(int64_t count, void* out);
  // One value of variable length into slot `i` of out.
  void put(const uint8_t* data, uint32_t length, size_t readable, void* out, int64_t i);

  Memory& memory_;
  const LeafType& leaf_;
  int32_t out_width_;
  Kind kind_ = Kind::fixed;
  Owner owner_;
  Bytes bytes_;          // fixed, bits, strings
  size_t position_ = 0;  // byte (fixed, strings) or bit (bits)
  std::shared_ptr<ValueStream> stream_;
  HybridDecoder runs_;  // bit_runs, codes
  DeltaDecoder deltas_;
  ByteArrays arrays_;
  int64_t next_array_ = 0;
  std::shared_ptr<const Dictionary> dictionary_;
};

// Decodes a dictionary page. Throws corrupt_file when it holds other than `count` values.
std::shared_ptr<const Dictionary> read_dictionary(Memory& memory, const LeafType& leaf,
                                                  const PageStream::DictionaryPage& page);

}  // namespace quern::parquet
