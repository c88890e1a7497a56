// How groups lie in the slots of a group table (cuda/fragments/group_table.cuh).
#pragma once
#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace quern::jit {

// Where a key column stands in the key's words. Values of less than 64 bits and null bits share words; null bits that
// have no room there are marks. Strings have numbers there (jit/string_key.hpp).
struct KeyPlace {
  static constexpr int32_t in_marks = -1;
  TypePtr type;  // of what stands there
  int32_t word = 0;
  int32_t shift = 0;
  int32_t words = 1;  // 2: a 128-bit value
  int32_t null_word = 0;
  int32_t null_shift = 0;
};

enum class AggregateKind {
  count_rows,
  count,
  sum_narrow,  // of 64 bits
  sum_exact,   // of values of 64 bits, without limit
  sum_wide,    // of values of 128 bits
  sum_real,
  mean_exact,
  mean_wide,
  mean_real,
  least,
  greatest,
  least_wide,  // of values of 128 bits
  greatest_wide,
  set_bits,   // bit_or, bool_or
  kept_bits,  // bit_and, bool_and
  turned_bits,
  first,
  last,
  moments,       // variances: cuda/fragments/group_moments.cuh
  pair_moments,  // of two columns
  pair_squares   // with the squares of each
};

struct AggregatePlace {
  std::string fn;
  AggregateKind kind = AggregateKind::count_rows;
  TypePtr argument;  // the first; nullptr: count(*)
  TypePtr result;
  int32_t word = 0;  // first word after the key's
  int32_t words = 1;
  bool owns = true;   // else the words are another's
  int32_t reads = 0;  // the aggregate, this or an earlier one, that loads what this one takes of a row
  bool wide_argument() const { return width(*argument) == 16; }
  bool takes_value() const { return argument && kind != AggregateKind::count; }
  bool picks() const { return kind == AggregateKind::first || kind == AggregateKind::last; }
  bool of_pairs() const { return kind == AggregateKind::pair_moments || kind == AggregateKind::pair_squares; }
  bool in_pairs() const {  // words that change as one
    return picks() || kind == AggregateKind::least_wide || kind == AggregateKind::greatest_wide;
  }
  int32_t row_words() const { return !takes_value() ? 0 : wide_argument() || in_pairs() || of_pairs() ? 2 : 1; }
};

struct GroupLayout {
  std::vector<KeyPlace> keys;
  int32_t key_words = 1;
  int32_t mark_bits = 0;
  std::vector<AggregatePlace> aggregates;
  int32_t aggregate_words = 0;
  int32_t slot_words() const;  // even: slots begin at multiples of 16 bytes
  int32_t row_words() const;   // of the key and of all that the aggregates take of a row
};

// Throws `unsupported` for keys and aggregates that device code has not.
GroupLayout group_layout(const plan::Plan& plan, const plan::HashGroupBy& group);

}  // namespace quern::jit
