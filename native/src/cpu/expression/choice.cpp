// CASE and COALESCE: each row takes its value from one of several expressions. A value is evaluated for all rows when
// that is cheap and cannot fail, otherwise only for its own rows.
#include <algorithm>

#include "columnar/dispatch.hpp"
#include "cpu/expression/tree.hpp"

namespace quern::cpu {

namespace {

// Values of some rows of the result. `full`: values has a row for every row of the result, not only for `rows`.
struct Piece {
  ColumnPtr values;
  std::vector<uint32_t> rows;
  bool full = false;
};

bool scatters(const DataType& type) {
  const Physical kind = physical(type);
  return kind != Physical::list && kind != Physical::structure && kind != Physical::none;
}

// Puts fixed-width values and strings at their rows. Rows of no piece are NULL.
class Assembly {
 public:
  Assembly(Context& context, Scratch& scratch, const TypePtr& type, int64_t rows)
      : context_(context), scratch_(scratch), type_(type), rows_(rows) {}

  void add(Piece piece) {
    if (!piece.rows.empty()) pieces_.push_back(std::move(piece));
  }

  ColumnPtr finish() {
    if (pieces_.empty()) return make_null_column(type_, rows_);
    if (pieces_.size() == 1 && static_cast<int64_t>(pieces_[0].rows.size()) == rows_) return pieces_[0].values;
    return scatters(*type_) ? scatter() : permute();
  }

 private:
  ColumnPtr scatter() {
    Result result(scratch_, type_, rows_);
    int64_t covered = 0;
    bool nulls = false;
    for (const auto& piece : pieces_) {
      covered += static_cast<int64_t>(piece.rows.size());
      nulls |= piece.values->null_count > 0;
    }
    uint64_t* validity = nullptr;
    if (nulls || covered < rows_) {
      validity = result.validity();
      std::fill_n(validity, validity_words(rows_), 0);
    }
    for (auto& piece : pieces_) {
      if (piece.values->form == Form::dictionary) piece.values = flatten(context_.memory(), piece.values);
      result.keep(piece.values->owners);
      if (validity != nullptr) place_validity(piece, validity);
      if (piece.values->null_count == static_cast<int64_t>(piece.values->length)) continue;
      with_width(width(*type_), [&]<typename T>() { place_values(piece, result.data<T>()); });
    }
    return result.finish();
  }

  template <typename T>
  static void place_values(const Piece& piece, T* out) {
    const T* values = piece.values->values<T>();
    const auto count = static_cast<int64_t>(piece.rows.size());
    if (piece.values->form == Form::constant) {
      for (int64_t i = 0; i < count; ++i) out[piece.rows[i]] = values[0];
    } else if (piece.full) {
      for (int64_t i = 0; i < count; ++i) out[piece.rows[i]] = values[piece.rows[i]];
    } else {
      for (int64_t i = 0; i < count; ++i) out[piece.rows[i]] = values[i];
    }
  }

  static void place_validity(const Piece& piece, uint64_t* validity) {
    const Column& values = *piece.values;
    for (size_t i = 0; i < piece.rows.size(); ++i) {
      const auto at = values.form == Form::constant ? 0
                      : piece.full                  ? static_cast<int64_t>(piece.rows[i])
                                                    : static_cast<int64_t>(i);
      if (values.is_valid(at)) set_bit(validity, piece.rows[i]);
    }
  }

  // Nested values: all pieces after one another, then in the order of the rows.
  ColumnPtr permute() {
    std::vector<ColumnPtr> parts;
    std::vector<int64_t> source(static_cast<size_t>(rows_), -1);
    int64_t start = 0;
    for (const auto& piece : pieces_) {
      parts.push_back(piece.values);
      for (size_t i = 0; i < piece.rows.size(); ++i) {
        source[piece.rows[i]] = start + (piece.full ? static_cast<int64_t>(piece.rows[i]) : static_cast<int64_t>(i));
      }
      start += piece.values->length;
    }
    const ColumnPtr all = concat(context_.memory(), type_, parts);
    return gather(context_.memory(), all, source.data(), rows_);
  }

  Context& context_;
  Scratch& scratch_;
  TypePtr type_;
  int64_t rows_;
  std::vector<Piece> pieces_;
};

class Choice : public Expression {
 protected:
  using Expression::Expression;

  // The values of `part` for the rows of `mask`.
  Piece take(Expression& part, const Batch& input, const Mask& mask) {
    Piece piece;
    mask.write_rows(piece.rows);
    if (piece.rows.empty()) return piece;
    piece.full = !part.guarded();
    piece.values = piece.full ? part.evaluate(input) : part.evaluate_rows(input, piece.rows);
    return piece;
  }
};

class Case final : public Choice {
 public:
  Case(Context& context, const plan::Expr& expr, std::vector<ExpressionPtr> parts)
      : Choice(context, expr.type), parts_(std::move(parts)) {
    for (const auto& part : parts_) adopt(*part);
    blends_ = parts_.size() == 3 && !parts_[1]->guarded() && !parts_[2]->guarded() && scatters(*type_);
  }

  ColumnPtr evaluate(const Batch& input) override {
    if (input.rows == 0) return make_null_column(type_, 0);
    if (blends_) return blend(input);
    Assembly assembly(context_, scratch_, type_, input.rows);
    Mask open;
    open.reset(input.rows, true);
    for (size_t i = 0; i + 1 < parts_.size(); i += 2) {
      Mask mine = condition_rows(*parts_[i], input, open);
      open.and_not(mine);
      assembly.add(take(*parts_[i + 1], input, mine));
    }
    assembly.add(take(*parts_.back(), input, open));
    return assembly.finish();
  }

