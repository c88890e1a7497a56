// Row groups aimed at a size: simulated columns whose encoded size is any function of their plain one.
#include "cpu/group_size.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace quern::cpu {
namespace {

constexpr int64_t target = 100000;
constexpr int64_t shred = 3000;  // plain bytes

struct Taken {
  std::vector<int64_t> sizes;
  int64_t attempts = 0;
};

// Groups of endless input, where `shreds` from position `first` on are encoded to so many bytes.
Taken groups(const std::function<double(int64_t first, int64_t shreds)>& encoded, int count) {
  GroupSize size(target);
  Taken out;
  int64_t first = 0, shreds = 0;
  while (static_cast<int>(out.sizes.size()) < count) {
    while (!size.is_due(shreds, shreds * shred)) ++shreds;
    ++out.attempts;
    const auto bytes = static_cast<int64_t>(encoded(first, shreds));
    if (size.judge({shreds, shreds * shred, bytes}, true)) {
      out.sizes.push_back(bytes);
      first += shreds;
      shreds = 0;
    }
    while (size.is_beyond(shreds, shreds * shred)) --shreds;
  }
  return out;
}

void expect_near_target(const Taken& taken, int64_t most_attempts) {
  for (const int64_t bytes : taken.sizes) EXPECT_NEAR(static_cast<double>(bytes), target, target / 10);
  EXPECT_LE(taken.attempts, most_attempts);
}

TEST(GroupSize, PlainBytes) {
  expect_near_target(groups([](int64_t, int64_t n) { return 1.01 * static_cast<double>(n * shred); }, 20), 20);
}

TEST(GroupSize, CompressedToAHundredth) {
  expect_near_target(groups([](int64_t, int64_t n) { return 0.01 * static_cast<double>(n * shred); }, 20), 25);
}

TEST(GroupSize, DictionaryAndCodes) {
  expect_near_target(groups([](int64_t, int64_t n) { return 30000 + 0.1 * static_cast<double>(n * shred); }, 20), 26);
}

TEST(GroupSize, FromRepeatsToNoise) {
  const auto drift = [](int64_t first, int64_t n) {
    double bytes = 0;
    for (int64_t i = first; i < first + n; ++i) bytes += i < 5000 ? 30 : 3000;
    return bytes;
  };
  expect_near_target(groups(drift, 20), 60);
}

TEST(GroupSize, ADictionaryThatIsGivenUp) {
  // No number of shreds comes near: the nearer side of the jump is taken.
  const auto jump = [](int64_t, int64_t n) {
    return n <= 100 ? 600.0 * static_cast<double>(n) : 3000.0 * static_cast<double>(n);
  };
  const Taken taken = groups(jump, 5);
  for (const int64_t bytes : taken.sizes) EXPECT_EQ(bytes, 60000);
  EXPECT_LE(taken.attempts, 70);
}

TEST(GroupSize, AShredBeyondTheTarget) {
  const Taken taken = groups([](int64_t, int64_t n) { return 500000.0 * static_cast<double>(n); }, 3);
  EXPECT_EQ(taken.sizes, std::vector<int64_t>(3, 500000));
}

TEST(GroupSize, InputThatEnds) {
  GroupSize size(target);
  EXPECT_TRUE(size.judge({50, 150000, 500}, false));
}

}  // namespace
}  // namespace quern::cpu
