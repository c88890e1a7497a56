// histogram(x, bins), histogram_exact(x, bins): how many values fall into each bin.
#include <algorithm>
#include <limits>
#include <new>

#include "columnar/compare.hpp"
#include "context/counted_allocator.hpp"
#include "cpu/aggregate/families.hpp"
#include "cpu/aggregate/values.hpp"
#include "cpu/count_map.hpp"

namespace quern::cpu {

namespace {

using Counts = std::vector<uint64_t, CountedAllocator<uint64_t>>;

// The key under which values outside of all bins are counted: the greatest value of the type, of text the empty one.
ColumnPtr other_key(Memory& memory, const TypePtr& type) {
  ColumnBuilder out(memory, type, 1, true);
  switch (physical(*type)) {
    case Physical::float32:
      out.data<float>()[0] = std::numeric_limits<float>::infinity();
      break;
    case Physical::float64:
      out.data<double>()[0] = std::numeric_limits<double>::infinity();
      break;
    case Physical::string:
      break;
    case Physical::int8:
    case Physical::int16:
    case Physical::int32:
    case Physical::int64:
    case Physical::uint8:
    case Physical::uint16:
    case Physical::uint32:
    case Physical::uint64:
      if (type->kind == TypeKind::decimal || type->kind == TypeKind::time)
        throw unsupported("histogram with bins of " + type_name(*type));
      with_number(physical(*type), [&]<typename T>() { out.data<T>()[0] = std::numeric_limits<T>::max(); });
      break;
    default:
      throw unsupported("histogram with bins of " + type_name(*type));
  }
  return out.finish();
}

// Bins are upper bounds, inside, ascending and different; with `exact` they are the values themselves.
class BinnedHistogram final : public AggregateFunction {
 public:
  BinnedHistogram(const AggregateSpec& spec, bool exact)
      : memory_(spec.memory()), type_(spec.result()), exact_(exact), other_(other_key(memory_, spec.args[0])) {
    const auto& constant = spec.constants[1];
    if (!constant) throw unsupported("histogram with bins that are not constant");
    if (constant->null_count > 0) throw runtime_error("the bins of a histogram are NULL");
    const ListEntry entry = constant->values<ListEntry>()[0];
    const ColumnPtr all = flatten(memory_, constant->children[0]);
    std::vector<int64_t> rows;
    for (int64_t i = entry.start; i < entry.start + entry.length; ++i) {
      if (!all->is_valid(i)) throw runtime_error("a bin of a histogram is NULL");
      rows.push_back(i);
    }
    const auto order = [&](int64_t a, int64_t b) { return compare_values(*all, a, *all, b); };
    std::sort(rows.begin(), rows.end(), [&](int64_t a, int64_t b) { return order(a, b) < 0; });
    rows.erase(std::unique(rows.begin(), rows.end(), [&](int64_t a, int64_t b) { return order(a, b) == 0; }),
               rows.end());
    bins_ = compact(memory_, gather(memory_, all, rows.data(), static_cast<int64_t>(rows.size())));
  }

  int32_t state_bytes() const override { return sizeof(Counts); }
  void init(uint8_t* state) const override { new (state) Counts(CountedAllocator<uint64_t>(memory_)); }
  void update(const AggregateInput& input) const override {
    const Column& column = *input.args[0];
    each_valid_row(column, input.rows, [&](int64_t row) {
      Counts& counts = at(input.state(row));
      if (counts.empty()) counts.assign(static_cast<size_t>(bins_->length) + 1, 0);
      ++counts[static_cast<size_t>(bin_of(column, row))];
    });
  }
  void merge(uint8_t* into_bytes, uint8_t* from_bytes) const override {
    Counts& into = at(into_bytes);
    Counts& from = at(from_bytes);
    if (into.empty())
      into.swap(from);
    else
      for (size_t i = 0; i < from.size(); ++i) into[i] += from[i];
    destroy(from_bytes);
  }
  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    ColumnBuilder out(memory_, type_, rows, true);
    std::vector<ColumnPtr> keys;
    std::vector<uint64_t> counts;
    for (int64_t i = 0; i < rows; ++i) {
      const Counts& state = at(states[i]);
      if (state.empty()) {
        out.set_null(i);
        continue;
      }
      // Values outside of all bins are shown only where there are some.
      const size_t shown = state.back() > 0 ? state.size() : state.size() - 1;
      if (shown > 0) out.data<ListEntry>()[i] = {static_cast<int64_t>(counts.size()), static_cast<int64_t>(shown)};
      keys.push_back(bins_);
      if (state.back() > 0) keys.push_back(other_);
      counts.insert(counts.end(), state.begin(), state.begin() + static_cast<std::ptrdiff_t>(shown));
    }
    out.add_child(count_entries(memory_, *type_, concat(memory_, type_->children[0], keys), counts));
    return out.finish();
  }
  bool owns_memory() const override { return true; }
  void destroy(uint8_t* state) const override { at(state).~Counts(); }

 private:
  static Counts& at(uint8_t* state) { return *std::launder(reinterpret_cast<Counts*>(state)); }

  // The first bin at or above the value; the number of bins when there is none.
  int64_t bin_of(const Column& column, int64_t row) const {
    int64_t low = 0, high = bins_->length;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (compare_values(*bins_, middle, column, row) < 0)
        low = middle + 1;
      else
        high = middle;
    }
    if (exact_ && low < bins_->length && compare_values(*bins_, low, column, row) != 0) return bins_->length;
    return low;
  }

  Memory& memory_;
  TypePtr type_;
  bool exact_;
  ColumnPtr other_;
  ColumnPtr bins_;
};

}  // namespace

AggregatePtr make_binned_histogram(const AggregateSpec& spec) {
  return std::make_unique<BinnedHistogram>(spec, spec.aggregate.fn == "histogram_exact");
}

}  // namespace quern::cpu
