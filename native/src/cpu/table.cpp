#include "cpu/table.hpp"

#include <algorithm>

namespace quern::cpu {

namespace {

// Joined batches are at least so large, where there is as much.
constexpr int64_t joined_rows = 64 * 1024;
constexpr int64_t joined_bytes = 4 << 20;

bool fixed_width(const DataType& type) {
  const auto kind = physical(type);
  return kind != Physical::string && kind != Physical::list && kind != Physical::structure;
}

struct TableLocal : Sink::Local {
  explicit TableLocal(Context& context) : collector(context) {}
  Collector collector;
};

}  // namespace

int64_t vector_rows(Context& context, const Batch& batch) {
  int64_t rows = context.settings().batch_rows;
  if (batch.rows == 0) return rows;
  for (const auto& column : batch.columns) {
    if (fixed_width(*column->type)) continue;
    const int64_t bytes = std::max<int64_t>(1, row_bytes(*column) / batch.rows);
    rows = std::min(rows, std::max<int64_t>(1, vector_bytes / bytes));
  }
  return rows;
}

BatchReader::BatchReader(Context& context, Batch batch)
    : context_(context), batch_(std::move(batch)), step_(vector_rows(context, batch_)) {}

bool BatchReader::next(Batch& batch) {
  if (at_ >= batch_.rows) return false;
  const int64_t rows = std::min(step_, batch_.rows - at_);
  batch = slice(context_.memory(), batch_, at_, rows);
  at_ += rows;
  return true;
}

std::unique_ptr<Reader> TableSource::open(int64_t morsel) {
  return std::make_unique<BatchReader>(context_, table_->batches[static_cast<size_t>(morsel)]);
}

void Collector::add(Batch&& batch) {
  rows_ += batch.rows;
  for (const auto& column : batch.columns) bytes_ += row_bytes(*column);
  pieces_.push_back(std::move(batch));
  if (rows_ >= joined_rows || bytes_ >= joined_bytes) join();
}

void Collector::join() {
  if (rows_ > 0) joined_.push_back(join_batches(context_, pieces_));
  pieces_.clear();
  rows_ = 0;
  bytes_ = 0;
}

std::vector<Batch> Collector::take() {
  join();
  return std::exchange(joined_, {});
}

Batch join_batches(Context& context, const std::vector<Batch>& batches) {
  Batch out;
  for (const auto& batch : batches) out.rows += batch.rows;
  if (batches.empty()) return out;
  for (size_t i = 0; i < batches[0].columns.size(); ++i) {
    std::vector<ColumnPtr> pieces;
    pieces.reserve(batches.size());
    for (const auto& batch : batches) pieces.push_back(batch.columns[i]);
    out.columns.push_back(concat(context.memory(), pieces[0]->type, pieces));
  }
  return out;
}

std::unique_ptr<Source> TableSink::source() {
  auto self = std::static_pointer_cast<TableSink>(shared_from_this());
  return std::make_unique<TableSource>(context_, [self] { return self->table_; });
}

std::unique_ptr<Sink::Local> TableSink::make_local() { return std::make_unique<TableLocal>(context_); }

void TableSink::consume(Local& local, int64_t, Batch&& batch) {
  static_cast<TableLocal&>(local).collector.add(std::move(batch));
}

void TableSink::end_morsel(Local& local, int64_t morsel) {
  auto batches = static_cast<TableLocal&>(local).collector.take();
  if (batches.empty()) return;
  std::lock_guard lock(mutex_);
  morsels_[morsel] = std::move(batches);
}

void TableSink::finish(const Parallel&) {
  auto table = std::make_shared<Table>();
  for (auto& [morsel, batches] : morsels_) {
    for (auto& batch : batches) table->batches.push_back(std::move(batch));
  }
  morsels_.clear();
  table_ = std::move(table);
}

}  // namespace quern::cpu
