#include "cpu/write_partitions.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <unordered_map>
#include <utility>

#include "cpu/group_writer.hpp"
#include "cpu/partition_folders.hpp"
#include "cpu/write_parquet.hpp"

namespace quern::cpu {

namespace {

// Where there are more folders, a file is ended with each row group that it gets.
constexpr size_t most_open_files = 100;
// Rows gathered before they are split: pieces are larger then.
constexpr int64_t split_rows = 65536;
constexpr int64_t split_bytes = 16 << 20;
// A row group is made of whole shreds: 15 of these are one of the usual size.
constexpr int64_t shred_rows = 8192;
// Bytes of a folder's shreds that are worth handing to its writer.
constexpr int64_t handed_bytes = 1 << 20;
// Groups that may be large at a time.
constexpr int64_t open_groups = 4;

struct Partition {
  Partition(Context& context, WriteFiles& files, const std::string& folder) : writer(context, files, folder) {}
  GroupWriter writer;
  std::deque<parquet::Shred> waiting;
  int64_t waiting_bytes = 0;
  int64_t waiting_rows = 0;
  int64_t writer_bytes = 0;  // GroupWriter::held
  bool is_queued = false;    // or being worked on
  int64_t due_bytes = 0;     // counted when it was decided to end the row group; 0 = it is not to be ended
  int64_t bytes() const { return waiting_bytes + writer_bytes; }
};

// Threads split and shred their batches; shreds join the folders in the order of morsels. A folder with enough of them
// is worked on by one thread at a time. Beyond half of the capacity the largest folders' row groups are ended early.
class PartitionSink : public StoringSink {
 public:
  PartitionSink(Context& context, const plan::Node& input, const plan::WriteParquet& op)
      : context_(context),
        names_(op.partition_by),
        files_(op, input, write_options(context, op, open_groups)),
        capacity_(waiting_bytes(context)) {}

  std::unique_ptr<Source> source() override {
    auto self = std::static_pointer_cast<PartitionSink>(shared_from_this());
    return std::make_unique<TableSource>(context_, [self] { return self->count_; });
  }

  std::unique_ptr<Local> make_local() override { return std::make_unique<State>(names_); }

  void consume(Local& local, int64_t morsel, Batch&& batch) override {
    State& state = static_cast<State&>(local);
    state.rows += batch.rows;
    for (const ColumnPtr& column : batch.columns) state.bytes += row_bytes(*column);
    if (batch.rows > 0) state.batches.push_back(std::move(batch));
    if (state.rows >= split_rows || state.bytes >= split_bytes) split(state, morsel);
  }

  void end_morsel(Local& local, int64_t morsel) override {
    split(static_cast<State&>(local), morsel);
    std::unique_lock lock(mutex_);
    morsels_[morsel].ended = true;
    while (true) {
      const auto at = morsels_.find(lowest_);
      if (at == morsels_.end()) break;
      for (Piece& piece : at->second.pieces) {
        queued_ -= held_bytes(piece.shred);
        join(std::move(piece));
      }
      at->second.pieces.clear();
      if (!at->second.ended) break;
      morsels_.erase(at);
      ++lowest_;
    }
    changed_.notify_all();
    work(lock);
  }

  void finish(const Parallel& parallel) override {
    std::vector<Partition*> all;
    for (auto& [folder, partition] : partitions_) all.push_back(partition.get());
    parallel(static_cast<int64_t>(all.size()), [&](int64_t i) {
      context_.check_cancelled();
      Partition& partition = *all[static_cast<size_t>(i)];
      for (parquet::Shred& shred : partition.waiting) partition.writer.add(std::move(shred));
      partition.writer.finish();
    });
    context_.check_cancelled();
    files_.commit();
    count_ = count_table(context_, rows_);
  }

 private:
  struct State : Local {
    explicit State(const std::vector<std::string>& names) : splitter(names) {}
    PartitionSplitter splitter;
    std::vector<Batch> batches;
    int64_t rows = 0, bytes = 0;
  };
  struct Piece {
    std::string folder;
    parquet::Shred shred;
  };
  struct Morsel {
    std::deque<Piece> pieces;  // while earlier morsels have not ended
    bool ended = false;
  };

