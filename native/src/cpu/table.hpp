// Tables between pipelines: batches in input order, collected by a sink and read by sources.
#pragma once
#include <map>
#include <mutex>

#include "plan/pipeline.hpp"

namespace quern::cpu {

struct Table {
  std::vector<Batch> batches;  // of any length, in order
};
using TablePtr = std::shared_ptr<const Table>;

// Rows a vector over these columns may have: Settings::batch_rows, fewer when rows are wide.
int64_t vector_rows(Context& context, const Batch& batch);

// Cuts one batch into vectors.
class BatchReader : public Reader {
 public:
  BatchReader(Context& context, Batch batch);
  bool next(Batch& batch) override;

 private:
  Context& context_;
  Batch batch_;
  int64_t step_;
  int64_t at_ = 0;
};

// A morsel is one batch of the table. `table` is called in prepare.
class TableSource : public Source {
 public:
  TableSource(Context& context, std::function<TablePtr()> table) : context_(context), get_(std::move(table)) {}
  void prepare(const Parallel&) override { table_ = get_(); }
  int64_t morsels() override { return static_cast<int64_t>(table_->batches.size()); }
  std::unique_ptr<Reader> open(int64_t morsel) override;

 private:
  Context& context_;
  std::function<TablePtr()> get_;
  TablePtr table_;
};

// Batches of one thread, joined into larger ones that share nothing with what they came from: a vector may be a few
// rows of a decoded row group, which it would keep in memory.
class Collector {
 public:
  explicit Collector(Context& context) : context_(context) {}
  void add(Batch&& batch);
  // What was added since the last take, as joined batches.
  std::vector<Batch> take();

 private:
  void join();

  Context& context_;
  std::vector<Batch> pieces_;
  std::vector<Batch> joined_;
  int64_t rows_ = 0;
  int64_t bytes_ = 0;
};

// One batch of the rows of all, in order, sharing nothing with them.
Batch join_batches(Context& context, const std::vector<Batch>& batches);

// Keeps all rows in input order.
class TableSink : public StoringSink {
 public:
  explicit TableSink(Context& context) : context_(context) {}
  std::unique_ptr<Source> source() override;
  std::unique_ptr<Local> make_local() override;
  void consume(Local& local, int64_t morsel, Batch&& batch) override;
  void end_morsel(Local& local, int64_t morsel) override;
  void finish(const Parallel& parallel) override;

 private:
  Context& context_;
  std::mutex mutex_;
  std::map<int64_t, std::vector<Batch>> morsels_;
  TablePtr table_;
};

}  // namespace quern::cpu
