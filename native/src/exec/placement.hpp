// Which nodes of a plan a GPU can run: decided while planning, shown in EXPLAIN. Needs neither a GPU nor quern_cuda.so.
#pragma once
#include <string>

namespace quern {

// JSON: by node why it runs on the CPU, "" = the GPU can run it.
std::string placement_json(const std::string& plan_json);

}  // namespace quern
