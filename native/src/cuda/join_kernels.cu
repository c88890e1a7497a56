// Tables of joins: a thread a row (or a pair), blocks of 256. Bytes a row: the key read twice, 16 of a slot or 4 of an
// address written, 8 for the leader. Rows with a NULL in their key are in no table. Test: test/cuda/join_test.cpp.
#include "cuda/join_kernels.hpp"

#include "cuda/launch.cuh"

namespace quern::cuda {

namespace {

__device__ inline bool in_mask(const JoinKeys& keys, int64_t row) {
  return ((keys.mask[row >> 5] >> (row & 31)) & 1) != 0;
}

// One pair of atomics a block: its threads' bounds meet in shared memory.
__global__ void key_bounds_kernel(JoinKeys keys, int64_t* bounds) {
  __shared__ int64_t least[block_threads], greatest[block_threads];
  int64_t low = INT64_MAX, high = INT64_MIN;
  for (int64_t i = thread_index(); i < keys.rows; i += thread_count()) {
    if (!in_mask(keys, i)) continue;
    const auto word = static_cast<int64_t>(keys.words[i * keys.key_words]);
    low = word < low ? word : low;
    high = word > high ? word : high;
  }
  least[threadIdx.x] = low;
  greatest[threadIdx.x] = high;
  __syncthreads();
  for (unsigned half = block_threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      const int64_t other_low = least[threadIdx.x + half], other_high = greatest[threadIdx.x + half];
      if (other_low < least[threadIdx.x]) least[threadIdx.x] = other_low;
      if (other_high > greatest[threadIdx.x]) greatest[threadIdx.x] = other_high;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0 && least[0] <= greatest[0]) {
    atomicMin(reinterpret_cast<long long*>(bounds), static_cast<long long>(least[0]));
    atomicMax(reinterpret_cast<long long*>(bounds + 1), static_cast<long long>(greatest[0]));
  }
}

__device__ inline void count_repeated(bool repeated, uint64_t* count) {
  const unsigned bits = __ballot_sync(all_lanes, repeated);
  if (bits != 0 && (threadIdx.x & 31) == 0)
    atomicAdd(reinterpret_cast<unsigned long long*>(count), static_cast<unsigned long long>(__popc(bits)));
}

__global__ void insert_addresses_kernel(JoinKeys keys, uint64_t first, uint32_t* addresses, uint64_t* leaders,
                                        uint64_t* repeated) {
  const int64_t end = (keys.rows + 31) / 32 * 32;
  for (int64_t i = thread_index(); i < end; i += thread_count()) {
    bool again = false;
    if (i < keys.rows) {
      uint64_t leader = static_cast<uint64_t>(keys.rows) + 1;
      if (in_mask(keys, i)) {
        const unsigned seen = atomicCAS(&addresses[keys.words[i] - first], 0U, static_cast<unsigned>(i + 1));
        again = seen != 0;
        leader = again ? seen - 1 : static_cast<uint64_t>(i);
      }
      leaders[i] = leader;
    }
    count_repeated(again, repeated);
  }
}

// Only slots' rows are looked at while others insert: the key of a row stands in `keys`.
__global__ void insert_slots_kernel(JoinKeys keys, uint64_t mask, JoinSlot* slots, uint64_t* leaders,
                                    uint64_t* repeated) {
  const int64_t end = (keys.rows + 31) / 32 * 32;
  for (int64_t i = thread_index(); i < end; i += thread_count()) {
    bool again = false;
    if (i < keys.rows) {
      uint64_t leader = static_cast<uint64_t>(keys.rows) + 1;
      if (in_mask(keys, i)) {
        const uint64_t* key = keys.words + i * keys.key_words;
        const uint64_t hash = join_hash(key, keys.key_words);
        for (uint64_t at = hash & mask;; at = (at + 1) & mask) {
          const uint64_t seen = atomicCAS(reinterpret_cast<unsigned long long*>(&slots[at].row), 0ULL,
                                          static_cast<unsigned long long>(i + 1));
          if (seen == 0) {
            slots[at].tag = keys.key_words == 1 ? key[0] : hash;
            leader = static_cast<uint64_t>(i);
            break;
          }
          const uint64_t* other = keys.words + static_cast<int64_t>(seen - 1) * keys.key_words;
          bool same = true;
          for (int word = 0; word < keys.key_words; ++word) same &= other[word] == key[word];
          if (!same) continue;
          again = true;
          leader = seen - 1;
          break;
        }
      }
      leaders[i] = leader;
    }
    count_repeated(again, repeated);
  }
}

__global__ void list_bounds_kernel(const uint64_t* leaders, int64_t count, int64_t* starts, int64_t* ends) {
  for (int64_t i = thread_index(); i < count; i += thread_count()) {
    const uint64_t leader = leaders[i];
    if (i == 0 || leaders[i - 1] != leader) starts[leader] = i;
    if (i == count - 1 || leaders[i + 1] != leader) ends[leader] = i + 1;
  }
}

__global__ void list_lengths_kernel(const uint32_t* found, int64_t count, const int64_t* starts, const int64_t* ends,
                                    uint32_t none, int64_t more, int64_t* lengths) {
  for (int64_t i = thread_index(); i < count; i += thread_count())
    lengths[i] = ends[found[i]] - starts[found[i]] + (found[i] == none ? 0 : more);
}

// Work is spread over pairs, whatever their lists: each searches its place.
__global__ void write_pairs_kernel(JoinPairs pairs, const uint32_t* chosen, int64_t count, uint32_t* first,
                                   uint32_t* second) {
  for (int64_t i = thread_index(); i < count; i += thread_count()) {
    uint32_t other = 0;
    first[i] = pairs.rows[pair_at(pairs, chosen == nullptr ? i : chosen[i], other)];
    second[i] = other;
  }
}

__device__ inline bool bit_of(const uint32_t* bits, int64_t i) { return ((bits[i >> 5] >> (i & 31)) & 1) != 0; }

// The last pair of an entry without a match, which has no row.
__global__ void choose_unmatched_kernel(JoinPairs pairs, const uint32_t* matched, uint32_t* chosen) {
  for (int64_t i = thread_index(); i < pairs.count; i += thread_count()) {
    if (bit_of(matched, i)) continue;
    const int64_t at = pairs.targets[i + 1] - 1;
    atomicOr(&chosen[at >> 5], 1U << (at & 31));
  }
}

__global__ void mark_rows_kernel(const uint32_t* rows, int64_t count, uint32_t end, uint32_t* marks) {
  for (int64_t i = thread_index(); i < count; i += thread_count()) {
    const uint32_t row = rows[i];
    if (row < end && !bit_of(marks, row)) atomicOr(&marks[row >> 5], 1U << (row & 31));
  }
}

__global__ void unmarked_rows_kernel(const uint32_t* marks, const uint64_t* leaders, int64_t rows, uint32_t* mask) {
  const int64_t end = (rows + 31) / 32 * 32;
  for (int64_t i = thread_index(); i < end; i += thread_count()) {
    bool unmarked = false;
    if (i < rows) {
      const int64_t at = leaders == nullptr ? i : static_cast<int64_t>(leaders[i]);
      unmarked = at > rows || !bit_of(marks, at);
    }
    const unsigned bits = __ballot_sync(all_lanes, unmarked);
    if ((threadIdx.x & 31) == 0) mask[i >> 5] = bits;
  }
}

__global__ void match_values_kernel(const uint32_t* found, const uint32_t* matched, int64_t count, uint32_t rows,
                                    bool unknown, bool unknown_without, uint8_t* values, uint32_t* validity,
                                    unsigned long long* nulls) {
  const int64_t end = (count + 31) / 32 * 32;
  for (int64_t i = thread_index(); i < end; i += thread_count()) {
    const bool live = i < count;
    const bool match = live && (matched != nullptr ? bit_of(matched, i) : found[i] < rows);
    const bool null = live && !match && (unknown_without || (unknown && found[i] > rows));
    if (live) values[i] = match ? 1 : 0;
    const unsigned bits = __ballot_sync(all_lanes, null);
    if ((threadIdx.x & 31) == 0) {
      validity[i >> 5] = ~bits;
      if (bits != 0) atomicAdd(nulls, static_cast<unsigned long long>(__popc(bits)));
    }
  }
}

}  // namespace

void key_bounds(Device& device, const JoinKeys& keys, int64_t* bounds) {
  if (keys.rows == 0) return;
  QUERN_LAUNCH(key_bounds_kernel, keys.rows, block_threads, keys, bounds);
}

void insert_addresses(Device& device, const JoinKeys& keys, uint64_t first, uint32_t* addresses, uint64_t* leaders,
                      uint64_t* repeated) {
  if (keys.rows == 0) return;
  QUERN_LAUNCH(insert_addresses_kernel, keys.rows, block_threads, keys, first, addresses, leaders, repeated);
}

void insert_slots(Device& device, const JoinKeys& keys, uint64_t mask, JoinSlot* slots, uint64_t* leaders,
                  uint64_t* repeated) {
  if (keys.rows == 0) return;
  QUERN_LAUNCH(insert_slots_kernel, keys.rows, block_threads, keys, mask, slots, leaders, repeated);
}

void list_bounds(Device& device, const uint64_t* sorted_leaders, int64_t count, int64_t* starts, int64_t* ends) {
  if (count == 0) return;
  QUERN_LAUNCH(list_bounds_kernel, count, block_threads, sorted_leaders, count, starts, ends);
}

void list_lengths(Device& device, const JoinPairs& pairs, int64_t more, int64_t* lengths) {
  if (pairs.count == 0) return;
  QUERN_LAUNCH(list_lengths_kernel, pairs.count, block_threads, pairs.found, pairs.count, pairs.starts, pairs.ends,
               pairs.none, more, lengths);
}

void write_pairs(Device& device, const JoinPairs& pairs, const uint32_t* chosen, int64_t count, uint32_t* first,
                 uint32_t* second) {
  if (count == 0) return;
  QUERN_LAUNCH(write_pairs_kernel, count, block_threads, pairs, chosen, count, first, second);
}

void choose_unmatched(Device& device, const JoinPairs& pairs, const uint32_t* matched, uint32_t* chosen) {
  if (pairs.count == 0) return;
  QUERN_LAUNCH(choose_unmatched_kernel, pairs.count, block_threads, pairs, matched, chosen);
}

void mark_rows(Device& device, const uint32_t* rows, int64_t count, uint32_t end, uint32_t* marks) {
  if (count == 0) return;
  QUERN_LAUNCH(mark_rows_kernel, count, block_threads, rows, count, end, marks);
}

void unmarked_rows(Device& device, const uint32_t* marks, const uint64_t* leaders, int64_t rows, uint32_t* mask) {
  if (rows == 0) return;
  QUERN_LAUNCH(unmarked_rows_kernel, rows, block_threads, marks, leaders, rows, mask);
}

void match_values(Device& device, const uint32_t* found, const uint32_t* matched, int64_t count, uint32_t rows,
                  bool unknown, bool unknown_without, uint8_t* values, uint32_t* validity, unsigned long long* nulls) {
  if (count == 0) return;
  QUERN_LAUNCH(match_values_kernel, count, block_threads, found, matched, count, rows, unknown, unknown_without, values,
               validity, nulls);
}

}  // namespace quern::cuda
