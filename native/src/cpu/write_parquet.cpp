#include "cpu/write_parquet.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <optional>

#include "parquet/write.hpp"

namespace quern::cpu {

namespace {

using parquet::EncodedChunk;
using parquet::EncodedGroup;
using parquet::LeafPiece;
using parquet::Shred;

// A row group under way: its leaf columns are encoded each on its own.
struct Group {
  int64_t number = 0;
  int64_t rows = 0;
  int64_t bytes = 0;       // held by the shreds
  int64_t file_bytes = 0;  // Shred::file_bytes
  std::vector<Shred> shreds;
  std::vector<std::optional<EncodedChunk>> chunks;
  size_t left = 0;  // chunks still to be encoded
};

struct Task {
  std::shared_ptr<Group> group;
  size_t leaf = 0;
};

parquet::Codec codec_of(const std::string& word) {
  if (word == "none") return parquet::Codec::uncompressed;
  if (word == "snappy") return parquet::Codec::snappy;
  if (word == "gzip") return parquet::Codec::gzip;
  if (word == "zstd") return parquet::Codec::zstd;
  if (word == "lz4") return parquet::Codec::lz4_raw;
  throw internal_error("no codec " + word);
}

// A quarter of the budget is the most that waits to be encoded and written.
constexpr int64_t budget_part = 4;
// Row groups are cut between shreds: this many make up a group, so that its size is met well.
constexpr int64_t shreds_a_group = 32;

parquet::WriteOptions options_of(Context& context, const plan::WriteParquet& op) {
  parquet::WriteOptions options;
  options.codec = codec_of(op.compression);
  options.group_rows = op.group_rows;
  options.group_bytes = std::max<int64_t>(1, std::min(op.group_bytes, context.memory().limit() / budget_part / 2));
  return options;
}

parquet::WriteSchema schema_of(const plan::Node& input) {
  std::vector<parquet::WriteField> fields;
  for (const auto& field : input.output) fields.push_back({field.name, field.type});
  return parquet::make_write_schema(fields);
}

// Threads shred their batches; shreds join groups in the order of morsels. A full group becomes tasks, one a leaf
// column, which every thread takes on as it comes by; whoever ends the last one writes the group when its turn is
// there.
class WriteSink : public StoringSink {
 public:
  WriteSink(Context& context, const plan::Node& input, const plan::WriteParquet& op)
      : context_(context),
        options_(options_of(context, op)),
        writer_(op.path, schema_of(input), options_),
        capacity_(context.memory().limit() / budget_part) {}

  std::unique_ptr<Source> source() override {
    auto self = std::static_pointer_cast<WriteSink>(shared_from_this());
    return std::make_unique<TableSource>(context_, [self] { return self->count_; });
  }

  std::unique_ptr<Local> make_local() override { return std::make_unique<Local>(); }

  void consume(Local&, int64_t morsel, Batch&& batch) override { cut(morsel, batch); }

  void end_morsel(Local&, int64_t morsel) override {
    std::unique_lock lock(mutex_);
    morsels_[morsel].ended = true;
    while (true) {
      const auto at = morsels_.find(lowest_);
      if (at == morsels_.end()) break;
      for (Shred& shred : at->second.shreds) join(std::move(shred));
      at->second.shreds.clear();
      if (!at->second.ended) break;
      morsels_.erase(at);
      ++lowest_;
    }
    changed_.notify_all();
    work(lock);
  }

  void finish(const Parallel& parallel) override {
    std::deque<Task> tasks;
    {
      std::lock_guard lock(mutex_);
      close_group();
      tasks = std::move(tasks_);
      tasks_.clear();
    }
    parallel(static_cast<int64_t>(tasks.size()), [&](int64_t i) {
      context_.check_cancelled();
      encode(tasks[static_cast<size_t>(i)]);
    });
    context_.check_cancelled();
    writer_.finish();
    ColumnBuilder count(context_.memory(), make_type(TypeKind::int64), 1);
    count.data<int64_t>()[0] = rows_;
    auto table = std::make_shared<Table>();
    table->batches.push_back({1, {count.finish()}});
    count_ = std::move(table);
  }

 private:
  struct Morsel {
    std::deque<Shred> shreds;  // while earlier morsels have not ended
    bool ended = false;
  };

