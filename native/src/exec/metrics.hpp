// Measurements of one query's nodes and pipelines, for EXPLAIN ANALYZE.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "context/context.hpp"
#include "context/node_counters.hpp"
#include "cuda/interface.hpp"
#include "plan/plan.hpp"

namespace quern {

struct NodeMetrics {
  NodeCounters counters;
  std::atomic<int64_t> rows{0};         // rows the node gave
  std::atomic<int64_t> nanoseconds{0};  // its own time, summed over threads
  std::vector<int64_t> strides;         // of a source: Column::stride that all batches share, by column
};

struct PipelineMetrics {
  plan::NodeIndex source = 0;
  plan::NodeIndex sink = 0;
  int64_t morsels = 0;
  int32_t threads = 0;
  double milliseconds = 0;
};

// Leaves in `known` what `strides` agrees with; takes them over when nothing is known yet.
void merge_strides(std::vector<int64_t>& known, const std::vector<int64_t>& strides);

class QueryMetrics {
 public:
  // Once the plan is known.
  void start(size_t nodes);
  NodeMetrics& node(plan::NodeIndex index) { return nodes_[static_cast<size_t>(index)]; }
  void add(const PipelineMetrics& pipeline);
  // Strides of the batches that one thread took from a source.
  void add_strides(plan::NodeIndex node, const std::vector<int64_t>& strides);
  // What a chain of GPU nodes cost; `node` is the exchange at its end.
  void add_device(plan::NodeIndex node, const cuda::RunMetrics& metrics);
  void end();
  // {elapsedMs, rows, bytesRead, peakMemory, pagesRead, …, nodes: [{rows, ms, strides}], pipelines: [{source, sink, ms,
  // …}], devices: [{node, deviceMs, compileMs, launches, …}]}
  std::string json(Context& context);

 private:
  std::mutex mutex_;
  size_t node_count_ = 0;
  std::unique_ptr<NodeMetrics[]> nodes_;
  std::vector<PipelineMetrics> pipelines_;
  std::vector<std::pair<plan::NodeIndex, cuda::RunMetrics>> devices_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point ended_{};
};

}  // namespace quern
