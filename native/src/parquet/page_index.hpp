// Offset index and column index of a column chunk, checked before use.
#pragma once
#include <optional>
#include <vector>

#include "context/context.hpp"
#include "parquet/file.hpp"

namespace quern::parquet {

// Pages by first row: ascending, starting at row 0, inside the chunk. Empty when absent or contradictory.
std::vector<PageLocation> load_offset_index(Context& context, const File& file, const ColumnChunk& chunk, int64_t rows);

struct LoadedColumnIndex {
  BufferPtr owner;  // of the values
  ColumnIndex index;
};
// With one entry a page; none when absent or contradictory.
std::optional<LoadedColumnIndex> load_column_index(Context& context, const File& file, const ColumnChunk& chunk,
                                                   size_t pages);

}  // namespace quern::parquet
