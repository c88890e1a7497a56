// Numbers of strings: a thread a row, blocks of 256. Bytes a row: offsets, the string, a slot of 8, and an entry of 16
// and its string where one is found; 4 written. NULL rows get 0. Rows of one string meet in reads alone: a slot is
// written once. Test: test/cuda/string_test.cpp.
#include "cuda/string_kernels.hpp"

#include "cuda/launch.cuh"

namespace quern::cuda {

namespace {

constexpr uint32_t of_row = 1U << 31;

__device__ inline uint64_t slot_of(uint32_t tag, uint32_t number) { return static_cast<uint64_t>(tag) << 32 | number; }

struct Seen {
  uint32_t number = refused_string;
  bool fresh = false;
};

// A slot that looks free may be taken since; only then is it asked for.
__device__ inline Seen look_up(const StringRound& round, int64_t row) {
  const StringTable& table = round.table;
  const StringBytes string = bytes_at(round.strings, row);
  const uint32_t tag = string_tag(string), own = of_row | static_cast<uint32_t>(row);
  uint64_t at = tag & table.mask;
  for (uint64_t step = 0; step <= table.mask; ++step, at = (at + 1) & table.mask) {
    uint64_t slot = table.slots[at];
    if (slot == 0) {
      if (round.known + *static_cast<volatile unsigned long long*>(round.let) >= round.limit) return {};
      slot = atomicCAS(&table.slots[at], 0ULL, static_cast<unsigned long long>(slot_of(tag, own)));
      if (slot == 0) return {own, true};
    }
    if (slot >> 32 != tag) continue;
    const auto number = static_cast<uint32_t>(slot);
    const StringBytes other =
        (number & of_row) != 0 ? bytes_at(round.strings, number & ~of_row) : bytes_of(table.entries[number]);
    if (same_bytes(string, other)) return {number, false};
  }
  return {};
}

__device__ inline void count_lanes(unsigned lanes, unsigned long long* count) {
  if (lanes != 0 && (threadIdx.x & 31) == 0) atomicAdd(count, static_cast<unsigned long long>(__popc(lanes)));
}

__global__ void look_up_strings_kernel(StringRound round) {
  const int64_t end = (round.rows + 31) / 32 * 32;
  for (int64_t i = thread_index(); i < end; i += thread_count()) {
    Seen seen;
    const bool wanted = i < round.rows && (!round.again || round.numbers[i] == refused_string);
    if (wanted) {
      seen = is_null(round.strings, i) ? Seen{null_string, false} : look_up(round, i);
      round.numbers[i] = seen.number;
    }
    const unsigned fresh = __ballot_sync(all_lanes, seen.fresh);
    if ((threadIdx.x & 31) == 0) round.fresh[i >> 5] = fresh;
    count_lanes(fresh, round.let);
    count_lanes(__ballot_sync(all_lanes, wanted && seen.number == refused_string), round.refused);
  }
}

// A thread a new string.
__global__ void number_strings_kernel(StringRound round, ColumnView kept, const uint32_t* rows, int64_t count) {
  for (int64_t i = thread_index(); i < count; i += thread_count()) {
    const uint32_t row = rows[i], number = static_cast<uint32_t>(round.known + 1 + static_cast<uint64_t>(i));
    const StringBytes string = bytes_at(kept, i);
    const uint32_t tag = string_tag(string);
    round.table.entries[number] = {string.bytes, string.length, tag};
    round.numbers[row] = number;
    uint64_t at = tag & round.table.mask;
    while (round.table.slots[at] != slot_of(tag, of_row | row)) at = (at + 1) & round.table.mask;
    round.table.slots[at] = slot_of(tag, number);
  }
}

__global__ void resolve_strings_kernel(uint32_t* numbers, int64_t rows) {
  for (int64_t i = thread_index(); i < rows; i += thread_count()) {
    const uint32_t number = numbers[i];
    if ((number & of_row) != 0 && number != refused_string) numbers[i] = numbers[number & ~of_row];
  }
}

__global__ void insert_strings_kernel(StringTable table, int64_t count) {
  for (int64_t i = thread_index(); i < count; i += thread_count()) {
    const auto number = static_cast<uint32_t>(i + 1);
    const uint32_t tag = table.entries[number].tag;
    uint64_t at = tag & table.mask;
    while (atomicCAS(&table.slots[at], 0ULL, static_cast<unsigned long long>(slot_of(tag, number))) != 0)
      at = (at + 1) & table.mask;
  }
}

}  // namespace

void look_up_strings(Device& device, const StringRound& round) {
  if (round.rows == 0) return;
  QUERN_LAUNCH(look_up_strings_kernel, round.rows, block_threads, round);
}

void number_strings(Device& device, const StringRound& round, const ColumnView& kept, const uint32_t* rows,
                    int64_t count) {
  if (count == 0) return;
  QUERN_LAUNCH(number_strings_kernel, count, block_threads, round, kept, rows, count);
}

void resolve_strings(Device& device, uint32_t* numbers, int64_t rows) {
  if (rows == 0) return;
  QUERN_LAUNCH(resolve_strings_kernel, rows, block_threads, numbers, rows);
}

void insert_strings(Device& device, const StringTable& table, int64_t count) {
  if (count == 0) return;
  QUERN_LAUNCH(insert_strings_kernel, count, block_threads, table, count);
}

}  // namespace quern::cuda
