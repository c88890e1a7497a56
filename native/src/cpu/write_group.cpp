#include "cpu/write_group.hpp"

#include <algorithm>

#include "common/error.hpp"

namespace quern::cpu {

namespace {

// A quarter of the budget is the most that waits to be encoded and written.
constexpr int64_t budget_part = 4;
// Row groups are cut between shreds: this many make up a group, so that its size is met well.
constexpr int64_t shreds_a_group = 32;
// A file that ends at a size is cut between row groups.
constexpr int64_t groups_a_file = 12;

parquet::Codec codec_of(const std::string& word) {
  if (word == "none") return parquet::Codec::uncompressed;
  if (word == "snappy") return parquet::Codec::snappy;
  if (word == "gzip") return parquet::Codec::gzip;
  if (word == "brotli") return parquet::Codec::brotli;
  if (word == "zstd") return parquet::Codec::zstd;
  if (word == "lz4") return parquet::Codec::lz4_raw;
  throw internal_error("no codec " + word);
}

}  // namespace

void WriteGroup::add(parquet::Shred&& shred) {
  rows += shred.rows;
  bytes += shred.bytes;
  held += held_bytes(shred);
  file_bytes += shred.file_bytes;
  shreds.push_back(std::move(shred));
}

parquet::Shred WriteGroup::remove_last() {
  parquet::Shred last = std::move(shreds.back());
  shreds.pop_back();
  rows -= last.rows;
  bytes -= last.bytes;
  held -= held_bytes(last);
  file_bytes -= last.file_bytes;
  return last;
}

void WriteGroup::encode(Memory& memory, const parquet::WriteLeaf& leaf, size_t index,
                        const parquet::WriteOptions& options) {
  std::vector<const parquet::LeafPiece*> pieces;
  for (const parquet::Shred& shred : shreds) pieces.push_back(&shred.leaves[index]);
  chunks[index] = parquet::encode_chunk(memory, leaf, pieces, options);
  if (is_trial) return;
  // No other thread looks at this leaf.
  for (parquet::Shred& shred : shreds) shred.leaves[index] = parquet::LeafPiece();
}

int64_t WriteGroup::encoded_bytes() const {
  int64_t encoded = 0;
  for (const auto& chunk : chunks) encoded += static_cast<int64_t>(chunk->bytes.size() + chunk->bloom.size());
  return encoded;
}

parquet::EncodedGroup WriteGroup::take() {
  parquet::EncodedGroup encoded;
  encoded.rows = rows;
  for (auto& chunk : chunks) encoded.chunks.push_back(std::move(*chunk));
  return encoded;
}

parquet::WriteOptions write_options(Context& context, const plan::WriteParquet& op, int64_t open_groups) {
  parquet::WriteOptions options;
  options.codec = codec_of(op.compression);
  options.level = op.level;
  options.group_rows = op.group_rows;
  options.group_bytes = op.group_bytes;
  if (op.file_bytes > 0) options.group_bytes = std::min(options.group_bytes, op.file_bytes / groups_a_file);
  options.group_bytes = std::max<int64_t>(1, options.group_bytes);
  options.group_memory = std::max<int64_t>(1, waiting_bytes(context) / 2 / open_groups);
  options.bloom_ratio = op.bloom_ratio;
  return options;
}

int64_t waiting_bytes(Context& context) { return context.memory().limit() / budget_part; }

void cut_rows(Memory& memory, const Batch& batch, const parquet::WriteOptions& options,
              const std::function<void(const Batch&)>& place) {
  int64_t bytes = 0;
  for (const ColumnPtr& column : batch.columns) bytes += row_bytes(*column);
  const bool is_large =
      bytes > std::min(options.group_bytes, options.group_memory) / shreds_a_group || batch.rows > options.group_rows;
  if (!is_large || batch.rows <= 1) return place(batch);
  const int64_t half = batch.rows > options.group_rows ? std::min(options.group_rows, batch.rows - 1) : batch.rows / 2;
  cut_rows(memory, slice(memory, batch, 0, half), options, place);
  cut_rows(memory, slice(memory, batch, half, batch.rows - half), options, place);
}

}  // namespace quern::cpu
