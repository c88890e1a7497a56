// Aggregates over how often each value comes: mode, entropy, histogram, approx_top_k.
#include <algorithm>
#include <cmath>

#include "columnar/compare.hpp"
#include "cpu/aggregate/distinct_rows.hpp"
#include "cpu/aggregate/families.hpp"
#include "cpu/count_map.hpp"

namespace quern::cpu {

namespace {

// The most frequent value; of equally frequent ones the one seen first.
class Mode final : public DistinctRows {
 public:
  Mode(Memory& memory, std::vector<TypePtr> arg_types) : DistinctRows(memory, std::move(arg_types), 1, false) {}

  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    std::vector<const Item*> items;
    for (int64_t i = 0; i < rows; ++i) {
      const auto& distinct = at(states[i]);
      size_t best = 0;
      for (size_t n = 1; n < distinct.items.size(); ++n) {
        const bool more = distinct.counts[n] > distinct.counts[best];
        const bool earlier =
            distinct.counts[n] == distinct.counts[best] && distinct.items[n].place < distinct.items[best].place;
        if (more || earlier) best = n;
      }
      items.push_back(distinct.items.empty() ? nullptr : &distinct.items[best]);
    }
    return gather_items(memory_, arg_types_[0], items, 0);
  }
};

// Bits that a value of the group tells: the sum of p log2(1 / p) over the shares p of its values.
class Entropy final : public DistinctRows {
 public:
  Entropy(Memory& memory, std::vector<TypePtr> arg_types) : DistinctRows(memory, std::move(arg_types), 1, false) {}

  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    ColumnBuilder out(memory_, make_type(TypeKind::float64), rows);
    for (int64_t i = 0; i < rows; ++i) out.data<double>()[i] = entropy(at(states[i]));
    return out.finish();
  }

 private:
  static double entropy(const Distinct& distinct) {
    double total = 0, sum = 0;
    for (const int64_t count : distinct.counts) total += static_cast<double>(count);
    for (const int64_t count : distinct.counts) {
      const auto n = static_cast<double>(count);
      sum += n / total * std::log2(total / n);
    }
    return sum;
  }
};

// Numbers of the distinct rows in an order of their own.
template <typename Before>
std::vector<size_t> ordered(const Distinct& distinct, Before before) {
  std::vector<size_t> order(distinct.items.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), before);
  return order;
}

// A map of each value, ascending, to how often it came.
class Histogram final : public DistinctRows {
 public:
  Histogram(Memory& memory, std::vector<TypePtr> arg_types, TypePtr type)
      : DistinctRows(memory, std::move(arg_types), 1, false), type_(std::move(type)) {}

  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    ColumnBuilder out(memory_, type_, rows, true);
    std::vector<const Item*> keys;
    std::vector<uint64_t> counts;
    for (int64_t i = 0; i < rows; ++i) {
      const Distinct& distinct = at(states[i]);
      if (distinct.items.empty()) {
        out.set_null(i);
        continue;
      }
      const auto order = ordered(distinct, [&](size_t a, size_t b) {
        const Item &x = distinct.items[a], &y = distinct.items[b];
        return compare_values(*(*x.batch)[0], x.row, *(*y.batch)[0], y.row) < 0;
      });
      out.data<ListEntry>()[i] = {static_cast<int64_t>(keys.size()), static_cast<int64_t>(order.size())};
      for (const size_t n : order) {
        keys.push_back(&distinct.items[n]);
        counts.push_back(static_cast<uint64_t>(distinct.counts[n]));
      }
    }
    out.add_child(count_entries(memory_, *type_, gather_items(memory_, type_->children[0], keys, 0), counts));
    return out.finish();
  }

 private:
  TypePtr type_;
};

// The k most frequent values, counted exactly; of equally frequent ones those seen first.
class TopFrequent final : public DistinctRows {
 public:
  TopFrequent(Memory& memory, std::vector<TypePtr> arg_types, TypePtr type, size_t most)
      : DistinctRows(memory, std::move(arg_types), 1, false), type_(std::move(type)), most_(most) {}

  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    ColumnBuilder out(memory_, type_, rows, true);
    std::vector<const Item*> values;
    for (int64_t i = 0; i < rows; ++i) {
      const Distinct& distinct = at(states[i]);
      if (distinct.items.empty()) {
        out.set_null(i);
        continue;
      }
      const auto order = ordered(distinct, [&](size_t a, size_t b) {
        if (distinct.counts[a] != distinct.counts[b]) return distinct.counts[a] > distinct.counts[b];
        return distinct.items[a].place < distinct.items[b].place;
      });
      const size_t taken = std::min(most_, order.size());
      out.data<ListEntry>()[i] = {static_cast<int64_t>(values.size()), static_cast<int64_t>(taken)};
      for (size_t n = 0; n < taken; ++n) values.push_back(&distinct.items[order[n]]);
    }
    out.add_child(gather_items(memory_, type_->children[0], values, 0));
    return out.finish();
  }

 private:
  TypePtr type_;
  size_t most_;
};

}  // namespace

AggregatePtr make_mode(const AggregateSpec& spec) { return std::make_unique<Mode>(spec.memory(), spec.args); }

AggregatePtr make_entropy(const AggregateSpec& spec) { return std::make_unique<Entropy>(spec.memory(), spec.args); }

AggregatePtr make_histogram(const AggregateSpec& spec) {
  return std::make_unique<Histogram>(spec.memory(), spec.args, spec.result());
}

AggregatePtr make_top_frequent(const AggregateSpec& spec) {
  constexpr int64_t most = 1000000;
  const auto& constant = spec.constants[1];
  if (!constant) throw unsupported("approx_top_k with a number of values that is not constant");
  const int64_t count = constant->is_valid(0) ? constant->values<int64_t>()[0] : 0;
  if (count < 1 || count > most)
    throw runtime_error("the number of values of approx_top_k is from 1 to 1000000, not: " + std::to_string(count));
  return std::make_unique<TopFrequent>(spec.memory(), spec.args, spec.result(), static_cast<size_t>(count));
}

}  // namespace quern::cpu
