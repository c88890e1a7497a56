#include "cpu/join_entries.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "cpu/group_table.hpp"

namespace quern::cpu {

namespace {

// Distances at which slots and entries are asked for ahead of their use, as in GroupTable::find.
constexpr int64_t ahead = 24;
constexpr int64_t entry_ahead = 12;

// A distinct key: its words follow.
struct Entry {
  uint32_t first;  // the packed id of the row when count is 1, else where the ids begin
  uint32_t count;
  const uint64_t* key() const { return reinterpret_cast<const uint64_t*>(this + 1); }
  uint64_t* key() { return reinterpret_cast<uint64_t*>(this + 1); }
};

struct Part {
  uint32_t number = 0;
  std::unique_ptr<GroupSlots> slots;
  BufferPtr entries;
  BufferPtr ids;       // absent when every key has one row
  int64_t listed = 0;  // of them are used
};

template <int32_t words>
bool same(const KeyLayout& layout, const uint64_t* a, const uint64_t* b) {
  if constexpr (words == 0) {
    return same_key(layout, a, b);
  } else {
    uint64_t differ = 0;
    for (int32_t w = 0; w < words; ++w) differ |= a[w] ^ b[w];
    return differ == 0;
  }
}

class JoinEntries : public JoinIndex {
 public:
  JoinEntries(Context& context, JoinKeyTypes types, const KeyLayout& layout, PackedIds packing, bool one_is_enough)
      : context_(context),
        types_(std::move(types)),
        layout_(layout),
        packing_(packing),
        one_is_enough_(one_is_enough) {}

  bool is_single() const override { return single_; }
  std::string name() const override { return single_ ? "hash, unique" : "hash"; }
  std::unique_ptr<JoinFinder> finder() const override;
  std::vector<JoinList> lists() const override {
    std::vector<JoinList> out;
    for (const Part& part : parts_)
      out.push_back(part.ids ? JoinList{part.ids->as<uint32_t>(), part.listed} : JoinList{});
    return out;
  }

  void build(std::unique_ptr<JoinKeys> keys, const Parallel& parallel) {
    part_bits_ = keys->part_bits();
    parts_.resize(keys->parts());
    std::atomic<bool> single{true};
    parallel(static_cast<int64_t>(parts_.size()), [&](int64_t part) {
      if (!build_part(*keys, static_cast<size_t>(part))) single = false;
    });
    single_ = single;
    // String keys point into the key columns, nested ones into the encoders.
    if (!layout_.string_words.empty()) keys_ = std::move(keys);
  }

  // Calls each(i, part, entry) with the entry of each key, nullptr where there is none.
  template <typename Each>
  void look_up(const KeyEncoder& encoder, int64_t rows, Each&& each) const {
    const uint64_t *keys = encoder.keys(), *hashes = encoder.hashes();
    if (!layout_.string_words.empty()) return look_up_words<0>(keys, hashes, rows, each);
    switch (layout_.words) {
      case 2:
        return look_up_words<2>(keys, hashes, rows, each);
      case 3:
        return look_up_words<3>(keys, hashes, rows, each);
      default:
        return look_up_words<0>(keys, hashes, rows, each);
    }
  }

  Context& context() const { return context_; }
  const JoinKeyTypes& types() const { return types_; }
  const KeyLayout& layout() const { return layout_; }
  int64_t row_of(const Entry& entry) const { return packing_.unpack(entry.first); }

 private:
  size_t part_of(uint64_t hash) const { return part_bits_ == 0 ? 0 : static_cast<size_t>(hash >> (64 - part_bits_)); }

  template <int32_t words, typename Each>
  void look_up_words(const uint64_t* keys, const uint64_t* hashes, int64_t rows, Each&& each) const {
    const int64_t stride = words != 0 ? words : layout_.words;
    const auto prefetch = [&](int64_t i) {
      if (const auto& slots = parts_[part_of(hashes[i])].slots) slots->prefetch(hashes[i]);
    };
    for (int64_t i = 0; i < std::min(ahead, rows); ++i) prefetch(i);
    for (int64_t i = 0; i < rows; ++i) {
      if (i + ahead < rows) prefetch(i + ahead);
      if (i + entry_ahead < rows) {
        if (const auto& slots = parts_[part_of(hashes[i + entry_ahead])].slots)
          slots->prefetch_row(hashes[i + entry_ahead]);
      }
      const Part& part = parts_[part_of(hashes[i])];
      each(i, part, part.slots ? find<words>(part, hashes[i], keys + i * stride) : nullptr);
    }
  }

  template <int32_t words>
  const Entry* find(const Part& part, uint64_t hash, const uint64_t* key) const {
    const auto mask = static_cast<uint64_t>(part.slots->mask());
    const uint64_t* slots = part.slots->slots();
    for (uint64_t at = hash & mask; slots[at] != 0; at = (at + 1) & mask) {
      if (!GroupSlots::same_salt(slots[at], hash)) continue;
      const auto* entry = reinterpret_cast<const Entry*>(GroupSlots::row(slots[at]));
      if (same<words>(layout_, entry->key(), key)) return entry;
    }
    return nullptr;
  }

