#include "cuda/group_control.hpp"

#include <cstring>

namespace quern::cuda {

GroupControl::GroupControl(Device& device, const DeviceBatch& batch, size_t nulls, unsigned long long listed)
    : nulls_(nulls, 0) {
  Words words;
  words.listed = listed;
  const auto views = column_views(batch);
  const size_t views_at = sizeof(Words) + nulls * 8;
  std::vector<uint8_t> bytes(views_at + views.size() * sizeof(ColumnView));
  std::memcpy(bytes.data(), &words, sizeof(words));
  std::memcpy(bytes.data() + views_at, views.data(), views.size() * sizeof(ColumnView));
  memory_ = device.memory.allocate(bytes.size());
  device.staging.to_device(memory_->data(), bytes.data(), bytes.size());
}

Input GroupControl::input(const DeviceLiterals& literals, const uint32_t* rows, int64_t first, int64_t count) const {
  Input out{};
  out.columns = reinterpret_cast<const ColumnView*>(nulls(nulls_.size()));
  out.literals = literals.data();
  out.rows = rows;
  out.first = first;
  out.count = count;
  out.failure = reinterpret_cast<unsigned long long*>(&words()->failure);
  return out;
}

GroupControl::Words GroupControl::read(Device& device) {
  std::vector<uint8_t> bytes(sizeof(Words) + nulls_.size() * 8);
  device.read_back(bytes.data(), memory_->data(), bytes.size());
  Words out;
  std::memcpy(&out, bytes.data(), sizeof(out));
  std::memcpy(nulls_.data(), bytes.data() + sizeof(out), nulls_.size() * 8);
  return out;
}

}  // namespace quern::cuda
