// Row groups under way: rows are cut and shredded by any thread and gathered until a group is full.
#pragma once
#include <functional>
#include <optional>

#include "parquet/write.hpp"
#include "plan/plan.hpp"
#include "context/context.hpp"

namespace quern::cpu {

struct WriteGroup {
  int64_t number = 0;
  int64_t rows = 0;
  int64_t bytes = 0;       // held by the shreds
  int64_t file_bytes = 0;  // Shred::file_bytes
  std::vector<parquet::Shred> shreds;
  std::vector<std::optional<parquet::EncodedChunk>> chunks;
  size_t left = 0;  // chunks still to be encoded

  bool has_room(const parquet::Shred& shred, const parquet::WriteOptions& options) const {
    return rows == 0 ||
           (rows + shred.rows <= options.group_rows && file_bytes + shred.file_bytes <= options.group_bytes);
  }
  void add(parquet::Shred&& shred);
  // Every leaf column is encoded on its own, by one thread; its values are given back.
  void encode(Memory& memory, const parquet::WriteLeaf& leaf, size_t index, const parquet::WriteOptions& options);
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
