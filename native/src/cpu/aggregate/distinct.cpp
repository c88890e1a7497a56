// DISTINCT inside an aggregate, count(DISTINCT x), mode.
#include <algorithm>

#include "columnar/dispatch.hpp"
#include "cpu/aggregate/families.hpp"
#include "cpu/aggregate/row_order.hpp"
#include "cpu/aggregate/value_index.hpp"
#include "cpu/aggregate/values.hpp"
#include "cpu/serialize.hpp"

namespace quern::cpu {

namespace {

// One pattern for all NaNs and for both zeros; other kinds are their own words.
template <typename T>
uint64_t word_of_value(T value, Physical kind, TypeKind type) {
  if constexpr (sizeof(T) == 8) return kind == Physical::float64 ? canonical_float64(value) : value;
  if constexpr (sizeof(T) == 4) return kind == Physical::float32 ? canonical_float32(value) : value;
  if constexpr (sizeof(T) == 2) return kind == Physical::half ? canonical_half(value, type) : value;
  return static_cast<uint64_t>(value);
}

class CountDistinctWords final : public AggregateFunction {
 public:
  CountDistinctWords(Memory& memory, TypePtr arg) : memory_(memory), arg_(std::move(arg)) {}

  int32_t state_bytes() const override { return sizeof(WordSet); }
  void init(uint8_t* state) const override { new (state) WordSet(memory_); }
  void update(const AggregateInput& input) const override {
    const Physical kind = physical(*arg_);
    with_width(width(kind), [&]<typename T>() {
      if constexpr (sizeof(T) <= 8) {
        const auto word = [&](T value) { return word_of_value(value, kind, arg_->kind); };
        if (input.one_group) {
          WordSet& set = at(input.state(0));
          each_value<T>(*input.args[0], input.rows, [&](int64_t, T value) { set.insert(word(value)); });
        } else {
          each_value<T>(*input.args[0], input.rows,
                        [&](int64_t row, T value) { at(input.state(row)).insert(word(value)); });
        }
      }
    });
  }
  void merge(uint8_t* into, uint8_t* from) const override {
    at(into).merge(at(from));
    destroy(from);
  }
  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    ColumnBuilder out(memory_, make_type(TypeKind::int64), rows);
    for (int64_t i = 0; i < rows; ++i) out.data<int64_t>()[i] = at(states[i]).size();
    return out.finish();
  }
  bool owns_memory() const override { return true; }
  void destroy(uint8_t* state) const override { at(state).~WordSet(); }

 private:
  static WordSet& at(uint8_t* state) { return *std::launder(reinterpret_cast<WordSet*>(state)); }
  Memory& memory_;
  TypePtr arg_;
};

// What DISTINCT and mode keep: the distinct rows of arguments, the first place of each and how often it came.
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

class DistinctAggregate final : public DistinctRows {
 public:
  DistinctAggregate(Memory& memory, std::vector<TypePtr> arg_types, size_t compared, AggregatePtr inner)
      : DistinctRows(memory, std::move(arg_types), compared, true), inner_(std::move(inner)) {}

  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    std::vector<uint64_t> bytes(static_cast<size_t>(inner_->state_bytes()) / 8);
    auto* state = reinterpret_cast<uint8_t*>(bytes.data());
    std::vector<ColumnPtr> results;
    for (int64_t i = 0; i < rows; ++i) {
      inner_->init(state);
      try {
        feed(at(states[i]), state);
        results.push_back(inner_->finish(&state, 1));
      } catch (...) {
        inner_->destroy(state);
        throw;
      }
      inner_->destroy(state);
    }
    return concat(memory_, results.empty() ? make_type(TypeKind::null) : results[0]->type, results);
  }

 private:
  void feed(const Distinct& distinct, uint8_t* state) const {
    std::vector<const Item*> items;
    for (const auto& item : distinct.items) items.push_back(&item);
    std::sort(items.begin(), items.end(), [](const Item* a, const Item* b) { return a->place < b->place; });
    if (items.empty()) return;
    std::vector<ColumnPtr> args;
    for (size_t i = 0; i < arg_types_.size(); ++i) args.push_back(gather_items(memory_, arg_types_[i], items, i));
    AggregateInput input;
    input.args = args.data();
    input.rows = static_cast<int64_t>(items.size());
    input.groups = &state;
    input.one_group = true;
    inner_->update(input);
  }

  AggregatePtr inner_;
};

class CountDistinctRows final : public DistinctRows {
 public:
  CountDistinctRows(Memory& memory, std::vector<TypePtr> arg_types)
      : DistinctRows(memory, std::move(arg_types), 1, false) {}

  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    ColumnBuilder out(memory_, make_type(TypeKind::int64), rows);
    for (int64_t i = 0; i < rows; ++i) out.data<int64_t>()[i] = static_cast<int64_t>(at(states[i]).items.size());
    return out.finish();
  }
};

// The most frequent value; of equally frequent ones the one seen first.
class Mode final : public DistinctRows {
 public:
  Mode(Memory& memory, std::vector<TypePtr> arg_types) : DistinctRows(memory, std::move(arg_types), 1, false) {}

  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    std::vector<ColumnPtr> parts;
    for (int64_t i = 0; i < rows; ++i) {
      const auto& distinct = at(states[i]);
      size_t best = 0;
      for (size_t n = 1; n < distinct.items.size(); ++n) {
        const bool more = distinct.counts[n] > distinct.counts[best];
        const bool earlier =
            distinct.counts[n] == distinct.counts[best] && distinct.items[n].place < distinct.items[best].place;
        if (more || earlier) best = n;
      }
      if (distinct.items.empty()) {
        parts.push_back(make_null_column(arg_types_[0], 1));
      } else {
        parts.push_back(slice(memory_, (*distinct.items[best].batch)[0], distinct.items[best].row, 1));
      }
    }
    return concat(memory_, arg_types_[0], parts);
  }
};

}  // namespace

AggregatePtr make_count_distinct(const AggregateSpec& spec) {
  const auto& type = spec.args[0];
  const auto kind = physical(*type);
  const bool words = kind != Physical::none && kind != Physical::structure && width(kind) <= 8;
  if (words) return std::make_unique<CountDistinctWords>(spec.memory(), type);
  return std::make_unique<CountDistinctRows>(spec.memory(), spec.args);
}

AggregatePtr make_distinct(const AggregateSpec& spec, AggregatePtr inner) {
  return std::make_unique<DistinctAggregate>(spec.memory(), spec.args, spec.aggregate.args.size(), std::move(inner));
}

AggregatePtr make_mode(const AggregateSpec& spec) { return std::make_unique<Mode>(spec.memory(), spec.args); }

}  // namespace quern::cpu
