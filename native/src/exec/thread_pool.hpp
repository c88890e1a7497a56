// Threads of one engine. Grows with demand and keeps what it has: a query that waits for its consumer holds its
// threads, and another query must still be able to run.
#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "plan/pipeline.hpp"

namespace quern {

class ThreadPool {
 public:
  ThreadPool() = default;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool() { close(); }

  // Runs `task` on an idle thread, or on a new one. `task` must not throw.
  void start(std::function<void()> task);
  // Waits until every started task has ended, then joins. Later starts throw.
  void close();

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
  size_t idle_ = 0;
  bool closed_ = false;
};

// Runs body(0) … body(threads - 1) at once, the first on the calling thread; returns when all have ended. The first
// error is thrown again after `on_error` was called, at once, on the thread that failed.
void run_threads(ThreadPool& pool, int32_t threads, const std::function<void(int32_t)>& body,
                 const std::function<void()>& on_error);

// `Parallel` over at most `threads` threads of the pool; an error cancels the query.
Parallel make_parallel(ThreadPool& pool, Context& context);

}  // namespace quern
