// Expressions as straight-line CUDA C++: calls of ops, never semantics. Literals are kernel parameters, so that one
// compiled text serves all values.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace quern::jit {

// A computed value: names of variables (or constants). `null` is "false" where no row can be null.
struct Value {
  std::string value;
  std::string null;
  bool nullable() const { return null != "false"; }
};

// A column of the row at hand, loaded where it is first wanted.
struct ColumnPlace {
  Value value;  // empty names: not loaded
  TypePtr type;
  std::string name;  // variable that will hold the value
  std::string view;  // the column
  std::string row;   // variable that holds the row in it
  bool nullable = true;
  std::string absent;   // where it holds there is no row, and the value is NULL; empty = never
  int32_t join = -1;    // number of the join whose second input has the column; -1: the kernel's input has it
  int32_t column = -1;  // its number there; -1: it is computed
};
using ColumnPlacePtr = std::shared_ptr<ColumnPlace>;

// Writes statements that compute expressions over one row. Throws `unsupported` for what device code cannot do.
class ExpressionText {
 public:
  // `columns`: the input's, of which those that are used get loaded; `row` is the variable that holds the row.
  ExpressionText(const plan::Plan& plan, const std::vector<TypePtr>& columns, std::vector<bool> nullable);

  // Computes what loops over lists in `root` in the prologue, where all lanes of a warp are together.
  void hoist_lists_of(plan::ExprIndex root);
  // Loads the columns that `root` refers to, at the present place; later expressions find them loaded.
  void load_columns_of(plan::ExprIndex root);
  void load(ColumnPlace& column);
  // Statements for the expression; those of a column are none.
  Value emit(plan::ExprIndex root);
  // What later expressions call columns.
  const std::vector<ColumnPlacePtr>& columns() const { return columns_; }
  void rebind(std::vector<ColumnPlacePtr> columns) { columns_ = std::move(columns); }
  // `if (!(every conjunct is true)) statement`, evaluated in order.
  void emit_filter(const std::vector<plan::ExprIndex>& conjuncts, const std::string& otherwise);
  void line(const std::string& text) { body_ += indent_ + text + "\n"; }

  // Stands before the body; its row is not yet known to be wanted.
  const std::string& prologue() const { return prologue_; }
  const std::string& body() const { return body_; }
  const std::set<std::string>& headers() const { return headers_; }
  void need(const std::string& header) { headers_.insert(header); }
  // Goes on behind the literals of another text of the same kernel.
  void continue_literals(const ExpressionText& other) { literals_ = other.literals_; }
  // Constant columns of one row, in the order of Input::literals.
  const std::vector<ColumnPtr>& literals() const { return literals_; }

 private:
  Value literal(const plan::Expr& expr);
  Value call(plan::ExprIndex root);
  // Functions of lists; nothing for others.
  std::optional<Value> list_call(plan::ExprIndex root);
  Value made_list(plan::ExprIndex root);
  // Declare the sums of a pair, or one value of a list, and give the variable; `together`: by all lanes of a warp.
  std::optional<std::string> stored_pair(plan::ExprIndex root);
  std::string pair_of(plan::ExprIndex root, bool together);
  std::string reduction_of(plan::ExprIndex root, bool together);
  Value pair(plan::ExprIndex root, const std::string& sums);
  Value reduced(plan::ExprIndex root, const std::string& name);
  Value cast(plan::ExprIndex root);
  Value logic(const plan::Expr& expr);
  Value choice(const plan::Expr& expr);
  Value coalesce(const plan::Expr& expr);
  Value in_list(const plan::Expr& expr);
  // Declares a value and its null flag.
  Value declare(const std::string& type, bool nullable);
  void open(const std::string& head);
  void close();
  void assign(const Value& target, const Value& from);

  const plan::Plan& plan_;
  std::vector<ColumnPlacePtr> columns_;
  std::string prologue_, body_;
  std::map<plan::ExprIndex, std::string> hoisted_;  // variables of the prologue
  std::string indent_ = "    ";
  std::set<std::string> headers_;
  std::vector<ColumnPtr> literals_;
  int next_ = 0;
};

}  // namespace quern::jit
