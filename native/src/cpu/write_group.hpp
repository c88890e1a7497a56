// Row groups under way: rows are cut and shredded by any thread and gathered until a group is full.
#pragma once
#include <functional>
#include <optional>

#include "parquet/write.hpp"
#include "plan/plan.hpp"
#include "context/context.hpp"

namespace quern::cpu {

// What a shred takes in memory, buffers and their owners included.
inline int64_t held_bytes(const parquet::Shred& shred) {
  constexpr int64_t leaf_overhead = 384;
  return shred.bytes + static_cast<int64_t>(shred.leaves.size()) * leaf_overhead;
}

struct WriteGroup {
  int64_t number = 0;
  int64_t rows = 0;
  int64_t bytes = 0;       // held by the shreds
  int64_t held = 0;        // held_bytes of the shreds
  int64_t file_bytes = 0;  // Shred::file_bytes
  std::vector<parquet::Shred> shreds;
  std::vector<std::optional<parquet::EncodedChunk>> chunks;
  size_t left = 0;        // chunks still to be encoded
  bool is_trial = false;  // the size in the file decides whether this is a group; shreds are kept until then

  bool has_room(const parquet::Shred& shred, const parquet::WriteOptions& options) const {
    return rows == 0 || (rows + shred.rows <= options.group_rows && bytes + shred.bytes <= options.group_memory);
  }
  void add(parquet::Shred&& shred);
  parquet::Shred remove_last();
  // Every leaf column is encoded on its own, by one thread; its values are given back unless in a trial.
  void encode(Memory& memory, const parquet::WriteLeaf& leaf, size_t index, const parquet::WriteOptions& options);
  // Of the chunks and their bloom filters.
  int64_t encoded_bytes() const;
  parquet::EncodedGroup take();
};

// Options of the writer; `open_groups` of them are gathered at a time.
parquet::WriteOptions write_options(Context& context, const plan::WriteParquet& op, int64_t open_groups);
// Bytes of shreds that may wait to be encoded.
int64_t waiting_bytes(Context& context);

// Calls `place` with pieces of the batch that are small parts of a row group, in order.
void cut_rows(Memory& memory, const Batch& batch, const parquet::WriteOptions& options,
              const std::function<void(const Batch&)>& place);

}  // namespace quern::cpu
