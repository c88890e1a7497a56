#include "exec/metrics.hpp"

#include <cstdio>

#include "common/json_text.hpp"

namespace quern {

namespace {

std::string number(double value) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.3f", value);
  return text;
}

}  // namespace

void QueryMetrics::start(size_t nodes) {
  std::lock_guard lock(mutex_);
  node_count_ = nodes;
  nodes_ = std::make_unique<NodeMetrics[]>(nodes);
}

void QueryMetrics::add(const PipelineMetrics& pipeline) {
  std::lock_guard lock(mutex_);
  pipelines_.push_back(pipeline);
}

void QueryMetrics::end() {
  std::lock_guard lock(mutex_);
  if (ended_ == std::chrono::steady_clock::time_point{}) ended_ = std::chrono::steady_clock::now();
}

std::string QueryMetrics::json(Context& context) {
  std::lock_guard lock(mutex_);
  const auto until = ended_ == std::chrono::steady_clock::time_point{} ? std::chrono::steady_clock::now() : ended_;
  auto& counters = context.metrics();
  const auto count = [](const std::atomic<int64_t>& value) {
    return std::to_string(value.load(std::memory_order_relaxed));
  };
  JsonList nodes('[');
  for (size_t i = 0; i < node_count_; ++i) {
    nodes.item(JsonList('{')
                   .member("rows", count(nodes_[i].rows))
                   .member("ms", number(static_cast<double>(nodes_[i].nanoseconds) / 1e6))
                   .text());
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
  JsonList skipped('[');
  for (const auto& [path, reason] : counters.skipped_files()) {
    skipped.item(JsonList('{').member("path", json_string(path)).member("reason", json_string(reason)).text());
  }
  return JsonList('{')
      .member("elapsedMs", number(std::chrono::duration<double, std::milli>(until - started_).count()))
      .member("rows", count(counters.rows))
      .member("bytesRead", count(counters.bytes_read))
      .member("peakMemory", std::to_string(context.memory().peak()))
      .member("pagesRead", count(counters.pages_read))
      .member("pagesSkipped", count(counters.pages_skipped))
      .member("rowGroupsRead", count(counters.row_groups_read))
      .member("rowGroupsSkipped", count(counters.row_groups_skipped))
      .member("pairsTested", count(counters.pairs_tested))
      .member("pairsWritten", count(counters.pairs_written))
      .member("nodes", nodes.text())
      .member("pipelines", pipelines.text())
      .member("skippedFiles", skipped.text())
      .text();
}

}  // namespace quern