 private:
  // Open rows where the condition is true.
  Mask condition_rows(Expression& condition, const Batch& input, const Mask& open) {
    Mask mine;
    if (!condition.guarded()) {
      mine.assign_true(*condition.evaluate(input));
      mine.and_with(open);
      return mine;
    }
    mine.reset(input.rows, false);
    open.write_rows(rows_);
    if (rows_.empty()) return mine;
    Mask truth;
    truth.assign_true(*condition.evaluate_rows(input, rows_));
    mine.set_rows(rows_, truth);
    return mine;
  }

  // One condition, two cheap values of fixed width: both for all rows, then a select that vectorises.
  ColumnPtr blend(const Batch& input) {
    const int64_t rows = input.rows;
    mask_.assign_true(*parts_[0]->evaluate(input));
    const int64_t chosen = mask_.count();
    if (chosen == rows) return parts_[1]->evaluate(input);
    if (chosen == 0) return parts_[2]->evaluate(input);
    ColumnPtr yes = parts_[1]->evaluate(input), no = parts_[2]->evaluate(input);
    if (yes->form == Form::dictionary) yes = flatten(context_.memory(), yes);
    if (no->form == Form::dictionary) no = flatten(context_.memory(), no);
    choose_.resize(static_cast<size_t>(rows));
    mask_.write_bytes(choose_.data());
    Result result(scratch_, type_, rows);
    result.keep(yes->owners);
    result.keep(no->owners);
    if (yes->null_count + no->null_count > 0) {
      Mask yes_valid, no_valid;
      yes_valid.assign_valid(*yes);
      no_valid.assign_valid(*no);
      uint64_t* validity = result.validity();
      for (int64_t w = 0; w < validity_words(rows); ++w) {
        validity[w] = (mask_.words()[w] & yes_valid.words()[w]) | (~mask_.words()[w] & no_valid.words()[w]);
      }
    }
    with_width(width(*type_), [&]<typename T>() { select_values(*yes, *no, rows, result.data<T>()); });
    return result.finish();
  }

  template <typename T>
  void select_values(const Column& yes, const Column& no, int64_t rows, T* __restrict out) {
    const uint8_t* __restrict choose = choose_.data();
    const T* __restrict a = yes.values<T>();
    const T* __restrict b = no.values<T>();
    const bool a_constant = yes.form == Form::constant, b_constant = no.form == Form::constant;
    if (a_constant && b_constant) {
      const T x = a[0], y = b[0];
      for (int64_t i = 0; i < rows; ++i) out[i] = choose[i] ? x : y;
    } else if (a_constant) {
      const T x = a[0];
      for (int64_t i = 0; i < rows; ++i) out[i] = choose[i] ? x : b[i];
    } else if (b_constant) {
      const T y = b[0];
      for (int64_t i = 0; i < rows; ++i) out[i] = choose[i] ? a[i] : y;
    } else {
      for (int64_t i = 0; i < rows; ++i) out[i] = choose[i] ? a[i] : b[i];
    }
  }

  std::vector<ExpressionPtr> parts_;  // condition, value, …, else
  bool blends_ = false;
  Mask mask_;
  std::vector<uint8_t> choose_;
  std::vector<uint32_t> rows_;
};

class Coalesce final : public Choice {
 public:
  Coalesce(Context& context, const plan::Expr& expr, std::vector<ExpressionPtr> parts)
      : Choice(context, expr.type), parts_(std::move(parts)) {
    for (const auto& part : parts_) adopt(*part);
  }

  ColumnPtr evaluate(const Batch& input) override {
    if (input.rows == 0) return make_null_column(type_, 0);
    Assembly assembly(context_, scratch_, type_, input.rows);
    Mask open, valid;
    open.reset(input.rows, true);
    for (auto& part : parts_) {
      Piece piece = take(*part, input, open);
      if (piece.rows.empty()) break;
      valid.assign_valid(*piece.values);
      if (piece.full) {
        valid.and_with(open);
        valid.write_rows(piece.rows);
        open.and_not(valid);
      } else {
        keep_valid(piece, valid);
        Mask mine;
        mine.reset(input.rows, false);
        for (const uint32_t row : piece.rows) set_bit(mine.words(), row);
        open.and_not(mine);
      }
      assembly.add(std::move(piece));
    }
    return assembly.finish();
  }

 private:
  // Drops the null rows of a piece.
  void keep_valid(Piece& piece, const Mask& valid) {
    if (valid.count() == valid.rows()) return;
    std::vector<uint32_t> ranks, rows;
    valid.write_rows(ranks);
    for (const uint32_t rank : ranks) rows.push_back(piece.rows[rank]);
    piece.values = gather(context_.memory(), piece.values, ranks.data(), static_cast<int64_t>(ranks.size()));
    piece.rows = std::move(rows);
  }

  std::vector<ExpressionPtr> parts_;
};

}  // namespace

ExpressionPtr bind_choice(Context& context, const plan::Plan& plan, const plan::Expr& expr) {
  std::vector<ExpressionPtr> parts;
  for (const auto arg : expr.args) parts.push_back(bind_expression(context, plan, arg));
  if (expr.kind == plan::ExprKind::coalesce) return std::make_unique<Coalesce>(context, expr, std::move(parts));
  if (parts.size() % 2 == 0) throw internal_error("case without else");
  return std::make_unique<Case>(context, expr, std::move(parts));
}

}  // namespace quern::cpu
