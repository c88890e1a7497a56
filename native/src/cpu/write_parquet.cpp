#include "cpu/write_parquet.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <utility>

#include "cpu/group_cutter.hpp"
#include "cpu/write_files.hpp"
#include "cpu/write_group.hpp"
#include "cpu/write_partitions.hpp"
#include "cpu/write_per_thread.hpp"

namespace quern::cpu {

namespace {

struct Task {
  std::shared_ptr<WriteGroup> group;
  size_t leaf = 0;
};

// Threads shred their batches; shreds join groups in the order of morsels. A full group becomes tasks, one a leaf
// column, which every thread takes on as it comes by; whoever ends the last one writes the group when its turn is
// there. While a group is a trial (group_cutter.hpp) no other one is closed.
class WriteSink : public StoringSink {
 public:
  WriteSink(Context& context, const plan::Node& input, const plan::WriteParquet& op)
      : context_(context),
        files_(op, input, write_options(context, op, 1)),
        sequence_(files_),
        capacity_(waiting_bytes(context)),
        cutter_(files_.options()) {
    sequence_.open();
  }

  std::unique_ptr<Source> source() override {
    auto self = std::static_pointer_cast<WriteSink>(shared_from_this());
    return std::make_unique<TableSource>(context_, [self] { return self->count_; });
  }

  std::unique_ptr<Local> make_local() override { return std::make_unique<Local>(); }

  void consume(Local&, int64_t morsel, Batch&& batch) override {
    cut_rows(context_.memory(), batch, files_.options(), [&](const Batch& piece) {
      context_.check_cancelled();
      place(morsel, parquet::shred(context_.memory(), files_.schema(), piece));
    });
  }

  void end_morsel(Local&, int64_t morsel) override {
    std::unique_lock lock(mutex_);
    morsels_[morsel].ended = true;
    while (true) {
      const auto at = morsels_.find(lowest_);
      if (at == morsels_.end()) break;
      for (parquet::Shred& shred : at->second.shreds) join(std::move(shred));
      at->second.shreds.clear();
      if (!at->second.ended) break;
      morsels_.erase(at);
      ++lowest_;
    }
    changed_.notify_all();
    work(lock);
  }

  void finish(const Parallel& parallel) override {
    cutter_.end();
    close_groups();
    while (!tasks_.empty()) {
      const std::deque<Task> tasks = std::exchange(tasks_, {});
      parallel(static_cast<int64_t>(tasks.size()), [&](int64_t i) {
        context_.check_cancelled();
        encode(tasks[static_cast<size_t>(i)]);
      });
    }
    context_.check_cancelled();
    sequence_.finish();
    files_.commit();
    count_ = count_table(context_, rows_);
  }

 private:
  struct Morsel {
    std::deque<parquet::Shred> shreds;  // while earlier morsels have not ended
    bool ended = false;
  };

  void place(int64_t morsel, parquet::Shred&& shred) {
    std::unique_lock lock(mutex_);
    held_ += held_bytes(shred);
    if (morsel == lowest_)
      join(std::move(shred));
    else
      morsels_[morsel].shreds.push_back(std::move(shred));
    work(lock);
    // What waits for an earlier morsel must not fill the memory; that morsel's own thread waits for trials alone, which
    // are in the hands of other threads once work() has nothing left.
    while (held_ > capacity_ && (morsel != lowest_ || trial_)) {
      changed_.wait_for(lock, std::chrono::milliseconds(20));
      context_.check_cancelled();
      work(lock);
    }
  }

  // The next rows of the file. Locked.
  void join(parquet::Shred&& shred) {
    rows_ += shred.rows;
    cutter_.add(std::move(shred));
    close_groups();
  }

  // Locked.
  void close_groups() {
    while (std::shared_ptr<WriteGroup> group = cutter_.next()) {
      group->number = next_group_++;
      group->chunks.clear();
      group->chunks.resize(files_.schema().leaves.size());
      group->left = group->chunks.size();
      trial_ = group->is_trial;
      for (size_t leaf = 0; leaf < group->chunks.size(); ++leaf) tasks_.push_back({group, leaf});
      changed_.notify_all();
    }
  }

  void work(std::unique_lock<std::mutex>& lock) {
    while (!tasks_.empty()) {
      Task task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      context_.check_cancelled();
      encode(task);
      lock.lock();
    }
  }

  void encode(const Task& task) {
    WriteGroup& group = *task.group;
    group.encode(context_.memory(), files_.schema().leaves[task.leaf], task.leaf, files_.options());
    std::unique_lock lock(mutex_);
    if (--group.left > 0) return;
    if (group.is_trial) {
      trial_ = false;
      const bool is_taken = cutter_.take(group);
      if (!is_taken) --next_group_;
      close_groups();
      changed_.notify_all();
      if (!is_taken) return;
    }
    held_ -= group.held;
    group.shreds.clear();
    encoded_[group.number] = task.group;
    changed_.notify_all();
    write(lock);
  }

  // Writes the groups whose turn it is; one thread at a time.
  void write(std::unique_lock<std::mutex>& lock) {
    if (writing_) return;
    writing_ = true;
    for (auto at = encoded_.find(next_written_); at != encoded_.end(); at = encoded_.find(next_written_)) {
      const std::shared_ptr<WriteGroup> group = std::move(at->second);
      encoded_.erase(at);
      lock.unlock();
      sequence_.append(group->take());
      lock.lock();
      ++next_written_;
    }
    writing_ = false;
  }

  Context& context_;
  WriteFiles files_;
  FileSequence sequence_;
  int64_t capacity_;  // bytes of shreds
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<int64_t, Morsel> morsels_;
  int64_t lowest_ = 0;  // morsel whose rows come next
  GroupCutter cutter_;
  bool trial_ = false;  // one is being encoded
  std::deque<Task> tasks_;
  std::map<int64_t, std::shared_ptr<WriteGroup>> encoded_;
  int64_t next_group_ = 0, next_written_ = 0;
  bool writing_ = false;
  int64_t held_ = 0;  // bytes of shreds
  int64_t rows_ = 0;
  TablePtr count_;
};

}  // namespace

TablePtr count_table(Context& context, int64_t rows) {
  ColumnBuilder count(context.memory(), make_type(TypeKind::int64), 1);
  count.data<int64_t>()[0] = rows;
  auto table = std::make_shared<Table>();
  table->batches.push_back({1, {count.finish()}});
  return table;
}

std::shared_ptr<StoringSink> make_write_parquet(Context& context, const plan::Plan& plan, plan::NodeIndex node) {
  const auto& op = std::get<plan::WriteParquet>(plan.nodes[node].op);
  const plan::Node& input = plan.nodes[plan.nodes[node].inputs[0]];
  if (!op.partition_by.empty()) return make_write_partitions(context, input, op);
  if (op.per_thread) return make_write_per_thread(context, input, op);
  return std::make_shared<WriteSink>(context, input, op);
}

}  // namespace quern::cpu
