// One running plan: its context, its threads' work, and the result on its way out.
#pragma once
#include <atomic>
#include <condition_variable>
#include <mutex>

#include "cpu/file_cache.hpp"
#include "exec/metrics.hpp"
#include "exec/result_queue.hpp"
#include "exec/thread_pool.hpp"

namespace quern {

class Query {
 public:
  Query(Memory& memory, const Settings& settings, ThreadPool& pool, cpu::FileCache& files);
  ~Query();
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  // Starts the work on a thread of the pool; returns at once. Errors come out of try_take.
  void start(std::string plan_json);
  // See ResultQueue.
  void set_on_ready(std::function<void()> on_ready) { queue_.set_on_ready(std::move(on_ready)); }
  Taken try_take() { return queue_.try_take(); }
  // Any thread, any number of times: the result ends with the error `cancelled`. At once, but that of a query that
  // writes a file ends when the file is gone.
  void cancel();
  // Blocks until no thread works for the query.
  void wait();
  std::string metrics_json() { return metrics_.json(context_); }

 private:
  void drive(const std::string& plan_json);

  Context context_;
  ThreadPool& pool_;
  cpu::FileCache& files_;
  QueryMetrics metrics_;
  ResultQueue queue_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool running_ = false;
  std::atomic<bool> writes_{false};
};

// What a failure is to the user: Error as it is, bad_alloc as oom, anything else as internal.
Error current_error();

}  // namespace quern
