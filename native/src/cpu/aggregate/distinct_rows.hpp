// A state of the distinct rows of a group: DISTINCT, and aggregates over how often each value comes.
#pragma once
#include <string>

#include "cpu/aggregate/gathered.hpp"
#include "cpu/aggregate/value_index.hpp"
#include "cpu/aggregate/values.hpp"
#include "cpu/serialize.hpp"

namespace quern::cpu {

// The distinct rows of arguments, the first place of each and how often it came.
struct Distinct {
  explicit Distinct(Memory& memory)
      : index(memory), items(CountedAllocator<Item>(memory)), counts(CountedAllocator<int64_t>(memory)) {}

  void add(const char* bytes, size_t length, const KeptBatch& batch, int64_t row, int64_t place, int64_t count) {
    const auto [number, fresh] = index.insert(bytes, length);
    if (fresh) {
      items.push_back({batch, row, place});
      counts.push_back(count);
      return;
    }
    counts[number] += count;
    if (place < items[number].place) items[number] = {batch, row, place};
  }
  void merge(const Distinct& other) {
    for (size_t i = 0; i < other.items.size(); ++i) {
      const auto& key = other.index.key(i);
      add(key.data(), key.length, other.items[i].batch, other.items[i].row, other.items[i].place, other.counts[i]);
    }
  }

  BytesIndex index;
  Items items;
  std::vector<int64_t, CountedAllocator<int64_t>> counts;
};

class DistinctRows : public AggregateFunction {
 public:
  // `compared`: how many of the columns make rows distinct; `nulls`: whether a row with a NULL first column counts.
  DistinctRows(Memory& memory, std::vector<TypePtr> arg_types, size_t compared, bool nulls)
      : memory_(memory), arg_types_(std::move(arg_types)), compared_(compared), nulls_(nulls) {}

  int32_t state_bytes() const override { return (sizeof(Distinct) + 7) / 8 * 8; }
  void init(uint8_t* state) const override { new (state) Distinct(memory_); }
  void update(const AggregateInput& input) const override {
    KeptBatch kept;
    std::string bytes;
    for (int64_t row = 0; row < input.rows; ++row) {
      if (!nulls_ && !is_valid_row(*input.args[0], row)) continue;
      if (!kept) {
        auto columns = std::make_shared<std::vector<ColumnPtr>>();
        for (size_t i = 0; i < arg_types_.size(); ++i) columns->push_back(compact(memory_, input.args[i]));
        kept = std::move(columns);
      }
      bytes.clear();
      for (size_t i = 0; i < compared_; ++i) serialize(*input.args[i], row, bytes);
      at(input.state(row)).add(bytes.data(), bytes.size(), kept, row, input.place(row), 1);
    }
  }
  void merge(uint8_t* into, uint8_t* from) const override {
    at(into).merge(at(from));
    destroy(from);
  }
  bool owns_memory() const override { return true; }
  void destroy(uint8_t* state) const override { at(state).~Distinct(); }

 protected:
  static Distinct& at(uint8_t* state) { return *std::launder(reinterpret_cast<Distinct*>(state)); }
  Memory& memory_;
  std::vector<TypePtr> arg_types_;
  size_t compared_;
  bool nulls_;
};

}  // namespace quern::cpu
