// Result blocks in morsel order, between the threads that make them and the one that takes them.
//
// Blocks are memory of JavaScript to be, outside of the budget: what is queued is bounded by a few blocks.
// Bounded in bytes without deadlock: blocks of the lowest morsel that has not ended are ready to be taken, and its
// thread waits only while enough is ready; the other threads wait while enough is queued in all.
#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <variant>

#include "common/error.hpp"
#include "context/context.hpp"
#include "exec/export.hpp"

namespace quern {

struct NotReady {};
struct EndOfResult {};
using Taken = std::variant<NotReady, EndOfResult, ResultBlock, Error>;

class ResultQueue {
 public:
  explicit ResultQueue(Context& context);

  // `on_ready` is called from any thread after a try_take that gave NotReady, once something is there.
  void set_on_ready(std::function<void()> on_ready);
  Taken try_take();

  // A block of `morsel`; blocks of one morsel come in order, from one thread. Waits while the queue is full; throws
  // `cancelled`. `pieces` are the block's rows, needed where a limit cuts it.
  void push(int64_t morsel, ResultBlock block, const std::vector<Batch>* pieces);
  void end_morsel(int64_t morsel);
  void finish();
  void fail(Error error);

  // Only rows [offset, offset + limit) are given.
  void set_limit(int64_t offset, std::optional<int64_t> limit);
  bool limited() const { return limited_; }
  bool satisfied() const { return satisfied_; }
  // The limit's rows from the start: what one morsel can contribute at most.
  int64_t needed_rows() const { return end_row_; }
  void wake();

 private:
  struct Item {
    ResultBlock block;
    std::vector<Batch> pieces;
  };
  struct Morsel {
    std::deque<Item> items;
    bool ended = false;
  };

  bool full(int64_t morsel) const;
  void deliver(Item item);
  bool cut(Item& item);
  // Calls on_ready if somebody waits and something is there. Unlocks.
  void signal(std::unique_lock<std::mutex>& lock);

  Context& context_;
  int64_t capacity_;  // bytes
  std::mutex mutex_;
  std::condition_variable space_;
  std::function<void()> on_ready_;
  bool waiting_ = false;
  std::map<int64_t, Morsel> morsels_;
  int64_t lowest_ = 0;
  std::deque<Item> ready_;
  int64_t ready_bytes_ = 0;
  int64_t total_bytes_ = 0;
  std::optional<Error> error_;
  bool finished_ = false;
  bool limited_ = false;
  std::atomic<bool> satisfied_{false};
  int64_t first_row_ = 0;
  int64_t end_row_ = INT64_MAX;
  int64_t delivered_rows_ = 0;  // before the cut
};

}  // namespace quern
