// A chain of GPU nodes that begins with a scan: the host reads page headers and bytes and takes compression off, the
// device decodes. The source's morsels are pieces of that work; the sink does them, in the place of taking rows.
#pragma once
#include "cpu/file_cache.hpp"
#include "exec/device_run.hpp"
#include "plan/pipeline.hpp"

namespace quern {

struct DeviceScan {
  std::unique_ptr<Source> source;
  std::shared_ptr<StoringSink> sink;
};

DeviceScan make_device_scan(Context& context, cpu::FileCache& files, std::shared_ptr<const plan::Plan> plan,
                            DeviceRun run, QueryMetrics& metrics);

}  // namespace quern
