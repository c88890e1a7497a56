// The column that a read of a leaf builds: values of its slots, growing page by page.
#pragma once
#include <memory>
#include <vector>

#include "columnar/column.hpp"
#include "parquet/levels.hpp"
#include "parquet/values.hpp"

namespace quern::parquet {

class LeafOutput {
 public:
  // `expected` slots are made room for at once, within reason. `allow_dictionary`: the column may hold codes.
  LeafOutput(Memory& memory, const LeafType& leaf, int64_t expected, bool allow_dictionary);

  void add_nulls(int64_t count);
  void add_values(PageValues& values, int64_t count);
  // `count` slots of which those with valid[i] = 1 (`set` of them) hold values.
  void add(PageValues& values, const uint8_t* valid, int64_t count, int64_t set);
  int64_t slots() const { return slots_; }
  // Flat or dictionary form.
  ColumnPtr finish();

 private:
  enum class Mode : uint8_t { none, values, codes };
  // Fixes the form for values of a page, turning codes into values where the page has none.
  void prepare(const PageValues& values);
  void set_mode(Mode mode);
  uint8_t* room(int64_t slots);
  void decode(PageValues& values, int64_t count, uint8_t* at);

  Memory& memory_;
  const LeafType& leaf_;
  int64_t expected_;
  bool allow_dictionary_;
  Mode mode_ = Mode::none;
  int32_t width_ = 0;
  int64_t slots_ = 0;
  GrowingBuffer data_;
  ValidityBuilder validity_;
  std::shared_ptr<const Dictionary> dictionary_;
  std::vector<Owner> owners_;
};

}  // namespace quern::parquet
