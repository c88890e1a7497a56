#include "cpu/join_hash.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>

#include "ops/hash.hpp"

namespace quern::cpu {

namespace {

// Slots for ten distinct keys: half of the slots are used, so that a key that is not there is known after 2.5 of them.
constexpr int64_t slots_per_ten_keys = 20;
// Most keys for each ten slots: an estimate that was too low is made up for.
constexpr int64_t most_keys_per_ten_slots = 8;
constexpr int64_t least_slots = 16;
// Distance at which slots are asked for ahead of their use.
constexpr int64_t ahead = 32;

struct Slot {
  uint64_t word;   // the key of one word, or: half of the hash above, below it the number of its record in the part
  uint32_t first;  // the packed id of the row when count is 1, else where the ids begin
  uint32_t count;  // 0 = free
};

struct Part {
  uint32_t number = 0;
  Slot* slots = nullptr;
  uint64_t capacity = 0;
  BufferPtr ids;        // absent when every key has one row
  int64_t listed = 0;   // of them are used
  BufferPtr own_slots;  // where the estimate was too low

  // The place at which the search begins, by the lower half of the hash.
  uint64_t place(uint32_t hash) const { return hash * capacity >> 32; }
};

// How many hashes of a part differ, within a few percent: from the share of bits that they leave unset.
int64_t estimate_distinct(const JoinKeys& keys, size_t part, int64_t rows) {
  const uint64_t bits = std::bit_ceil(static_cast<uint64_t>(std::max<int64_t>(rows, 64)));
  std::vector<uint64_t> words(bits / 64, 0);
  for (int64_t row = 0; row < rows; ++row) {
    const uint64_t bit = keys.record(part, row).hash() & (bits - 1);
    words[bit >> 6] |= 1ULL << (bit & 63);
  }
  const auto size = static_cast<double>(bits);
  const double unset = size - static_cast<double>(count_set_bits(words.data(), static_cast<int64_t>(bits)));
  if (unset < 1) return rows;
  return std::min(rows, static_cast<int64_t>(size * std::log(size / unset)) + 1);
}

// `words`: of the key; 0 = compared by content, as the layout says.
template <int32_t words>
class JoinHash : public JoinIndex {
 public:
  JoinHash(Context& context, JoinKeyTypes types, const KeyLayout& layout, PackedIds packing, bool one_is_enough)
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
    keys_ = std::move(keys);
    part_bits_ = keys_->part_bits();
    parts_.resize(keys_->parts());
    allocate(parallel);
    std::atomic<bool> single{true};
    parallel(static_cast<int64_t>(parts_.size()), [&](int64_t part) {
      if (!build_part(static_cast<size_t>(part))) single = false;
    });
    single_ = single;
    if constexpr (words == 1) keys_.reset();
  }

  // Calls each(i, part, slot) with the slot of each key, nullptr where there is none.
  template <typename Each>
  void look_up(const KeyEncoder& encoder, int64_t rows, Each&& each) const {
    const uint64_t *keys = encoder.keys(), *hashes = encoder.hashes();
    const int64_t stride = layout_.words;
    for (int64_t i = 0; i < std::min(ahead, rows); ++i) prefetch(hashes[i]);
    for (int64_t i = 0; i < rows; ++i) {
      if (i + ahead < rows) prefetch(hashes[i + ahead]);
      const Part& part = parts_[part_of(hashes[i])];
      const Slot* slot =
          part.capacity == 0 ? nullptr : slot_of(part, static_cast<uint32_t>(hashes[i]), keys + i * stride);
      each(i, part, slot == nullptr || slot->count == 0 ? nullptr : slot);
    }
  }

  Context& context() const { return context_; }
  const JoinKeyTypes& types() const { return types_; }
  const KeyLayout& layout() const { return layout_; }
  int64_t row_of(const Slot& slot) const { return packing_.unpack(slot.first); }

