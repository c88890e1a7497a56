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

std::vector<NodeIndex> device_chain(const plan::Plan& plan, NodeIndex to_host) {
  std::vector<NodeIndex> chain;
  NodeIndex at = to_host;
  for (;;) {
    const auto& inputs = node_at(plan, at).inputs;
    const size_t wanted = std::holds_alternative<plan::Join>(node_at(plan, at).op) ? 2 : 1;
    if (inputs.size() != wanted)
      throw internal_error("a chain of GPU nodes with " + std::to_string(inputs.size()) + " inputs");
    at = inputs[0];
    if (moves_to_device(node_at(plan, at))) break;
    chain.push_back(at);
    if (std::holds_alternative<plan::Scan>(node_at(plan, at).op)) break;
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

NodeIndex device_source(const plan::Plan& plan, NodeIndex to_host) {
  const auto chain = device_chain(plan, to_host);
  const NodeIndex first = chain.empty() ? to_host : chain.front();
  return std::holds_alternative<plan::Scan>(node_at(plan, first).op) ? first : node_at(plan, first).inputs[0];
}

}  // namespace quern
