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

// Value and null flag of an aggregate's result over its words w; `put` is the beginning of a call that stores them.
std::string finish_aggregate(const AggregatePlace& place, const std::string& put);

}  // namespace quern::jit
