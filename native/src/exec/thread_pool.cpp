#include "exec/thread_pool.hpp"

#include <algorithm>
#include <system_error>

#include "common/error.hpp"
#include "exec/first_error.hpp"

namespace quern {

void ThreadPool::start(std::function<void()> task) {
  std::lock_guard lock(mutex_);
  if (closed_) throw Error(ErrorSource::user, ErrorCode::cancelled, "engine closed");
  if (idle_ <= tasks_.size()) {
    try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::system_error& error) {
      throw Error(ErrorSource::resource, ErrorCode::oom, std::string("no thread: ") + error.what());
    }
    ++idle_;
  }
  tasks_.push_back(std::move(task));
  wake_.notify_one();
}

void ThreadPool::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [&] { return closed_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    auto task = std::move(tasks_.front());
    tasks_.pop_front();
    --idle_;
    lock.unlock();
    task();
    task = nullptr;
    lock.lock();
    ++idle_;
  }
}

void ThreadPool::close() {
  std::vector<std::thread> threads;
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    threads.swap(threads_);
    wake_.notify_all();
  }
  for (auto& thread : threads) thread.join();
}

namespace {

// Threads of one run_threads call: how many are left, and what failed first.
class Group {
 public:
  void fail(const std::function<void()>& on_error) {
    {
      std::lock_guard lock(mutex_);
      error_.keep(std::current_exception());
    }
    on_error();
  }
  void add() {
    std::lock_guard lock(mutex_);
    ++running_;
  }
  void end() {
    std::lock_guard lock(mutex_);
    if (--running_ == 0) ended_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [&] { return running_ == 0; });
    if (error_) error_.rethrow();
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  int32_t running_ = 0;
  FirstError error_;
};

}  // namespace

void run_threads(ThreadPool& pool, int32_t threads, const std::function<void(int32_t)>& body,
                 const std::function<void()>& on_error) {
  Group group;
  const auto guarded = [&](int32_t thread) {
    try {
      body(thread);
    } catch (...) {
      group.fail(on_error);
    }
  };
  for (int32_t thread = 1; thread < threads; ++thread) {
    group.add();
    try {
      pool.start([&, thread] {
        guarded(thread);
        group.end();
      });
    } catch (...) {
      group.end();
      group.fail(on_error);
      break;
    }
  }
  guarded(0);
  group.wait();
}

Parallel make_parallel(ThreadPool& pool, Context& context) {
  return [&pool, &context](int64_t tasks, const std::function<void(int64_t)>& task) {
    std::atomic<int64_t> next{0};
    const auto threads = static_cast<int32_t>(std::clamp<int64_t>(tasks, 1, context.settings().threads));
    run_threads(
        pool, threads,
        [&](int32_t) {
          for (int64_t at = next++; at < tasks; at = next++) {
            context.check_cancelled();
            task(at);
          }
        },
        [&] { context.cancel(); });
  };
}

}  // namespace quern
