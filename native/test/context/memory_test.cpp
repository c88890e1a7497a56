#include "context/memory.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "common/error.hpp"

namespace quern {
namespace {

TEST(Memory, CountsWhatIsOutAndRemembersThePeak) {
  Memory memory(1 << 20);
  {
    const auto a = memory.allocate(1000);
    const auto b = memory.allocate(100000);
    EXPECT_EQ(memory.used(), static_cast<int64_t>(a->capacity() + b->capacity()));
    EXPECT_GE(memory.peak(), 101000);
  }
  EXPECT_EQ(memory.used(), 0);
}

TEST(Memory, OverBudgetIsAnErrorThatNamesTheBytes) {
  Memory memory(1 << 20);
  const auto held = memory.allocate(1000);
  try {
    memory.allocate(4 << 20);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::oom);
    EXPECT_EQ(error.message(), "out of memory: asked for 4.0 MiB with 1280 bytes in use, limit 1.0 MiB");
  }
  EXPECT_EQ(memory.used(), static_cast<int64_t>(held->capacity()));
}

TEST(Memory, SizeThatWouldWrapIsRefused) {
  Memory memory(1 << 20);
  EXPECT_THROW(memory.allocate(SIZE_MAX), Error);
  EXPECT_THROW(memory.allocate(SIZE_MAX - 63), Error);
  EXPECT_EQ(memory.used(), 0);
}

TEST(Memory, BuffersAreAlignedWritableAndPadded) {
  Memory memory(1LL << 30);
  for (const size_t bytes : {0UL, 1UL, 255UL, 256UL, 257UL, 65536UL, 3UL << 20}) {
    const auto buffer = memory.allocate(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->data()) % 64, 0U);
    EXPECT_GE(buffer->capacity(), bytes + 64);
    std::memset(buffer->data(), 1, bytes + 64);
  }
}

TEST(Memory, ReservationGivesBackOnExit) {
  Memory memory(1000);
  {
    Reservation reservation(memory);
    reservation.resize(900);
    EXPECT_EQ(memory.used(), 900);
    EXPECT_THROW(reservation.resize(1100), Error);
    EXPECT_EQ(memory.used(), 900);
    reservation.resize(100);
    EXPECT_EQ(memory.used(), 100);
  }
  EXPECT_EQ(memory.used(), 0);
}

TEST(Memory, ThreadsShareOneBudget) {
  Memory memory(64 << 20);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (size_t i = 0; i < 2000; ++i) {
        const auto buffer = memory.allocate(1 + i * 37 % 100000);
        buffer->data()[0] = 1;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(memory.used(), 0);
  EXPECT_LE(memory.peak(), 64 << 20);
}

TEST(Memory, FreedBlocksAreUsedAgainByAnyThread) {
  Memory memory(1 << 30);
  // Each side of every capacity, so that a block of the wrong size would be written past its end.
  std::vector<size_t> sizes;
  for (size_t step = 64; step <= (1 << 20); step *= 2) {
    for (size_t steps = 5; steps <= 8; ++steps) {
      for (const size_t bytes : {steps * step - 64, steps * step - 65, steps * step - 63}) sizes.push_back(bytes);
    }
  }
  for (int round = 0; round < 3; ++round) {
    std::vector<BufferPtr> held;
    std::thread([&] {
      for (const size_t bytes : sizes) {
        held.push_back(memory.allocate(bytes));
        EXPECT_GE(held.back()->capacity(), bytes + 64);
        std::memset(held.back()->data(), round, held.back()->capacity());
        if (held.size() > 20) held.erase(held.begin());
      }
    }).join();
    held.clear();  // on this thread
    EXPECT_EQ(memory.used(), 0);
  }
}

TEST(Memory, FreedBlocksMakeRoomForOtherSizes) {
  Memory memory(10 << 20);
  for (size_t bytes = 1 << 20; bytes <= (9 << 20); bytes += 100'000) {
    std::thread([&] { memory.allocate(bytes)->data()[0] = 1; }).join();
    EXPECT_EQ(memory.used(), 0);
  }
}

}  // namespace
}  // namespace quern
