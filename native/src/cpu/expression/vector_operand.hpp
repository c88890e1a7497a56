// One argument of a vector function: the rows of a list column of numbers, as the kernels of vector_kernels.hpp read
// them.
#pragma once
#include <optional>
#include <vector>

#include "cpu/expression/kernel.hpp"
#include "cpu/expression/vector_kernels.hpp"

namespace quern::cpu {

// How these elements are stored; nothing when they are widened to DOUBLE first (integers, decimals).
std::optional<VectorElement> stored_element(const DataType& element);
bool is_vector_element(const DataType& element);

// Whether an element of these rows of the child column is NULL.
bool any_null(const Column& elements, ListEntry entry);

class VectorOperand {
 public:
  // `column`: a list column in flat or constant form.
  VectorOperand(Memory& memory, const ColumnPtr& column);

  bool constant() const { return column_->form == Form::constant; }
  bool valid(int64_t row) const { return column_->is_valid(constant() ? 0 : row); }
  ListEntry entry(int64_t row) const { return column_->values<ListEntry>()[constant() ? 0 : row]; }
  // Elements of every row, or unknown_stride.
  int64_t stride() const { return constant() && valid(0) ? entry(0).length : column_->stride; }
  // Nothing to look at row by row.
  bool no_nulls() const { return column_->null_count == 0 && elements_->null_count == 0; }
  bool has_null(ListEntry entry) const { return any_null(*elements_, entry); }
  std::optional<VectorElement> stored() const { return stored_; }
  // The stored elements of an entry, when stored().
  const void* stored_at(ListEntry entry) const {
    return static_cast<const char*>(elements_->data) + entry.start * element_bytes_;
  }
  // Elements as DOUBLE into out[0 .. entry.length).
  void widen(ListEntry entry, double* out) const;
  // The same into a vector that is used again; the elements themselves when they are DOUBLE.
  const double* widened(ListEntry entry, std::vector<double>& buffer) const;
  const ColumnPtr& elements() const { return elements_; }

 private:
  ColumnPtr column_;
  ColumnPtr elements_;  // flat
  std::optional<VectorElement> stored_;
  int64_t element_bytes_;
};

// Raises for vectors of different length, or gives false when `trying`.
bool same_length(ListEntry a, ListEntry b, std::string_view function, bool trying);

}  // namespace quern::cpu
