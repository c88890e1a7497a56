// min(x, n), max(x, n), arg_min(x, y, n), arg_max(x, y, n): lists of the first n by an order. NULLs do not count; of
// equal keys the rows that come first in the input win.
#include <algorithm>
#include <new>

#include "context/counted_allocator.hpp"
#include "cpu/aggregate/families.hpp"
#include "cpu/aggregate/kept_value.hpp"
#include "cpu/aggregate/values.hpp"

namespace quern::cpu {

namespace {

constexpr int64_t most_kept = 1000000;

// For min and max the value is the key, and `value` is not set.
struct Candidate {
  KeptValue value;
  KeptValue key;
  int64_t place;
};
// A heap whose front is the worst, at most n long.
using Candidates = std::vector<Candidate, CountedAllocator<Candidate>>;

class Best final : public AggregateFunction {
 public:
  Best(const AggregateSpec& spec, int64_t count, bool greatest)
      : memory_(spec.memory()),
        type_(spec.result()),
        count_(static_cast<size_t>(count)),
        has_values_(spec.aggregate.args.size() == 3),
        greatest_(greatest),
        values_(spec.memory(), spec.args[0]),
        keys_(spec.memory(), spec.args[has_values_ ? 1 : 0]) {}

  int32_t state_bytes() const override { return sizeof(Candidates); }
  void init(uint8_t* state) const override { new (state) Candidates(CountedAllocator<Candidate>(memory_)); }
  void update(const AggregateInput& input) const override {
    const ColumnPtr& value = input.args[0];
    const ColumnPtr& key = input.args[has_values_ ? 1 : 0];
    for (int64_t row = 0; row < input.rows; ++row) {
      if (!is_valid_row(*value, row) || !is_valid_row(*key, row)) continue;
      Candidates& kept = at(input.state(row));
      const int64_t place = input.place(row);
      if (kept.size() == count_) {
        if (!before(keys_.compare(*key, row, kept.front().key), place, kept.front().place)) continue;
        pop(kept);
      } else {
        kept.push_back({});
      }
      // The place of one that was taken out is used again, its bytes too.
      Candidate& candidate = kept.back();
      candidate.place = place;
      keys_.put(candidate.key, key, row, *input.heap);
      if (has_values_) values_.put(candidate.value, value, row, *input.heap);
      push(kept);
    }
  }
  void merge(uint8_t* into, uint8_t* from) const override {
    Candidates& kept = at(into);
    for (Candidate& candidate : at(from)) {
      if (kept.size() == count_) {
        if (!before(candidate, kept.front())) continue;
        pop(kept);
      } else {
        kept.push_back({});
      }
      kept.back().place = candidate.place;
      keys_.move(kept.back().key, candidate.key);
      values_.move(kept.back().value, candidate.value);
      push(kept);
    }
    destroy(from);
  }
  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    ColumnBuilder out(memory_, type_, rows, true);
    std::vector<const KeptValue*> values;
    for (int64_t i = 0; i < rows; ++i) {
      Candidates& kept = at(states[i]);
      if (kept.empty()) {
        out.set_null(i);
        continue;
      }
      std::sort(kept.begin(), kept.end(), [&](const Candidate& a, const Candidate& b) { return before(a, b); });
      out.data<ListEntry>()[i] = {static_cast<int64_t>(values.size()), static_cast<int64_t>(kept.size())};
      for (const auto& candidate : kept) values.push_back(has_values_ ? &candidate.value : &candidate.key);
    }
    out.add_child(values_.column(values));
    return out.finish();
  }
  bool owns_memory() const override { return true; }
  void destroy(uint8_t* state) const override {
    for (Candidate& candidate : at(state)) {
      keys_.destroy(candidate.key);
      values_.destroy(candidate.value);
    }
    at(state).~Candidates();
  }

 private:
  static Candidates& at(uint8_t* state) { return *std::launder(reinterpret_cast<Candidates*>(state)); }

  bool before(int order, int64_t place, int64_t other_place) const {
    return order == 0 ? place < other_place : greatest_ ? order > 0 : order < 0;
  }
  bool before(const Candidate& a, const Candidate& b) const {
    return before(keys_.compare(a.key, b.key), a.place, b.place);
  }
  // The worst moves to the back.
  void pop(Candidates& kept) const {
    std::pop_heap(kept.begin(), kept.end(), [&](const Candidate& a, const Candidate& b) { return before(a, b); });
  }
  // The one at the back takes its place.
  void push(Candidates& kept) const {
    std::push_heap(kept.begin(), kept.end(), [&](const Candidate& a, const Candidate& b) { return before(a, b); });
  }

  Memory& memory_;
  TypePtr type_;
  size_t count_;
  bool has_values_;
  bool greatest_;
  ValueKeeper values_;
  ValueKeeper keys_;
};

}  // namespace

AggregatePtr make_best(const AggregateSpec& spec) {
  const auto& fn = spec.aggregate.fn;
  const auto& constant = spec.constants[spec.aggregate.args.size() - 1];
  if (!constant) throw unsupported(fn + " with a number of rows that is not constant");
  const int64_t count = constant->is_valid(0) ? constant->values<int64_t>()[0] : 0;
  if (count < 1 || count > most_kept) {
    throw runtime_error("the number of rows of " + fn + " is from 1 to " + std::to_string(most_kept) +
                        ", not: " + (constant->is_valid(0) ? std::to_string(count) : "NULL"));
  }
  return std::make_unique<Best>(spec, count, fn == "max" || fn == "arg_max");
}

}  // namespace quern::cpu
