#include "cuda/string_ids.hpp"

#include <algorithm>
#include <bit>

#include "cuda/compiled.hpp"
#include "cuda/string_kernels.hpp"

namespace quern::cuda {

namespace {

// Numbers with the highest bit are rows.
constexpr uint64_t most_strings = (1ULL << 31) - 1024;
struct Counts {
  uint64_t let = 0, refused = 0;
};

}  // namespace

uint64_t StringIds::slots_for(int64_t rows) {
  return std::clamp<uint64_t>(std::bit_ceil(2 * static_cast<uint64_t>(rows)), 1 << 10, most_first_slots);
}

StringIds::StringIds(Device& device, const Layout& layout, TypePtr type, uint64_t first_slots)
    : device_(device), layout_(layout), type_(std::move(type)), kept_{null_column(device, type_, 1)} {
  reserve_entries(first_slots / 2);
  grow(first_slots);
}

void StringIds::grow(uint64_t slots) {
  slots_ = device_.memory.allocate_zeroed(slots * 8);
  table_.slots = slots_->as<unsigned long long>();
  table_.mask = slots - 1;
  insert_strings(device_, table_, count());
}

void StringIds::reserve_entries(uint64_t count) {
  if (count <= entry_room_) return;
  const uint64_t room = std::max(count, 2 * entry_room_);
  const auto next = device_.memory.allocate((room + 1) * sizeof(StringEntry));
  if (entries_) {
    check(cudaMemcpyAsync(next->data(), entries_->data(), (count_ + 1) * sizeof(StringEntry), cudaMemcpyDeviceToDevice,
                          device_.stream.get()),
          "strings");
  }
  entries_ = next;
  entry_room_ = room;
  table_.entries = entries_->as<StringEntry>();
}

DeviceColumnPtr StringIds::number(const DeviceColumn& strings) {
  auto out = std::make_shared<DeviceColumn>();
  out->type = make_type(TypeKind::uint32);
  out->length = strings.length;
  out->null_count = strings.null_count;
  out->validity = strings.validity;
  out->data = device_.memory.allocate(static_cast<size_t>(strings.length) * 4);
  if (strings.length == 0) return out;
  const auto fresh = device_.memory.allocate(static_cast<size_t>((strings.length + 31) / 32) * 4);
  StringRound round{};
  round.strings = column_view(strings);
  round.rows = strings.length;
  round.numbers = out->data->as<uint32_t>();
  round.fresh = fresh->as<uint32_t>();
  for (Counts counts;; round.again = true) {
    const auto counters = device_.memory.allocate_zeroed(sizeof(Counts));
    round.table = table_;
    round.known = count_;
    round.limit = (table_.mask + 1) / 2;
    round.let = counters->as<unsigned long long>();
    round.refused = round.let + 1;
    look_up_strings(device_, round);
    device_.staging.to_host(&counts, counters->data(), sizeof(counts));
    ++device_.read_backs;
    if (count_ + counts.let > most_strings)
      throw unsupported("keys of " + std::to_string(count_ + counts.let) + " strings on the GPU")
          .with_hint("use --device cpu");
    if (counts.let > 0) {
      const RowIds rows = select(device_, round.fresh, strings.length);
      const auto kept = gather(device_, layout_, strings, rows.rows->as<uint32_t>(), rows.count);
      reserve_entries(count_ + counts.let);
      round.table = table_;
      number_strings(device_, round, column_view(*kept), rows.rows->as<uint32_t>(), rows.count);
      resolve_strings(device_, round.numbers, strings.length);
      count_ += counts.let;
      kept_.push_back(kept);
    }
    const uint64_t slots = table_.mask + 1;
    if (counts.refused > 0)
      grow(std::max(2 * slots, std::min(8 * slots, std::bit_ceil(2 * (count_ + counts.refused)))));
    else if (count_ > slots / 4 * 3)
      grow(2 * slots);
    if (counts.refused == 0) return out;
  }
}

DeviceColumnPtr StringIds::strings(const DeviceColumn& numbers) const {
  const auto all = concat(device_, layout_, kept_);
  return gather(device_, layout_, *all, numbers.data->as<uint32_t>(), numbers.length);
}

}  // namespace quern::cuda