 private:
  size_t part_of(uint64_t hash) const { return part_bits_ == 0 ? 0 : static_cast<size_t>(hash >> (64 - part_bits_)); }
  void prefetch(uint64_t hash) const {
    const Part& part = parts_[part_of(hash)];
    if (part.capacity > 0) __builtin_prefetch(part.slots + part.place(static_cast<uint32_t>(hash)));
  }

  bool holds(const Part& part, const Slot& slot, uint32_t hash, const uint64_t* key) const {
    if constexpr (words == 1) return slot.word == *key;
    if (slot.word >> 32 != hash) return false;
    const uint64_t* held = keys_->record(part.number, static_cast<uint32_t>(slot.word)).key();
    if constexpr (words == 0) return same_key(layout_, held, key);
    uint64_t differ = 0;
    for (int32_t w = 0; w < words; ++w) differ |= held[w] ^ key[w];
    return differ == 0;
  }
  // The slot of a key, or the free one where it belongs.
  Slot* slot_of(const Part& part, uint32_t hash, const uint64_t* key) const {
    for (uint64_t at = part.place(hash);; at = at + 1 == part.capacity ? 0 : at + 1) {
      Slot& slot = part.slots[at];
      if (slot.count == 0 || holds(part, slot, hash, key)) return &slot;
    }
  }

  // Slots of all parts, side by side: large blocks lie in large pages.
  void allocate(const Parallel& parallel) {
    parallel(static_cast<int64_t>(parts_.size()), [&](int64_t number) {
      const auto part = static_cast<size_t>(number);
      parts_[part].number = static_cast<uint32_t>(number);
      const int64_t rows = keys_->part_rows(part);
      if (rows > 0) parts_[part].capacity = slots_for(estimate_distinct(*keys_, part, rows));
    });
    uint64_t slots = 0;
    for (const Part& part : parts_) slots += part.capacity;
    slots_ = context_.memory().allocate(slots * sizeof(Slot));
    auto* next = slots_->as<Slot>();
    for (Part& part : parts_) {
      part.slots = next;
      next += part.capacity;
    }
  }
  static uint64_t slots_for(int64_t keys) {
    return static_cast<uint64_t>(std::max(least_slots, keys * slots_per_ten_keys / 10));
  }

  // False when some key has several rows that all count.
  bool build_part(size_t number) {
    context_.check_cancelled();
    Part& part = parts_[number];
    const int64_t rows = keys_->part_rows(number);
    if (rows == 0) return true;
    auto slots_of_rows = context_.memory().allocate(static_cast<size_t>(rows) * sizeof(uint32_t));
    auto* places = slots_of_rows->as<uint32_t>();
    int64_t distinct = insert(part, rows, places);
    while (distinct < 0) {
      part.capacity *= 2;
      part.own_slots = context_.memory().allocate(part.capacity * sizeof(Slot));
      part.slots = part.own_slots->as<Slot>();
      distinct = insert(part, rows, places);
    }
    if (one_is_enough_ || distinct == rows) return true;
    list(part, rows, places);
    return false;
  }

  // Fills the slots and notes each row's in `places`. Returns how many keys there are, -1 when that is too many.
  int64_t insert(Part& part, int64_t rows, uint32_t* places) const {
    std::fill_n(part.slots, part.capacity, Slot{});
    const int64_t most = static_cast<int64_t>(part.capacity) * most_keys_per_ten_slots / 10;
    int64_t distinct = 0;
    for (int64_t row = 0; row < rows; ++row) {
      const KeyRecord record = keys_->record(part.number, row);
      Slot* slot = slot_of(part, record.hash(), record.key());
      places[row] = static_cast<uint32_t>(slot - part.slots);
      if (slot->count++ > 0) continue;
      const uint64_t word =
          words == 1 ? *record.key() : static_cast<uint64_t>(record.hash()) << 32 | static_cast<uint64_t>(row);
      *slot = {word, record.id(), 1};
      if (++distinct > most) return -1;
    }
    return distinct;
  }

