#include "exec/placement.hpp"

#include "common/json_text.hpp"
#include "exec/constant_lists.hpp"
#include "exec/device_field.hpp"
#include "jit/pipeline_text.hpp"
#include "plan/plan.hpp"

namespace quern {

std::string placement_json(const std::string& plan_json) {
  Memory memory(INT64_MAX);  // for literals and footers only
  Context context(memory, Settings{});
  const auto plan = with_constant_lists(context, plan::decode(plan_json.data(), plan_json.size(), memory));
  cpu::FileCache files(memory);
  JsonList out('[');
  for (size_t node = 0; node < plan->nodes.size(); ++node) {
    auto reason = jit::cpu_reason(*plan, static_cast<plan::NodeIndex>(node));
    const auto* scan = std::get_if<plan::Scan>(&plan->nodes[node].op);
    if (scan != nullptr && reason.empty()) reason = scan_reason(files, *scan);
    out.item(json_string(reason));
  }
  return out.text();
}

}  // namespace quern
