#include "cpu/write_per_thread.hpp"

#include "cpu/group_writer.hpp"
#include "cpu/write_parquet.hpp"

namespace quern::cpu {

namespace {

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
    writers_.push_back(std::make_unique<GroupWriter>(context_, files_));
    local->writer = writers_.back().get();
    return local;
  }

  void consume(Local& local, int64_t, Batch&& batch) override {
    GroupWriter& writer = *static_cast<State&>(local).writer;
    cut_rows(context_.memory(), batch, files_.options(), [&](const Batch& piece) {
      context_.check_cancelled();
      writer.add(parquet::shred(context_.memory(), files_.schema(), piece));
    });
  }

  void end_morsel(Local&, int64_t) override {}

  void finish(const Parallel& parallel) override {
    parallel(static_cast<int64_t>(writers_.size()), [&](int64_t i) { writers_[static_cast<size_t>(i)]->finish(); });
    context_.check_cancelled();
    int64_t rows = 0;
    for (const auto& writer : writers_) rows += writer->rows();
    if (rows == 0) files_.open()->finish();
    files_.commit();
    count_ = count_table(context_, rows);
  }

 private:
  struct State : Local {
    GroupWriter* writer = nullptr;
  };

  Context& context_;
  WriteFiles files_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<GroupWriter>> writers_;
  TablePtr count_;
};

}  // namespace

std::shared_ptr<StoringSink> make_write_per_thread(Context& context, const plan::Node& input,
                                                   const plan::WriteParquet& op) {
  return std::make_shared<PerThreadSink>(context, input, op);
}

}  // namespace quern::cpu
