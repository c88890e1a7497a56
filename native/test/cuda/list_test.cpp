// Functions of lists, unnesting, limits and unions in chains: the rows of the host's operators.
#include <random>

#include "cpu/filter.hpp"
#include "cpu/project.hpp"
#include "cpu/unnest.hpp"
#include "cuda/device_fixture.hpp"
#include "cuda/random_columns.hpp"
#include "cuda/run.hpp"
#include "jit/list_calls.hpp"
#include "jit/nvrtc.hpp"

namespace quern {
namespace {

using test::Nulls;

#define REQUIRE_COMPILER() \
  if (const auto missing = jit::nvrtc_missing(); !missing.empty()) GTEST_SKIP() << missing

std::vector<std::string> lines_of(const std::vector<Batch>& batches) {
  std::vector<std::string> out;
  for (const auto& batch : batches) {
    for (int64_t i = 0; i < batch.rows; ++i) {
      std::string line;
      for (const auto& column : batch.columns) line += plan::literal_json(*column, i) + " ";
      out.push_back(line);
    }
  }
  return out;
}

// What the host's steps make of a batch.
std::vector<Batch> on_host(Context& context, const test::ChainPlan& chain, Batch batch) {
  std::vector<Batch> rows = {std::move(batch)};
  for (const auto index : chain.nodes()) {
    const auto& node = chain.plan()->nodes[static_cast<size_t>(index)];
    std::vector<Batch> next;
    const Emit emit = [&](Batch&& out) { next.push_back(std::move(out)); };
    for (auto& piece : rows) {
      if (const auto* unnest = std::get_if<plan::Unnest>(&node.op))
        cpu::make_unnest(context, chain.plan(), *unnest)->process(std::move(piece), emit);
      else if (const auto* filter = std::get_if<plan::Filter>(&node.op))
        cpu::make_filter(context, chain.plan(), filter->predicate)->process(std::move(piece), emit);
      else
        cpu::make_project(context, chain.plan(), std::get<plan::Project>(node.op))->process(std::move(piece), emit);
    }
    rows = std::move(next);
  }
  return rows;
}

Batch batch_of(Memory& memory, int64_t rows, Nulls nulls) {
  std::mt19937_64 random(static_cast<uint64_t>(rows) + 5);
  Batch out;
  out.rows = rows;
  uint64_t seed = 1;
  for (const auto& element : test::list_elements()) {
    out.columns.push_back(test::lists(memory, element, rows, nulls, seed++, [&](int64_t count) {
      const auto bits = test::numbers(memory, element, count, nulls, seed++);
      // Numbers that equal each other now and then, are in range, and no NaN.
      ColumnBuilder values(memory, element, count, true);
      const auto set = [&]<typename T>(T*) {
        for (int64_t i = 0; i < count; ++i) {
          if (!bits->is_valid(i))
            values.set_null(i);
          else
            values.data<T>()[i] = static_cast<T>(static_cast<double>(random() % 64) * 0.375);
        }
      };
      switch (element->kind) {
        case TypeKind::float32:
          set(static_cast<float*>(nullptr));
          break;
        case TypeKind::float64:
          set(static_cast<double*>(nullptr));
          break;
        case TypeKind::decimal:
          if (width(*element) == 16)
            set(static_cast<int128_t*>(nullptr));
          else
            set(static_cast<int64_t*>(nullptr));
          break;
        case TypeKind::float16:
        case TypeKind::bfloat16:
          for (int64_t i = 0; i < count; ++i) {
            if (!bits->is_valid(i))
              values.set_null(i);
            else
              values.data<uint16_t>()[i] = static_cast<uint16_t>(0x3000 + random() % 4096);
          }
          break;
        default:
          return bits;
      }
      return values.finish();
    }));
  }
  for (int k = 0; k < 2; ++k) {
    ColumnBuilder bound(memory, make_type(TypeKind::int64), rows, true);
    for (int64_t i = 0; i < rows; ++i) {
      bound.data<int64_t>()[i] = static_cast<int64_t>(random() % (i % 3 == 0 ? 250 : 9)) - 4;
      if (nulls == Nulls::some && random() % 7 == 0) bound.set_null(i);
      if (random() % 50 == 0) bound.data<int64_t>()[i] = random() % 2 == 0 ? INT64_MIN : INT64_MAX;
    }
    out.columns.push_back(bound.finish());
  }
  ColumnBuilder factor(memory, make_type(TypeKind::float64), rows, true);
  for (int64_t i = 0; i < rows; ++i) factor.data<double>()[i] = static_cast<double>(random() % 100) / 8 - 3;
  out.columns.push_back(factor.finish());
  return out;
}

class ListFunctions : public ::testing::TestWithParam<size_t> {};  // by element type

TEST_P(ListFunctions, AtEverySize) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  Memory memory(8LL << 30);
  for (const int64_t limit : {(1LL << 31) - 1, 16LL}) {
    Settings settings;
    settings.list_offset_limit = limit;
    settings.batch_rows = 1 << 20;
    Context context(memory, settings);
    {
      const size_t list = GetParam();
      test::ChainPlan all(test::list_call_columns());
      const auto calls = test::list_calls(all, memory, list);
      // Kernels of a few calls each.
      std::vector<test::ChainPlan> chains;
      for (size_t first = 0; first < calls.size(); first += 12) {
        chains.push_back(all);
        chains.back().project({calls.begin() + static_cast<std::ptrdiff_t>(first),
                               calls.begin() + static_cast<std::ptrdiff_t>(std::min(calls.size(), first + 12))});
      }
      for (const int64_t rows : {0, 1, 31, 32, 33, 255, 256, 257, 2047}) {
        if (limit == 16 && rows > 300) continue;
        for (const Nulls nulls : {Nulls::none, Nulls::some, Nulls::all}) {
          SCOPED_TRACE(type_name(*test::list_elements()[list]) + ", rows " + std::to_string(rows) + ", nulls " +
                       std::to_string(static_cast<int>(nulls)) + ", offset limit " + std::to_string(limit));
          const Batch batch = batch_of(memory, rows, nulls);
          for (const auto& chain : chains) {
            const auto run = cuda::make_run(device, context, chain.plan(), chain.nodes());
            run->consume(std::vector<Batch>{batch});
            const auto found = lines_of(run->finish()), expected = lines_of(on_host(context, chain, batch));
            ASSERT_EQ(found.size(), expected.size());
            for (size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], expected[i]) << "row " << i;
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Lists, ListFunctions, ::testing::Range(size_t{0}, test::list_elements().size()));

// A filter keeps lists by what is in them, before and behind which others are computed and become rows.
TEST(Lists, FilteredAndUnnested) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  Memory memory(8LL << 30);
  const TypePtr int64 = make_type(TypeKind::int64), boolean = make_type(TypeKind::boolean);
  const TypePtr integers = make_list(make_type(TypeKind::int32)), reals = make_list(make_type(TypeKind::float64));
  for (const bool outer : {false, true}) {
    test::ChainPlan chain(test::list_call_columns());
    const auto a = chain.column(12), b = chain.column(13);
    chain.filter(
        {chain.call("gt", {chain.call("len", {chain.column(3)}, int64), chain.literal(memory, int64, "1")}, boolean),
         chain.call("ge", {chain.call("list_count", {chain.column(1)}, int64), chain.literal(memory, int64, "0")},
                    boolean)});
    chain.unnest({12, 3},
                 {chain.column(3), chain.call("list_slice", {chain.column(3), a, b}, integers),
                  chain.call("list_scale", {chain.column(1), chain.column(14)}, reals)},
                 true, outer);
    chain.project({chain.call("list_first", {chain.column(1)}, make_type(TypeKind::int32)), chain.column(2),
                   chain.column(3), chain.column(4), chain.column(5)});
    Settings settings;
    settings.batch_rows = 1 << 20;
    Context context(memory, settings);
    for (const int64_t rows : {0, 1, 33, 257, 2047}) {
      for (const Nulls nulls : {Nulls::none, Nulls::some, Nulls::all}) {
        const Batch batch = batch_of(memory, rows, nulls);
        const auto run = cuda::make_run(device, context, chain.plan(), chain.nodes());
        run->consume(std::vector<Batch>{batch});
        EXPECT_EQ(lines_of(run->finish()), lines_of(on_host(context, chain, batch)));
      }
    }
  }
}

TEST(Rows, LimitsCutBatches) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  Memory memory(1LL << 30);
  Context context(memory, Settings{});
  const TypePtr text = make_type(TypeKind::string), list = make_list(make_type(TypeKind::float32));
  std::vector<Batch> batches;
  std::vector<std::string> all;
  for (const int64_t rows : {0, 1, 31, 33, 256, 1000}) {
    Batch batch;
    batch.rows = rows;
    batch.columns = {test::texts(memory, rows, Nulls::some, static_cast<uint64_t>(rows)),
                     test::lists(memory, list->children[0], rows, Nulls::some, 3, [&](int64_t count) {
                       return test::numbers(memory, list->children[0], count, Nulls::some, 4);
                     })};
    batches.push_back(batch);
    for (const auto& line : lines_of({batch})) all.push_back(line);
  }
  const auto total = static_cast<int64_t>(all.size());
  for (const int64_t offset : {0L, 1L, 32L, 300L, total, total + 5}) {
    for (const int64_t limit : {0L, 1L, 33L, 500L, total, INT64_MAX}) {
      test::ChainPlan chain({text, list});
      chain.limit(limit, offset);
      const auto run = cuda::make_run(device, context, chain.plan(), chain.nodes());
      for (const auto& batch : batches) run->consume({batch});
      const bool full = limit != INT64_MAX && offset + limit <= total;
      EXPECT_EQ(run->done(), full);
      const auto first = std::min(offset, total), last = limit > total - first ? total : first + limit;
      EXPECT_EQ(lines_of(run->finish()), std::vector<std::string>(all.begin() + first, all.begin() + last));
      EXPECT_EQ(run->rows(chain.nodes().back()), last - first);
    }
  }
}

TEST(Rows, UnionsGiveTheirInputsInOrder) {
  REQUIRE_DEVICE();
  REQUIRE_COMPILER();
  Memory memory(1LL << 30);
  Context context(memory, Settings{});
  const TypePtr int64 = make_type(TypeKind::int64), text = make_type(TypeKind::string);
  const auto rows = [&](int64_t count, uint64_t seed) {
    Batch out;
    out.rows = count;
    out.columns = {test::numbers(memory, int64, count, Nulls::some, seed),
                   test::texts(memory, count, Nulls::some, seed + 1)};
    return out;
  };
  for (const int64_t count : {0, 1, 33, 300}) {
    const Batch first = rows(count, 1), second = rows(count + 2, 3), third = rows(count / 2, 5);
    test::ChainPlan chain({int64, text});
    chain.union_all(3);
    const auto node = chain.nodes().back();
    const auto run = cuda::make_run(device, context, chain.plan(), chain.nodes());
    // One from the host, and one that lies on the device as the rows of another chain.
    test::ChainPlan other({int64, text});
    other.limit(INT64_MAX, 0);
    const auto source = cuda::make_run(device, context, other.plan(), other.nodes());
    source->keep_on_device();
    source->consume({third});
    run->add_input_from(node, 2, *source);
    run->add_input(node, 1, {second});
    run->consume({first});
    EXPECT_EQ(lines_of(run->finish()), lines_of({first, second, third}));
    EXPECT_EQ(run->rows(node), first.rows + second.rows + third.rows);
  }
}

}  // namespace
}  // namespace quern
