// Columns of a row group as they stand in a Parquet file, on their way to the device, and what the device needs to know
// to decode them. The host has read the page headers, checked every size against the bytes and taken compression off.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "columnar/column.hpp"
#include "parquet/leaf_type.hpp"
#include "parquet/scan.hpp"

namespace quern::cuda {

// Device memory that host threads fill through pinned memory. Any thread, any number at a time.
class Upload {
 public:
  virtual ~Upload() = default;
  // `fill(offset, piece)` writes bytes [at + offset, …) of the upload into a piece of pinned memory, piece by piece in
  // order; what it throws is passed on.
  using Fill = std::function<void(int64_t offset, std::span<uint8_t> piece)>;
  virtual void write(int64_t at, int64_t count, const Fill& fill) = 0;
};

enum class PageEncoding : int32_t {
  plain,
  codes,   // RLE_DICTIONARY: a byte with the width, then a hybrid
  runs,    // RLE of booleans: 4 bytes of length, then a hybrid of width 1
  split,   // BYTE_STREAM_SPLIT
  deltas,  // DELTA_BINARY_PACKED
  lengths  // DELTA_LENGTH_BYTE_ARRAY: deltas of lengths, then the bytes
};

// One page; sections are ranges of the upload.
struct EncodedPage {
  int64_t entries = 0;  // levels
  int64_t repetition_at = 0, repetition_bytes = 0;
  int64_t definition_at = 0, definition_bytes = 0;
  int64_t values_at = 0, values_bytes = 0;
  PageEncoding encoding = PageEncoding::plain;
};

// A list above the leaf, by its levels (parquet/schema.hpp, FieldNode).
struct EncodedList {
  int32_t present = 0;     // least definition level of a list that is not NULL
  int32_t element = 0;     // … that has an element
  int32_t repetition = 0;  // of elements after the first
};
// More levels of lists are decoded on the host.
constexpr int32_t most_lists = 8;

struct EncodedColumn {
  TypePtr type;
  parquet::LeafType leaf;
  int32_t max_definition = 0, max_repetition = 0;
  std::vector<EncodedList> lists;  // outermost first
  std::vector<EncodedPage> pages;
  int64_t entries = 0;
  bool no_nulls = false;      // all definition levels are the highest
  int64_t list_length = -1;   // with no_nulls: every row holds one list of so many elements; -1 = not known
  int64_t dictionary_at = 0;  // PLAIN values
  int64_t dictionary_bytes = 0;
  int64_t dictionary_count = -1;  // -1 = none
  std::shared_ptr<Upload> bytes;
};

struct EncodedGroup {
  int64_t rows = 0;
  // Rows that go into the chain, ascending; empty = all.
  std::vector<parquet::RowRange> ranges;
  // By column: one of the three.
  std::vector<std::shared_ptr<const EncodedColumn>> encoded;
  std::vector<ColumnPtr> decoded;
  std::vector<std::shared_ptr<const void>> cached;  // as Run::cached() gave it
  std::vector<std::string> keys;                    // under which encoded columns are kept
  // The column as the host decodes it, for one that the device refused; throws what is wrong with it.
  std::function<ColumnPtr(size_t column)> decode_on_host;
};

}  // namespace quern::cuda
