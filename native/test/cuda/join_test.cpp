// Joins on the device against loops on the host: the table alone (emulated as well), then chains.
#include <algorithm>
#include <map>
#include <random>

#include "cuda/device_fixture.hpp"
#include "cuda/join_table.hpp"
#include "cuda/move_kernels.hpp"

namespace quern {
namespace {

template <typename T>
std::vector<T> to_host(cuda::Device& device, const T* data, size_t count) {
  std::vector<T> out(count);
  device.staging.to_host(out.data(), data, count * sizeof(T));
  return out;
}

template <typename T>
cuda::DeviceBufferPtr to_device(cuda::Device& device, const std::vector<T>& values) {
  auto out = device.memory.allocate(values.size() * sizeof(T));
  device.staging.to_device(out->data(), values.data(), values.size() * sizeof(T));
  return out;
}

// What the table finds, looked up by the host in a copy of it.
template <int words>
std::vector<uint32_t> look_up(cuda::Device& device, const cuda::JoinTable& table, int64_t rows,
                              const std::vector<std::vector<uint64_t>>& keys) {
  const auto row_keys = to_host(device, table.keys, static_cast<size_t>(rows) * words);
  const auto addresses = to_host(device, table.addresses, table.range);
  const auto slots = to_host(device, table.slots, table.range == 0 ? table.mask + 1 : 0);
  cuda::JoinTable host = table;
  host.keys = row_keys.data();
  host.addresses = addresses.data();
  host.slots = slots.data();
  std::vector<uint32_t> found;
  for (const auto& key : keys) {
    uint64_t text[words];
    std::copy(key.begin(), key.end(), text);
    found.push_back(cuda::find_row(host, text));
  }
  return found;
}

// Keys out of `range` values, one in seven NULL; `step` spreads them.
template <int words>
void check_table(cuda::Device& device, int64_t rows, uint64_t range, uint64_t step, bool wants_lists) {
  SCOPED_TRACE(testing::Message() << rows << " rows of " << range << " keys, " << words << " words");
  std::mt19937_64 random(static_cast<uint64_t>(rows) + range);
  std::vector<uint64_t> keys;
  std::vector<uint32_t> mask(static_cast<size_t>((rows + 31) / 32));
  std::map<std::vector<uint64_t>, std::vector<uint32_t>> expected;
  for (int64_t i = 0; i < rows; ++i) {
    std::vector<uint64_t> key;
    const uint64_t value = (random() % range) * step - 100;
    for (int word = 0; word < words; ++word) key.push_back(word == 0 ? value % (words > 1 ? 3 : ~0ULL) : value);
    keys.insert(keys.end(), key.begin(), key.end());
    if (random() % 7 == 0) continue;
    mask[static_cast<size_t>(i / 32)] |= 1U << (i % 32);
    expected[key].push_back(static_cast<uint32_t>(i));
  }
  const auto device_keys = to_device(device, keys), device_mask = to_device(device, mask);
  cuda::DeviceBatch batch;
  batch.rows = rows;
  const cuda::DeviceJoinTable table(device, batch, words, device_keys, device_mask->as<uint32_t>(),
                                    {wants_lists, false, false});
  const bool repeats =
      std::any_of(expected.begin(), expected.end(), [](const auto& entry) { return entry.second.size() > 1; });
  EXPECT_EQ(table.is_single(), !repeats || !wants_lists);
  EXPECT_EQ(table.name().find("unique") != std::string::npos, !repeats);

  std::vector<std::vector<uint64_t>> wanted;
  for (const auto& [key, of_key] : expected) wanted.push_back(key);
  for (uint64_t i = 0; i < 50; ++i) wanted.emplace_back(words, 7 * step * range + i);
  const auto found = look_up<words>(device, table.view(), rows, wanted);
  for (size_t i = 0; i < wanted.size(); ++i) {
    const auto entry = expected.find(wanted[i]);
    if (entry == expected.end()) {
      ASSERT_EQ(found[i], cuda::no_row);
      continue;
    }
    ASSERT_NE(std::find(entry->second.begin(), entry->second.end(), found[i]), entry->second.end());
  }
  if (table.is_single()) return;

  // The pairs of what was found, one row that was not (left joins) among them.
  std::vector<uint32_t> leaders, numbers;
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const auto entry = expected.find(wanted[i]);
    leaders.push_back(entry == expected.end() ? static_cast<uint32_t>(rows) : found[i]);
    numbers.push_back(static_cast<uint32_t>(3 * i));
    const std::vector<uint32_t> none = {static_cast<uint32_t>(rows)};
    for (const uint32_t row : entry == expected.end() ? none : entry->second) pairs.emplace_back(3 * i, row);
  }
  const auto count = static_cast<int64_t>(leaders.size());
  const auto device_found = to_device(device, leaders), device_rows = to_device(device, numbers);
  const auto lengths = device.memory.allocate(leaders.size() * 8),
             targets = device.memory.allocate((leaders.size() + 1) * 8);
  const auto& lists = table.lists();
  const cuda::JoinPairs all{device_rows->as<uint32_t>(), device_found->as<uint32_t>(),
                            targets->as<int64_t>(),      count,
                            lists.starts->as<int64_t>(), lists.ends->as<int64_t>(),
                            lists.lists->as<uint32_t>(), static_cast<uint32_t>(rows)};
  cuda::list_lengths(device, all, 0, lengths->as<int64_t>());
  cuda::sum_lengths(device, lengths->as<int64_t>(), count, targets->as<int64_t>());
  ASSERT_EQ(to_host(device, targets->as<uint64_t>() + count, 1)[0], pairs.size());
  const auto first = device.memory.allocate(pairs.size() * 4), second = device.memory.allocate(pairs.size() * 4);
  cuda::write_pairs(device, all, nullptr, static_cast<int64_t>(pairs.size()), first->as<uint32_t>(),
                    second->as<uint32_t>());
  const auto a = to_host(device, first->as<uint32_t>(), pairs.size());
  const auto b = to_host(device, second->as<uint32_t>(), pairs.size());
  for (size_t i = 0; i < pairs.size(); ++i) ASSERT_EQ(std::make_pair(a[i], b[i]), pairs[i]) << i;
}

TEST(JoinTable, FindsTheRowsOfEachKey) {
  REQUIRE_DEVICE();
  for (const int64_t rows : {0, 1, 31, 32, 33, 255, 256, 257, 20011}) {
    // Dense and sparse; few rows, some and nearly all with a key of their own.
    for (const uint64_t step : {1ULL, 1ULL << 33}) {
      for (const uint64_t range : {1ULL, 100ULL, 30000ULL, 1ULL << 30}) {
        for (const bool lists : {true, false}) {
          check_table<1>(device, rows, range, step, lists);
          check_table<3>(device, rows, range, step, lists);
        }
      }
    }
  }
}

}  // namespace
}  // namespace quern