  void split(State& state, int64_t morsel) {
    if (state.batches.empty()) return;
    Batch batch = state.batches.size() == 1 ? std::move(state.batches[0]) : join_batches(context_, state.batches);
    state.batches.clear();
    state.rows = state.bytes = 0;
    const std::vector<PartitionPiece> pieces = state.splitter.split(context_.memory(), batch);
    for (const PartitionPiece& piece : pieces) {
      for (int64_t at = 0; at < piece.rows; at += shred_rows) {
        const int64_t rows = std::min(shred_rows, piece.rows - at);
        const Batch part = slice(context_.memory(), batch, piece.first + at, rows);
        cut_rows(context_.memory(), part, files_.options(), [&](const Batch& cut) {
          context_.check_cancelled();
          place(morsel, {*piece.folder, parquet::shred(context_.memory(), files_.schema(), cut)});
        });
      }
    }
  }

  void place(int64_t morsel, Piece&& piece) {
    std::unique_lock lock(mutex_);
    if (morsel == lowest_) {
      join(std::move(piece));
    } else {
      queued_ += held_bytes(piece.shred);
      morsels_[morsel].pieces.push_back(std::move(piece));
    }
    work(lock);
    // The lowest morsel's own thread never waits.
    while (queued_ > capacity_ / 2 && morsel != lowest_) {
      changed_.wait_for(lock, std::chrono::milliseconds(20));
      context_.check_cancelled();
      work(lock);
    }
  }

  // The next rows of a folder. Locked.
  void join(Piece&& piece) {
    auto& partition = partitions_[piece.folder];
    if (!partition) partition = std::make_unique<Partition>(context_, files_, piece.folder);
    rows_ += piece.shred.rows;
    const int64_t bytes = held_bytes(piece.shred);
    held_ += bytes;
    partition->waiting_bytes += bytes;
    partition->waiting_rows += piece.shred.rows;
    partition->waiting.push_back(std::move(piece.shred));
    if (partition->waiting_bytes >= handed_bytes || partition->waiting_rows >= files_.options().group_rows)
      queue(*partition);
    if (held_ - due_ > capacity_ / 2) end_largest();
  }

  void queue(Partition& partition) {
    if (partition.is_queued) return;
    partition.is_queued = true;
    ready_.push_back(&partition);
  }

  // Locked. Half of what is held is to be written, so that this happens seldom.
  void end_largest() {
    std::vector<Partition*> all;
    for (auto& [folder, partition] : partitions_) {
      if (partition->due_bytes == 0 && partition->bytes() > 0) all.push_back(partition.get());
    }
    std::sort(all.begin(), all.end(), [](const Partition* a, const Partition* b) { return a->bytes() > b->bytes(); });
    const int64_t wanted = (held_ - due_) / 2;
    int64_t found = 0;
    for (size_t i = 0; i < all.size() && found < wanted; ++i) {
      all[i]->due_bytes = all[i]->bytes();
      found += all[i]->due_bytes;
      queue(*all[i]);
    }
    due_ += found;
  }

  void work(std::unique_lock<std::mutex>& lock) {
    while (!ready_.empty()) {
      Partition& partition = *ready_.front();
      ready_.pop_front();
      std::deque<parquet::Shred> shreds = std::exchange(partition.waiting, {});
      const int64_t before = partition.bytes();
      partition.writer_bytes += std::exchange(partition.waiting_bytes, 0);
      partition.waiting_rows = 0;
      const int64_t due_bytes = std::exchange(partition.due_bytes, 0);
      const bool closes = partitions_.size() > most_open_files;
      lock.unlock();
      context_.check_cancelled();
      for (parquet::Shred& shred : shreds) partition.writer.add(std::move(shred));
      if (due_bytes > 0) partition.writer.flush();
      if (closes) partition.writer.close();
      lock.lock();
      const int64_t written = before - partition.writer.held();
      partition.writer_bytes = partition.writer.held();
      held_ -= written;
      due_ -= due_bytes;
      partition.is_queued = false;
      if (partition.due_bytes > 0 || partition.waiting_bytes >= handed_bytes) queue(partition);
      changed_.notify_all();
    }
  }

  Context& context_;
  std::vector<std::string> names_;
  WriteFiles files_;
  int64_t capacity_;  // bytes of shreds
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<int64_t, Morsel> morsels_;
  int64_t lowest_ = 0;  // morsel whose rows come next
  std::unordered_map<std::string, std::unique_ptr<Partition>> partitions_;
  std::deque<Partition*> ready_;
  int64_t queued_ = 0;  // bytes that wait for earlier morsels
  int64_t held_ = 0;    // bytes in the hands of folders
  int64_t due_ = 0;     // of these, what is about to be written
  int64_t rows_ = 0;
  TablePtr count_;
};

}  // namespace

std::shared_ptr<StoringSink> make_write_partitions(Context& context, const plan::Node& input,
                                                   const plan::WriteParquet& op) {
  return std::make_shared<PartitionSink>(context, input, op);
}

}  // namespace quern::cpu