  // Ids of the rows of each key that has several.
  void list(Part& part, int64_t rows, const uint32_t* places) const {
    part.ids = context_.memory().allocate(static_cast<size_t>(rows) * sizeof(uint32_t));
    auto* ids = part.ids->as<uint32_t>();
    Slot* slots = part.slots;
    uint32_t start = 0;
    for (uint64_t at = 0; at < part.capacity; ++at) {
      if (slots[at].count < 2) continue;
      slots[at].first = start;
      start += slots[at].count;
    }
    part.listed = start;
    // `first` runs through the ids of its key, then back.
    for (int64_t row = 0; row < rows; ++row) {
      Slot& slot = slots[places[row]];
      if (slot.count > 1) ids[slot.first++] = keys_->record(part.number, row).id();
    }
    for (uint64_t at = 0; at < part.capacity; ++at) {
      if (slots[at].count > 1) slots[at].first -= slots[at].count;
    }
  }

  Context& context_;
  JoinKeyTypes types_;
  const KeyLayout& layout_;
  PackedIds packing_;
  bool one_is_enough_;
  bool single_ = true;
  int part_bits_ = 0;
  std::vector<Part> parts_;
  BufferPtr slots_;
  std::unique_ptr<JoinKeys> keys_;  // where keys of several words are
};

template <int32_t words>
class HashFinder : public JoinFinder {
 public:
  explicit HashFinder(const JoinHash<words>& index)
      : index_(index), encoder_(index.context().memory(), index.layout()) {}

  void find(const std::vector<ColumnPtr>& keys, int64_t rows, JoinMatches* matches) override {
    encoder_.encode(keys, rows);
    index_.look_up(encoder_, rows, [&](int64_t i, const Part& part, const Slot* slot) {
      if (slot == nullptr)
        matches[i] = {};
      else if (slot->count == 1 || !part.ids)
        matches[i] = {&slot->first, 1};
      else
        matches[i] = {part.ids->as<uint32_t>() + slot->first, slot->count, part.number};
    });
    for_absent(index_.types(), keys, rows, [&](int64_t i) { matches[i] = {}; });
  }
  void find_single(const std::vector<ColumnPtr>& keys, int64_t rows, int64_t* ids) override {
    encoder_.encode(keys, rows);
    index_.look_up(encoder_, rows, [&](int64_t i, const Part&, const Slot* slot) {
      ids[i] = slot == nullptr ? -1 : index_.row_of(*slot);
    });
    for_absent(index_.types(), keys, rows, [&](int64_t i) { ids[i] = -1; });
  }

 private:
  const JoinHash<words>& index_;
  KeyEncoder encoder_;
};

template <int32_t words>
std::unique_ptr<JoinFinder> JoinHash<words>::finder() const {
  return std::make_unique<HashFinder<words>>(*this);
}

}  // namespace

std::unique_ptr<JoinIndex> make_join_hash(Context& context, const JoinKeyTypes& types, const KeyLayout& layout,
                                          std::vector<std::vector<ColumnPtr>> columns, PackedIds packing,
                                          bool one_is_enough, const Parallel& parallel) {
  const auto make = [&]<int32_t words>() -> std::unique_ptr<JoinIndex> {
    auto keys = std::make_unique<JoinKeys>(context, types, layout, std::move(columns), packing, parallel);
    auto out = std::make_unique<JoinHash<words>>(context, types, layout, packing, one_is_enough);
    out->build(std::move(keys), parallel);
    return out;
  };
  if (!layout.string_words.empty()) return make.template operator()<0>();
  switch (layout.words) {
    case 1:
      return make.template operator()<1>();
    case 2:
      return make.template operator()<2>();
    case 3:
      return make.template operator()<3>();
    default:
      return make.template operator()<0>();
  }
}

}  // namespace quern::cpu
