#include "cpu/join_table.hpp"

#include <algorithm>

#include "cpu/join_direct.hpp"
#include "cpu/join_hash.hpp"
#include "cpu/join_packed.hpp"
#include "cpu/table.hpp"

namespace quern::cpu {

namespace {

// Neighbouring chunks are joined until they have so many rows: many morsels may give few rows each.
constexpr int64_t chunk_rows = 64 * 1024;

// Payload columns of chunks, as rows.
std::vector<Batch> payload_of(const std::vector<Batch>& chunks, int32_t columns) {
  std::vector<Batch> out;
  for (const auto& chunk : chunks) {
    Batch batch;
    batch.rows = chunk.rows;
    batch.columns.assign(chunk.columns.begin(), chunk.columns.begin() + columns);
    out.push_back(std::move(batch));
  }
  return out;
}

// Chunks short enough in number for packed ids.
std::vector<Batch> packable(Context& context, std::vector<Batch> chunks) {
  if (PackedIds::fits(chunks)) return chunks;
  std::vector<Batch> out, run;
  int64_t rows = 0;
  const auto end_run = [&] {
    if (!run.empty()) out.push_back(run.size() == 1 ? std::move(run[0]) : join_batches(context, run));
    run.clear();
    rows = 0;
  };
  for (auto& chunk : chunks) {
    if (rows > 0 && rows + chunk.rows > chunk_rows) end_run();
    rows += chunk.rows;
    run.push_back(std::move(chunk));
  }
  end_run();
  if (!PackedIds::fits(out)) throw unsupported("join table of more than 2^31 rows");
  return out;
}

}  // namespace

JoinTable::JoinTable(Context& context, const JoinInput& input, std::vector<Batch> chunks, const Parallel& parallel)
    : layout_(join_key_layout(input.keys)), reserved_(context.memory()) {
  chunks = packable(context, std::move(chunks));
  packing_ = PackedIds(chunks);
  auto payload = payload_of(chunks, input.payload_columns);
  vector_rows_ = context.settings().batch_rows;
  int64_t rows = 0;
  for (const auto& chunk : payload) {
    vector_rows_ = std::min(vector_rows_, cpu::vector_rows(context, chunk));
    rows += chunk.rows;
  }
  rows_ = std::make_shared<const ChunkedRows>(std::move(payload));
  if (input.marks_matches) {
    reserved_.resize(rows);
    for (const auto& chunk : chunks)
      marks_.push_back(std::make_unique<std::atomic<uint8_t>[]>(static_cast<size_t>(chunk.rows)));
  }
  if (!input.keys.types.empty()) make_index(context, input, chunks, parallel);
}

void JoinTable::make_index(Context& context, const JoinInput& input, const std::vector<Batch>& chunks,
                           const Parallel& parallel) {
  if (rows() == 0) return;
  std::vector<std::vector<ColumnPtr>> columns;
  for (const auto& chunk : chunks) {
    columns.emplace_back(chunk.columns.begin() + input.payload_columns, chunk.columns.end());
    for (size_t key = 0; key < columns.back().size(); ++key)
      has_null_key_ |= !input.keys.null_safe[key] && columns.back()[key]->null_count > 0;
  }
  const auto& null_safe = input.keys.null_safe;
  const bool nulls_match = std::any_of(null_safe.begin(), null_safe.end(), [](bool safe) { return safe; });
  if (!nulls_match && null_safe.size() == 1) {
    std::vector<ColumnPtr> keys;
    for (const auto& chunk : columns) keys.push_back(chunk[0]);
    index_ = make_join_direct(context, keys, packing_, input.one_is_enough, parallel);
  } else if (!nulls_match) {
    index_ = make_join_packed(context, input.keys, columns, packing_, input.one_is_enough, parallel);
  }
  if (!index_)
    index_ = make_join_hash(context, input.keys, layout_, std::move(columns), packing_, input.one_is_enough, parallel);
}

void JoinTable::mark(int64_t id) const {
  auto& flag = marks_[static_cast<size_t>(id >> 32)][static_cast<uint32_t>(id)];
  if (flag.load(std::memory_order_relaxed) == 0) flag.store(1, std::memory_order_relaxed);
}

bool JoinTable::is_marked(int64_t chunk, int64_t row) const {
  return marks_[static_cast<size_t>(chunk)][static_cast<size_t>(row)].load(std::memory_order_relaxed) != 0;
}

}  // namespace quern::cpu
