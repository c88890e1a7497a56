// Runs operators as pipelines over hand-made columns.
#pragma once
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cpu/table.hpp"
#include "exec/scheduler.hpp"
#include "plan/literal.hpp"

namespace quern::test {

using Ints = std::vector<std::optional<int64_t>>;

inline ColumnPtr int64s(Memory& memory, const Ints& values) {
  ColumnBuilder builder(memory, make_type(TypeKind::int64), static_cast<int64_t>(values.size()), true);
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i])
      builder.data<int64_t>()[i] = *values[i];
    else
      builder.set_null(static_cast<int64_t>(i));
  }
  return builder.finish();
}

inline ColumnPtr strings(Memory& memory, const std::vector<std::optional<std::string>>& values) {
  ColumnBuilder builder(memory, make_type(TypeKind::string), static_cast<int64_t>(values.size()), true);
  StringHeap heap(memory);
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i])
      builder.data<StringView>()[i] = heap.append(values[i]->data(), values[i]->size());
    else
      builder.set_null(static_cast<int64_t>(i));
  }
  builder.keep(heap.owners());
  return builder.finish();
}

// Lists of int64; an empty optional is a NULL list.
inline ColumnPtr lists(Memory& memory, const std::vector<std::optional<Ints>>& values) {
  ColumnBuilder builder(memory, make_list(make_type(TypeKind::int64)), static_cast<int64_t>(values.size()), true);
  Ints elements;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) {
      builder.set_null(static_cast<int64_t>(i));
      continue;
    }
    builder.data<ListEntry>()[i] = {values[i]->empty() ? 0 : static_cast<int64_t>(elements.size()),
                                    static_cast<int64_t>(values[i]->size())};
    elements.insert(elements.end(), values[i]->begin(), values[i]->end());
  }
  builder.add_child(int64s(memory, elements));
  return builder.finish();
}

inline Batch batch_of(std::vector<ColumnPtr> columns) {
  Batch batch;
  batch.rows = columns.empty() ? 0 : columns[0]->length;
  batch.columns = std::move(columns);
  return batch;
}

// Every morsel is one batch of the table.
inline cpu::TablePtr table_of(std::vector<Batch> batches) {
  auto table = std::make_shared<cpu::Table>();
  table->batches = std::move(batches);
  return table;
}

// A plan of expressions only.
class Exprs {
 public:
  plan::ExprIndex column(int32_t index, TypePtr type) {
    plan::Expr expr;
    expr.kind = plan::ExprKind::column;
    expr.column = index;
    expr.type = std::move(type);
    return add(std::move(expr));
  }
  plan::ExprIndex literal(Memory& memory, TypePtr type, const std::string& text) {
    plan::Expr expr;
    expr.kind = plan::ExprKind::literal;
    plan::LiteralText value;
    value.kind = plan::LiteralText::Kind::text;
    value.text = text;
    expr.literal = plan::literal_column(memory, type, value);
    expr.type = std::move(type);
    return add(std::move(expr));
  }
  plan::ExprIndex call(const std::string& fn, std::vector<plan::ExprIndex> args, TypePtr type) {
    plan::Expr expr;
    expr.kind = plan::ExprKind::call;
    expr.fn = fn;
    expr.args = std::move(args);
    expr.type = std::move(type);
    return add(std::move(expr));
  }
  plan::ExprIndex add(plan::Expr expr) {
    plan_->exprs.push_back(std::move(expr));
    return static_cast<plan::ExprIndex>(plan_->exprs.size()) - 1;
  }
  std::shared_ptr<plan::Plan> plan() const { return plan_; }

 private:
  std::shared_ptr<plan::Plan> plan_ = std::make_shared<plan::Plan>();
};

class Harness {
 public:
  explicit Harness(int32_t threads = 2, int32_t batch_rows = 2048)
      : memory_(4LL << 30), context_(memory_, settings(threads, batch_rows)) {}
  ~Harness() { pool_.close(); }

  Memory& memory() { return memory_; }
  Context& context() { return context_; }
  ThreadPool& pool() { return pool_; }

  std::unique_ptr<Source> source(std::vector<Batch> batches) {
    auto table = table_of(std::move(batches));
    return std::make_unique<cpu::TableSource>(context_, [table] { return table; });
  }

  void run(std::unique_ptr<Source> source, std::vector<std::unique_ptr<Step>> steps, std::shared_ptr<Sink> sink) {
    Pipeline pipeline;
    pipeline.source = std::move(source);
    for (auto& step : steps) pipeline.steps.push_back({std::move(step), 0});
    pipeline.sink = std::move(sink);
    QueryMetrics metrics;
    metrics.start(1);
    std::vector<Pipeline> pipelines;
    pipelines.push_back(std::move(pipeline));
    Scheduler(std::move(pipelines), context_, pool_, metrics).run();
    rows_ = metrics.node(0).rows;
  }

  // All rows of source and steps, in order.
  Batch collect(std::unique_ptr<Source> source, std::vector<std::unique_ptr<Step>> steps = {}) {
    auto sink = std::make_shared<cpu::TableSink>(context_);
    run(std::move(source), std::move(steps), sink);
    return read(*sink);
  }

  // All rows that a sink stored, in order; checks that vectors keep to their limits.
  Batch read(StoringSink& sink) {
    auto source = sink.source();
    source->prepare(make_parallel(pool_, context_));
    std::vector<Batch> batches;
    for (int64_t morsel = 0; morsel < source->morsels(); ++morsel) {
      const auto reader = source->open(morsel);
      for (Batch batch; reader->next(batch); batch = Batch()) {
        EXPECT_LE(batch.rows, context_.settings().batch_rows);
        if (batch.rows > 0) batches.push_back(batch);
      }
    }
    return cpu::join_batches(context_, batches);
  }

  static Settings settings(int32_t threads, int32_t batch_rows) {
    Settings out;
    out.threads = threads;
    out.batch_rows = batch_rows;
    return out;
  }

 private:
  Memory memory_;
  Context context_;
  ThreadPool pool_;
  int64_t rows_ = 0;
};

inline Ints ints_of(const ColumnPtr& column, Memory& memory) {
  const auto flat = flatten(memory, column);
  Ints out;
  for (int64_t i = 0; i < flat->length; ++i)
    out.push_back(flat->is_valid(i) ? std::optional(flat->values<int64_t>()[i]) : std::nullopt);
  return out;
}

// Each row as JSON text.
inline std::vector<std::string> texts_of(const Batch& batch) {
  std::vector<std::string> out;
  for (int64_t row = 0; row < batch.rows; ++row) {
    std::string text;
    for (const auto& column : batch.columns) text += (text.empty() ? "" : " ") + plan::literal_json(*column, row);
    out.push_back(text);
  }
  return out;
}

}  // namespace quern::test
