#include "exec/run.hpp"

#include <algorithm>
#include <atomic>

namespace quern {

namespace {

using Clock = std::chrono::steady_clock;

// Attributes a thread's time to whoever has it: the source, a step, or the sink.
class Stopwatch {
 public:
  explicit Stopwatch(size_t owners) : nanoseconds_(owners, 0), last_(Clock::now()) {}
  // Time from now on belongs to `owner`; returns who had it.
  size_t hand_to(size_t owner) {
    const auto now = Clock::now();
    nanoseconds_[current_] += std::chrono::duration_cast<std::chrono::nanoseconds>(now - last_).count();
    last_ = now;
    return std::exchange(current_, owner);
  }
  int64_t of(size_t owner) const { return nanoseconds_[owner]; }

 private:
  std::vector<int64_t> nanoseconds_;
  Clock::time_point last_;
  size_t current_ = 0;
};

// One thread's copy of the steps. Owner 0 is the source, i the i-th step, the last the sink.
class Chain {
 public:
  Chain(const Pipeline& pipeline, Context& context)
      : sink_(*pipeline.sink),
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

  void run_morsel(Source& source, int64_t morsel, const std::atomic<bool>& stop) {
    morsel_ = morsel;
    {
      const auto reader = source.open(morsel);
      Batch batch;
      while (reader->next(batch)) {
        context_.check_cancelled();
        push(0, std::move(batch));
        batch = Batch();
        if (stop.load(std::memory_order_relaxed) || sink_.done() || sink_.morsel_done(*local_)) break;
      }
    }
    const size_t before = watch_.hand_to(steps_.size() + 1);
    sink_.end_morsel(*local_, morsel);
    watch_.hand_to(before);
  }

  void combine() {
    watch_.hand_to(steps_.size() + 1);
    sink_.combine(*local_);
    watch_.hand_to(0);
  }

  void report(const Pipeline& pipeline, QueryMetrics& metrics) const {
    const auto add = [&](plan::NodeIndex node, size_t owner, int64_t rows) {
      metrics.node(node).rows += rows;
      metrics.node(node).nanoseconds += watch_.of(owner);
    };
    add(pipeline.source_node, 0, pipeline.count_source ? rows_[0] : 0);
    if (pipeline.count_source) metrics.add_strides(pipeline.source_node, strides_);
    for (size_t i = 0; i < pipeline.steps.size(); ++i) add(pipeline.steps[i].node, i + 1, rows_[i + 1]);
    metrics.node(pipeline.node).nanoseconds += watch_.of(steps_.size() + 1);
  }

 private:
  void note_strides(const Batch& batch) {
    batch_strides_.clear();
    for (const auto& column : batch.columns) batch_strides_.push_back(column->stride);
    merge_strides(strides_, batch_strides_);
  }

  // A batch that owner `from` gave.
  void push(size_t from, Batch&& batch) {
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

}  // namespace

void run(Pipeline& pipeline, Context& context, ThreadPool& pool, QueryMetrics& metrics) {
  const auto started = Clock::now();
  const Parallel parallel = make_parallel(pool, context);
  pipeline.source->prepare(parallel);
  const int64_t morsels = pipeline.source->morsels();
  const auto threads = static_cast<int32_t>(std::clamp<int64_t>(morsels, 1, context.settings().threads));
  std::atomic<int64_t> next{0};
  std::atomic<bool> stop{false};
  run_threads(
      pool, threads,
      [&](int32_t) {
        Chain chain(pipeline, context);
        while (!stop.load(std::memory_order_relaxed) && !pipeline.sink->done()) {
          const int64_t morsel = next++;
          if (morsel >= morsels) break;
          context.check_cancelled();
          chain.run_morsel(*pipeline.source, morsel, stop);
        }
        context.check_cancelled();
        chain.combine();
        chain.report(pipeline, metrics);
      },
      [&] {
        stop = true;
        context.cancel();
      });
  const auto finishing = Clock::now();
  pipeline.sink->finish(parallel);
  metrics.node(pipeline.node).nanoseconds +=
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - finishing).count();
  metrics.add({pipeline.source_node, pipeline.node, morsels, threads,
               std::chrono::duration<double, std::milli>(Clock::now() - started).count()});
}

}  // namespace quern
