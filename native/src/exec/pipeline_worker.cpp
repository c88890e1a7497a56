#include "exec/pipeline_worker.hpp"

#include <utility>

namespace quern {

size_t Stopwatch::hand_to(size_t owner) {
  const auto now = Clock::now();
  nanoseconds_[current_] += std::chrono::duration_cast<std::chrono::nanoseconds>(now - last_).count();
  last_ = now;
  return std::exchange(current_, owner);
}

PipelineWorker::PipelineWorker(const Pipeline& pipeline, Context& context)
    : pipeline_(pipeline),
      sink_(*pipeline.sink),
      context_(context),
      local_(sink_.make_local()),
      watch_(pipeline.steps.size() + 2),
      rows_(pipeline.steps.size() + 1, 0) {
  for (const auto& placed : pipeline.steps) {
    const size_t next = steps_.size() + 1;
    steps_.push_back(placed.step->fork());
    emits_.push_back([this, next](Batch&& batch) { push(next, std::move(batch)); });
  }
}

void PipelineWorker::run_morsel(int64_t morsel) {
  morsel_ = morsel;
  {
    const auto reader = pipeline_.source->open(morsel);
    Batch batch;
    while (reader->next(batch)) {
      context_.check_cancelled();
      push(0, std::move(batch));
      batch = Batch();
      if (sink_.done() || sink_.morsel_done(*local_)) break;
    }
  }
  const size_t before = watch_.hand_to(steps_.size() + 1);
  sink_.end_morsel(*local_, morsel);
  watch_.hand_to(before);
}

void PipelineWorker::end(QueryMetrics& metrics) {
  context_.check_cancelled();
  watch_.hand_to(steps_.size() + 1);
  sink_.combine(*local_);
  watch_.hand_to(0);
  report(metrics);
}

void PipelineWorker::report(QueryMetrics& metrics) const {
  const auto add = [&](plan::NodeIndex node, size_t owner, int64_t rows) {
    metrics.node(node).rows += rows;
    metrics.node(node).nanoseconds += watch_.of(owner);
  };
  add(pipeline_.source_node, 0, pipeline_.count_source ? rows_[0] : 0);
  if (pipeline_.count_source) metrics.add_strides(pipeline_.source_node, strides_);
  for (size_t i = 0; i < steps_.size(); ++i) add(pipeline_.steps[i].node, i + 1, rows_[i + 1]);
  metrics.node(pipeline_.node).nanoseconds += watch_.of(steps_.size() + 1);
}

void PipelineWorker::note_strides(const Batch& batch) {
  batch_strides_.clear();
  for (const auto& column : batch.columns) batch_strides_.push_back(column->stride);
  merge_strides(strides_, batch_strides_);
}

void PipelineWorker::push(size_t from, Batch&& batch) {
  if (batch.rows == 0) return;
  rows_[from] += batch.rows;
  if (from == 0) note_strides(batch);
  const size_t before = watch_.hand_to(from + 1);
  if (from == steps_.size())
    sink_.consume(*local_, morsel_, std::move(batch));
  else
    steps_[from]->process(std::move(batch), emits_[from]);
  watch_.hand_to(before);
}

}  // namespace quern
