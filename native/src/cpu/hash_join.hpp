// Joins: the second input becomes a table, the first streams past it. With keys rows of the table are found through an
// index; without keys through a sorted order of a comparison's values, or every row is a candidate.
#pragma once
#include "context/node_counters.hpp"
#include "cpu/join_filter.hpp"
#include "cpu/join_list_tests.hpp"
#include "cpu/join_sorted.hpp"
#include "cpu/join_table.hpp"
#include "plan/pipeline.hpp"

namespace quern::cpu {

// Rows of the second input, and the table made of them when they are complete.
class JoinBuild : public Sink {
 public:
  virtual const JoinTable& table() const = 0;
  // Null without a residual, and where every pair is tested by all of it.
  virtual const JoinResidual* residual() const = 0;
  // Null where keys have one row each, and without tests.
  virtual const JoinListTests* list_tests() const = 0;
  // Null unless the plan asks for it and there is a test to sort by.
  virtual const JoinSorted* sorted() const = 0;
};
// Sets the filters of its keys when the rows are complete; `counters` are of the node.
std::shared_ptr<JoinBuild> make_join_build(Context& context, std::shared_ptr<const plan::Plan> plan,
                                           plan::NodeIndex node, std::shared_ptr<JoinFilters> filters,
                                           NodeCounters& counters);

// Rows of the first input in their order, each with its matches in the order of the second input.
std::unique_ptr<Step> make_join_probe(Context& context, std::shared_ptr<const plan::Plan> plan, plan::NodeIndex node,
                                      std::shared_ptr<JoinBuild> build);

std::unique_ptr<Step> make_conditional_probe(Context& context, std::shared_ptr<const plan::Plan> plan,
                                             plan::NodeIndex node, std::shared_ptr<JoinBuild> build);

// Right and full joins: when all morsels of the first input were joined, the rows of the second without a match follow.
class JoinGate;
std::shared_ptr<JoinGate> make_join_gate();
// The first input, counted by the gate.
std::unique_ptr<Source> make_gated(std::unique_ptr<Source> source, std::shared_ptr<JoinGate> gate);
std::unique_ptr<Source> make_join_unmatched(Context& context, std::shared_ptr<const plan::Plan> plan,
                                            plan::NodeIndex node, std::shared_ptr<JoinBuild> build,
                                            std::shared_ptr<JoinGate> gate);

}  // namespace quern::cpu
