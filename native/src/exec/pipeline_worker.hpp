// One thread's part of a pipeline: its copies of the steps, its state of the sink, and where its time went.
#pragma once
#include <chrono>
#include <memory>
#include <vector>

#include "exec/metrics.hpp"
#include "plan/pipeline.hpp"

namespace quern {

// Attributes a thread's time to whoever has it: the source, a step, or the sink.
class Stopwatch {
 public:
  using Clock = std::chrono::steady_clock;
  explicit Stopwatch(size_t owners) : nanoseconds_(owners, 0), last_(Clock::now()) {}
  // Time from now on belongs to `owner`; returns who had it.
  size_t hand_to(size_t owner);
  int64_t of(size_t owner) const { return nanoseconds_[owner]; }

 private:
  std::vector<int64_t> nanoseconds_;
  Clock::time_point last_;
  size_t current_ = 0;
};

// Owner 0 is the source, i the i-th step, the last the sink.
class PipelineWorker {
 public:
  PipelineWorker(const Pipeline& pipeline, Context& context);
  // Pushes the rows of one morsel through the steps into the sink.
  void run_morsel(int64_t morsel);
  // After the last morsel of this thread: its state goes to the sink, its counts to `metrics`.
  void end(QueryMetrics& metrics);

 private:
  void note_strides(const Batch& batch);
  // A batch that owner `from` gave.
  void push(size_t from, Batch&& batch);
  void report(QueryMetrics& metrics) const;

  const Pipeline& pipeline_;
  Sink& sink_;
  Context& context_;
  std::unique_ptr<Sink::Local> local_;
  std::vector<std::unique_ptr<Step>> steps_;
  std::vector<Emit> emits_;
  Stopwatch watch_;
  std::vector<int64_t> rows_;
  std::vector<int64_t> strides_, batch_strides_;  // by column of the source
  int64_t morsel_ = 0;
};

}  // namespace quern
