#include "cuda/sort_stage.hpp"

#include <algorithm>

#include "cuda/move_kernels.hpp"
#include "jit/pipeline_text.hpp"

namespace quern::cuda {

namespace {

// Row numbers have 32 bits, and a few go to rounding.
constexpr int64_t most_rows = (1LL << 31) - 1024;
// Candidates of a top-k are sorted again when so many have come together, and four times what is wanted.
constexpr int64_t most_candidates = 1 << 20;
// Of so many rows the first few are found before they are sorted.
constexpr int64_t least_selected = 1 << 16;

}  // namespace

SortStage::SortStage(Device& device, const Layout& layout, const plan::Plan& plan, plan::NodeIndex node)
    : device_(device), layout_(layout), keys_(jit::sort_keys(plan.nodes[static_cast<size_t>(node)])) {
  for (const auto& key : *keys_) columns_.push_back(plan.exprs[static_cast<size_t>(key.expr)].column);
  if (const auto* top_k = std::get_if<plan::TopK>(&plan.nodes[static_cast<size_t>(node)].op)) {
    offset_ = top_k->offset;
    limit_ = top_k->limit;
  }
}

void SortStage::update(const DeviceBatch& batch) {
  if (batch.rows == 0) return;
  const int64_t wanted = limit_ > INT64_MAX - offset_ ? INT64_MAX : offset_ + limit_;
  // Ties keep their order: candidates of a batch stand behind those of the batches before.
  batches_.push_back(batch.rows > wanted ? ordered(batch, 0, wanted) : batch);
  rows_ += batches_.back().rows;
  if (wanted < most_candidates && rows_ > std::max(most_candidates, 4 * wanted)) {
    batches_ = {ordered(joined(), 0, wanted)};
    rows_ = batches_[0].rows;
  }
  if (rows_ > most_rows)
    throw unsupported("sorting " + std::to_string(rows_) + " rows on the GPU").with_hint("use --device cpu");
}

DeviceBatch SortStage::joined() {
  DeviceBatch out;
  out.rows = rows_;
  for (size_t i = 0; i < batches_.at(0).columns.size(); ++i) {
    std::vector<DeviceColumnPtr> pieces;
    for (const auto& batch : batches_) pieces.push_back(batch.columns[i]);
    out.columns.push_back(concat(device_, layout_, pieces));
  }
  batches_.clear();
  return out;
}

DeviceBatch SortStage::ordered(const DeviceBatch& batch, int64_t offset, int64_t count) const {
  std::vector<SortColumn> keys;
  for (size_t i = 0; i < columns_.size(); ++i) {
    keys.push_back({batch.columns[static_cast<size_t>(columns_[i])], (*keys_)[i].descending, (*keys_)[i].nulls_first});
  }
  const int64_t first = std::min(offset, batch.rows);
  DeviceBatch out;
  out.rows = std::min(count, batch.rows - first);
  const auto order = first_order(keys, batch.rows, first + out.rows);
  for (const auto& column : batch.columns)
    out.columns.push_back(gather(device_, layout_, *column, order->as<uint32_t>() + first, out.rows));
  return out;
}

DeviceBufferPtr SortStage::first_order(const std::vector<SortColumn>& keys, int64_t rows, int64_t wanted) const {
  // Strings have no leading digits before they are ranked, which orders them.
  if (wanted == 0 || rows < least_selected || wanted > rows / 16 || has_bytes(*keys[0].column->type))
    return sort_rows(device_, keys, rows);
  const RowIds candidates = first_rows(device_, keys[0], rows, wanted);
  std::vector<SortColumn> of_candidates = keys;
  for (auto& key : of_candidates)
    key.column = gather(device_, layout_, *key.column, candidates.rows->as<uint32_t>(), candidates.count);
  const auto order = sort_rows(device_, of_candidates, candidates.count);
  auto out = device_.memory.allocate(static_cast<size_t>(candidates.count) * 4);
  gather_values(device_, 4, candidates.rows->data(), order->as<uint32_t>(), candidates.count, out->data());
  return out;
}

DeviceBatch SortStage::finish() {
  if (batches_.empty()) return {};
  return ordered(joined(), offset_, limit_);
}

}  // namespace quern::cuda
