#include "cuda/decode_group.hpp"

#include "cuda/column_cache.hpp"
#include "cuda/decode_column.hpp"

namespace quern::cuda {

std::string cache_key(const Layout& layout, const std::string& key) {
  return key + ":" + std::to_string(layout.offset_limit);
}

namespace {

// All columns are started before one look at what their pages turned out to be.
DeviceBatch decoded(Device& device, Memory& memory, const Layout& layout, const EncodedGroup& group) {
  const size_t count = group.encoded.size();
  const auto counters = device.memory.allocate_zeroed(count * sizeof(DecodeCounters));
  std::vector<std::unique_ptr<ColumnDecoder>> decoders(count);
  for (size_t i = 0; i < count; ++i) {
    if (!group.encoded[i]) continue;
    decoders[i] =
        std::make_unique<ColumnDecoder>(device, layout, *group.encoded[i], counters->as<DecodeCounters>() + i);
    decoders[i]->start(group.rows);
  }
  std::vector<DecodeCounters> found(count);
  if (count > 0) device.staging.to_host(found.data(), counters->data(), count * sizeof(DecodeCounters));
  ++device.read_backs;
  DeviceBatch out;
  out.rows = group.rows;
  for (size_t i = 0; i < count; ++i) {
    DeviceColumnPtr column = decoders[i] ? decoders[i]->finish(found[i]) : nullptr;
    if (column) {
      device.columns->keep(cache_key(layout, group.keys[i]), column);
    } else if (group.cached[i]) {
      column = std::static_pointer_cast<const DeviceColumn>(group.cached[i]);
    } else {
      const ColumnPtr host = group.decoded[i] ? group.decoded[i] : group.decode_on_host(i);
      column = to_device(device, memory, layout, host->type, {host});
    }
    out.columns.push_back(std::move(column));
  }
  return out;
}

DeviceBatch take_ranges(Device& device, const Layout& layout, DeviceBatch&& batch,
                        const std::vector<parquet::RowRange>& ranges) {
  if (ranges.empty()) return std::move(batch);
  std::vector<uint32_t> rows;
  for (const auto& range : ranges) {
    for (int64_t row = range.start; row < range.end; ++row) rows.push_back(static_cast<uint32_t>(row));
  }
  const auto ids = device.memory.allocate(rows.size() * 4);
  device.staging.to_device(ids->data(), rows.data(), rows.size() * 4);
  DeviceBatch out;
  out.rows = static_cast<int64_t>(rows.size());
  for (const auto& column : batch.columns)
    out.columns.push_back(gather(device, layout, *column, ids->as<uint32_t>(), out.rows));
  return out;
}

}  // namespace

DeviceBatch decode_group(Device& device, Memory& memory, const Layout& layout, const EncodedGroup& group) {
  return take_ranges(device, layout, decoded(device, memory, layout, group), group.ranges);
}

}  // namespace quern::cuda
