#include "cuda/limit_stage.hpp"

#include <algorithm>

namespace quern::cuda {

LimitStage::LimitStage(Device& device, const Layout& layout, const plan::Node& node)
    : device_(device), layout_(layout) {
  const auto* limit = std::get_if<plan::Limit>(&node.op);
  const auto rows = limit != nullptr ? limit->limit : std::get<plan::Scan>(node.op).limit;
  if (limit != nullptr) first_ = limit->offset;
  if (rows && *rows <= INT64_MAX - first_) end_ = first_ + *rows;
}

DeviceBatch LimitStage::process(const DeviceBatch& batch) {
  const int64_t first = std::clamp<int64_t>(first_ - seen_, 0, batch.rows);
  const int64_t end = std::clamp<int64_t>(end_ - seen_, first, batch.rows);
  seen_ += batch.rows;
  DeviceBatch out;
  out.rows = end - first;
  for (const auto& column : batch.columns) out.columns.push_back(slice(device_, layout_, column, first, out.rows));
  return out;
}

}  // namespace quern::cuda
