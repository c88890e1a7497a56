// Pipelines: a source, streaming steps, a sink. The unit a backend runs; exec/cut.cpp cuts plan nodes into these.
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

// Bytes of one column vector that batches of wide rows are cut to.
constexpr int64_t vector_bytes = 256 * 1024;

// Runs task(0) … task(tasks - 1), each once, on the query's threads; returns when all have ended; throws the first
// error.
using Parallel = std::function<void(int64_t tasks, const std::function<void(int64_t)>& task)>;

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
  virtual void prepare(const Parallel& /*parallel*/) {}
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
  // Once a thread, then finish() once. combine may run on several threads at a time; finish may use the pool.
  virtual void combine(Local&) {}
  virtual void finish(const Parallel& /*parallel*/) {}
  // True when no further input can change the result (a satisfied limit): sources stop.
  virtual bool done() const { return false; }
  // True when no further row of the thread's current morsel can change the result: its reader is closed early.
  virtual bool morsel_done(const Local&) const { return false; }
};

// A sink whose rows a later pipeline reads. `source` is called while pipelines are cut, once a reader of the rows (more
// than once for a shared subplan); what it returns is prepared after finish().
class StoringSink : public Sink, public std::enable_shared_from_this<StoringSink> {
 public:
  virtual std::unique_ptr<Source> source() = 0;
};

// A step and the plan node whose rows it gives.
struct PlacedStep {
  std::unique_ptr<Step> step;
  plan::NodeIndex node = 0;
};

struct Pipeline {
  std::unique_ptr<Source> source;
  plan::NodeIndex source_node = 0;
  bool count_source = true;  // whether the source's rows are the node's rows (a second reader's are not)
  std::vector<PlacedStep> steps;
  std::shared_ptr<Sink> sink;
  std::vector<int32_t> after;  // pipelines that must have ended
  plan::NodeIndex node = 0;    // the sink's plan node, for metrics
};

}  // namespace quern
