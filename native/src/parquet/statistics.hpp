// Bounds out of statistics, under the rules that make them safe to prune with.
#pragma once
#include <optional>

#include "parquet/file.hpp"

namespace quern::parquet {

// min and max as stored, of a row group or a page.
struct StoredBounds {
  std::optional<std::string_view> min, max;
  std::optional<bool> min_exact, max_exact;
};

// `is_deprecated`: from the fields `min` and `max`, whose order is signed bytes. `has_known_order`: the file declares
// the order of the column. Bounds that are unsafe stay null.
Bounds read_bounds(Memory& memory, const SchemaElement& element, const LeafType& leaf, const StoredBounds& stored,
                   bool is_deprecated, bool has_known_order);

// Bounds of a leaf column in a row group.
Bounds chunk_bounds(Memory& memory, const File& file, const ColumnChunk& chunk, int32_t leaf_index,
                    const LeafType& leaf);

}  // namespace quern::parquet
