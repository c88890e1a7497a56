// Calls, casts and IN lists: a kernel over argument columns, with the forms and nulls they share.
#include <algorithm>

#include "cpu/expression/cast.hpp"
#include "cpu/expression/tree.hpp"
#include "plan/functions.hpp"

namespace quern::cpu {

namespace {

// A function of one dictionary column and constants, computed once an entry.
struct DictionaryResult {
  ColumnPtr dictionary;  // the entries it was computed for: kept, so that the address stays theirs
  ColumnPtr result;      // one value an entry; nullptr while not worth it
  int64_t rows_seen = 0;
  bool failed = false;  // an entry raised: rows decide whether it is reached
};

class KernelExpression final : public Expression {
 public:
  KernelExpression(Context& context, const plan::Expr& expr, std::vector<ExpressionPtr> args, KernelPtr kernel,
                   bool fallible, bool costly)
      : Expression(context, expr.type), args_(std::move(args)), kernel_(std::move(kernel)), span_(expr.span) {
    for (const auto& arg : args_) adopt(*arg);
    fallible_ |= fallible;
    costly_ |= costly;
    constant_ = std::all_of(args_.begin(), args_.end(), [](const auto& arg) { return arg->constant(); });
    columns_of_args_.resize(args_.size());
  }

  ColumnPtr evaluate(const Batch& input) override {
    if (input.rows == 0) return make_null_column(type_, 0);
    if (constant_ && folded_) return make_constant(folded_, 0, input.rows);
    for (size_t i = 0; i < args_.size(); ++i) columns_of_args_[i] = args_[i]->evaluate(input);
    ColumnPtr result = apply(columns_of_args_, input.rows);
    if (constant_) folded_ = result;
    for (auto& column : columns_of_args_) column.reset();  // so that its buffers can be used again
    return result;
  }

 private:
  ColumnPtr apply(const std::vector<ColumnPtr>& args, int64_t rows) {
    if (kernel_->strict()) {
      if (ColumnPtr result = over_dictionary(args, rows)) return result;
    }
    return invoke(args, rows);
  }

  // nullptr when the arguments are not one dictionary and constants, or when that does not pay.
  ColumnPtr over_dictionary(const std::vector<ColumnPtr>& args, int64_t rows) {
    size_t at = args.size();
    for (size_t i = 0; i < args.size(); ++i) {
      if (args[i]->form == Form::dictionary) {
        if (at != args.size()) return nullptr;
        at = i;
      } else if (args[i]->form != Form::constant || !args_[i]->constant()) {
        return nullptr;
      }
    }
    if (at == args.size()) return nullptr;
    const Column& column = *args[at];
    const ColumnPtr& entries = column.children[0];
    if (cache_.dictionary != entries) cache_ = {entries, nullptr, 0, false};
    cache_.rows_seen += rows;
    if (cache_.failed) return nullptr;
    if (!cache_.result) {
      // Entries that no row uses are computed too, so wait until as many rows have come by.
      if (entries->length > cache_.rows_seen || entries->length == 0) return nullptr;
      std::vector<ColumnPtr> entry_args = args;
      for (size_t i = 0; i < args.size(); ++i)
        entry_args[i] = i == at ? entries : make_constant(args[i], 0, entries->length);
      try {
        cache_.result = invoke(entry_args, entries->length);
      } catch (const Error& error) {
        if (!fallible_ || error.code() != ErrorCode::runtime) throw;
        cache_.failed = true;
        return nullptr;
      }
    }
    return spread(column, rows);
  }

  // Result entries → rows.
  ColumnPtr spread(const Column& column, int64_t rows) {
    const ColumnPtr& entries = cache_.result;
    const auto* codes = column.values<uint32_t>();
    if (entries->form == Form::flat && type_->kind == TypeKind::boolean && entries->null_count == 0) {
      Result result(scratch_, type_, rows);
      if (column.null_count > 0) result.share_validity(column.validity, column.null_count, column.owners);
      const auto* values = entries->values<uint8_t>();
      auto* out = result.data<uint8_t>();
      for (int64_t i = 0; i < rows; ++i) out[i] = values[codes[i]];
      return result.finish();
    }
    if (entries->form == Form::flat && entries->null_count == 0 && physical(*type_) != Physical::structure) {
      auto out = std::make_shared<Column>();
      out->type = type_;
      out->form = Form::dictionary;
      out->length = rows;
      out->null_count = column.null_count;
      out->validity = column.validity;
      out->data = column.data;
      out->owners = column.owners;
      out->children.push_back(entries);
      return out;
    }
    if (column.null_count == 0) return gather(context_.memory(), entries, codes, rows);
    std::vector<int64_t> entry_of_row(static_cast<size_t>(rows));
    for (int64_t i = 0; i < rows; ++i) entry_of_row[i] = column.is_valid(i) ? static_cast<int64_t>(codes[i]) : -1;
    return gather(context_.memory(), entries, entry_of_row.data(), rows);
  }

