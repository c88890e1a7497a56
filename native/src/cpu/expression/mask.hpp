// Bit masks over the rows of a vector (bit i = row i) and their conversions from and to bool columns and row indices.
#pragma once
#include <cstdint>
#include <vector>

#include "columnar/column.hpp"

namespace quern::cpu {

// Bits past the last row are always zero.
class Mask {
 public:
  // All bits `value`.
  void reset(int64_t rows, bool value);
  // Rows that are true (not null) in a bool column of any form.
  void assign_true(const Column& column);
  // Rows that are not null, of any column.
  void assign_valid(const Column& column);
  void and_with(const Mask& other);
  void or_with(const Mask& other);
  // this &= ~other
  void and_not(const Mask& other);
  void invert();
  // Keeps of the set bits only those for which keep's bit at their rank is set: keep has count() rows.
  void keep_ranks(const Mask& keep);
  // Sets the bits of `rows` whose rank is set in `values`.
  void set_rows(const std::vector<uint32_t>& rows, const Mask& values);

  int64_t count() const { return count_set_bits(words_.data(), rows_); }
  int64_t rows() const { return rows_; }
  bool at(int64_t row) const { return bit_at(words_.data(), row); }
  const uint64_t* words() const { return words_.data(); }
  uint64_t* words() { return words_.data(); }
  // Ascending indices of the set bits; `rows` has room for all. Returns how many.
  int64_t write_rows(uint32_t* rows) const;
  void write_rows(std::vector<uint32_t>& rows) const;
  // One byte a row, 0 or 1.
  void write_bytes(uint8_t* bytes) const;

 private:
  void clear_tail();
  int64_t rows_ = 0;
  std::vector<uint64_t> words_;
};

}  // namespace quern::cpu
