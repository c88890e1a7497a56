#include "exec/failed_row.hpp"

#include <algorithm>

#include "cpu/filter.hpp"
#include "cpu/hash_group_by.hpp"
#include "cpu/project.hpp"
#include "cpu/unnest.hpp"
#include "jit/pipeline_text.hpp"

namespace quern {

namespace {

using Position = std::vector<plan::NodeIndex>::const_iterator;

// What a join evaluates of its first input.
plan::Project keys_of(const plan::Join& join) {
  plan::Project out;
  for (const auto& key : join.keys) out.exprs.push_back(key.probe);
  return out;
}

void push(Context& context, const std::shared_ptr<const plan::Plan>& plan, Position at, Position end, Batch&& batch) {
  if (at == end || batch.rows == 0) return;
  const auto& node = plan->nodes[static_cast<size_t>(*at)];
  if (jit::sort_keys(node) != nullptr) return;  // evaluates nothing
  if (std::holds_alternative<plan::HashGroupBy>(node.op)) {
    const auto sink = cpu::make_hash_group_by(context, plan, *at);
    const auto local = sink->make_local();
    sink->consume(*local, 0, std::move(batch));
    return;
  }
  if (std::holds_alternative<plan::Limit>(node.op) || std::holds_alternative<plan::UnionAll>(node.op))
    return push(context, plan, at + 1, end, std::move(batch));
  std::unique_ptr<Step> step;
  if (const auto* conjuncts = plan::predicate_of(node))
    step = cpu::make_filter(context, plan, *conjuncts);
  else if (const auto* project = std::get_if<plan::Project>(&node.op))
    step = cpu::make_project(context, plan, *project);
  else if (const auto* join = std::get_if<plan::Join>(&node.op))
    step = cpu::make_project(context, plan, keys_of(*join));
  else if (const auto* unnest = std::get_if<plan::Unnest>(&node.op))
    step = cpu::make_unnest(context, plan, *unnest);
  else
    throw internal_error("a GPU node that evaluates nothing");
  const bool goes_on = !std::holds_alternative<plan::Join>(node.op);
  step->process(std::move(batch), [&](Batch&& out) {
    if (goes_on) push(context, plan, at + 1, end, std::move(out));
  });
}

}  // namespace

void raise_failed_row(Context& context, const std::shared_ptr<const plan::Plan>& plan,
                      const std::vector<plan::NodeIndex>& chain, const cuda::RowFailure& failure) {
  push(context, plan, std::find(chain.begin(), chain.end(), failure.node), chain.end(), Batch(failure.row));
  throw internal_error("the GPU refused a row that the CPU does not refuse");
}

}  // namespace quern
