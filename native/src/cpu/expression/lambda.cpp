// list_transform, list_filter, list_reduce: the body of a lambda is evaluated over all elements of many lists at once,
// in pieces of at most piece_elements, so that one long list needs no more memory than many short ones.
#include <algorithm>

#include "columnar/column.hpp"
#include "cpu/expression/tree.hpp"
#include "plan/functions.hpp"

namespace quern::cpu {

namespace {

constexpr int64_t piece_elements = 16 * 1024;

// The body over a batch of its own: parameters, then captures.
class Body {
 public:
  Body(Context& context, const plan::Plan& plan, const plan::Expr& lambda)
      : context_(context), parameters_(lambda.parameters) {
    body_ = bind_expression(context, plan, lambda.args.at(0));
    for (size_t i = 1; i < lambda.args.size(); ++i) captures_.push_back(bind_expression(context, plan, lambda.args[i]));
  }

  const std::vector<ExpressionPtr>& captures() const { return captures_; }
  const TypePtr& type() const { return body_->type(); }

  // Captured values, one a row of the batch that holds the lists.
  void capture(const Batch& input) {
    values_.clear();
    for (const auto& capture : captures_) values_.push_back(capture->evaluate(input));
  }

  // `parameters` holds one column a parameter; `rows` says which row of the outer batch each evaluation belongs to.
  ColumnPtr evaluate(std::vector<ColumnPtr> parameters, const std::vector<uint32_t>& rows) {
    Batch batch;
    batch.rows = static_cast<int64_t>(rows.size());
    batch.columns = std::move(parameters);
    batch.columns.resize(static_cast<size_t>(parameters_) + values_.size());
    for (size_t i = 0; i < values_.size(); ++i) {
      const auto column = static_cast<size_t>(parameters_) + i;
      if (uses(static_cast<int32_t>(column)))
        batch.columns[column] = gather(context_.memory(), values_[i], rows.data(), batch.rows);
    }
    return body_->evaluate(batch);
  }

  bool uses(int32_t column) const {
    const auto& columns = body_->columns();
    return std::binary_search(columns.begin(), columns.end(), column);
  }
  int32_t parameters() const { return parameters_; }

 private:
  Context& context_;
  int32_t parameters_;
  ExpressionPtr body_;
  std::vector<ExpressionPtr> captures_;
  std::vector<ColumnPtr> values_;
};

// Elements [start, end) of the lists' child for one row.
struct Lists {
  ColumnPtr column;  // flat
  const ListEntry* entries;

  Lists(Memory& memory, const ColumnPtr& lists)
      : column(flatten(memory, lists)), entries(column->values<ListEntry>()) {}
  bool valid(int64_t row) const { return column->is_valid(row); }
  const ColumnPtr& elements() const { return column->children[0]; }
};

ColumnPtr index_column(Memory& memory, const std::vector<int64_t>& indices) {
  ColumnBuilder out(memory, make_type(TypeKind::int64), static_cast<int64_t>(indices.size()));
  std::copy(indices.begin(), indices.end(), out.data<int64_t>());
  return out.finish();
}

class LambdaCall : public Expression {
 public:
  LambdaCall(Context& context, const plan::Plan& plan, const plan::Expr& expr)
      : Expression(context, expr.type), body_(context, plan, plan.exprs.at(static_cast<size_t>(expr.args.at(1)))) {
    list_ = bind_expression(context, plan, expr.args[0]);
    adopt(*list_);
    for (const auto& capture : body_.captures()) adopt(*capture);
    fallible_ = true;
    costly_ = true;
  }

