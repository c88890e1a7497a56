// list, collect_list, string_agg: values in input order, or by the ORDER BY inside the call.
#include <algorithm>

#include "cpu/aggregate/families.hpp"
#include "cpu/aggregate/gathered.hpp"
#include "cpu/aggregate/row_order.hpp"
#include "cpu/aggregate/values.hpp"

namespace quern::cpu {

namespace {

enum class Shape { list, string };

class Collect final : public AggregateFunction {
 public:
  Collect(const AggregateSpec& spec, Shape shape, bool nulls)
      : memory_(spec.memory()),
        type_(spec.result()),
        arg_types_(spec.args),
        keys_(spec.aggregate.order),
        key_at_(spec.aggregate.args.size()),
        shape_(shape),
        nulls_(nulls) {}

  int32_t state_bytes() const override { return sizeof(Items); }
  void init(uint8_t* state) const override { new (state) Items(CountedAllocator<Item>(memory_)); }
  void update(const AggregateInput& input) const override {
    auto kept = std::make_shared<std::vector<ColumnPtr>>();
    for (size_t i = 0; i < arg_types_.size(); ++i) kept->push_back(compact(memory_, input.args[i]));
    for (int64_t row = 0; row < input.rows; ++row) {
      if (!nulls_ && !is_valid_row(*(*kept)[0], row)) continue;
      at(input.state(row)).push_back({kept, row, input.place(row)});
    }
  }
  void merge(uint8_t* into, uint8_t* from) const override {
    Items& items = at(into);
    Items& others = at(from);
    items.insert(items.end(), std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
    destroy(from);
  }
  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    std::vector<const Item*> all;
    std::vector<ListEntry> entries(static_cast<size_t>(rows));
    for (int64_t i = 0; i < rows; ++i) {
      auto& items = at(states[i]);
      std::sort(items.begin(), items.end(), [&](const Item& a, const Item& b) { return before(a, b); });
      entries[static_cast<size_t>(i)] = {static_cast<int64_t>(all.size()), static_cast<int64_t>(items.size())};
      for (const auto& item : items) all.push_back(&item);
    }
    return shape_ == Shape::list ? lists(all, entries) : strings(all, entries);
  }
  bool owns_memory() const override { return true; }
  void destroy(uint8_t* state) const override { at(state).~Items(); }

 private:
  static Items& at(uint8_t* state) { return *std::launder(reinterpret_cast<Items*>(state)); }

  bool before(const Item& a, const Item& b) const {
    for (size_t k = 0; k < keys_.size(); ++k) {
      const int order = compare_by(keys_[k], *(*a.batch)[key_at_ + k], a.row, *(*b.batch)[key_at_ + k], b.row);
      if (order != 0) return order < 0;
    }
    return a.place < b.place;
  }

  // No rows give NULL.
  ColumnPtr lists(const std::vector<const Item*>& all, const std::vector<ListEntry>& entries) const {
    ColumnBuilder out(memory_, type_, static_cast<int64_t>(entries.size()), true);
    for (size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].length == 0) {
        out.set_null(static_cast<int64_t>(i));
      } else {
        out.data<ListEntry>()[i] = entries[i];
      }
    }
    out.add_child(gather_items(memory_, arg_types_[0], all, 0));
    return out.finish();
  }

  ColumnPtr strings(const std::vector<const Item*>& all, const std::vector<ListEntry>& entries) const {
    ColumnBuilder out(memory_, type_, static_cast<int64_t>(entries.size()), true);
    StringHeap heap(memory_);
    std::string text;
    for (size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].length == 0) {
        out.set_null(static_cast<int64_t>(i));
        continue;
      }
      text.clear();
      for (int64_t at = entries[i].start; at < entries[i].start + entries[i].length; ++at) {
        const Item& item = *all[static_cast<size_t>(at)];
        if (at > entries[i].start) append(*(*item.batch)[1], item.row, text);
        append(*(*item.batch)[0], item.row, text);
      }
      out.data<StringView>()[i] = heap.append(text.data(), text.size());
    }
    out.keep(heap.owners());
    return out.finish();
  }

  static void append(const Column& column, int64_t row, std::string& text) {
    if (!column.is_valid(row)) return;
    const auto& view = column.values<StringView>()[row];
    text.append(view.data(), view.length);
  }

  Memory& memory_;
  TypePtr type_;
  std::vector<TypePtr> arg_types_;
  std::vector<plan::SortKey> keys_;
  size_t key_at_;
  Shape shape_;
  bool nulls_;
};

}  // namespace

AggregatePtr make_collect(const AggregateSpec& spec) {
  if (spec.aggregate.fn == "string_agg") return std::make_unique<Collect>(spec, Shape::string, false);
  return std::make_unique<Collect>(spec, Shape::list, spec.aggregate.fn == "list");
}

}  // namespace quern::cpu
