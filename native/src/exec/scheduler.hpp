// Runs the pipelines of a query on its threads.
//
// Up to Settings::threads threads, the caller's among them, take tasks of sources and sinks first, then morsels of the
// first pipeline, in the given order, whose inputs (Pipeline::after) are complete: small pipelines run side by side,
// and a thread that finds no morsel left in one goes on with the next. Morsels of one pipeline are taken in ascending
// order.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "exec/first_error.hpp"
#include "exec/metrics.hpp"
#include "exec/thread_pool.hpp"
#include "plan/pipeline.hpp"

namespace quern {

class Scheduler {
 public:
  Scheduler(std::vector<Pipeline> pipelines, Context& context, ThreadPool& pool, QueryMetrics& metrics);
  // Returns when all pipelines have ended and every thread has left. The first error cancels the query and is thrown
  // then. Once.
  void run();

 private:
  using Clock = std::chrono::steady_clock;
  using Lock = std::unique_lock<std::mutex>;

  enum class State {
    waiting,    // for the pipelines of Pipeline::after
    ready,      // no thread has it yet
    preparing,  // one thread prepares its source
    open,       // threads take morsels
    finishing,  // one thread finishes its sink
    ended,
  };
  struct Run {
    Pipeline pipeline;
    State state = State::waiting;
    size_t inputs = 0;            // pipelines that it waits for
    std::vector<size_t> readers;  // pipelines that wait for it
    int64_t morsels = 0;
    std::atomic<int64_t> next{0};
    int32_t active = 0;   // threads that work on morsels
    int32_t threads = 0;  // threads that took part
    Clock::time_point started;
    double milliseconds = 0;
  };
  // Tasks that a thread shares out and waits for.
  struct Tasks {
    int64_t count = 0;
    const std::function<void(int64_t)>& task;
    std::atomic<int64_t> next{0};
    int32_t active = 0;
  };

  void work();
  void wait_for_work(Lock& lock);
  Tasks* open_tasks();
  Run* open_run();
  void help(Tasks& tasks, Lock& lock);
  void share(int64_t count, const std::function<void(int64_t)>& task);
  void prepare(Run& run, Lock& lock);
  void take_part(Run& run, Lock& lock);
  void finish(Run& run, Lock& lock);
  // There is work for `places` more threads.
  void invite(int64_t places);
  void fail();
  void report();

  std::vector<Run> runs_;
  Context& context_;
  ThreadPool& pool_;
  QueryMetrics& metrics_;
  const Parallel parallel_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Tasks*> shared_;
  size_t ended_ = 0;
  int32_t workers_ = 1;  // threads inside work(), the caller's among them, and those on their way there
  int32_t idle_ = 0;
  bool failed_ = false;
  FirstError error_;
};

}  // namespace quern
