// What every running piece of a query is given: memory, settings, cancellation, metrics. Lives as long as the query.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "common/error.hpp"
#include "context/memory.hpp"

namespace quern {

struct Settings {
  int32_t threads = 1;
  int32_t batch_rows = 2048;                    // rows of a vector (`batch.rows`), at least 1
  int64_t list_offset_limit = (1LL << 31) - 1;  // child elements up to which offsets are 32-bit (`list.offset_limit`)
  std::string temp_dir;
};

// Counters of one query; relaxed atomics, read at the end.
struct Metrics {
  std::atomic<int64_t> rows{0};
  std::atomic<int64_t> bytes_read{0};
  std::atomic<int64_t> pages_read{0};
  std::atomic<int64_t> pages_skipped{0};
  std::atomic<int64_t> row_groups_read{0};
  std::atomic<int64_t> row_groups_skipped{0};
  std::atomic<int64_t> pairs_tested{0};   // of rows in joins whose keys are equal
  std::atomic<int64_t> pairs_written{0};  // that joins gave

  // Files left out by on_bad_file = 'skip', with the reason.
  void add_skipped_file(std::string path, std::string reason) {
    std::lock_guard lock(mutex_);
    skipped_files_.emplace_back(std::move(path), std::move(reason));
  }
  std::vector<std::pair<std::string, std::string>> skipped_files() {
    std::lock_guard lock(mutex_);
    return skipped_files_;
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<std::string, std::string>> skipped_files_;
};

class Context {
 public:
  Context(Memory& memory, Settings settings) : memory_(memory), settings_(std::move(settings)) {}

  Memory& memory() { return memory_; }
  const Settings& settings() const { return settings_; }
  Metrics& metrics() { return metrics_; }

  // Any thread, any number of times. Wakes who waits (on_cancel).
  void cancel() {
    if (cancelled_.exchange(true)) return;
    std::lock_guard lock(mutex_);
    if (wake_) wake_();
  }
  // `wake` is called once when the query is cancelled, at once if it is already. One listener: the result queue.
  void on_cancel(std::function<void()> wake) {
    std::lock_guard lock(mutex_);
    wake_ = std::move(wake);
    if (wake_ && cancelled()) wake_();
  }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
  // Call at least every 50 ms of work. Throws `cancelled`.
  void check_cancelled() const {
    if (cancelled()) throw Error(ErrorSource::user, ErrorCode::cancelled, "query cancelled");
  }

 private:
  Memory& memory_;
  Settings settings_;
  Metrics metrics_;
  std::atomic<bool> cancelled_{false};
  std::mutex mutex_;
  std::function<void()> wake_;
};

}  // namespace quern