 protected:
  // Calls visit(result, first element number, elements) for pieces of all elements of all lists, in order; `elements`
  // holds positions in the child column.
  template <typename Visit>
  void for_pieces(const Lists& lists, int64_t rows, Visit&& visit) {
    Memory& memory = context_.memory();
    std::vector<int64_t> elements, indices;
    std::vector<uint32_t> of_row;
    const auto flush = [&] {
      if (elements.empty()) return;
      context_.check_cancelled();
      const auto count = static_cast<int64_t>(elements.size());
      std::vector<ColumnPtr> parameters(static_cast<size_t>(body_.parameters()));
      const bool consecutive = std::adjacent_find(elements.begin(), elements.end(),
                                                  [](int64_t a, int64_t b) { return b != a + 1; }) == elements.end();
      if (body_.uses(0)) {
        parameters[0] = consecutive ? slice(memory, lists.elements(), elements.front(), count)
                                    : gather(memory, lists.elements(), elements.data(), count);
      }
      if (body_.uses(1)) parameters[1] = index_column(memory, indices);
      visit(body_.evaluate(std::move(parameters), of_row), elements);
      elements.clear();
      indices.clear();
      of_row.clear();
    };
    for (int64_t row = 0; row < rows; ++row) {
      const ListEntry entry = lists.valid(row) ? lists.entries[row] : ListEntry{0, 0};
      for (int64_t k = 0; k < entry.length; ++k) {
        elements.push_back(entry.start + k);
        indices.push_back(k + 1);
        of_row.push_back(static_cast<uint32_t>(row));
        if (static_cast<int64_t>(elements.size()) == piece_elements) flush();
      }
    }
    flush();
  }

  ExpressionPtr list_;
  Body body_;
};

class ListTransform final : public LambdaCall {
 public:
  using LambdaCall::LambdaCall;

  ColumnPtr evaluate(const Batch& input) override {
    if (input.rows == 0) return make_null_column(type_, 0);
    Memory& memory = context_.memory();
    const Lists lists(memory, list_->evaluate(input));
    body_.capture(input);
    std::vector<ColumnPtr> pieces;
    for_pieces(lists, input.rows, [&](ColumnPtr result, const std::vector<int64_t>&) {
      // The body's buffers are used again for the next piece.
      pieces.push_back(compact(memory, result));
    });
    ColumnBuilder out(memory, type_, input.rows, true);
    int64_t next = 0;
    for (int64_t row = 0; row < input.rows; ++row) {
      if (!lists.valid(row)) {
        out.set_null(row);
        continue;
      }
      const int64_t length = lists.entries[row].length;
      out.data<ListEntry>()[row] = {length > 0 ? next : 0, length};
      next += length;
    }
    out.add_child(pieces.size() == 1 ? pieces[0] : concat(memory, type_->children[0], pieces));
    return out.finish();
  }
};

class ListFilter final : public LambdaCall {
 public:
  using LambdaCall::LambdaCall;

  ColumnPtr evaluate(const Batch& input) override {
    if (input.rows == 0) return make_null_column(type_, 0);
    Memory& memory = context_.memory();
    const Lists lists(memory, list_->evaluate(input));
    body_.capture(input);
    std::vector<uint8_t> keeps;  // one an element, in the order of for_pieces
    for_pieces(lists, input.rows, [&](const ColumnPtr& result, const std::vector<int64_t>& elements) {
      const auto flat = flatten(memory, result);
      const auto* values = flat->values<uint8_t>();
      for (size_t i = 0; i < elements.size(); ++i) {
        keeps.push_back(values != nullptr && flat->type->kind == TypeKind::boolean &&
                        flat->is_valid(static_cast<int64_t>(i)) && values[i] != 0);
      }
    });
    ColumnBuilder out(memory, type_, input.rows, true);
    std::vector<int64_t> kept;
    size_t at = 0;
    for (int64_t row = 0; row < input.rows; ++row) {
      if (!lists.valid(row)) {
        out.set_null(row);
        continue;
      }
      const auto start = static_cast<int64_t>(kept.size());
      for (int64_t k = 0; k < lists.entries[row].length; ++k) {
        if (keeps[at++] != 0) kept.push_back(lists.entries[row].start + k);
      }
      const int64_t length = static_cast<int64_t>(kept.size()) - start;
      out.data<ListEntry>()[row] = {length > 0 ? start : 0, length};
    }
    out.add_child(gather(memory, lists.elements(), kept.data(), static_cast<int64_t>(kept.size())));
    return out.finish();
  }
};

// Step k folds element k of every list that has one. Without a start the first element is the start.
class ListReduce final : public LambdaCall {
 public:
  ListReduce(Context& context, const plan::Plan& plan, const plan::Expr& expr) : LambdaCall(context, plan, expr) {
    if (expr.args.size() > 2) {
      start_ = bind_expression(context, plan, expr.args[2]);
      adopt(*start_);
    }
  }

