// The writing sink under several threads: rows in the order of morsels, bounded memory, nothing left after an error.
#include "cpu/write_parquet.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "parquet/scan.hpp"

namespace quern::cpu {
namespace {

// A folder of its own, removed with its content.
struct Folder {
  Folder() : path(std::filesystem::temp_directory_path() / ("quern_sink_" + std::to_string(::getpid()))) {
    std::filesystem::create_directory(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::filesystem::path path;
};

plan::Plan plan_of(const std::string& path, int64_t group_rows, int64_t group_bytes) {
  plan::Plan plan;
  plan::Node input;
  input.output = {{"i", make_type(TypeKind::int64)}, {"s", make_type(TypeKind::string)}};
  input.op = plan::Values{};
  plan::Node node;
  node.inputs = {0};
  node.output = {{"Count", make_type(TypeKind::int64)}};
  plan::WriteParquet op;
  op.path = path;
  op.compression = "zstd";
  op.group_rows = group_rows;
  op.group_bytes = group_bytes;
  op.file_name = "data_{i}.parquet";
  node.op = op;
  plan.nodes = {input, node};
  return plan;
}

Batch make_batch(Memory& memory, int64_t first, int64_t rows) {
  ColumnBuilder numbers(memory, make_type(TypeKind::int64), rows);
  ColumnBuilder texts(memory, make_type(TypeKind::string), rows, true);
  StringHeap heap(memory);
  for (int64_t i = 0; i < rows; ++i) {
    numbers.data<int64_t>()[i] = first + i;
    const std::string text = "the text of row " + std::to_string(first + i);
    if ((first + i) % 7 == 0)
      texts.set_null(i);
    else
      texts.data<StringView>()[i] = heap.append(text.data(), text.size());
  }
  texts.keep(heap.owners());
  return {rows, {numbers.finish(), texts.finish()}};
}

const Parallel serial = [](int64_t tasks, const std::function<void(int64_t)>& task) {
  for (int64_t i = 0; i < tasks; ++i) task(i);
};

// Feeds `morsels` morsels of `batches` batches of 100 rows from `threads` threads.
void feed(Context& context, Sink& sink, int threads, int64_t morsels, int64_t batches) {
  std::atomic<int64_t> next{0};
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i) {
    workers.emplace_back([&] {
      const auto local = sink.make_local();
      for (int64_t morsel = next++; morsel < morsels; morsel = next++) {
        for (int64_t batch = 0; batch < batches; ++batch)
          sink.consume(*local, morsel, make_batch(context.memory(), (morsel * batches + batch) * 100, 100));
        sink.end_morsel(*local, morsel);
      }
      sink.combine(*local);
    });
  }
  for (auto& worker : workers) worker.join();
}

int64_t written_rows(Sink& sink) {
  auto source = static_cast<StoringSink&>(sink).source();
  source->prepare(serial);
  Batch batch;
  EXPECT_TRUE(source->open(0)->next(batch));
  return batch.columns[0]->values<int64_t>()[0];
}

class WriteParquet : public testing::TestWithParam<int> {};

TEST_P(WriteParquet, KeepsTheOrderOfRows) {
  const Folder folder;
  const std::string path = folder.path / "x.parquet";
  // A small budget, so that threads must wait for each other.
  Memory memory(8 << 20);
  Context context(memory, {});
  const plan::Plan plan = plan_of(path, 1000, 64 << 10);
  const auto sink = make_write_parquet(context, plan, 1);
  feed(context, *sink, GetParam(), 40, 25);
  EXPECT_FALSE(std::filesystem::exists(path));
  sink->finish(serial);
  EXPECT_EQ(written_rows(*sink), 100000);
  const auto file = parquet::open(memory, path);
  EXPECT_EQ(parquet::row_count(*file), 100000);
  int64_t at = 0;
  for (int32_t group = 0; group < parquet::row_group_count(*file); ++group) {
    EXPECT_LE(parquet::row_group_rows(*file, group), 1000);
    const auto column = parquet::read_field(context, *file, group, 0, {}, nullptr);
    for (int64_t row = 0; row < column->length; ++row) ASSERT_EQ(column->values<int64_t>()[row], at++);
  }
  EXPECT_EQ(at, 100000);
}

INSTANTIATE_TEST_SUITE_P(Threads, WriteParquet, testing::Values(1, 2, 4));

TEST(WriteParquetSink, WritesAFileWithoutRows) {
  const Folder folder;
  const std::string path = folder.path / "x.parquet";
  Memory memory(1 << 26);
  Context context(memory, {});
  const plan::Plan plan = plan_of(path, 1000, 1000);
  const auto sink = make_write_parquet(context, plan, 1);
  sink->finish(serial);
  EXPECT_EQ(written_rows(*sink), 0);
  EXPECT_EQ(parquet::row_count(*parquet::open(memory, path)), 0);
  EXPECT_EQ(parquet::fields(*parquet::open(memory, path), {}).size(), 2U);
}

TEST(WriteParquetSink, CutsRowGroupsByRowsAndBytes) {
  const Folder folder;
  const std::string path = folder.path / "x.parquet";
  Memory memory(1 << 26);
  Context context(memory, {});
  const plan::Plan plan = plan_of(path, 40, 1 << 20);
  const auto sink = make_write_parquet(context, plan, 1);
  feed(context, *sink, 1, 1, 3);
  sink->finish(serial);
  const auto file = parquet::open(memory, path);
  EXPECT_EQ(parquet::row_count(*file), 300);
  for (int32_t group = 0; group < parquet::row_group_count(*file); ++group)
    EXPECT_LE(parquet::row_group_rows(*file, group), 40);
}

TEST(WriteParquetSink, LeavesNothingWhenItDoesNotFinish) {
  const Folder folder;
  Memory memory(1 << 26);
  Context context(memory, {});
  const plan::Plan plan = plan_of(folder.path / "x.parquet", 100, 1 << 20);
  {
    const auto sink = make_write_parquet(context, plan, 1);
    feed(context, *sink, 2, 4, 4);
    EXPECT_FALSE(std::filesystem::is_empty(folder.path));
    context.cancel();
    EXPECT_THROW(sink->finish(serial), Error);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path));
}

}  // namespace
}  // namespace quern::cpu
