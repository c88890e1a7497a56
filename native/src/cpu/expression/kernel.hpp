// Kernels: what a scalar function or cast does to columns. One object an expression and thread; it may keep state
// (compiled patterns) between calls.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "context/context.hpp"
#include "cpu/expression/scratch.hpp"
#include "plan/functions.hpp"

namespace quern::cpu {

// The exact types a kernel is made for.
struct Signature {
  std::string name;
  std::vector<TypePtr> arguments;
  TypePtr result;
  bool try_cast = false;  // cast: a value that cannot be converted is NULL instead of an error
};

// One call: arguments in flat or constant form with `rows` rows each, and the result under construction.
struct Call {
  Context& context;
  const std::vector<ColumnPtr>& args;
  int64_t rows;
  Result result;
  const uint64_t* valid = nullptr;  // strict: rows where no argument is null; nullptr = every row

  bool constant(size_t i) const { return args[i]->form == Form::constant; }
  template <typename T>
  const T* values(size_t i) const {
    return args[i]->values<T>();
  }
  // 0 for a constant: row r of argument i is values(i)[r * step(i)].
  int64_t step(size_t i) const { return constant(i) ? 0 : 1; }
  bool row_valid(int64_t row) const { return valid == nullptr || bit_at(valid, row); }
  bool arg_valid(size_t i, int64_t row) const { return args[i]->is_valid(constant(i) ? 0 : row); }
  Memory& memory() const { return context.memory(); }
};

class Kernel {
 public:
  explicit Kernel(bool strict) : strict_(strict) {}
  virtual ~Kernel() = default;
  // Strict kernels are not called with a NULL constant; their result's nulls are already those of the arguments.
  virtual ColumnPtr call(Call& call) = 0;
  bool strict() const { return strict_; }
  // Whether arguments in dictionary form are welcome as they are.
  virtual bool any_form() const { return false; }

 private:
  bool strict_;
};

using KernelPtr = std::unique_ptr<Kernel>;

// `compute(Call&)` fills result's data for all rows (rows that are null in any argument may hold anything) and may set
// rows null.
template <typename F>
KernelPtr strict_kernel(F compute) {
  struct Strict final : Kernel {
    explicit Strict(F f) : Kernel(true), compute(std::move(f)) {}
    ColumnPtr call(Call& call) override {
      compute(call);
      return call.result.finish();
    }
    F compute;
  };
  return std::make_unique<Strict>(std::move(compute));
}

// `compute(Call&)` returns the column; nulls are its own business.
template <typename F>
KernelPtr custom_kernel(F compute) {
  struct Custom final : Kernel {
    explicit Custom(F f) : Kernel(false), compute(std::move(f)) {}
    ColumnPtr call(Call& call) override { return compute(call); }
    F compute;
  };
  return std::make_unique<Custom>(std::move(compute));
}

// As custom_kernel, with arguments of any form.
template <typename F>
KernelPtr any_form_kernel(F compute) {
  struct AnyForm final : Kernel {
    explicit AnyForm(F f) : Kernel(false), compute(std::move(f)) {}
    ColumnPtr call(Call& call) override { return compute(call); }
    bool any_form() const override { return true; }
    F compute;
  };
  return std::make_unique<AnyForm>(std::move(compute));
}

// nullptr when the types are another factory's.
using Factory = std::function<KernelPtr(const Signature&)>;

class KernelTable {
 public:
  void add(std::string name, Factory factory) { factories_[std::move(name)].push_back(std::move(factory)); }
  // Throws `unsupported` when nobody makes it.
  KernelPtr make(const Signature& signature) const;

 private:
  std::unordered_map<std::string, std::vector<Factory>> factories_;
};

// Every function of functions.def.
const KernelTable& kernel_table();
KernelPtr make_cast(const TypePtr& from, const TypePtr& to, bool try_cast);
// args[0] IN (literals): `values` are constant columns of one row.
KernelPtr make_in_list(const TypePtr& type, const std::vector<ColumnPtr>& values);

// One function group a file.
void add_arithmetic(KernelTable& table);
void add_decimal_arithmetic(KernelTable& table);
void add_bits(KernelTable& table);
void add_comparison(KernelTable& table);
void add_nulls(KernelTable& table);
void add_numeric(KernelTable& table);
void add_rounding(KernelTable& table);
void add_text(KernelTable& table);
void add_text_building(KernelTable& table);
void add_text_search(KernelTable& table);
void add_text_distance(KernelTable& table);
void add_text_encoding(KernelTable& table);
void add_text_of_sizes(KernelTable& table);
void add_graphemes(KernelTable& table);
void add_paths(KernelTable& table);
void add_format(KernelTable& table);
void add_digest(KernelTable& table);
void add_like(KernelTable& table);
void add_regexp(KernelTable& table);
void add_regexp_lists(KernelTable& table);
void add_encoding(KernelTable& table);
void add_date_arithmetic(KernelTable& table);
void add_date_parts(KernelTable& table);
void add_date_difference(KernelTable& table);
void add_date_making(KernelTable& table);
void add_date_format(KernelTable& table);
void add_date_bucket(KernelTable& table);
void add_date_zone(KernelTable& table);
void add_interval(KernelTable& table);
void add_lists(KernelTable& table);
void add_list_reductions(KernelTable& table);
void add_structures(KernelTable& table);
void add_variants(KernelTable& table);
void add_maps(KernelTable& table);
void add_map_building(KernelTable& table);
void add_selection(KernelTable& table);
void add_raise(KernelTable& table);

}  // namespace quern::cpu