  ColumnPtr evaluate(const Batch& input) override {
    if (input.rows == 0) return make_null_column(type_, 0);
    Memory& memory = context_.memory();
    const Lists lists(memory, list_->evaluate(input));
    body_.capture(input);

    std::vector<uint32_t> active;  // rows still folding
    std::vector<ColumnPtr> finished;
    std::vector<int64_t> place(static_cast<size_t>(input.rows), -1);  // row → number among finished values; -1 = NULL
    int64_t finished_rows = 0;
    for (int64_t row = 0; row < input.rows; ++row) {
      if (lists.valid(row) && (start_ || lists.entries[row].length > 0)) active.push_back(static_cast<uint32_t>(row));
    }
    const auto count = [&] { return static_cast<int64_t>(active.size()); };
    const auto elements_at = [&](int64_t k) {
      std::vector<int64_t> at;
      for (const uint32_t row : active) at.push_back(lists.entries[row].start + k);
      return gather(memory, lists.elements(), at.data(), count());
    };
    if (active.empty()) return make_null_column(type_, input.rows);
    ColumnPtr folded = start_ ? gather(memory, start_->evaluate(input), active.data(), count()) : elements_at(0);
    for (int64_t k = start_ ? 0 : 1; !active.empty(); ++k) {
      context_.check_cancelled();
      std::vector<uint32_t> going, at_going, at_done;
      for (size_t i = 0; i < active.size(); ++i) {
        const uint32_t row = active[i];
        if (k < lists.entries[row].length) {
          going.push_back(row);
          at_going.push_back(static_cast<uint32_t>(i));
        } else {
          place[row] = finished_rows + static_cast<int64_t>(at_done.size());
          at_done.push_back(static_cast<uint32_t>(i));
        }
      }
      if (!at_done.empty()) {
        finished.push_back(
            compact(memory, gather(memory, folded, at_done.data(), static_cast<int64_t>(at_done.size()))));
        finished_rows += static_cast<int64_t>(at_done.size());
        folded = gather(memory, folded, at_going.data(), static_cast<int64_t>(at_going.size()));
        active = std::move(going);
      }
      if (active.empty()) break;
      std::vector<ColumnPtr> parameters(static_cast<size_t>(body_.parameters()));
      if (body_.uses(0)) parameters[0] = folded;
      if (body_.uses(1)) parameters[1] = elements_at(k);
      if (body_.uses(2)) parameters[2] = index_column(memory, std::vector<int64_t>(active.size(), k + 1));
      folded = compact(memory, body_.evaluate(std::move(parameters), active));
    }
    const auto all = concat(memory, type_, finished);
    return gather(memory, all, place.data(), input.rows);
  }

 private:
  ExpressionPtr start_;
};

}  // namespace

ExpressionPtr bind_lambda_call(Context& context, const plan::Plan& plan, const plan::Expr& expr) {
  if (expr.fn == "list_transform") return std::make_unique<ListTransform>(context, plan, expr);
  if (expr.fn == "list_filter") return std::make_unique<ListFilter>(context, plan, expr);
  if (expr.fn == "list_reduce") return std::make_unique<ListReduce>(context, plan, expr);
  throw unsupported("lambda in function " + expr.fn);
}

}  // namespace quern::cpu
