#include "exec/device_chain.hpp"

#include <algorithm>

namespace quern {

using plan::NodeIndex;

namespace {

const plan::Node& node_at(const plan::Plan& plan, NodeIndex node) { return plan.nodes[static_cast<size_t>(node)]; }

bool moves_to_device(const plan::Node& node) {
  const auto* exchange = std::get_if<plan::Exchange>(&node.op);
  return exchange != nullptr && exchange->mode == plan::ExchangeMode::to_device;
}

}  // namespace

std::vector<NodeIndex> device_chain(const plan::Plan& plan, NodeIndex last) {
  std::vector<NodeIndex> chain;
  for (NodeIndex at = last; !moves_to_device(node_at(plan, at)); at = node_at(plan, at).inputs[0]) {
    chain.push_back(at);
    const auto& node = node_at(plan, at);
    if (std::holds_alternative<plan::Scan>(node.op)) break;
    const size_t wanted = std::holds_alternative<plan::Join>(node.op) ? 2 : 1;
    if (node.inputs.size() != wanted && !std::holds_alternative<plan::UnionAll>(node.op))
      throw internal_error("a chain of GPU nodes with " + std::to_string(node.inputs.size()) + " inputs");
  }
  if (chain.empty()) throw internal_error("a chain of no GPU nodes");
  std::reverse(chain.begin(), chain.end());
  return chain;
}

NodeIndex device_source(const plan::Plan& plan, const std::vector<NodeIndex>& chain) {
  const auto& first = node_at(plan, chain.front());
  return std::holds_alternative<plan::Scan>(first.op) ? chain.front() : first.inputs[0];
}

}  // namespace quern
