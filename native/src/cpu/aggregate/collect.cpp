// list, collect_list, string_agg: values in input order, or by the ORDER BY inside the call.
#include "cpu/aggregate/families.hpp"
#include "cpu/aggregate/kept_rows.hpp"
#include "cpu/aggregate/values.hpp"

namespace quern::cpu {

namespace {

enum class Shape { list, string };

class Collect final : public AggregateFunction {
 public:
  Collect(const AggregateSpec& spec, Shape shape, bool nulls)
      : context_(spec.context),
        type_(spec.result()),
        arg_types_(spec.args),
        keys_(spec.aggregate.order),
        key_at_(spec.aggregate.args.size()),
        shape_(shape),
        nulls_(nulls) {}

  int32_t state_bytes() const override { return sizeof(KeptRows); }
  void init(uint8_t* state) const override { new (state) KeptRows(context_.memory()); }
  void update(const AggregateInput& input) const override {
    const auto kept = keep_arguments(context_.memory(), input, arg_types_.size());
    for (int64_t row = 0; row < input.rows; ++row) {
      if (nulls_ || is_valid_row(*kept->columns[0], row)) at(input.state(row)).add(kept, row);
    }
  }
  void merge(uint8_t* into, uint8_t* from) const override {
    at(into).append(at(from));
    destroy(from);
  }
  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    std::vector<const KeptRows*> kept;
    for (int64_t i = 0; i < rows; ++i) kept.push_back(&at(states[i]));
    const auto read = read_rows(context_, kept, shape_ == Shape::list ? 1 : 2, keys_, key_at_);
    return shape_ == Shape::list ? lists(read) : strings(read);
  }
  bool owns_memory() const override { return true; }
  void destroy(uint8_t* state) const override { at(state).~KeptRows(); }

 private:
  static KeptRows& at(uint8_t* state) { return *std::launder(reinterpret_cast<KeptRows*>(state)); }

  // No rows give NULL.
  ColumnPtr lists(const ReadRows& read) const {
    ColumnBuilder out(context_.memory(), type_, static_cast<int64_t>(read.entries.size()), true);
    for (size_t i = 0; i < read.entries.size(); ++i) {
      if (read.entries[i].length == 0) {
        out.set_null(static_cast<int64_t>(i));
      } else {
        out.data<ListEntry>()[i] = read.entries[i];
      }
    }
    out.add_child(read.columns.empty() ? make_null_column(arg_types_[0], 0) : read.columns[0]);
    return out.finish();
  }

  ColumnPtr strings(const ReadRows& read) const {
    ColumnBuilder out(context_.memory(), type_, static_cast<int64_t>(read.entries.size()), true);
    StringHeap heap(context_.memory());
    std::string text;
    for (size_t i = 0; i < read.entries.size(); ++i) {
      const auto& entry = read.entries[i];
      if (entry.length == 0) {
        out.set_null(static_cast<int64_t>(i));
        continue;
      }
      text.clear();
      for (int64_t row = entry.start; row < entry.start + entry.length; ++row) {
        if (row > entry.start) append(*read.columns[1], row, text);
        append(*read.columns[0], row, text);
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

  Context& context_;
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
