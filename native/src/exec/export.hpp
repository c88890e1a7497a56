// Result batches in the layout of src/common/batch.ts: one block of bytes, and where each column's buffers lie in it.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "columnar/column.hpp"

namespace quern {

// Bytes of one block, unless a single row needs more.
constexpr int64_t block_bytes = 8 << 20;

struct FreeBytes {
  void operator()(uint8_t* bytes) const { std::free(bytes); }
};

struct ResultBlock {
  int64_t rows = 0;
  std::unique_ptr<uint8_t[], FreeBytes> bytes;
  int64_t size = 0;
  // Seven numbers a column, columns in order, each followed by its children: rows, null count, offset of validity,
  // offset of values, bytes of values, offset of offsets, 1 where offsets are 64-bit. Offsets are multiples of 8 in
  // `bytes`; -1 = absent.
  std::vector<double> layout;
};

// Bytes that these rows need in a block.
int64_t exported_bytes(const Batch& batch, int64_t offset_limit);
// The rows of all batches, in order. `offset_limit`: children up to which offsets are 32-bit.
ResultBlock export_batches(const std::vector<Batch>& batches, int64_t offset_limit);

}  // namespace quern
