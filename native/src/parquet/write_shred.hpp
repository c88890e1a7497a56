// Rows cut into leaf columns: levels and stored values. Counts are 64-bit everywhere.
#pragma once
#include <vector>

#include "columnar/column.hpp"
#include "parquet/write_schema.hpp"

namespace quern::parquet {

// What some rows contribute to one leaf column.
struct LeafPiece {
  int64_t entries = 0;   // level entries
  int64_t values = 0;    // those that are not null
  BufferPtr repetition;  // a byte an entry; null = all 0
  BufferPtr definition;  // a byte an entry; null = all at the leaf's maximum
  BufferPtr data;        // values as pages hold them plainly (write_values.hpp)
  int64_t data_bytes = 0;
};

struct Shred {
  int64_t rows = 0;
  int64_t bytes = 0;       // held in memory
  int64_t file_bytes = 0;  // in pages: plain values and packed levels
  std::vector<LeafPiece> leaves;
};

Shred shred(Memory& memory, const WriteSchema& schema, const Batch& batch);

}  // namespace quern::parquet
