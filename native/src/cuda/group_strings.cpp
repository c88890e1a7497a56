#include "cuda/group_strings.hpp"

namespace quern::cuda {

GroupStrings::GroupStrings(Device& device, const Layout& layout, const std::vector<jit::StringKey>& keys,
                           const std::vector<TypePtr>& output)
    : written_(output) {
  size_t at = 0;
  for (const auto& key : keys) {
    while (!jit::is_numbered(*output.at(at))) ++at;
    keys_.push_back({key, at, std::make_unique<StringIds>(device, layout, output[at])});
    written_[at] = jit::key_type(output[at]);
    ++at;
  }
}

DeviceBatch GroupStrings::numbered(const DeviceBatch& batch, int32_t join) const {
  DeviceBatch out = batch;
  for (const auto& key : keys_) {
    if (key.place.join != join) continue;
    out.columns.push_back(key.ids->number(*batch.columns.at(static_cast<size_t>(key.place.column))));
  }
  return out;
}

DeviceBatch GroupStrings::named(DeviceBatch groups) const {
  for (const auto& key : keys_) {
    auto& column = groups.columns.at(key.output);
    column = key.ids->strings(*column);
  }
  return groups;
}

}  // namespace quern::cuda
