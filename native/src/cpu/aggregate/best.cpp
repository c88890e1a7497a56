// min(x, n), max(x, n), arg_min(x, y, n), arg_max(x, y, n): lists of the first n by an order. NULLs do not count; of
// equal keys the rows that come first in the input win.
#include <algorithm>
#include <new>

#include "columnar/compare.hpp"
#include "context/counted_allocator.hpp"
#include "cpu/aggregate/families.hpp"
#include "cpu/aggregate/values.hpp"

namespace quern::cpu {

namespace {

constexpr int64_t most_kept = 1000000;

// One row each; for min and max the value is the key.
struct Candidate {
  ColumnPtr value;
  ColumnPtr key;
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
        key_at_(spec.aggregate.args.size() == 3 ? 1 : 0),
        greatest_(greatest) {}

  int32_t state_bytes() const override { return sizeof(Candidates); }
  void init(uint8_t* state) const override { new (state) Candidates(CountedAllocator<Candidate>(memory_)); }
  void update(const AggregateInput& input) const override {
    const ColumnPtr& value = input.args[0];
    const ColumnPtr& key = input.args[key_at_];
    for (int64_t row = 0; row < input.rows; ++row) {
      if (!is_valid_row(*value, row) || !is_valid_row(*key, row)) continue;
      Candidates& kept = at(input.state(row));
      const int64_t place = input.place(row);
      if (kept.size() == count_ && !before(*key, row, place, *kept.front().key, 0, kept.front().place)) continue;
      const ColumnPtr own_value = one(value, row);
      add(kept, {own_value, key_at_ == 0 ? own_value : one(key, row), place});
    }
  }
  void merge(uint8_t* into, uint8_t* from) const override {
    for (auto& candidate : at(from)) add(at(into), std::move(candidate));
    destroy(from);
  }
  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    ColumnBuilder out(memory_, type_, rows, true);
    std::vector<ColumnPtr> values;
    for (int64_t i = 0; i < rows; ++i) {
      Candidates& kept = at(states[i]);
      if (kept.empty()) {
        out.set_null(i);
        continue;
      }
      std::sort(kept.begin(), kept.end(), [&](const Candidate& a, const Candidate& b) { return before(a, b); });
      out.data<ListEntry>()[i] = {static_cast<int64_t>(values.size()), static_cast<int64_t>(kept.size())};
      for (const auto& candidate : kept) values.push_back(candidate.value);
    }
    out.add_child(concat(memory_, type_->children[0], values));
    return out.finish();
  }
  bool owns_memory() const override { return true; }
  void destroy(uint8_t* state) const override { at(state).~Candidates(); }

 private:
  static Candidates& at(uint8_t* state) { return *std::launder(reinterpret_cast<Candidates*>(state)); }
  ColumnPtr one(const ColumnPtr& column, int64_t row) const { return compact(memory_, slice(memory_, column, row, 1)); }

  bool before(const Column& a, int64_t row_a, int64_t place_a, const Column& b, int64_t row_b, int64_t place_b) const {
    const int order = compare_values(a, row_a, b, row_b);
    return order == 0 ? place_a < place_b : greatest_ ? order > 0 : order < 0;
  }
  bool before(const Candidate& a, const Candidate& b) const { return before(*a.key, 0, a.place, *b.key, 0, b.place); }

  void add(Candidates& kept, Candidate candidate) const {
    const auto worse = [&](const Candidate& a, const Candidate& b) { return before(a, b); };
    kept.push_back(std::move(candidate));
    std::push_heap(kept.begin(), kept.end(), worse);
    if (kept.size() <= count_) return;
    std::pop_heap(kept.begin(), kept.end(), worse);
    kept.pop_back();
  }

  Memory& memory_;
  TypePtr type_;
  size_t count_;
  size_t key_at_;
  bool greatest_;
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
