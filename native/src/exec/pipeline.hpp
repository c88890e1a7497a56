// Pipelines: a source, streaming steps, a sink. The unit a backend runs; plan nodes are cut into these by exec/cut.cpp.
//
// Data flow on the CPU: workers take morsels of the source in order (sequence numbers 0, 1, 2, …), read them as batches
// of at most Settings::batch_rows rows (fewer when rows are wide: 256 KiB a column), push each through all steps and
// into the sink. The sequence number travels along, so that sinks can keep input order on any number of threads.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "columnar/column.hpp"
#include "context/context.hpp"
#include "plan/plan.hpp"

namespace quern {

// Batches of one morsel, in row order. Used by one thread.
class Reader {
 public:
  virtual ~Reader() = default;
  // False at the end. A batch may have zero rows.
  virtual bool next(Batch& batch) = 0;
};

// Where rows come from: a scan, a table built by an earlier pipeline, a range, values.
class Source {
 public:
  virtual ~Source() = default;
  // Called once, when the pipelines this one depends on have ended.
  virtual void prepare() {}
  // Number of morsels; they are opened in ascending order, each by any thread.
  virtual int64_t morsels() = 0;
  virtual std::unique_ptr<Reader> open(int64_t morsel) = 0;
};

using Emit = std::function<void(Batch&&)>;

// A streaming step. One instance a thread (made by Step::fork).
class Step {
 public:
  virtual ~Step() = default;
  virtual std::unique_ptr<Step> fork() const = 0;
  virtual void process(Batch&& batch, const Emit& emit) = 0;
};

// Where rows end: group-by, sort, result. `Local` is a thread's own state.
class Sink {
 public:
  struct Local {
    virtual ~Local() = default;
  };
  virtual ~Sink() = default;
  virtual std::unique_ptr<Local> make_local() = 0;
  virtual void consume(Local& local, int64_t morsel, Batch&& batch) = 0;
  // After the last batch of a morsel (also of one without rows).
  virtual void end_morsel(Local&, int64_t /*morsel*/) {}
  // Once a thread, then finish() once. finish may use the pool through `parallel`.
  virtual void combine(Local&) {}
  virtual void finish(const std::function<void(int64_t tasks, const std::function<void(int64_t)>&)>& /*parallel*/) {}
  // True when no further input can change the result (a satisfied limit): sources stop.
  virtual bool done() const { return false; }
};

struct Pipeline {
  std::unique_ptr<Source> source;
  std::vector<std::unique_ptr<Step>> steps;
  std::shared_ptr<Sink> sink;
  std::vector<int32_t> after;  // pipelines that must have ended
  plan::NodeIndex node = 0;    // the sink's plan node, for metrics
};

}  // namespace quern
