// Device code of aggregates over the words of a group (cuda/fragments/group_words.cuh).
#pragma once
#include <string>

#include "jit/group_layout.hpp"

namespace quern::jit {

// Statements over an aggregate's words w: one row `r` comes in, the words `from` of another slot come in, words in
// shared memory become those of a slot.
struct AggregateText {
  std::string update, merge, plain;
};

AggregateText aggregate_text(const AggregatePlace& place);

// Value and null flag of an aggregate's result over its words w; `put` is the beginning of a call that stores them. A
// group whose result leaves its type writes `index`, the aggregate's number, where it is the least so far.
std::string finish_aggregate(const AggregatePlace& place, size_t index, const std::string& put);
// Whether a result can leave its type.
bool may_run_over(const AggregatePlace& place);

}  // namespace quern::jit
