// How groups lie in the slots of a group table (cuda/fragments/group_table.cuh).
#pragma once
#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace quern::jit {

// Where a key column stands in the key's words. Values of less than 64 bits and null bits share words.
struct KeyPlace {
  TypePtr type;
  int32_t word = 0;
  int32_t shift = 0;
  int32_t words = 1;  // 2: a 128-bit value
  int32_t null_word = 0;
  int32_t null_shift = 0;
};

enum class AggregateKind { count_rows, count, sum_narrow, sum_wide, sum_real, mean_exact, mean_real, least, greatest };

struct AggregatePlace {
  AggregateKind kind = AggregateKind::count_rows;
  TypePtr argument;  // nullptr: count(*)
  TypePtr result;
  int32_t word = 0;  // first word after the key's
  int32_t words = 1;
  // Exact sums of wide values have a third word, for what leaves 128 bits; the count is the last word.
  bool wide_argument() const { return width(*argument) == 16; }
};

struct GroupLayout {
  std::vector<KeyPlace> keys;
  int32_t key_words = 1;
  std::vector<AggregatePlace> aggregates;
  int32_t aggregate_words = 0;
  int32_t slot_words() const { return 1 + key_words + aggregate_words; }
};

// Throws `unsupported` for keys and aggregates that device code has not.
GroupLayout group_layout(const plan::Plan& plan, const plan::HashGroupBy& group);

}  // namespace quern::jit
