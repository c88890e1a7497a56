// Times of device work against the copy ceiling of the same run: JSON lines on standard output. With the path of a file
// of fixtures as argument it runs those of the group-by as well (group_bench.hpp). Medians of 15 samples
// after a warm-up; data random and larger than the L2 cache; values are checked after the clock has stopped.
#include <algorithm>
#include <cstdio>
#include <random>

#include "cuda/device_column.hpp"
#include "cuda/device_fixture.hpp"
#include "cuda/group_by.hpp"
#include "group_bench.hpp"
#include "timing.hpp"

namespace quern {
namespace {

using bench::time_of, bench::Times;

cuda::DeviceColumnPtr column_of(cuda::Device& device, const TypePtr& type, int64_t rows, const void* values,
                                size_t bytes) {
  auto out = std::make_shared<cuda::DeviceColumn>();
  out->type = type;
  out->length = rows;
  out->data = device.memory.allocate(bytes);
  device.staging.to_device(out->data->data(), values, bytes);
  return out;
}

double copy_ceiling(cuda::Device& device) {
  const size_t bytes = 4ULL << 30;
  const auto a = device.memory.allocate_zeroed(bytes), b = device.memory.allocate(bytes);
  const Times times = time_of(device, [&] {
    cuda::check(cudaMemcpyAsync(b->data(), a->data(), bytes, cudaMemcpyDeviceToDevice, device.stream.get()), "copy");
  });
  const double rate = 2.0 * static_cast<double>(bytes) / times.median / 1e6;
  std::printf("{\"bench\": \"copy\", \"bytes\": %zu, \"ms\": %.4f, \"gb_s\": %.0f}\n", bytes, times.median, rate);
  return rate;
}

void gather_lists(cuda::Device& device, int64_t rows, int64_t length, double ceiling) {
  const TypePtr type = make_list(make_type(TypeKind::float32));
  std::mt19937_64 random(1);
  std::vector<uint32_t> elements(static_cast<size_t>(rows * length));
  for (auto& e : elements) e = static_cast<uint32_t>(random());
  auto column = std::make_shared<cuda::DeviceColumn>();
  column->type = type;
  column->length = rows;
  column->elements = rows * length;
  std::vector<int32_t> offsets;
  for (int64_t i = 0; i <= rows; ++i) offsets.push_back(static_cast<int32_t>(i * length));
  column->offsets = device.memory.allocate(offsets.size() * 4);
  device.staging.to_device(column->offsets->data(), offsets.data(), offsets.size() * 4);
  column->child = column_of(device, type->children[0], column->elements, elements.data(), elements.size() * 4);
  std::vector<uint32_t> order(static_cast<size_t>(rows));
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<uint32_t>(i);
  std::shuffle(order.begin(), order.end(), random);
  const auto ids = device.memory.allocate(order.size() * 4);
  device.staging.to_device(ids->data(), order.data(), order.size() * 4);
  cuda::DeviceColumnPtr out;
  const Times times = time_of(device, [&] { out = cuda::gather(device, {}, *column, ids->as<uint32_t>(), rows); });
  std::vector<uint32_t> found(elements.size());
  device.staging.to_host(found.data(), out->child->data->data(), found.size() * 4);
  bool right = true;
  for (size_t i = 0; i < order.size(); ++i) {
    right &= std::equal(found.begin() + static_cast<std::ptrdiff_t>(i) * length,
                        found.begin() + static_cast<std::ptrdiff_t>(i + 1) * length,
                        elements.begin() + static_cast<std::ptrdiff_t>(order[i]) * length);
  }
  const double rate = 8.0 * static_cast<double>(elements.size()) / times.median / 1e6;
  std::printf(
      "{\"bench\": \"gather list<float>[%ld]\", \"rows\": %ld, \"ms\": %.4f, \"p10\": %.4f, \"p90\": %.4f, "
      "\"of_copy\": %.2f, \"right\": %s}\n",
      length, rows, times.median, times.fast, times.slow, rate / ceiling, right ? "true" : "false");
}

void group_sums(cuda::Device& device, int64_t rows, uint64_t groups) {
  const TypePtr int64 = make_type(TypeKind::int64);
  std::mt19937_64 random(groups);
  std::vector<int64_t> keys(static_cast<size_t>(rows)), values(keys.size());
  int128_t total = 0;
  for (size_t i = 0; i < keys.size(); ++i) {
    keys[i] = static_cast<int64_t>(random() % groups * 0x9e3779b97f4a7c15ULL >> 1);
    values[i] = static_cast<int64_t>(random()) >> 20;
    total += values[i];
  }
  cuda::DeviceBatch batch;
  batch.rows = rows;
  batch.columns = {column_of(device, int64, rows, keys.data(), keys.size() * 8),
                   column_of(device, int64, rows, values.data(), values.size() * 8)};
  test::ChainPlan chain({int64, int64});
  chain.group({chain.column(0)}, {chain.aggregate("sum", {chain.column(1)}, make_decimal(38, 0))});
  const auto segment = jit::segments(*chain.plan(), chain.nodes()).at(0);
  cuda::DeviceBatch out;
  std::string tier;
  std::unique_ptr<cuda::GroupBy> group;
  const Times times = time_of(
      device,
      [&] {
        group->update(batch);
        out = group->finish();
      },
      3, 15,
      [&] {
        out = {};
        group = std::make_unique<cuda::GroupBy>(device, *chain.plan(), segment);
      });
  tier = group->tier();
  Memory memory(16LL << 30);
  const auto sums = cuda::to_host(device, memory, *out.columns[1]);
  int128_t found = 0;
  for (int64_t i = 0; i < sums->length; ++i) found += sums->values<int128_t>()[i];
  std::printf(
      "{\"bench\": \"group_by sum(int64)\", \"rows\": %ld, \"groups\": %lu, \"found\": %ld, \"ms\": %.4f, \"p10\": "
      "%.4f, \"p90\": %.4f, \"tier\": \"%s\", \"right\": %s}\n",
      rows, groups, out.rows, times.median, times.fast, times.slow, tier.c_str(), found == total ? "true" : "false");
  std::fflush(stdout);
}

int run(const char* fixtures) {
  std::string reason;
  cuda::Device* device = test::device(reason);
  if (device == nullptr) {
    std::printf("{\"skipped\": \"%s\"}\n", reason.c_str());
    return 0;
  }
  device->use();
  const double ceiling = copy_ceiling(*device);
  gather_lists(*device, 500000, 768, ceiling);
  gather_lists(*device, 1000000, 128, ceiling);
  for (const uint64_t groups :
       {16ULL, 128ULL, 129ULL, 1000ULL, 10000ULL, 100000ULL, 1000000ULL, 5000000ULL, 20000000ULL})
    group_sums(*device, 20000000, groups);
  return fixtures == nullptr || bench::group_fixtures(*device, fixtures) ? 0 : 1;
}

}  // namespace
}  // namespace quern

int main(int count, char** arguments) {
  try {
    return quern::run(count > 1 ? arguments[1] : nullptr);
  } catch (const std::exception& error) {
    std::printf("{\"error\": \"%s\"}\n", error.what());
    return 1;
  }
}