  // False when some key has several rows that all count.
  bool build_part(const JoinKeys& keys, size_t number) {
    context_.check_cancelled();
    Part& out = parts_[number];
    out.number = static_cast<uint32_t>(number);
    const int64_t rows = keys.part_rows(number);
    if (rows == 0) return true;
    Memory& memory = context_.memory();
    const auto key_bytes = static_cast<size_t>(layout_.words) * 8;
    const size_t entry_bytes = sizeof(Entry) + key_bytes;
    out.slots = std::make_unique<GroupSlots>(memory, rows);
    out.entries = memory.allocate(static_cast<size_t>(rows) * entry_bytes);
    const auto mask = static_cast<uint64_t>(out.slots->mask());
    uint64_t* slots = out.slots->slots();
    const auto entry_at = [&](int64_t at) {
      return reinterpret_cast<Entry*>(out.entries->data() + static_cast<size_t>(at) * entry_bytes);
    };
    auto of_rows = memory.allocate(static_cast<size_t>(rows) * sizeof(Entry*));
    Entry** entries = of_rows->as<Entry*>();
    int64_t distinct = 0, at = 0;
    keys.visit(number, [&](const uint64_t* key, uint64_t hash, uint32_t id) {
      uint64_t slot = hash & mask;
      Entry* entry = nullptr;
      for (; slots[slot] != 0; slot = (slot + 1) & mask) {
        if (!GroupSlots::same_salt(slots[slot], hash)) continue;
        auto* found = reinterpret_cast<Entry*>(GroupSlots::row(slots[slot]));
        if (!same_key(layout_, found->key(), key)) continue;
        entry = found;
        break;
      }
      if (entry == nullptr) {
        entry = entry_at(distinct++);
        entry->first = id;
        entry->count = 0;
        std::memcpy(entry->key(), key, key_bytes);
        slots[slot] = GroupSlots::pack(reinterpret_cast<const uint8_t*>(entry), hash);
      }
      ++entry->count;
      entries[at++] = entry;
    });
    if (one_is_enough_ || distinct == rows) return true;
    out.ids = memory.allocate(static_cast<size_t>(rows) * sizeof(uint32_t));
    auto* ids = out.ids->as<uint32_t>();
    uint32_t start = 0;
    for (int64_t i = 0; i < distinct; ++i) {
      if (entry_at(i)->count < 2) continue;
      entry_at(i)->first = start;
      start += entry_at(i)->count;
    }
    out.listed = start;
    at = 0;
    // `first` runs through the ids of its key, then back.
    keys.visit(number, [&](const uint64_t*, uint64_t, uint32_t id) {
      Entry* entry = entries[at++];
      if (entry->count > 1) ids[entry->first++] = id;
    });
    for (int64_t i = 0; i < distinct; ++i) {
      if (entry_at(i)->count > 1) entry_at(i)->first -= entry_at(i)->count;
    }
    return false;
  }

  Context& context_;
  JoinKeyTypes types_;
  const KeyLayout& layout_;
  PackedIds packing_;
  bool one_is_enough_;
  bool single_ = true;
  int part_bits_ = 0;
  std::vector<Part> parts_;
  std::unique_ptr<JoinKeys> keys_;  // what keys of strings point into
};

class EntriesFinder : public JoinFinder {
 public:
  explicit EntriesFinder(const JoinEntries& index)
      : index_(index), encoder_(index.context().memory(), index.layout()) {}

  void find(const std::vector<ColumnPtr>& keys, int64_t rows, JoinMatches* matches) override {
    encoder_.encode(keys, rows);
    index_.look_up(encoder_, rows, [&](int64_t i, const Part& part, const Entry* entry) {
      if (entry == nullptr)
        matches[i] = {};
      else if (entry->count == 1 || !part.ids)
        matches[i] = {&entry->first, 1};
      else
        matches[i] = {part.ids->as<uint32_t>() + entry->first, entry->count, part.number};
    });
    for_absent(index_.types(), keys, rows, [&](int64_t i) { matches[i] = {}; });
  }
  void find_single(const std::vector<ColumnPtr>& keys, int64_t rows, int64_t* ids) override {
    encoder_.encode(keys, rows);
    index_.look_up(encoder_, rows, [&](int64_t i, const Part&, const Entry* entry) {
      ids[i] = entry == nullptr ? -1 : index_.row_of(*entry);
    });
    for_absent(index_.types(), keys, rows, [&](int64_t i) { ids[i] = -1; });
  }

 private:
  const JoinEntries& index_;
  KeyEncoder encoder_;
};

std::unique_ptr<JoinFinder> JoinEntries::finder() const { return std::make_unique<EntriesFinder>(*this); }

}  // namespace

std::unique_ptr<JoinIndex> make_join_entries(Context& context, const JoinKeyTypes& types, const KeyLayout& layout,
                                             std::unique_ptr<JoinKeys> keys, PackedIds packing, bool one_is_enough,
                                             const Parallel& parallel) {
  auto out = std::make_unique<JoinEntries>(context, types, layout, packing, one_is_enough);
  out->build(std::move(keys), parallel);
  return out;
}

}  // namespace quern::cpu