  ColumnPtr invoke(std::vector<ColumnPtr> args, int64_t rows) {
    try {
      return run_kernel(context_, scratch_, *kernel_, type_, std::move(args), rows);
    } catch (Error& error) {
      if (span_) error.at(*span_);
      throw;
    }
  }

  std::vector<ExpressionPtr> args_;
  KernelPtr kernel_;
  std::optional<SourceSpan> span_;
  std::vector<ColumnPtr> columns_of_args_;
  DictionaryResult cache_;
  ColumnPtr folded_;
};

// Worth a gather of the rows that need it: everything that reads text or nested values, or writes text.
bool is_costly(const DataType& type) {
  const Physical kind = physical(type);
  return kind == Physical::string || kind == Physical::list || kind == Physical::structure;
}

// Casts that no value can fail.
bool cast_is_safe(const DataType& from, const DataType& to) {
  if (to.kind == TypeKind::string || from.kind == TypeKind::null || same_type(from, to)) return true;
  const auto integer_bits = [](const DataType& t) { return width(t) * 8 - (t.kind <= TypeKind::int64 ? 1 : 0); };
  const bool from_integer = from.kind >= TypeKind::int8 && from.kind <= TypeKind::uint64;
  const bool to_integer = to.kind >= TypeKind::int8 && to.kind <= TypeKind::uint64;
  if (from_integer && to_integer) {
    const bool from_signed = from.kind <= TypeKind::int64, to_signed = to.kind <= TypeKind::int64;
    return (from_signed == to_signed || to_signed) && integer_bits(from) <= integer_bits(to);
  }
  if (from_integer && to.kind == TypeKind::decimal) return integer_digits(from) + to.scale <= to.precision;
  const bool to_float = to.kind == TypeKind::float32 || to.kind == TypeKind::float64;
  if (to_float)
    return from_integer || from.kind == TypeKind::boolean || from.kind == TypeKind::float16 ||
           from.kind == TypeKind::bfloat16 || from.kind == TypeKind::float32 || from.kind == TypeKind::decimal;
  if (from.kind == TypeKind::decimal && to.kind == TypeKind::decimal) {
    return to.scale >= from.scale && to.precision - to.scale >= from.precision - from.scale;
  }
  return false;
}

}  // namespace

ExpressionPtr bind_kernel(Context& context, const plan::Plan& plan, const plan::Expr& expr) {
  std::vector<ExpressionPtr> args;
  if (expr.kind == plan::ExprKind::in_list) {
    args.push_back(bind_expression(context, plan, expr.args.at(0)));
    std::vector<ColumnPtr> values;
    for (size_t i = 1; i < expr.args.size(); ++i)
      values.push_back(plan.exprs.at(static_cast<size_t>(expr.args[i])).literal);
    const TypePtr type = args[0]->type();
    return std::make_unique<KernelExpression>(context, expr, std::move(args), make_in_list(type, values), false,
                                              is_costly(*type));
  }
  std::vector<TypePtr> types;
  for (const auto arg : expr.args) {
    args.push_back(bind_expression(context, plan, arg));
    types.push_back(args.back()->type());
  }
  const bool costly = is_costly(*expr.type) ||
                      std::any_of(types.begin(), types.end(), [](const TypePtr& type) { return is_costly(*type); });
  if (expr.kind == plan::ExprKind::cast) {
    if (same_type(*types.at(0), *expr.type)) return std::move(args[0]);
    const bool fallible = !expr.try_cast && !cast_is_safe(*types[0], *expr.type);
    return std::make_unique<KernelExpression>(context, expr, std::move(args),
                                              make_cast(types[0], expr.type, expr.try_cast), fallible, costly);
  }
  const plan::Function* function = plan::find_function(expr.fn, types);
  if (function == nullptr) throw internal_error("no function " + expr.fn + " for these argument types");
  const bool fallible = function->fallible;
  auto kernel = kernel_table().make({expr.fn, types, expr.type, false});
  return std::make_unique<KernelExpression>(context, expr, std::move(args), std::move(kernel), fallible, costly);
}

}  // namespace quern::cpu
