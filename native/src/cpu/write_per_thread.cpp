#include "cpu/write_per_thread.hpp"

#include "cpu/write_files.hpp"
#include "cpu/write_group.hpp"
#include "cpu/write_parquet.hpp"

namespace quern::cpu {

namespace {

// Rows and files of one thread.
class ThreadWriter {
 public:
  ThreadWriter(Context& context, WriteFiles& files) : context_(context), files_(files), sequence_(files) {}

  void add(const Batch& batch) {
    parquet::Shred shred = parquet::shred(context_.memory(), files_.schema(), batch);
    if (!open_.has_room(shred, files_.options())) write_group();
    rows_ += shred.rows;
    open_.add(std::move(shred));
  }

  void finish() {
    if (open_.rows > 0) write_group();
    sequence_.finish();
  }

  int64_t rows() const { return rows_; }

 private:
  void write_group() {
    const auto& leaves = files_.schema().leaves;
    open_.chunks.resize(leaves.size());
    for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      context_.check_cancelled();
      open_.encode(context_.memory(), leaves[leaf], leaf, files_.options());
    }
    sequence_.append(open_.take());
    open_ = WriteGroup();
  }

  Context& context_;
  WriteFiles& files_;
  FileSequence sequence_;
  WriteGroup open_;
  int64_t rows_ = 0;
};

class PerThreadSink : public StoringSink {
 public:
  PerThreadSink(Context& context, const plan::Node& input, const plan::WriteParquet& op)
      : context_(context), files_(op, input, write_options(context, op, context.settings().threads)) {}

  std::unique_ptr<Source> source() override {
    auto self = std::static_pointer_cast<PerThreadSink>(shared_from_this());
    return std::make_unique<TableSource>(context_, [self] { return self->count_; });
  }

  std::unique_ptr<Local> make_local() override {
    auto local = std::make_unique<State>();
    std::lock_guard lock(mutex_);
    writers_.push_back(std::make_unique<ThreadWriter>(context_, files_));
    local->writer = writers_.back().get();
    return local;
  }

  void consume(Local& local, int64_t, Batch&& batch) override {
    ThreadWriter& writer = *static_cast<State&>(local).writer;
    cut_rows(context_.memory(), batch, files_.options(), [&](const Batch& piece) {
      context_.check_cancelled();
      writer.add(piece);
    });
  }

  void end_morsel(Local&, int64_t) override {}

  void finish(const Parallel& parallel) override {
    parallel(static_cast<int64_t>(writers_.size()), [&](int64_t i) { writers_[static_cast<size_t>(i)]->finish(); });
    context_.check_cancelled();
    files_.commit();
    int64_t rows = 0;
    for (const auto& writer : writers_) rows += writer->rows();
    count_ = count_table(context_, rows);
  }

 private:
  struct State : Local {
    ThreadWriter* writer = nullptr;
  };

  Context& context_;
  WriteFiles files_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<ThreadWriter>> writers_;
  TablePtr count_;
};

}  // namespace

std::shared_ptr<StoringSink> make_write_per_thread(Context& context, const plan::Node& input,
                                                   const plan::WriteParquet& op) {
  return std::make_shared<PerThreadSink>(context, input, op);
}

}  // namespace quern::cpu
