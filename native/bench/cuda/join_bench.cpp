// Times of a join with a table of unique keys under a group-by, in one kernel and in kernels of their own, on columns
// that lie on the device: JSON lines on standard output. Medians of 9 samples after a warm-up; values are checked after
// the clock has stopped.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <random>

#include "cuda/device_fixture.hpp"
#include "cuda/group_by.hpp"
#include "cuda/join_stage.hpp"
#include "timing.hpp"

namespace quern {
namespace {

const TypePtr int32 = make_type(TypeKind::int32), int64 = make_type(TypeKind::int64);
constexpr int64_t fact_rows = 100'000'000;
constexpr int32_t groups = 20;

double median_ms(cuda::Device& device, const std::function<void()>& work) {
  return bench::time_of(device, work, 2, 9).median;
}

template <typename T>
cuda::DeviceColumnPtr column_of(cuda::Device& device, const TypePtr& type, const std::vector<T>& values) {
  auto out = std::make_shared<cuda::DeviceColumn>();
  out->type = type;
  out->length = static_cast<int64_t>(values.size());
  out->data = device.memory.allocate(values.size() * sizeof(T));
  device.staging.to_device(out->data->data(), values.data(), values.size() * sizeof(T));
  return out;
}

// sum(value), count(*) by the table's column over `keys` keys, `step` apart; `hits` of a hundred rows have a partner.
void join_and_group(cuda::Device& device, uint64_t keys, uint64_t step, uint64_t hits) {
  std::mt19937_64 random(keys + hits);
  std::vector<int64_t> table_keys(keys), fact_keys(fact_rows), values(fact_rows);
  std::vector<int32_t> group_of(keys);
  for (uint64_t i = 0; i < keys; ++i) {
    table_keys[i] = static_cast<int64_t>(2 * i * step);
    group_of[i] = static_cast<int32_t>(i % groups);
  }
  std::shuffle(table_keys.begin(), table_keys.end(), random);
  int64_t expected = 0, expected_rows = 0;
  for (size_t i = 0; i < fact_keys.size(); ++i) {
    const uint64_t draw = random();
    const bool hit = draw % 100 < hits;
    fact_keys[i] = static_cast<int64_t>((2 * (random() % keys) + (hit ? 0 : 1)) * step);
    values[i] = static_cast<int64_t>(draw >> 40);
    expected += hit ? values[i] : 0;
    expected_rows += hit ? 1 : 0;
  }
  cuda::DeviceBatch fact, table;
  fact.rows = fact_rows;
  fact.columns = {column_of(device, int64, fact_keys), column_of(device, int64, values)};
  table.rows = static_cast<int64_t>(keys);
  table.columns = {column_of(device, int64, table_keys), column_of(device, int32, group_of)};

  test::ChainPlan chain({int64, int64});
  chain.join(plan::JoinType::inner, {{0, 0}}, {int64, int32}, {1, 3});
  chain.group({chain.column(1)}, {chain.aggregate("sum", {chain.column(0)}, make_decimal(38, 0)),
                                  chain.aggregate("count_star", {}, int64)});
  chain.fuse();
  const auto& plan = *chain.plan();
  const auto apart = jit::segments(plan, chain.nodes());
  const auto fused = jit::fused_segments(plan, apart);
  std::shared_ptr<cuda::DeviceJoinTable> built;
  const double build_ms = median_ms(device, [&] { built = cuda::make_join_table(device, plan, apart[0], {}, table); });
  cuda::DeviceBatch out;
  const auto check = [&](const char* form, double ms) {
    Memory memory(1LL << 30);
    const auto sums = cuda::to_host(device, memory, *out.columns[1]),
               counts = cuda::to_host(device, memory, *out.columns[2]);
    int64_t found = 0, found_rows = 0;
    for (int64_t i = 0; i < out.rows; ++i) {
      found += static_cast<int64_t>(sums->values<int128_t>()[i]);
      found_rows += counts->values<int64_t>()[i];
    }
    std::printf(
        "{\"bench\": \"join and group by\", \"form\": \"%s\", \"rows\": %ld, \"keys\": %lu, \"table\": \"%s\", "
        "\"hits\": "
        "%lu, \"build_ms\": %.4f, \"ms\": %.4f, \"right\": %s}\n",
        form, fact_rows, keys, built->name().c_str(), hits, build_ms, ms,
        found == expected && found_rows == expected_rows ? "true" : "false");
    std::fflush(stdout);
  };
  const double fused_ms = median_ms(device, [&] {
    cuda::GroupBy group(device, plan, fused[0]);
    group.look_into({built}, fused[0].fused.size());
    group.update(fact);
    out = group.finish();
  });
  check("fused", fused_ms);
  const double apart_ms = median_ms(device, [&] {
    cuda::GroupBy group(device, plan, apart[1]);
    cuda::JoinStage join(device, {}, plan, apart[0], built);
    join.process(fact, [&](const cuda::DeviceBatch& rows) { group.update(rows); });
    out = group.finish();
  });
  check("apart", apart_ms);
  const double join_ms = median_ms(device, [&] {
    cuda::JoinStage join(device, {}, plan, apart[0], built);
    join.process(fact, [&](const cuda::DeviceBatch&) {});
  });
  check("join alone", join_ms);
}

int run() {
  std::string reason;
  cuda::Device* device = test::device(reason);
  if (device == nullptr) {
    std::printf("{\"skipped\": \"%s\"}\n", reason.c_str());
    return 0;
  }
  device->use();
  constexpr uint64_t sparse = 1 << 20;
  for (const uint64_t keys : {100'000ULL, 1'000'000ULL, 10'000'000ULL}) {
    for (const uint64_t step : {uint64_t{1}, sparse}) join_and_group(*device, keys, step, 30);
  }
  join_and_group(*device, 10'000'000, 1, 90);
  join_and_group(*device, 10'000'000, sparse, 90);
  return 0;
}

}  // namespace
}  // namespace quern

int main() {
  try {
    return quern::run();
  } catch (const std::exception& error) {
    std::printf("{\"error\": \"%s\"}\n", error.what());
    return 1;
  }
}
