#include "cuda/group_strings.hpp"

#include "cuda/kernel_cache.hpp"

namespace quern::cuda {

GroupStrings::GroupStrings(Device& device, const Layout& layout, const jit::GroupTexts& texts,
                           const std::vector<TypePtr>& output)
    : device_(device), layout_(layout), made_(texts.made_types), written_(output) {
  if (texts.made) {
    make_keys_ = device.kernels->load({*texts.made})[0];
    literals_.emplace(device, texts.made->literals);
  }
  size_t at = 0;
  for (const auto& key : texts.strings) {
    while (!jit::is_numbered(*output.at(at))) ++at;
    keys_.push_back({key, at, std::make_unique<StringIds>(device, layout, output[at])});
    written_[at] = jit::key_type(output[at]);
    ++at;
  }
}

DeviceBatch GroupStrings::with_made(const DeviceBatch& batch, uint64_t& failed) const {
  if (made_.empty()) return batch;
  DeviceOutputs outputs(device_, made_, batch.rows);
  DeviceInput input(device_, batch, *literals_, nullptr, batch.rows);
  const OutputView* views = outputs.views();
  constexpr int32_t threads = 256;
  launch(device_, "make_keys", make_keys_, resident_blocks(device_, make_keys_, threads, 0, batch.rows), threads, 0,
         {input.get(), &views});
  failed = input.failure(device_);
  DeviceBatch out = batch;
  for (const auto& column : outputs.finish(device_)) out.columns.push_back(strings_of_views(device_, layout_, *column));
  return out;
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
