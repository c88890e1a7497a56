// Smallest and largest value of a page or a chunk, in the order that statistics declare.
#pragma once
#include <cstdint>
#include <string>

#include "parquet/write_schema.hpp"

namespace quern::parquet {

// A bound as statistics hold it; a cut bound is no value of the column but bounds it.
struct StoredBound {
  std::string value;
  bool exact = true;
};

class WriteBounds {
 public:
  explicit WriteBounds(const WriteLeaf& leaf) : order_(leaf.order), width_(leaf.width), is_text_(leaf.is_text) {}

  // `count` values in plain form, `bytes` in all.
  void add(const uint8_t* values, int64_t count, int64_t bytes);
  void add(const WriteBounds& other);

  // False without values, where the type has no order, and when a NaN was among the values: with NaN greater than all
  // numbers, no reader may then conclude anything from bounds that leave it out.
  bool known() const { return has_values_ && !has_nan_; }
  StoredBound min() const;
  StoredBound max() const;

 private:
  template <typename T>
  void add_numbers(const uint8_t* values, int64_t count);
  void add_bytes(const uint8_t* value, size_t length);
  void keep(const void* smallest, const void* largest, size_t length);

  BoundOrder order_;
  int32_t width_;
  bool is_text_;
  bool has_values_ = false;
  bool has_nan_ = false;
  std::string min_, max_;  // plain form without the length of BYTE_ARRAY
};

}  // namespace quern::parquet
