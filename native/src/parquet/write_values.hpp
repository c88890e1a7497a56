// Values of columns in the form that pages hold them plainly: little-endian numbers, length and bytes of BYTE_ARRAY,
// big-endian decimals; booleans take a byte each until a page packs them.
#pragma once
#include "columnar/column.hpp"
#include "parquet/write_schema.hpp"

namespace quern::parquet {

// Which values: positions[0 … count), or first, first + 1, … when positions is null.
struct Selection {
  const int64_t* positions = nullptr;
  int64_t first = 0;
  int64_t count = 0;
  int64_t at(int64_t i) const { return positions == nullptr ? first + i : positions[i]; }
};

struct StoredValues {
  BufferPtr data;
  int64_t bytes = 0;
};

// `column` is flat, the selected values are not null. Throws runtime errors for values that Parquet cannot hold.
StoredValues store_values(Memory& memory, const WriteLeaf& leaf, const Column& column, const Selection& selection);

}  // namespace quern::parquet
