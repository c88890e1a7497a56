#include <thread>

#include "cpu/range.hpp"
#include "exec/harness.hpp"
#include "exec/query.hpp"
#include "exec/result_queue.hpp"
#include "exec/result_sink.hpp"

namespace quern::test {
namespace {

const int64_t* int64_values(const ResultBlock& block) {
  return reinterpret_cast<const int64_t*>(block.bytes.get() + static_cast<int64_t>(block.layout[3]));
}

// Takes everything, as a consumer that waits.
std::vector<int64_t> drain(ResultQueue& queue, const std::function<void()>& between = nullptr) {
  std::vector<int64_t> out;
  for (;;) {
    auto taken = queue.try_take();
    if (std::holds_alternative<EndOfResult>(taken)) return out;
    if (auto* error = std::get_if<Error>(&taken)) throw *error;
    if (auto* block = std::get_if<ResultBlock>(&taken)) {
      out.insert(out.end(), int64_values(*block), int64_values(*block) + block->rows);
      if (between) between();
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
}

std::vector<int64_t> run_range(int64_t rows, int32_t threads, int64_t memory_limit, std::optional<plan::Limit> limit,
                               const std::function<void()>& between) {
  Memory memory(memory_limit);
  Context context(memory, Harness::settings(threads, 2048));
  ThreadPool pool;
  ResultQueue queue(context);
  context.on_cancel([&] { queue.wake(); });
  if (limit) queue.set_limit(limit->offset, limit->limit);
  const plan::Range range{0, rows, 1};
  std::thread driver([&] {
    Pipeline pipeline;
    pipeline.source = cpu::make_range(context, range);
    pipeline.sink = make_result_sink(context, queue);
    QueryMetrics metrics;
    metrics.start(1);
    try {
      std::vector<Pipeline> pipelines;
      pipelines.push_back(std::move(pipeline));
      Scheduler(std::move(pipelines), context, pool, metrics).run();
      queue.finish();
    } catch (const Error& error) {
      queue.fail(error);
    }
  });
  std::vector<int64_t> out;
  try {
    out = drain(queue, between);
  } catch (...) {
    driver.join();
    throw;
  }
  driver.join();
  pool.close();
  EXPECT_EQ(context.metrics().rows, static_cast<int64_t>(out.size()));
  return out;
}

void expect_numbers(const std::vector<int64_t>& out, int64_t start, int64_t count) {
  ASSERT_EQ(static_cast<int64_t>(out.size()), count);
  for (int64_t i = 0; i < count; ++i) ASSERT_EQ(out[static_cast<size_t>(i)], start + i);
}

TEST(Result, OrderOnManyThreads) {
  for (const int64_t rows : {0, 1, 2047, 2048, 2049, 65536, 65537, 1000000}) {
    for (const int32_t threads : {1, 2, 7})
      expect_numbers(run_range(rows, threads, 1LL << 30, std::nullopt, nullptr), 0, rows);
  }
}

TEST(Result, SlowConsumerAndSmallQueue) {
  const auto slow = [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
  expect_numbers(run_range(3000000, 4, 16 << 20, std::nullopt, slow), 0, 3000000);
}

TEST(Result, LimitCutsBlocks) {
  expect_numbers(run_range(1000000, 4, 1LL << 30, plan::Limit{10, 0}, nullptr), 0, 10);
  expect_numbers(run_range(1000000, 4, 1LL << 30, plan::Limit{200000, 123457}, nullptr), 123457, 200000);
  expect_numbers(run_range(1000000, 4, 1LL << 30, plan::Limit{std::nullopt, 999990}, nullptr), 999990, 10);
  expect_numbers(run_range(1000, 4, 1LL << 30, plan::Limit{0, 5}, nullptr), 0, 0);
  expect_numbers(run_range(1000, 4, 1LL << 30, plan::Limit{5, 5000}, nullptr), 0, 0);
}

TEST(Export, LayoutOfEveryKind) {
  Harness harness;
  auto& memory = harness.memory();
  ColumnBuilder bools(memory, make_type(TypeKind::boolean), 10, true);
  for (int i = 0; i < 10; i += 3) bools.data<uint8_t>()[i] = 1;
  bools.set_null(9);
  bools.data<uint8_t>()[9] = 0;
  ColumnBuilder decimals(memory, make_decimal(10, 2), 10, true);
  decimals.data<int64_t>()[0] = -5;
  ColumnBuilder uuids(memory, make_type(TypeKind::uuid), 10, true);
  uuids.data<int128_t>()[0] = (static_cast<int128_t>(0x0102) << 112) | 0x0f;
  std::vector<std::optional<std::string>> words;
  std::vector<std::optional<Ints>> arrays;
  for (int i = 0; i < 10; ++i) {
    words.push_back(i == 2 ? std::nullopt : std::optional(std::string(static_cast<size_t>(i), 'x')));
    arrays.push_back(i == 3 ? std::nullopt : std::optional(Ints(static_cast<size_t>(i % 4), i)));
  }
  const Batch batch = batch_of({bools.finish(), decimals.finish(), uuids.finish(), strings(memory, words),
                                lists(memory, arrays), make_null_column(make_type(TypeKind::null), 10)});
  const auto block = export_batches({slice(memory, batch, 0, 4), slice(memory, batch, 4, 6)}, INT32_MAX);
  EXPECT_EQ(block.rows, 10);
  EXPECT_EQ(block.size, exported_bytes(batch, INT32_MAX));
  const auto number = [&](int column, int at) {
    return static_cast<int64_t>(block.layout[static_cast<size_t>(column * 7 + at)]);
  };
  const auto* bytes = block.bytes.get();
  EXPECT_EQ(number(0, 1), 1);
  EXPECT_EQ(bytes[number(0, 2)], 0xff);
  EXPECT_EQ(bytes[number(0, 2) + 1] & 3, 1);
  EXPECT_EQ(bytes[number(0, 3)], 0x49);
  const auto* decimal = reinterpret_cast<const int64_t*>(bytes + number(1, 3));
  EXPECT_EQ(decimal[0], -5);
  EXPECT_EQ(decimal[1], -1);
  EXPECT_EQ(decimal[3], 0);
  EXPECT_EQ(bytes[number(2, 3)], 1);
  EXPECT_EQ(bytes[number(2, 3) + 1], 2);
  EXPECT_EQ(bytes[number(2, 3) + 15], 0x0f);
  const auto* text = reinterpret_cast<const int32_t*>(bytes + number(3, 5));
  EXPECT_EQ(text[2], 1);
  EXPECT_EQ(text[3], 1);
  EXPECT_EQ(text[10], 43);
  EXPECT_EQ(number(3, 4), 43);
  EXPECT_EQ(number(3, 6), 0);
  const auto* list = reinterpret_cast<const int32_t*>(bytes + number(4, 5));
  EXPECT_EQ(list[4], 3);
  EXPECT_EQ(list[10], number(5, 0));
  EXPECT_EQ(number(6, 1), 10);  // the null column, after the list's child
  const auto wide = export_batches({batch}, 5);
  EXPECT_EQ(wide.layout[3 * 7 + 6], 1);
  EXPECT_EQ(reinterpret_cast<const int64_t*>(wide.bytes.get() + static_cast<int64_t>(wide.layout[3 * 7 + 5]))[10], 43);
}

TEST(Export, SlicedAndConstantAndDictionary) {
  Harness harness;
  auto& memory = harness.memory();
  Ints values;
  for (int i = 0; i < 200; ++i) values.push_back(i % 7 == 0 ? std::nullopt : std::optional<int64_t>(i));
  const auto flat = slice(memory, int64s(memory, values), 13, 100);
  const auto constant = make_constant(int64s(memory, {42}), 0, 100);
  const auto block = export_batches({batch_of({flat, constant})}, INT32_MAX);
  for (int64_t i = 0; i < 100; ++i) {
    const bool valid = (block.bytes[static_cast<size_t>(block.layout[2]) + static_cast<size_t>(i / 8)] >> (i % 8)) & 1;
    EXPECT_EQ(valid, (i + 13) % 7 != 0);
    if (valid) {
      EXPECT_EQ(int64_values(block)[i], i + 13);
    }
  }
  const auto* repeated =
      reinterpret_cast<const int64_t*>(block.bytes.get() + static_cast<int64_t>(block.layout[7 + 3]));
  EXPECT_EQ(repeated[0], 42);
  EXPECT_EQ(repeated[99], 42);
}

}  // namespace
}  // namespace quern::test
