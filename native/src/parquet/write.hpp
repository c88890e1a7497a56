// Writing Parquet files: rows are shredded into leaf columns (write_shred.hpp), chunks of row groups are encoded each
// on its own by any thread (encode_chunk), and a FileWriter puts them in order and closes the file with indexes and
// footer.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "context/memory.hpp"
#include "parquet/codec.hpp"
#include "parquet/output_file.hpp"
#include "parquet/write_bounds.hpp"
#include "parquet/write_hybrid.hpp"
#include "parquet/write_schema.hpp"
#include "parquet/write_shred.hpp"
#include "parquet/write_thrift.hpp"

namespace quern::parquet {

struct WriteOptions {
  Codec codec = Codec::snappy;
  std::optional<int> level;  // of the codec
  int64_t group_rows = 122880;
  int64_t group_bytes = 128 << 20;   // of chunks and bloom filters in the file
  int64_t group_memory = 512 << 20;  // of values in plain form and levels
  int64_t page_rows = 20000;
  int64_t page_bytes = 1 << 20;  // values in plain form
  double bloom_ratio = 0.01;     // wrong hits of the bloom filters beside dictionaries; 0 = no filters
};

struct WrittenPage {
  int64_t offset = 0;  // from the chunk's start, until the chunk has its place in the file
  int32_t size = 0;    // header included
  int64_t first_row = 0;
  int64_t entries = 0, nulls = 0;
  int64_t unencoded_bytes = 0;
  WriteBounds bounds;
  std::vector<int64_t> repetition_histogram, definition_histogram;
};

struct EncodedChunk {
  EncodedChunk(Memory& memory, const WriteLeaf& leaf) : bytes(memory), bounds(leaf) {}
  ByteOutput bytes;    // emptied once written
  int64_t offset = 0;  // place in the file
  Codec codec = Codec::uncompressed;
  int64_t compressed_size = 0, uncompressed_size = 0;  // page headers included
  bool has_dictionary = false;
  int64_t dictionary_bytes = 0;  // of its page, header included
  int64_t entries = 0, nulls = 0, unencoded_bytes = 0;
  WriteBounds bounds;
  std::vector<int64_t> repetition_histogram, definition_histogram;
  std::vector<WrittenPage> pages;
  std::string bloom;         // header and bits; empty = none. Emptied once written
  int64_t bloom_offset = 0;  // place in the file
  int32_t bloom_length = 0;
  // False when a row spans pages: then no page can be named by its first row.
  bool pages_start_rows = true;
};

struct EncodedGroup {
  int64_t rows = 0;
  std::vector<EncodedChunk> chunks;
};

EncodedChunk encode_chunk(Memory& memory, const WriteLeaf& leaf, std::span<const LeafPiece* const> pieces,
                          const WriteOptions& options);

// Used by one thread at a time.
class FileWriter {
 public:
  FileWriter(const std::string& path, WriteSchema schema);

  const WriteSchema& schema() const { return schema_; }
  // Row groups in the order of their rows.
  void append(EncodedGroup group);
  // Bytes of the file if it ended here; those of a further group with `chunk_bytes` of chunks.
  int64_t size() const { return file_.position() + end_bytes_; }
  int64_t size_with(int64_t chunk_bytes) const { return size() + chunk_bytes + last_end_bytes_; }
  bool is_empty() const { return groups_.empty(); }
  // Indexes and footer; the file appears under its name.
  void finish();

 private:
  struct IndexPlace {
    int64_t column_offset = 0, offset_offset = 0;
    int32_t column_length = 0, offset_length = 0;
  };
  // What is known of a group once it is written: its chunks and the indexes of each, as bytes, where there are any.
  struct WrittenGroup {
    EncodedGroup group;
    std::vector<std::string> column_indexes, offset_indexes;
    std::vector<IndexPlace> places;
  };

  void write_group(ThriftWriter& out, const WrittenGroup& written) const;
  void write_indexes();
  std::string footer() const;

  OutputFile file_;
  WriteSchema schema_;
  std::vector<WrittenGroup> groups_;
  int64_t end_bytes_ = 0;       // indexes and footer of the groups so far
  int64_t last_end_bytes_ = 0;  // of the last group
};

}  // namespace quern::parquet
