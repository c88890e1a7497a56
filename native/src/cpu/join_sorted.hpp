// Rows of the second input in the order of one test's values: those that pass it for a row of the first are a run,
// found by search. Least and greatest values of blocks leave out most of the run where further tests do.
#pragma once
#include <array>
#include <vector>

#include "cpu/join_matches.hpp"
#include "cpu/join_residual.hpp"
#include "plan/pipeline.hpp"

namespace quern::cpu {

class JoinSorted {
 public:
  // The test to sort by: the first that compares with an order; -1 = none.
  static int32_t test_to_sort_by(const ResidualParts& parts);

  // Rows with a NULL in a value of some test are left out: nothing passes with them.
  JoinSorted(Context& context, const JoinResidual& residual, const ChunkedRows& rows, PackedIds packing,
             const Parallel& parallel);

  // Packed ids in order.
  const uint32_t* ids() const { return ids_->as<uint32_t>(); }

  struct Run {
    int64_t start = 0;
    int64_t end = 0;
  };
  // What passes the test that rows are sorted by.
  Run find(const std::vector<ValueTest>& tests) const;
  // Whether that is the only test.
  bool is_only_test() const { return columns_.size() == 1; }

  // Calls each(numbers, count) with the numbers of those of a run that pass the other tests, ascending, until it
  // returns false. Returns how many values were tested.
  template <typename Each>
  int64_t visit(const std::vector<ValueTest>& tests, Run run, Each&& each) const {
    if (run.start >= run.end) return 0;
    Search search{tests, run, 0, select_values()};
    descend(search, top_level_, run.start >> (level_bits * top_level_),
            ((run.end - 1) >> (level_bits * top_level_)) + 1, each);
    return search.tested;
  }

 private:
  static constexpr int level_bits = 6;  // 64 values of a level make one of the next

  struct Level {
    BufferPtr least, greatest;
  };
  struct Column {
    bool wide = false;
    BufferPtr values;
    std::vector<Level> levels;  // [0] is of blocks of 64 values
  };
  struct Search {
    const std::vector<ValueTest>& tests;
    Run run;
    int64_t tested;
    SelectValues select;
  };
  using Numbers = std::array<uint32_t, 1 << level_bits>;

  template <typename T>
  void fill(Context& context, const JoinResidual& residual, PackedIds packing, size_t test);
  // Tests of blocks: whether some value in one may pass. Two a test at most.
  int64_t block_tests(const Search& search, int level, ValueTest* out) const;
  int64_t value_tests(const Search& search, ValueTest* out) const;
  int64_t select_at(Search& search, int level, int64_t from, int64_t to, uint32_t* passing) const;

  // False when `each` wants no more.
  template <typename Each>
  bool descend(Search& search, int level, int64_t from, int64_t to, Each&& each) const {
    Numbers passing;
    const int64_t count = select_at(search, level, from, to, passing.data());
    if (level == 0) return count == 0 || each(passing.data(), count);
    const int below = level_bits * (level - 1);
    const int64_t first = search.run.start >> below, end = ((search.run.end - 1) >> below) + 1;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t block = passing[static_cast<size_t>(i)];
      if (!descend(search, level - 1, std::max(first, block << level_bits), std::min(end, (block + 1) << level_bits),
                   each))
        return false;
    }
    return true;
  }

  int64_t rows_ = 0;
  size_t by_ = 0;
  int top_level_ = 0;  // the first with 64 values or fewer
  BufferPtr ids_;
  std::vector<Column> columns_;  // by test
};

}  // namespace quern::cpu
