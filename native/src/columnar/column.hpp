// Columns and batches: immutable values shared between operators.
//
// A column has `length` rows (any number: a vector of a pipeline, a decoded row group, a sorted table).
// Layout of the forms:
//   flat        data[length] of width(physical(type)); validity bit i = row i is not null
//   constant    one value in data[0], for all rows; null_count is 0 or length (then validity bit 0 is clear)
//   dictionary  data[length] of uint32_t codes into children[0], a flat column without nulls; nulls by validity;
//               never of a structure
// Children: list and map: [elements]; structure: one a field, each with the same length; dictionary: [values].
// Invariants: validity == nullptr when null_count == 0; bit 0 is row 0 (no bit offset); bits past length are
// unspecified; rows that are null hold zero bytes in data (a null list is {0, 0}, a null string is empty); child
// elements of a list need not be in order nor all referenced.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "columnar/data_type.hpp"
#include "context/memory.hpp"
#include "ops/value.hpp"

namespace quern {

enum class Form : uint8_t { flat, constant, dictionary };

struct Column;
using ColumnPtr = std::shared_ptr<const Column>;
using Owner = std::shared_ptr<const void>;

constexpr int64_t unknown_stride = -1;

struct Column {
  TypePtr type;
  Form form = Form::flat;
  int64_t length = 0;
  int64_t null_count = 0;
  int64_t stride = unknown_stride;  // of a flat list column: each row is a list of this many elements, none is null
  const uint64_t* validity = nullptr;
  const void* data = nullptr;
  std::vector<ColumnPtr> children;
  std::vector<Owner> owners;  // everything that data, validity and string pointers point into

  template <typename T>
  const T* values() const {
    return static_cast<const T*>(data);
  }
  // Of a flat or dictionary column; for a constant use is_null(0).
  bool is_valid(int64_t row) const { return validity == nullptr || (validity[row >> 6] >> (row & 63)) & 1; }
};

struct Batch {
  int64_t rows = 0;  // needed when there are no columns
  std::vector<ColumnPtr> columns;
};

// ---- making columns (columnar/make.cpp) ----

// A flat column under construction: fill data<T>() and, where there are nulls, validity(); then finish().
class ColumnBuilder {
 public:
  // `length` rows; data zeroed when `zeroed`.
  ColumnBuilder(Memory& memory, TypePtr type, int64_t length, bool zeroed = false);
  template <typename T>
  T* data() {
    return reinterpret_cast<T*>(data_ ? data_->data() : nullptr);
  }
  // All-valid words, made on the first call.
  uint64_t* validity();
  void set_null(int64_t row) { validity()[row >> 6] &= ~(1ULL << (row & 63)); }
  void keep(Owner owner) { column_->owners.push_back(std::move(owner)); }
  void keep(const std::vector<Owner>& owners) {
    column_->owners.insert(column_->owners.end(), owners.begin(), owners.end());
  }
  void add_child(ColumnPtr child) { column_->children.push_back(std::move(child)); }
  void set_stride(int64_t stride) { column_->stride = stride; }
  Memory& memory() { return memory_; }
  // Counts nulls (drops the mask if there are none). `length` may shrink the column.
  ColumnPtr finish(int64_t length = -1);

 private:
  Memory& memory_;
  std::shared_ptr<Column> column_;
  BufferPtr data_;
  BufferPtr validity_;
};

// Growing bytes of strings: append returns a view that stays valid as long as an owner of this heap lives.
class StringHeap {
 public:
  explicit StringHeap(Memory& memory) : memory_(memory) {}
  StringView append(const char* data, size_t length);
  // `length` writable bytes; the caller makes the view afterwards.
  char* reserve(size_t length);
  const std::vector<Owner>& owners() const { return owners_; }
  int64_t bytes() const { return bytes_; }

 private:
  Memory& memory_;
  std::vector<Owner> owners_;
  char* next_ = nullptr;
  size_t left_ = 0;
  size_t block_ = 4096;
  int64_t bytes_ = 0;
};

ColumnPtr make_null_column(const TypePtr& type, int64_t length);
// `length` rows of row `row` of `column`.
ColumnPtr make_constant(const ColumnPtr& column, int64_t row, int64_t length);
// A new type over the same bytes (same physical kind).
ColumnPtr with_type(const ColumnPtr& column, TypePtr type);

// ---- verbs over columns, one file each ----

// Flat form of any column (children are left as they are). Flat input is returned as it is.
ColumnPtr flatten(Memory& memory, const ColumnPtr& column);
// Rows [start, start + length).
ColumnPtr slice(Memory& memory, const ColumnPtr& column, int64_t start, int64_t length);
// Rows in the given order; list children and string bytes are shared, not copied. `rows` holds indices < length, or -1
// for a null row.
ColumnPtr gather(Memory& memory, const ColumnPtr& column, const int64_t* rows, int64_t count);
ColumnPtr gather(Memory& memory, const ColumnPtr& column, const uint32_t* rows, int64_t count);
// One after another: flat result; list children and string bytes are copied so that nothing of the inputs is retained.
ColumnPtr concat(Memory& memory, const TypePtr& type, const std::vector<ColumnPtr>& columns);
// The same rows with children in row order, nothing unreferenced, strings in one heap of their own; recursive.
ColumnPtr compact(Memory& memory, const ColumnPtr& column);
// Bytes that the rows of this column need when compact (strings and children by reference counts of rows), recursive.
int64_t row_bytes(const Column& column);

Batch slice(Memory& memory, const Batch& batch, int64_t start, int64_t length);
Batch gather(Memory& memory, const Batch& batch, const uint32_t* rows, int64_t count);

// ---- validity words ----
inline int64_t validity_words(int64_t rows) { return (rows + 63) / 64; }
inline bool bit_at(const uint64_t* words, int64_t row) { return (words[row >> 6] >> (row & 63)) & 1; }
inline void set_bit(uint64_t* words, int64_t row) { words[row >> 6] |= 1ULL << (row & 63); }
inline void clear_bit(uint64_t* words, int64_t row) { words[row >> 6] &= ~(1ULL << (row & 63)); }
int64_t count_set_bits(const uint64_t* words, int64_t rows);

}  // namespace quern
