#include "exec/placement.hpp"

#include "common/json_text.hpp"
#include "jit/pipeline_text.hpp"
#include "plan/plan.hpp"

namespace quern {

std::string placement_json(const std::string& plan_json) {
  Memory memory(INT64_MAX);  // for literals only
  const auto plan = plan::decode(plan_json.data(), plan_json.size(), memory);
  JsonList out('[');
  for (size_t node = 0; node < plan->nodes.size(); ++node)
    out.item(json_string(jit::cpu_reason(*plan, static_cast<plan::NodeIndex>(node))));
  return out.text();
}

}  // namespace quern
