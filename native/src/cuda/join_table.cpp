#include "cuda/join_table.hpp"

#include <algorithm>
#include <bit>

#include "cuda/sort_kernels.hpp"

namespace quern::cuda {

namespace {

// A dense range has at most so many addresses a row: as many bytes as slots at half load would take.
constexpr uint64_t addresses_a_row = 8;
// Ranges that are always worth it: 256 KiB.
constexpr uint64_t small_range = 1 << 16;

uint64_t read_word(Device& device, const DeviceBuffer& buffer) {
  uint64_t word = 0;
  device.staging.to_host(&word, buffer.data(), sizeof(word));
  ++device.read_backs;
  return word;
}

}  // namespace

DeviceJoinTable::DeviceJoinTable(Device& device, DeviceBatch rows, int32_t key_words, DeviceBufferPtr keys,
                                 const uint32_t* mask, const JoinNeeds& needs)
    : rows_(std::move(rows)), keys_(std::move(keys)) {
  const auto count = static_cast<uint64_t>(rows_.rows);
  const JoinKeys all{keys_->as<uint64_t>(), key_words, mask, rows_.rows};
  view_.keys = all.words;
  if (key_words == 1) {
    int64_t bounds[2] = {INT64_MAX, INT64_MIN};
    const auto found = device.memory.allocate(sizeof(bounds));
    device.staging.to_device(found->data(), bounds, sizeof(bounds));
    key_bounds(device, all, found->as<int64_t>());
    device.staging.to_host(bounds, found->data(), sizeof(bounds));
    ++device.read_backs;
    const uint64_t span = static_cast<uint64_t>(bounds[1]) - static_cast<uint64_t>(bounds[0]);
    if (bounds[0] <= bounds[1] && span < std::max(addresses_a_row * count, small_range)) {
      view_.first = static_cast<uint64_t>(bounds[0]);
      view_.range = span + 1;
    }
  }
  const auto leaders = device.memory.allocate(count * 8), repeated = device.memory.allocate_zeroed(8);
  if (view_.range != 0) {
    addresses_ = device.memory.allocate_zeroed(view_.range * 4);
    view_.addresses = addresses_->as<uint32_t>();
    insert_addresses(device, all, view_.first, addresses_->as<uint32_t>(), leaders->as<uint64_t>(),
                     repeated->as<uint64_t>());
  } else {
    const uint64_t slots = std::bit_ceil(2 * std::max<uint64_t>(count, 1));
    slots_ = device.memory.allocate_zeroed(slots * sizeof(JoinSlot));
    view_.slots = slots_->as<JoinSlot>();
    view_.mask = slots - 1;
    insert_slots(device, all, view_.mask, slots_->as<JoinSlot>(), leaders->as<uint64_t>(), repeated->as<uint64_t>());
  }
  unique_ = read_word(device, *repeated) == 0;
  if (needs.lists || (!unique_ && needs.all_rows)) make_lists(device, leaders);
  if (needs.leaders) leaders_ = leaders;
}

void DeviceJoinTable::make_lists(Device& device, const DeviceBufferPtr& leaders) {
  const auto count = static_cast<uint64_t>(rows_.rows);
  const auto numbers = device.memory.allocate(count * 4), sorted = device.memory.allocate(count * 8);
  lists_.lists = device.memory.allocate((count + 1) * 4);
  lists_.starts = device.memory.allocate((count + 2) * 8);
  lists_.ends = device.memory.allocate((count + 2) * 8);
  number_rows(device, rows_.rows, numbers->as<uint32_t>());
  sort_pairs(device, leaders->as<uint64_t>(), numbers->as<uint32_t>(), rows_.rows, std::bit_width(count + 1),
             sorted->as<uint64_t>(), lists_.lists->as<uint32_t>());
  list_bounds(device, sorted->as<uint64_t>(), rows_.rows, lists_.starts->as<int64_t>(), lists_.ends->as<int64_t>());
  const auto none = static_cast<uint32_t>(count);
  const auto start = static_cast<int64_t>(count), end = start + 1;
  device.staging.to_device(lists_.lists->as<uint32_t>() + count, &none, sizeof(none));
  device.staging.to_device(lists_.starts->as<int64_t>() + count, &start, sizeof(start));
  device.staging.to_device(lists_.ends->as<int64_t>() + count, &end, sizeof(end));
}

void DeviceJoinTable::keep_strings(Device& device, std::vector<std::unique_ptr<StringIds>> strings) {
  strings_ = std::move(strings);
  std::vector<StringTable> tables;
  for (const auto& ids : strings_) tables.push_back(ids->table());
  string_tables_ = device.memory.allocate(tables.size() * sizeof(StringTable));
  device.staging.to_device(string_tables_->data(), tables.data(), tables.size() * sizeof(StringTable));
}

std::string DeviceJoinTable::name() const {
  return std::string(view_.range != 0 ? "direct" : "hash") + (unique_ ? ", unique" : "");
}

}  // namespace quern::cuda
