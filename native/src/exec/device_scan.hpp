// A chain of GPU nodes that begins with a scan: the host reads page headers and bytes and takes compression off, the
// device decodes. The source's morsels are pieces of that work; the sink does them, in the place of taking rows.
#pragma once
#include "cpu/file_cache.hpp"
#include "exec/metrics.hpp"
#include "plan/pipeline.hpp"

namespace quern {

struct DeviceScan {
  std::unique_ptr<Source> source;
  std::shared_ptr<StoringSink> sink;
};

// `to_host`: the exchange at the end of the chain, which `run` runs.
DeviceScan make_device_scan(Context& context, cpu::FileCache& files, std::shared_ptr<const plan::Plan> plan,
                            plan::NodeIndex to_host, QueryMetrics& metrics, std::shared_ptr<cuda::Run> run);

}  // namespace quern
