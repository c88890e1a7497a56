// partition: rows of a batch moved so that those of each part lie together, in the order that they had ("ordered": this
// also serves who needs no order; on the CPU a counting sort by part gives it for nothing).
//
// Bytes moved: the parts of the rows twice, every row of fixed width once, 16 bytes of a string or list: their bytes
// stay.
#pragma once
#include <span>
#include <vector>

#include "columnar/column.hpp"
#include "context/memory.hpp"

namespace quern::cpu {

// Rows [boundaries[p], boundaries[p + 1]) are those of part p.
struct Parts {
  Batch rows;
  std::vector<int64_t> boundaries;  // one more than there are parts
};

// `part_of`: the part of each row, in [0, parts); throws internal_error when it is not.
Parts partition(Memory& memory, const Batch& batch, std::span<const int32_t> part_of, int64_t parts);

}  // namespace quern::cpu