  // Halves a batch whose shred would be a large part of a group.
  void cut(int64_t morsel, const Batch& batch) {
    int64_t bytes = 0;
    for (const ColumnPtr& column : batch.columns) bytes += row_bytes(*column);
    const bool large = bytes > options_.group_bytes / shreds_a_group || batch.rows > options_.group_rows;
    if (large && batch.rows > 1) {
      const int64_t half =
          batch.rows > options_.group_rows ? std::min(options_.group_rows, batch.rows - 1) : batch.rows / 2;
      cut(morsel, slice(context_.memory(), batch, 0, half));
      cut(morsel, slice(context_.memory(), batch, half, batch.rows - half));
      return;
    }
    context_.check_cancelled();
    place(morsel, parquet::shred(context_.memory(), writer_.schema(), batch));
  }

  void place(int64_t morsel, Shred&& shred) {
    std::unique_lock lock(mutex_);
    held_ += shred.bytes;
    if (morsel == lowest_)
      join(std::move(shred));
    else
      morsels_[morsel].shreds.push_back(std::move(shred));
    work(lock);
    // What waits for an earlier morsel must not fill the memory; that morsel's own thread never waits.
    while (held_ > capacity_ && morsel != lowest_) {
      changed_.wait_for(lock, std::chrono::milliseconds(20));
      context_.check_cancelled();
      work(lock);
    }
  }

  // The next rows of the file. Locked.
  void join(Shred&& shred) {
    if (open_.rows > 0 &&
        (open_.rows + shred.rows > options_.group_rows || open_.file_bytes + shred.file_bytes > options_.group_bytes))
      close_group();
    open_.rows += shred.rows;
    open_.bytes += shred.bytes;
    open_.file_bytes += shred.file_bytes;
    rows_ += shred.rows;
    open_.shreds.push_back(std::move(shred));
  }

  // Locked.
  void close_group() {
    if (open_.rows == 0) return;
    auto group = std::make_shared<Group>(std::move(open_));
    open_ = Group();
    group->number = next_group_++;
    group->chunks.resize(writer_.schema().leaves.size());
    group->left = group->chunks.size();
    for (size_t leaf = 0; leaf < group->chunks.size(); ++leaf) tasks_.push_back({group, leaf});
    changed_.notify_all();
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
    Group& group = *task.group;
    std::vector<const LeafPiece*> pieces;
    for (const Shred& shred : group.shreds) pieces.push_back(&shred.leaves[task.leaf]);
    group.chunks[task.leaf] =
        parquet::encode_chunk(context_.memory(), writer_.schema().leaves[task.leaf], pieces, options_);
    // The values are no longer needed; no other task looks at this leaf.
    for (Shred& shred : group.shreds) shred.leaves[task.leaf] = LeafPiece();
    std::unique_lock lock(mutex_);
    if (--group.left > 0) return;
    held_ -= group.bytes;
    encoded_[group.number] = task.group;
    changed_.notify_all();
    write(lock);
  }

  // Writes the groups whose turn it is; one thread at a time.
  void write(std::unique_lock<std::mutex>& lock) {
    if (writing_) return;
    writing_ = true;
    for (auto at = encoded_.find(next_written_); at != encoded_.end(); at = encoded_.find(next_written_)) {
      const std::shared_ptr<Group> group = std::move(at->second);
      encoded_.erase(at);
      lock.unlock();
      EncodedGroup encoded;
      encoded.rows = group->rows;
      for (auto& chunk : group->chunks) encoded.chunks.push_back(std::move(*chunk));
      writer_.append(std::move(encoded));
      lock.lock();
      ++next_written_;
    }
    writing_ = false;
  }

  Context& context_;
  parquet::WriteOptions options_;
  parquet::FileWriter writer_;
  int64_t capacity_;  // bytes of shreds
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<int64_t, Morsel> morsels_;
  int64_t lowest_ = 0;  // morsel whose rows come next
  Group open_;
  std::deque<Task> tasks_;
  std::map<int64_t, std::shared_ptr<Group>> encoded_;
  int64_t next_group_ = 0, next_written_ = 0;
  bool writing_ = false;
  int64_t held_ = 0;  // bytes of shreds
  int64_t rows_ = 0;
  TablePtr count_;
};

}  // namespace

std::shared_ptr<StoringSink> make_write_parquet(Context& context, const plan::Plan& plan, plan::NodeIndex node) {
  const auto& op = std::get<plan::WriteParquet>(plan.nodes[node].op);
  return std::make_shared<WriteSink>(context, plan.nodes[plan.nodes[node].inputs[0]], op);
}

}  // namespace quern::cpu
