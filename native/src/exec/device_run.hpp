// A chain of GPU nodes at work, and where its rows go.
#pragma once
#include "exec/device_filters.hpp"
#include "exec/failed_row.hpp"
#include "exec/metrics.hpp"

namespace quern {

struct DeviceRun {
  std::vector<plan::NodeIndex> chain;
  plan::NodeIndex source = 0;  // its scan, or the exchange to_device
  // The exchange to_host, or the join whose table its rows become, or the union of which they are input number `input`.
  plan::NodeIndex end = 0;
  size_t input = 0;
  std::shared_ptr<cuda::Run> run;     // of the chain
  std::shared_ptr<cuda::Run> reader;  // that has the join or union; nullptr = the host reads the rows

  std::shared_ptr<cpu::JoinFilters> filters;  // of the plan

  // Ends the chain: its rows for the host.
  std::vector<Batch> finish(Context& context, const plan::Plan& plan) const {
    if (!reader) return run->finish();
    if (std::holds_alternative<plan::UnionAll>(plan.nodes[static_cast<size_t>(end)].op)) {
      reader->add_input_from(end, input, *run);
      return {};
    }
    reader->build_from(end, *run);
    set_device_filters(context, plan, end, *reader, *filters);
    return {};
  }
  void count_rows(QueryMetrics& metrics) const {
    for (const plan::NodeIndex node : chain) metrics.node(node).rows += run->rows(node);
  }
};

// Does work of a run. The CPU finds the error of a row for which an expression failed on the device.
template <typename Work>
void on_device(Context& context, const std::shared_ptr<const plan::Plan>& plan, const DeviceRun& run, Work&& work) {
  try {
    work();
  } catch (const cuda::RowFailure& failure) {
    raise_failed_row(context, plan, run.chain, failure);
  }
}

}  // namespace quern
