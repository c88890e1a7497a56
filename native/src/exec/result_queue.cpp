#include "exec/result_queue.hpp"

#include <algorithm>

namespace quern {

ResultQueue::ResultQueue(Context& context)
    : context_(context), capacity_(std::clamp<int64_t>(context.memory().limit() / 8, 1 << 20, 4 * block_bytes)) {}

void ResultQueue::set_on_ready(std::function<void()> on_ready) {
  std::lock_guard lock(mutex_);
  on_ready_ = std::move(on_ready);
}

void ResultQueue::set_limit(int64_t offset, std::optional<int64_t> limit) {
  limited_ = true;
  first_row_ = offset;
  end_row_ = !limit || *limit > INT64_MAX - offset ? INT64_MAX : offset + *limit;
  if (limit && *limit == 0) satisfied_ = true;
}

void ResultQueue::signal(std::unique_lock<std::mutex>& lock) {
  std::function<void()> on_ready;
  if (waiting_ && (!ready_.empty() || finished_ || error_)) {
    waiting_ = false;
    on_ready = on_ready_;
  }
  lock.unlock();
  if (on_ready) on_ready();
}

Taken ResultQueue::try_take() {
  std::unique_lock lock(mutex_);
  if (error_) return *error_;
  if (!ready_.empty()) {
    Item item = std::move(ready_.front());
    ready_.pop_front();
    ready_bytes_ -= item.block.size;
    total_bytes_ -= item.block.size;
    space_.notify_all();
    return std::move(item.block);
  }
  if (finished_) return EndOfResult{};
  waiting_ = true;
  return NotReady{};
}

bool ResultQueue::full(int64_t morsel) const {
  return morsel == lowest_ ? ready_bytes_ >= capacity_ : total_bytes_ >= capacity_;
}

void ResultQueue::push(int64_t morsel, ResultBlock block, const std::vector<Batch>* pieces) {
  Item item{std::move(block), {}};
  if (pieces != nullptr) item.pieces = *pieces;
  std::unique_lock lock(mutex_);
  space_.wait(lock, [&] { return !full(morsel) || context_.cancelled() || satisfied_; });
  if (satisfied_) return;
  lock.unlock();
  context_.check_cancelled();
  lock.lock();
  total_bytes_ += item.block.size;
  if (morsel == lowest_)
    deliver(std::move(item));
  else
    morsels_[morsel].items.push_back(std::move(item));
  signal(lock);
}

void ResultQueue::end_morsel(int64_t morsel) {
  std::unique_lock lock(mutex_);
  morsels_[morsel].ended = true;
  while (!morsels_.empty() && morsels_.begin()->first == lowest_ && morsels_.begin()->second.ended) {
    morsels_.erase(morsels_.begin());
    ++lowest_;
    const auto next = morsels_.find(lowest_);
    if (next == morsels_.end()) break;
    for (auto& item : next->second.items) deliver(std::move(item));
    next->second.items.clear();
  }
  space_.notify_all();
  signal(lock);
}

// In input order. Under the lock.
void ResultQueue::deliver(Item item) {
  const int64_t bytes = item.block.size;
  if (limited_ && !cut(item)) {
    total_bytes_ -= bytes;
    return;
  }
  total_bytes_ += item.block.size - bytes;
  ready_bytes_ += item.block.size;
  context_.metrics().rows += item.block.rows;
  item.pieces.clear();
  ready_.push_back(std::move(item));
}

// Leaves the rows that the limit lets through; false when there are none.
bool ResultQueue::cut(Item& item) {
  const int64_t start = delivered_rows_;
  delivered_rows_ += item.block.rows;
  if (delivered_rows_ >= end_row_) {
    satisfied_ = true;
    space_.notify_all();
  }
  const int64_t from = std::max(start, first_row_) - start;
  const int64_t until = std::min(delivered_rows_, end_row_) - start;
  if (from >= until) return false;
  if (from == 0 && until == item.block.rows) return true;
  std::vector<Batch> kept;
  int64_t at = 0;
  for (const auto& piece : item.pieces) {
    const int64_t first = std::max(at, from);
    const int64_t last = std::min(at + piece.rows, until);
    if (first < last) kept.push_back(slice(context_.memory(), piece, first - at, last - first));
    at += piece.rows;
  }
  item.block = export_batches(kept, context_.settings().list_offset_limit);
  return true;
}

void ResultQueue::finish() {
  std::unique_lock lock(mutex_);
  finished_ = true;
  signal(lock);
}

void ResultQueue::fail(Error error) {
  std::unique_lock lock(mutex_);
  if (!error_) error_ = std::move(error);
  ready_.clear();
  morsels_.clear();
  space_.notify_all();
  signal(lock);
}

void ResultQueue::wake() {
  std::lock_guard lock(mutex_);
  space_.notify_all();
}

}  // namespace quern
