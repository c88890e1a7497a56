#include "exec/metrics.hpp"

#include <algorithm>
#include <cstdio>

#include "columnar/column.hpp"
#include "common/json_text.hpp"

namespace quern {

namespace {

std::string number(double value) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.3f", value);
  return text;
}

}  // namespace

void merge_strides(std::vector<int64_t>& known, const std::vector<int64_t>& strides) {
  if (known.empty()) known = strides;
  for (size_t i = 0; i < known.size(); ++i) {
    if (known[i] != strides[i]) known[i] = unknown_stride;
  }
}

void QueryMetrics::add_strides(plan::NodeIndex node, const std::vector<int64_t>& strides) {
  std::lock_guard lock(mutex_);
  if (!strides.empty()) merge_strides(nodes_[static_cast<size_t>(node)].strides, strides);
}

void QueryMetrics::start(size_t nodes) {
  std::lock_guard lock(mutex_);
  node_count_ = nodes;
  nodes_ = std::make_unique<NodeMetrics[]>(nodes);
}

void QueryMetrics::add(const PipelineMetrics& pipeline) {
  std::lock_guard lock(mutex_);
  pipelines_.push_back(pipeline);
}

void QueryMetrics::add_device(plan::NodeIndex node, const cuda::RunMetrics& metrics) {
  std::lock_guard lock(mutex_);
  for (const auto& [join, index] : metrics.indexes) nodes_[static_cast<size_t>(join)].counters.index = index;
  devices_.emplace_back(node, metrics);
}

void QueryMetrics::end() {
  std::lock_guard lock(mutex_);
  if (ended_ == std::chrono::steady_clock::time_point{}) ended_ = std::chrono::steady_clock::now();
}

std::string QueryMetrics::json(Context& context) {
  std::lock_guard lock(mutex_);
  const auto until = ended_ == std::chrono::steady_clock::time_point{} ? std::chrono::steady_clock::now() : ended_;
  auto& query = context.metrics();
  const auto count = [](const std::atomic<int64_t>& value) {
    return std::to_string(value.load(std::memory_order_relaxed));
  };
  JsonList nodes('[');
  for (size_t i = 0; i < node_count_; ++i) {
    JsonList node('{');
    node.member("rows", count(nodes_[i].rows));
    node.member("ms", number(static_cast<double>(nodes_[i].nanoseconds) / 1e6));
    const auto& strides = nodes_[i].strides;
    if (std::any_of(strides.begin(), strides.end(), [](int64_t stride) { return stride != unknown_stride; })) {
      JsonList list('[');
      for (const int64_t stride : strides) list.item(std::to_string(stride));
      node.member("strides", list.text());
    }
    const auto& counters = nodes_[i].counters;
    if (counters.filtered_row_groups + counters.filtered_pages + counters.filtered_rows > 0) {
      node.member("filteredRowGroups", count(counters.filtered_row_groups));
      node.member("filteredPages", count(counters.filtered_pages));
      node.member("filteredRows", count(counters.filtered_rows));
    }
    if (counters.stopped_filters > 0) node.member("stoppedFilters", count(counters.stopped_filters));
    if (!counters.index.empty()) node.member("index", json_string(counters.index));
    nodes.item(node.text());
  }
  JsonList pipelines('[');
  for (const auto& pipeline : pipelines_) {
    pipelines.item(JsonList('{')
                       .member("source", std::to_string(pipeline.source))
                       .member("sink", std::to_string(pipeline.sink))
                       .member("morsels", std::to_string(pipeline.morsels))
                       .member("threads", std::to_string(pipeline.threads))
                       .member("ms", number(pipeline.milliseconds))
                       .text());
  }
  JsonList devices('[');
  for (const auto& [node, device] : devices_) {
    JsonList tiers('[');
    for (const auto& [group_by, tier] : device.tiers)
      tiers.item(JsonList('{').member("node", std::to_string(group_by)).member("tier", json_string(tier)).text());
    JsonList host_chunks('[');
    for (const auto& [reason, chunks] : device.host_chunks)
      host_chunks.item(
          JsonList('{').member("reason", json_string(reason)).member("chunks", std::to_string(chunks)).text());
    devices.item(JsonList('{')
                     .member("node", std::to_string(node))
                     .member("deviceMs", number(static_cast<double>(device.device_ns) / 1e6))
                     .member("compileMs", number(static_cast<double>(device.compile_ns) / 1e6))
                     .member("launches", std::to_string(device.launches))
                     .member("readBacks", std::to_string(device.read_backs))
                     .member("bytesToDevice", std::to_string(device.bytes_to_device))
                     .member("bytesToHost", std::to_string(device.bytes_to_host))
                     .member("peakBytes", std::to_string(device.peak_bytes))
                     .member("tiers", tiers.text())
                     .member("deviceChunks", std::to_string(device.device_chunks))
                     .member("cachedChunks", std::to_string(device.cached_chunks))
                     .member("hostChunks", host_chunks.text())
                     .text());
  }
  JsonList skipped('[');
  for (const auto& [path, reason] : query.skipped_files()) {
    skipped.item(JsonList('{').member("path", json_string(path)).member("reason", json_string(reason)).text());
  }
  return JsonList('{')
      .member("elapsedMs", number(std::chrono::duration<double, std::milli>(until - started_).count()))
      .member("rows", count(query.rows))
      .member("bytesRead", count(query.bytes_read))
      .member("peakMemory", std::to_string(context.memory().peak()))
      .member("pagesRead", count(query.pages_read))
      .member("pagesSkipped", count(query.pages_skipped))
      .member("rowGroupsRead", count(query.row_groups_read))
      .member("rowGroupsSkipped", count(query.row_groups_skipped))
      .member("pairsTested", count(query.pairs_tested))
      .member("pairsWritten", count(query.pairs_written))
      .member("nodes", nodes.text())
      .member("pipelines", pipelines.text())
      .member("devices", devices.text())
      .member("skippedFiles", skipped.text())
      .text();
}

}  // namespace quern
