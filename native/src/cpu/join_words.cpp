#include "cpu/join_words.hpp"

#include <algorithm>
#include <atomic>
#include <bit>

#include "ops/hash.hpp"

namespace quern::cpu {

namespace {

constexpr int64_t first_slots = 64;
// A part begins with slots for one of so many rows: rows of few keys need no more.
constexpr int64_t rows_per_first_slot = 4;
// Distance at which slots are asked for ahead of their use.
constexpr int64_t ahead = 16;

struct Slot {
  uint64_t key;
  uint32_t first;  // the packed id of the row when count is 1, else where the ids begin
  uint32_t count;  // 0 = free
};

struct Part {
  uint32_t number = 0;
  BufferPtr slots;
  uint64_t mask = 0;
  BufferPtr ids;       // absent when every key has one row
  int64_t listed = 0;  // of them are used
};

// The slot of a key, or the free one where it belongs.
inline Slot* slot_of(Slot* slots, uint64_t mask, uint64_t hash, uint64_t key) {
  uint64_t at = hash & mask;
  while (slots[at].count != 0 && slots[at].key != key) at = (at + 1) & mask;
  return slots + at;
}

class JoinWords : public JoinIndex {
 public:
  JoinWords(Context& context, JoinKeyTypes types, const KeyLayout& layout, PackedIds packing, bool one_is_enough)
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

  void build(const JoinKeys& keys, const Parallel& parallel) {
    part_bits_ = keys.part_bits();
    parts_.resize(keys.parts());
    std::atomic<bool> single{true};
    parallel(static_cast<int64_t>(parts_.size()), [&](int64_t part) {
      if (!build_part(keys, static_cast<size_t>(part))) single = false;
    });
    single_ = single;
  }

  // Calls each(i, slot) with the slot of each key, nullptr where there is none.
  template <typename Each>
  void look_up(const uint64_t* keys, const uint64_t* hashes, int64_t rows, Each&& each) const {
    for (int64_t i = 0; i < std::min(ahead, rows); ++i) prefetch(hashes[i]);
    for (int64_t i = 0; i < rows; ++i) {
      if (i + ahead < rows) prefetch(hashes[i + ahead]);
      const Part& part = parts_[part_of(hashes[i])];
      if (!part.slots) {
        each(i, part, nullptr);
        continue;
      }
      const Slot* slot = slot_of(part.slots->as<Slot>(), part.mask, hashes[i], keys[i]);
      each(i, part, slot->count == 0 ? nullptr : slot);
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
    if (part.slots) __builtin_prefetch(part.slots->as<Slot>() + (hash & part.mask));
  }

  // False when some key has several rows that all count.
  bool build_part(const JoinKeys& keys, size_t number) {
    context_.check_cancelled();
    Part& part = parts_[number];
    part.number = static_cast<uint32_t>(number);
    const int64_t rows = keys.part_rows(number);
    if (rows == 0) return true;
    Memory& memory = context_.memory();
    resize(part, std::max(first_slots, rows / rows_per_first_slot));
    int64_t distinct = 0;
    keys.visit(number, [&](const uint64_t* key, uint64_t hash, uint32_t id) {
      Slot* slot = slot_of(part.slots->as<Slot>(), part.mask, hash, *key);
      if (slot->count++ > 0) return;
      *slot = {*key, id, 1};
      if (2 * ++distinct > static_cast<int64_t>(part.mask)) resize(part, 4 * distinct);
    });
    if (one_is_enough_ || distinct == rows) return true;
    part.ids = memory.allocate(static_cast<size_t>(rows) * sizeof(uint32_t));
    auto* ids = part.ids->as<uint32_t>();
    auto* slots = part.slots->as<Slot>();
    uint32_t start = 0;
    for (uint64_t at = 0; at <= part.mask; ++at) {
      if (slots[at].count < 2) continue;
      slots[at].first = start;
      start += slots[at].count;
    }
    part.listed = start;
    // `first` runs through the ids of its key, then back.
    keys.visit(number, [&](const uint64_t* key, uint64_t hash, uint32_t id) {
      Slot* slot = slot_of(slots, part.mask, hash, *key);
      if (slot->count > 1) ids[slot->first++] = id;
    });
    for (uint64_t at = 0; at <= part.mask; ++at) {
      if (slots[at].count > 1) slots[at].first -= slots[at].count;
    }
    return false;
  }

  // Room for `wanted` slots and more; what is there moves over. Hashes are made again from the keys.
  void resize(Part& part, int64_t wanted) const {
    const uint64_t count = std::bit_ceil(static_cast<uint64_t>(wanted));
    auto buffer = context_.memory().allocate_zeroed(static_cast<size_t>(count) * sizeof(Slot));
    auto* slots = buffer->as<Slot>();
    if (part.slots) {
      const auto* old = part.slots->as<Slot>();
      for (uint64_t at = 0; at <= part.mask; ++at) {
        if (old[at].count == 0) continue;
        *slot_of(slots, count - 1, hash_word(hash_seed, old[at].key), old[at].key) = old[at];
      }
    }
    part.slots = std::move(buffer);
    part.mask = count - 1;
  }

  Context& context_;
  JoinKeyTypes types_;
  const KeyLayout& layout_;
  PackedIds packing_;
  bool one_is_enough_;
  bool single_ = true;
  int part_bits_ = 0;
  std::vector<Part> parts_;
};

class WordsFinder : public JoinFinder {
 public:
  explicit WordsFinder(const JoinWords& index) : index_(index), encoder_(index.context().memory(), index.layout()) {}

  void find(const std::vector<ColumnPtr>& keys, int64_t rows, JoinMatches* matches) override {
    encoder_.encode(keys, rows);
    index_.look_up(encoder_.keys(), encoder_.hashes(), rows, [&](int64_t i, const Part& part, const Slot* slot) {
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
    index_.look_up(encoder_.keys(), encoder_.hashes(), rows, [&](int64_t i, const Part&, const Slot* slot) {
      ids[i] = slot == nullptr ? -1 : index_.row_of(*slot);
    });
    for_absent(index_.types(), keys, rows, [&](int64_t i) { ids[i] = -1; });
  }

 private:
  const JoinWords& index_;
  KeyEncoder encoder_;
};

std::unique_ptr<JoinFinder> JoinWords::finder() const { return std::make_unique<WordsFinder>(*this); }

}  // namespace

std::unique_ptr<JoinIndex> make_join_words(Context& context, const JoinKeyTypes& types, const KeyLayout& layout,
                                           const JoinKeys& keys, PackedIds packing, bool one_is_enough,
                                           const Parallel& parallel) {
  auto out = std::make_unique<JoinWords>(context, types, layout, packing, one_is_enough);
  out->build(keys, parallel);
  return out;
}

}  // namespace quern::cpu
