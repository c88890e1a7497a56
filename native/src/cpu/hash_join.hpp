// Joins: the second input becomes a table, the first streams past it. With keys the table is found through a hash;
// without keys every row of it is a candidate.
#pragma once
#include "context/node_counters.hpp"
#include "cpu/join_filter.hpp"
#include "cpu/join_table.hpp"
#include "plan/pipeline.hpp"

namespace quern::cpu {

// Rows of the second input, and the table made of them when they are complete.
class JoinBuild : public Sink {
 public:
  virtual const JoinTable& table() const = 0;
};
// Sets the filters of its keys when the rows are complete; `counters` are of the node.
std::shared_ptr<JoinBuild> make_join_build(Context& context, std::shared_ptr<const plan::Plan> plan,
                                           plan::NodeIndex node, std::shared_ptr<JoinFilters> filters,
                                           NodeCounters& counters);

// Rows of the first input in their order, each with its matches in the order of the second input.
std::unique_ptr<Step> make_join_probe(Context& context, std::shared_ptr<const plan::Plan> plan, plan::NodeIndex node,
                                      std::shared_ptr<JoinBuild> build);

// Right and full joins: when all morsels of the first input were joined, the rows of the second without a match follow.
class JoinGate;
std::shared_ptr<JoinGate> make_join_gate();
// The first input, counted by the gate.
std::unique_ptr<Source> make_gated(std::unique_ptr<Source> source, std::shared_ptr<JoinGate> gate);
std::unique_ptr<Source> make_join_unmatched(Context& context, std::shared_ptr<const plan::Plan> plan,
                                            plan::NodeIndex node, std::shared_ptr<JoinBuild> build,
                                            std::shared_ptr<JoinGate> gate);

}  // namespace quern::cpu
