// An engine: memory, threads, caches, shared by its queries.
#pragma once
#include <mutex>
#include <set>

#include "exec/describe.hpp"
#include "exec/query.hpp"

namespace quern {

class Engine {
 public:
  Engine(int64_t memory_limit, Settings settings);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // A query that has not started. Keep the engine alive as long as the query.
  std::shared_ptr<Query> make_query();
  // Runs `work` on a thread of the pool; returns at once. `work` must not throw.
  void start(std::function<void()> work) { pool_.start(std::move(work)); }
  // Cancels every query, waits, joins all threads. Nothing can be started afterwards. Any number of times, from any
  // thread but the pool's.
  void close();

  // Removes the temporary files of everything that is being written, of all engines, without waiting: for a process
  // that is about to end while queries run.
  static void discard_unfinished_files();

  // Blocking; for threads of the pool. See describe.hpp.
  std::string describe(const DescribeRequest& request);
  std::string inspect(const std::string& path, bool scan_levels);

  Memory& memory() { return memory_; }
  const Settings& settings() const { return settings_; }

 private:
  Memory memory_;
  Settings settings_;
  ThreadPool pool_;
  cpu::FileCache files_;
  std::mutex mutex_;
  std::vector<std::weak_ptr<Query>> queries_;
  std::set<Context*> contexts_;  // of describe and inspect
  bool closed_ = false;
  std::mutex closing_;
};

// What this build can do, as JSON: {"devices": ["cpu"], "operators": […], "generators": [{"name", "columns": [{"name",
// "type"}]}]}.
std::string capabilities_json();

}  // namespace quern
