#include "exec/result_sink.hpp"

#include <algorithm>

#include "columnar/variant.hpp"

namespace quern {

namespace {

// A block is made when so much has come together: large enough to pay its way, small enough to come soon.
constexpr int64_t flush_bytes = 1 << 20;
constexpr int64_t flush_rows = 64 * 1024;

class ResultSink : public Sink {
 public:
  ResultSink(Context& context, ResultQueue& queue) : context_(context), queue_(queue) {}

  std::unique_ptr<Local> make_local() override { return std::make_unique<State>(); }

  void consume(Local& local, int64_t morsel, Batch&& batch) override {
    auto& state = static_cast<State&>(local);
    const int64_t rows = std::min(batch.rows, queue_.needed_rows() - state.morsel_rows);
    if (rows == 0) return;
    state.morsel_rows += rows;
    for (ColumnPtr& column : batch.columns) column = variants_as_text(context_.memory(), column);
    add(state, morsel, rows == batch.rows ? std::move(batch) : slice(context_.memory(), batch, 0, rows));
  }

  void end_morsel(Local& local, int64_t morsel) override {
    auto& state = static_cast<State&>(local);
    flush(state, morsel);
    state.morsel_rows = 0;
    queue_.end_morsel(morsel);
  }

  bool done() const override { return queue_.satisfied(); }
  bool morsel_done(const Local& local) const override {
    return static_cast<const State&>(local).morsel_rows >= queue_.needed_rows();
  }

 private:
  struct State : Local {
    std::vector<Batch> pieces;
    int64_t rows = 0;
    int64_t bytes = 0;
    int64_t morsel_rows = 0;
  };

  // Halves a batch that is too large for a block.
  void add(State& state, int64_t morsel, Batch&& batch) {
    const int64_t bytes = exported_bytes(batch, context_.settings().list_offset_limit);
    if (bytes > block_bytes && batch.rows > 1) {
      const int64_t half = batch.rows / 2;
      add(state, morsel, slice(context_.memory(), batch, 0, half));
      add(state, morsel, slice(context_.memory(), batch, half, batch.rows - half));
      return;
    }
    if (state.bytes + bytes > block_bytes) flush(state, morsel);
    state.rows += batch.rows;
    state.bytes += bytes;
    state.pieces.push_back(std::move(batch));
    if (state.bytes >= flush_bytes || state.rows >= flush_rows) flush(state, morsel);
  }

  void flush(State& state, int64_t morsel) {
    if (state.rows == 0) return;
    auto block = export_batches(state.pieces, context_.settings().list_offset_limit);
    queue_.push(morsel, std::move(block), queue_.limited() ? &state.pieces : nullptr);
    state.pieces.clear();
    state.rows = 0;
    state.bytes = 0;
  }

  Context& context_;
  ResultQueue& queue_;
};

}  // namespace

std::shared_ptr<Sink> make_result_sink(Context& context, ResultQueue& queue) {
  return std::make_shared<ResultSink>(context, queue);
}

}  // namespace quern
