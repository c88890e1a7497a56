#include "cpu/group_table.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "cpu/hyper_log_log.hpp"

namespace quern::cpu {

namespace {

constexpr int64_t first_slots = 2048;
// Slots beyond this (8 MiB) are only doubled while keys repeat: others gain nothing from being looked up.
constexpr int64_t unquestioned_slots = 1 << 20;
using Sketch = HyperLogLog<11>;
constexpr int64_t first_chunk_bytes = 1024;
constexpr int64_t last_chunk_bytes = 256 * 1024;

}  // namespace

GroupSlots::GroupSlots(Memory& memory, int64_t rows) {
  const auto capacity = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(std::max(rows * 2, first_slots))));
  buffer_ = memory.allocate_zeroed(static_cast<size_t>(capacity) * sizeof(uint64_t));
  slots_ = buffer_->as<uint64_t>();
  mask_ = capacity - 1;
}

void GroupSlots::clear() { std::memset(slots_, 0, static_cast<size_t>(capacity()) * sizeof(uint64_t)); }

GroupTable::GroupTable(Memory& memory, const KeyLayout& layout, std::vector<uint64_t> states)
    : memory_(memory),
      layout_(layout),
      row_bytes_(8 * static_cast<int64_t>(1 + static_cast<size_t>(layout.words) + states.size())),
      states_(std::move(states)),
      arenas_(partitions),
      heap_(memory),
      slots_(memory, 0) {}

uint8_t* GroupTable::make_row(const uint64_t* key, uint64_t hash) {
  auto& chunks = arenas_[static_cast<size_t>(partition_of(hash))].chunks;
  if (chunks.empty() || chunks.back().rows == chunks.back().capacity) {
    const int64_t bytes = chunks.empty()
                              ? first_chunk_bytes
                              : std::min(last_chunk_bytes, static_cast<int64_t>(chunks.back().buffer->size()) * 2);
    Chunk chunk;
    chunk.capacity = std::max<int64_t>(1, bytes / row_bytes_);
    chunk.buffer = memory_.allocate(static_cast<size_t>(std::max(bytes, chunk.capacity * row_bytes_)));
    chunks.push_back(std::move(chunk));
  }
  auto& chunk = chunks.back();
  uint8_t* row = chunk.buffer->data() + chunk.rows * row_bytes_;
  // `merged` marks dead rows, so no living row may carry it.
  GroupRow::hash(row) = hash;
  uint64_t* stored = GroupRow::key(row);
  for (int32_t w = 0; w < layout_.words; ++w) stored[w] = key[w];
  for (const int32_t w : layout_.string_words) {
    StringView view;
    std::memcpy(&view, stored + w, sizeof view);
    if (view.is_inline()) continue;
    view = heap_.append(view.pointer, view.length);
    std::memcpy(stored + w, &view, sizeof view);
  }
  uint64_t* states = stored + layout_.words;
  for (size_t i = 0; i < states_.size(); ++i) states[i] = states_[i];
  if (!sketch_.empty()) Sketch::add(sketch_.data(), hash);
  ++chunk.rows;
  ++rows_;
  return row;
}

// Whether at least half of the keys found their group since the slots were cleared, or those of the rows made before
// come again.
bool GroupTable::keys_repeat() const {
  return seen_ >= 2 * in_slots_ || 2 * rows_ >= 3 * Sketch::estimate(sketch_.data());
}

void GroupTable::grow() {
  if (slots_.capacity() >= unquestioned_slots && !keys_repeat()) {
    slots_.clear();
    unique_ = false;
    in_slots_ = 0;
    seen_ = 0;
    return;
  }
  GroupSlots wider(memory_, slots_.capacity());
  const bool begins_sketch = sketch_.empty() && wider.capacity() >= unquestioned_slots;
  if (begins_sketch) sketch_.assign(Sketch::registers, 0);
  const auto mask = static_cast<uint64_t>(wider.mask());
  for (int64_t i = 0; i < slots_.capacity(); ++i) {
    const uint64_t slot = slots_.slots()[i];
    if (slot == 0) continue;
    const uint64_t hash = GroupRow::hash(GroupSlots::row(slot));
    if (begins_sketch) Sketch::add(sketch_.data(), hash);
    uint64_t at = hash & mask;
    while (wider.slots()[at] != 0) at = (at + 1) & mask;
    wider.slots()[at] = slot;
  }
  slots_ = std::move(wider);
}

// How two keys of a layout are compared: `words` whole words, or by content where there are strings (words = 0).
template <int32_t words>
struct SameKey {
  const KeyLayout& layout;
  bool operator()(const uint64_t* stored, const uint64_t* key) const {
    uint64_t differ = 0;
    for (int32_t w = 0; w < words; ++w) differ |= stored[w] ^ key[w];
    return differ == 0;
  }
};
template <>
struct SameKey<0> {
  const KeyLayout& layout;
  bool operator()(const uint64_t* stored, const uint64_t* key) const { return same_key(layout, stored, key); }
};

template <int32_t words>
void GroupTable::find(const uint64_t* keys, const uint64_t* hashes, int64_t rows, uint8_t** groups) {
  // Distance at which slots are asked for ahead of their use; a memory access takes about as long as this many probes.
  constexpr int64_t ahead = 24;
  constexpr int64_t row_ahead = 12;
  const SameKey<words> same{layout_};
  const int64_t stride = words != 0 ? words : layout_.words;
  for (int64_t i = 0; i < std::min(ahead, rows); ++i) slots_.prefetch(hashes[i]);
  seen_ += rows;
  for (int64_t i = 0; i < rows; ++i) {
    if (i + ahead < rows) slots_.prefetch(hashes[i + ahead]);
    if (i + row_ahead < rows) slots_.prefetch_row(hashes[i + row_ahead]);
    const uint64_t hash = hashes[i] == GroupRow::merged ? 0 : hashes[i];
    const uint64_t* key = keys + i * stride;
    const auto mask = static_cast<uint64_t>(slots_.mask());
    uint64_t at = hash & mask;
    for (;;) {
      const uint64_t slot = slots_.slots()[at];
      if (slot == 0) {
        uint8_t* row = make_row(key, hash);
        slots_.slots()[at] = GroupSlots::pack(row, hash);
        groups[i] = row;
        if (!slots_.fits(++in_slots_)) grow();
        break;
      }
      if (GroupSlots::same_salt(slot, hash) && same(GroupRow::key(GroupSlots::row(slot)), key)) {
        groups[i] = GroupSlots::row(slot);
        break;
      }
      at = (at + 1) & mask;
    }
  }
}

void GroupTable::find_or_insert(const uint64_t* keys, const uint64_t* hashes, int64_t rows, uint8_t** groups) {
  if (!layout_.string_words.empty()) return find<0>(keys, hashes, rows, groups);
  switch (layout_.words) {
    case 1:
      return find<1>(keys, hashes, rows, groups);
    case 2:
      return find<2>(keys, hashes, rows, groups);
    case 3:
      return find<3>(keys, hashes, rows, groups);
    default:
      return find<0>(keys, hashes, rows, groups);
  }
}

}  // namespace quern::cpu
