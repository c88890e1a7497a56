// Values of a residual's tests in the order of an index's lists: the candidates of a row lie side by side.
#pragma once
#include <vector>

#include "cpu/join_index.hpp"
#include "cpu/join_residual.hpp"
#include "plan/pipeline.hpp"

namespace quern::cpu {

class JoinListTests {
 public:
  JoinListTests(Context& context, const JoinResidual& residual, const std::vector<JoinList>& lists, PackedIds packing,
                const Parallel& parallel);

  // Sets what `tests` (one a test of the residual) read for candidates of a list; returns the number of the first id of
  // `found` among its values.
  int64_t place(const JoinMatches& found, std::vector<ValueTest>& tests) const {
    const List& list = lists_[found.list];
    for (size_t test = 0; test < tests.size(); ++test) tests[test].values = list.values[test]->data();
    tests[0].valid = list.valid ? list.valid->as<uint64_t>() : nullptr;
    return found.ids - list.ids;
  }

 private:
  struct List {
    const uint32_t* ids = nullptr;
    std::vector<BufferPtr> values;  // by test
    BufferPtr valid;                // of all tests together; absent when all values are
  };

  void fill(Context& context, const JoinResidual& residual, const JoinList& from, PackedIds packing, List& list) const;

  std::vector<List> lists_;
};

}  // namespace quern::cpu
