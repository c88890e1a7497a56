// Times of group-bys and joins by strings of 16 bytes that lie on the device: JSON lines on standard output. Medians of
// 9 samples after a warm-up; values are checked after the clock has stopped.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <random>

#include "cuda/device_fixture.hpp"
#include "cuda/group_by.hpp"
#include "cuda/join_stage.hpp"
#include "timing.hpp"

namespace quern {
namespace {

const TypePtr int64 = make_type(TypeKind::int64), text = make_type(TypeKind::string);
constexpr int64_t fact_rows = 20'000'000;
constexpr size_t digits = 16;

std::string text_of(uint64_t number) {
  char out[digits + 1];
  std::snprintf(out, sizeof(out), "%016llx", number * 0x9e3779b97f4a7c15ULL);
  return {out, digits};
}

cuda::DeviceBufferPtr copied(cuda::Device& device, const void* data, size_t bytes) {
  auto out = device.memory.allocate(bytes);
  device.staging.to_device(out->data(), data, bytes);
  return out;
}

cuda::DeviceColumnPtr texts_of(cuda::Device& device, const std::vector<uint32_t>& numbers) {
  std::string bytes;
  bytes.reserve(numbers.size() * digits);
  std::vector<int32_t> offsets = {0};
  for (const uint32_t number : numbers) {
    bytes += text_of(number);
    offsets.push_back(static_cast<int32_t>(bytes.size()));
  }
  auto out = std::make_shared<cuda::DeviceColumn>();
  out->type = text;
  out->length = static_cast<int64_t>(numbers.size());
  out->elements = static_cast<int64_t>(bytes.size());
  out->offsets = copied(device, offsets.data(), offsets.size() * 4);
  out->data = copied(device, bytes.data(), bytes.size());
  return out;
}

cuda::DeviceColumnPtr values_of(cuda::Device& device, const std::vector<int64_t>& values) {
  auto out = std::make_shared<cuda::DeviceColumn>();
  out->type = int64;
  out->length = static_cast<int64_t>(values.size());
  out->data = copied(device, values.data(), values.size() * 8);
  return out;
}

void print(const char* bench, uint64_t strings, double ms, bool right, const std::string& how) {
  std::printf("{\"bench\": \"%s\", \"rows\": %ld, \"strings\": %lu, \"ms\": %.4f, \"right\": %s, \"how\": \"%s\"}\n",
              bench, fact_rows, strings, ms, right ? "true" : "false", how.c_str());
  std::fflush(stdout);
}

void by_strings(cuda::Device& device, uint64_t strings) {
  std::mt19937_64 random(strings);
  std::vector<uint32_t> numbers(fact_rows);
  std::vector<int64_t> values(fact_rows), sums(strings), counts(strings);
  for (size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<uint32_t>(random() % strings);
    values[i] = static_cast<int64_t>(random() >> 40);
    sums[numbers[i]] += values[i];
    ++counts[numbers[i]];
  }
  cuda::DeviceBatch fact;
  fact.rows = fact_rows;
  fact.columns = {texts_of(device, numbers), values_of(device, values)};
  std::map<std::string, uint32_t> number_of;
  for (uint32_t number = 0; number < strings; ++number) number_of[text_of(number)] = number;
  Memory memory(16LL << 30);

  int64_t found = 0;
  const double number_ms = bench::time_of(
                               device,
                               [&] {
                                 cuda::StringIds ids(device, {}, text);
                                 ids.number(*fact.columns[0]);
                                 found = ids.count();
                               },
                               2, 9)
                               .median;
  const auto distinct = std::count_if(counts.begin(), counts.end(), [](int64_t count) { return count > 0; });
  print("numbers", strings, number_ms, found == distinct, "");

  test::ChainPlan chain({text, int64});
  chain.group({chain.column(0)},
              {chain.aggregate("sum", {chain.column(1)}, int64), chain.aggregate("count_star", {}, int64)});
  const auto segment = jit::segments(*chain.plan(), chain.nodes()).at(0);
  cuda::DeviceBatch out;
  std::string tier;
  const double group_ms = bench::time_of(
                              device,
                              [&] {
                                cuda::GroupBy group(device, *chain.plan(), segment);
                                group.update(fact);
                                out = group.finish();
                                tier = group.tier();
                              },
                              2, 9)
                              .median;
  const auto keys = cuda::to_host(device, memory, *out.columns[0]),
             sum = cuda::to_host(device, memory, *out.columns[1]),
             count = cuda::to_host(device, memory, *out.columns[2]);
  bool right = out.rows == distinct;
  for (int64_t i = 0; i < out.rows && right; ++i) {
    const StringView& view = keys->values<StringView>()[i];
    const auto at = number_of.find(std::string(view.data(), view.length));
    right = at != number_of.end() && sum->values<int64_t>()[i] == sums[at->second] &&
            count->values<int64_t>()[i] == counts[at->second];
  }
  print("group by", strings, group_ms, right, tier);

  // Every second string has a row of the table.
  std::vector<uint32_t> own;
  int64_t expected = 0;
  for (uint32_t number = 0; number < strings; number += 2) {
    own.push_back(number);
    expected += counts[number];
  }
  cuda::DeviceBatch table;
  table.rows = static_cast<int64_t>(own.size());
  table.columns = {texts_of(device, own), values_of(device, std::vector<int64_t>(own.begin(), own.end()))};
  test::ChainPlan join_chain({text, int64});
  join_chain.join(plan::JoinType::inner, {{0, 0}}, {text, int64}, {1, 3});
  const auto join_segment = jit::segments(*join_chain.plan(), join_chain.nodes()).at(0);
  std::shared_ptr<cuda::DeviceJoinTable> built;
  const double build_ms =
      bench::time_of(
          device, [&] { built = cuda::make_join_table(device, *join_chain.plan(), join_segment, {}, table); }, 2, 9)
          .median;
  int64_t rows = 0;
  const double join_ms = bench::time_of(
                             device,
                             [&] {
                               cuda::JoinStage join(device, {}, *join_chain.plan(), join_segment, built);
                               rows = 0;
                               join.process(fact, [&](const cuda::DeviceBatch& piece) { rows += piece.rows; });
                             },
                             2, 9)
                             .median;
  print("join table", strings, build_ms, true, built->name());
  print("join", strings, join_ms, rows == expected, "");
}

int run() {
  std::string reason;
  cuda::Device* device = test::device(reason);
  if (device == nullptr) {
    std::printf("{\"skipped\": \"%s\"}\n", reason.c_str());
    return 0;
  }
  device->use();
  for (const uint64_t strings : {10ULL, 1000ULL, 10'000ULL, 1'000'000ULL, 10'000'000ULL}) by_strings(*device, strings);
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
