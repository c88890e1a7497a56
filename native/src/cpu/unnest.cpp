#include "cpu/unnest.hpp"

#include <algorithm>

#include "cpu/expression.hpp"
#include "cpu/table.hpp"

namespace quern::cpu {

namespace {

class UnnestStep : public Step {
 public:
  UnnestStep(Context& context, std::shared_ptr<const plan::Plan> plan, const plan::Unnest& unnest)
      : context_(context), plan_(std::move(plan)), unnest_(unnest) {
    for (plan::ExprIndex list : unnest.lists) evaluators_.emplace_back(context_, plan_, list);
  }

  std::unique_ptr<Step> fork() const override { return std::make_unique<UnnestStep>(context_, plan_, unnest_); }

  void process(Batch&& batch, const Emit& emit) override {
    lists_.clear();
    for (auto& evaluator : evaluators_) lists_.push_back(flatten(context_.memory(), evaluator.evaluate(batch)));
    const int64_t limit = output_rows();
    Output out;
    out.elements.resize(lists_.size());
    for (int64_t row = 0; row < batch.rows; ++row) {
      const int64_t count = rows_of(row);
      // A row of many elements is given in several batches: counts have no upper limit.
      for (int64_t at = 0; at < count;) {
        const auto room = limit - static_cast<int64_t>(out.rows.size());
        const int64_t take = std::min(room, count - at);
        append(out, row, at, take);
        at += take;
        if (take == room) flush(batch, out, emit);
      }
    }
    flush(batch, out, emit);
  }

 private:
  // Where each output row comes from.
  struct Output {
    std::vector<uint32_t> rows;
    std::vector<std::vector<int64_t>> elements;  // a list; -1 = NULL
    std::vector<int64_t> ordinals;               // -1 = NULL
  };

  static ListEntry entry(const Column& list, int64_t row) {
    return list.is_valid(row) ? list.values<ListEntry>()[row] : ListEntry{0, 0};
  }

  int64_t rows_of(int64_t row) const {
    int64_t count = unnest_.outer ? 1 : 0;
    for (const auto& list : lists_) count = std::max(count, entry(*list, row).length);
    return count;
  }

  // Rows of an output batch: fewer where elements are wide. Judged by some elements; a child may be a whole row
  // group's.
  int64_t output_rows() const {
    constexpr int64_t sample = 256;
    int64_t rows = context_.settings().batch_rows;
    for (const auto& list : lists_) {
      int64_t row = 0;
      while (row < list->length && entry(*list, row).length == 0) ++row;
      if (row == list->length) continue;
      const auto& child = list->children[0];
      const int64_t start = entry(*list, row).start;
      Batch elements;
      elements.rows = std::min(sample, child->length - start);
      elements.columns.push_back(slice(context_.memory(), child, start, elements.rows));
      rows = std::min(rows, vector_rows(context_, elements));
    }
    return rows;
  }

  void append(Output& out, int64_t row, int64_t at, int64_t count) const {
    out.rows.insert(out.rows.end(), static_cast<size_t>(count), static_cast<uint32_t>(row));
    bool any = false;
    for (size_t i = 0; i < lists_.size(); ++i) {
      const auto list = entry(*lists_[i], row);
      any |= list.length > 0;
      for (int64_t element = at; element < at + count; ++element) {
        out.elements[i].push_back(element < list.length ? list.start + element : -1);
      }
    }
    if (!unnest_.ordinality) return;
    for (int64_t element = at; element < at + count; ++element) out.ordinals.push_back(any ? element + 1 : -1);
  }

  ColumnPtr ordinality(const Output& out) const {
    ColumnBuilder builder(context_.memory(), make_type(TypeKind::int64), static_cast<int64_t>(out.ordinals.size()),
                          true);
    for (size_t i = 0; i < out.ordinals.size(); ++i) {
      if (out.ordinals[i] < 0)
        builder.set_null(static_cast<int64_t>(i));
      else
        builder.data<int64_t>()[i] = out.ordinals[i];
    }
    return builder.finish();
  }

  void flush(const Batch& batch, Output& out, const Emit& emit) const {
    const auto rows = static_cast<int64_t>(out.rows.size());
    if (rows == 0) return;
    Batch result;
    result.rows = rows;
    for (int32_t column : unnest_.keep)
      result.columns.push_back(gather(context_.memory(), batch.columns[column], out.rows.data(), rows));
    for (size_t i = 0; i < lists_.size(); ++i) {
      result.columns.push_back(gather(context_.memory(), lists_[i]->children[0], out.elements[i].data(), rows));
      out.elements[i].clear();
    }
    if (unnest_.ordinality) result.columns.push_back(ordinality(out));
    out.rows.clear();
    out.ordinals.clear();
    emit(std::move(result));
    context_.check_cancelled();
  }

  Context& context_;
  std::shared_ptr<const plan::Plan> plan_;
  const plan::Unnest& unnest_;  // of the plan
  std::vector<Evaluator> evaluators_;
  std::vector<ColumnPtr> lists_;
};

}  // namespace

std::unique_ptr<Step> make_unnest(Context& context, std::shared_ptr<const plan::Plan> plan,
                                  const plan::Unnest& unnest) {
  return std::make_unique<UnnestStep>(context, std::move(plan), unnest);
}

}  // namespace quern::cpu
