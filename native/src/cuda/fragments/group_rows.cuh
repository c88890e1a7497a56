// Groups of rows: kernels that a compiled pipeline wraps. `Groups` (jit/group_text.cpp) has the numbers of words, the
// struct Row of one row's arguments, update (a row into words), merge (a slot's words into words), plain (words in
// shared memory as a slot has them). `read(row, key, arguments)` gives whether the row takes part. Compiled by nvcc and
// by NVRTC.
#pragma once
#include "cuda/fragments/column.cuh"
#include "cuda/fragments/group_table.cuh"
#include "cuda/fragments/tile_rows.cuh"

namespace quern::cuda {

// What kernels of a group-by tell the host.
struct GroupCounters {
  unsigned long long tickets;       // tiles that were taken beside the first of each block
  unsigned long long stopped;       // blocks take no more tiles
  unsigned long long stops;         // blocks that found their table not to pay,
  unsigned long long stop_rows;     // rows that those had taken,
  unsigned long long stop_groups;   // groups in their tables,
  unsigned long long stop_refused;  // and rows of other groups
  unsigned long long returned;      // rows of tiles that were given back
  unsigned long long spilled;       // groups in the spill
  unsigned long long overflow;      // rows that found no room
  unsigned long long lost;          // groups that found no room: none, or the host gave too little
  unsigned long long passed;        // rows that passed the filters
  unsigned long long groups;        // that were written as slots
};

// Slots of groups that found no room in a table, their keys perhaps several times.
struct GroupSpill {
  uint64_t* slots;
  uint64_t capacity;
};

// Bytes of a slot in shared memory: its tag and words.
QUERN_HD constexpr int block_slot_bytes(int words) { return 4 + 8 * words; }

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

// Views of columns as a parameter of a kernel: they then take no registers.
template <int count>
struct HeldColumns {
  ColumnView views[count];
};
template <int count>
__device__ inline Input with_columns(const Input& in, const HeldColumns<count>& columns) {
  Input out = in;
  out.columns = columns.views;
  return out;
}

// A table in the block's shared memory, of a power of two of slots.
struct BlockTable {
  uint64_t* words;
  unsigned* tags;  // 0 = free, 1 = being written, else as the low half of a head
  int slots;
  unsigned most;  // groups that are let in; as many more as threads run may come beside it
  unsigned* used;
};

__device__ inline BlockTable block_table(uint64_t* memory, int words, int slots, unsigned* used) {
  return {memory, reinterpret_cast<unsigned*>(memory + static_cast<int64_t>(words) * slots), slots,
          slots - blockDim.x - 1, used};
}
template <typename Groups>
__device__ inline BlockTable block_table(uint64_t* memory, int slots, unsigned* used) {
  return block_table(memory, Groups::key_words + Groups::aggregate_words, slots, used);
}
// All threads; a barrier must follow.
template <typename Groups>
__device__ inline void clear(const BlockTable& table) {
  constexpr int quarters = block_slot_bytes(Groups::key_words + Groups::aggregate_words) / 4;
  auto* memory = reinterpret_cast<uint4*>(table.words);
  for (int i = threadIdx.x; i < table.slots * quarters / 4; i += blockDim.x) memory[i] = {0, 0, 0, 0};
  if (threadIdx.x == 0) *table.used = 0;
}
// Takes slot `at` for a key, or waits for who does; whether it is the key's now.
template <typename Groups>
__device__ inline bool take_slot(const BlockTable& table, const GroupKey<Groups::key_words>& key, unsigned tag, int at,
                                 bool& full) {
  volatile unsigned* place = table.tags + at;
  unsigned seen = *place;
  if (seen == 0) {
    if (*static_cast<volatile unsigned*>(table.used) >= table.most) {
      full = true;
      return false;
    }
    seen = atomicCAS(table.tags + at, 0U, 1U);
    if (seen == 0) {
      for (int i = 0; i < Groups::key_words; ++i) table.words[i * table.slots + at] = key.words[i];
      __threadfence_block();
      *place = tag;
      atomicAdd(table.used, 1U);
      return true;
    }
  }
  while (seen == 1) seen = *place;
  if (seen != tag) return false;
  bool same = true;
  for (int i = 0; i < Groups::key_words; ++i)
    same &= *static_cast<volatile uint64_t*>(table.words + i * table.slots + at) == key.words[i];
  return same;
}
// The slot of a key; -1 where a table with `most` groups has none. Where the first word is the whole key it tells a
// slot without its tag, but for zero, which free slots hold.
template <typename Groups>
__device__ inline int find_slot(const BlockTable& table, const GroupKey<Groups::key_words>& key, uint64_t hash) {
  const auto tag = static_cast<unsigned>(head_of(hash >> 32, key.marks, Groups::mark_bits));
  bool full = false;
  for (int at = static_cast<int>(hash) & (table.slots - 1);; at = (at + 1) & (table.slots - 1)) {
    if constexpr (Groups::word_is_key) {
      const uint64_t seen = *static_cast<volatile uint64_t*>(table.words + at);
      if (seen != 0) {
        if (seen == key.words[0]) return at;
        continue;
      }
    }
    if (take_slot<Groups>(table, key, tag, at, full)) return at;
    if (full) return -1;
  }
}
template <typename Groups>
__device__ inline BlockWords words_of(const BlockTable& table, int slot) {
  return {table.words + Groups::key_words * table.slots + slot, table.slots, slot};
}
// A group as a slot of a table in device memory has it.
template <typename Groups>
__device__ inline void plain_slot(const BlockTable& table, int at, uint64_t (&slot)[Groups::slot_words]) {
  GroupKey<Groups::key_words> key;
  slot[Groups::slot_words - 1] = 0;  // padding, where it is no word of key or aggregates
  for (int i = 0; i < Groups::key_words; ++i) slot[1 + i] = key.words[i] = table.words[i * table.slots + at];
  key.marks = marks_of(table.tags[at], Groups::mark_bits);
  slot[0] = head_of(key.hash(), key.marks, Groups::mark_bits);
  Groups::plain(words_of<Groups>(table, at), slot + 1 + Groups::key_words);
}

// A row into its group; false where a table with `most` groups has none.
template <typename Groups>
__device__ inline bool add_row(const BlockTable& block, const GroupKey<Groups::key_words>& key,
                               const typename Groups::Row& arguments) {
  const int at = find_slot<Groups>(block, key, key.hash());
  if (at >= 0) Groups::update(words_of<Groups>(block, at), arguments);
  return at >= 0;
}

// Puts a block's groups into `table`, those that find no room into the spill: at once, a warp's together, where the
// table is full from the start. All threads; the table has a multiple of 32 slots.
template <typename Groups>
__device__ inline void flush(const BlockTable& block, const GroupTable& table, const GroupSpill& spill,
                             GroupCounters* counters) {
  __shared__ int full;
  if (threadIdx.x == 0) full = *static_cast<volatile unsigned long long*>(table.used) >= table.limit ? 1 : 0;
  __syncthreads();
  const unsigned lane = threadIdx.x & 31;
  for (int at = threadIdx.x; at < block.slots; at += blockDim.x) {
    uint64_t slot[Groups::slot_words];
    bool left = block.tags[at] != 0;
    if (left) {
      plain_slot<Groups>(block, at, slot);
      uint64_t* into = find_group<Groups>(table, ExactUse{table, full != 0}, slot);
      if (into != nullptr) Groups::merge(into + 1 + Groups::key_words, slot + 1 + Groups::key_words);
      left = into == nullptr;
    }
    const unsigned bits = __ballot_sync(0xffffffffu, left);
    if (bits == 0) continue;
    unsigned long long place = 0;
    if (lane == 0) place = atomicAdd(&counters->spilled, static_cast<unsigned long long>(__popc(bits)));
    place = __shfl_sync(0xffffffffu, place, 0) + __popc(bits & ((1U << lane) - 1));
    if (!left) continue;
    if (place >= spill.capacity) {
      atomicAdd(&counters->lost, 1ULL);
      continue;
    }
#pragma unroll
    for (int i = 0; i < Groups::slot_words; i += 2)
      *reinterpret_cast<ulonglong2*>(spill.slots + place * Groups::slot_words + i) = {slot[i], slot[i + 1]};
  }
}

// The first comes last.
template <typename T, int count>
__device__ inline void turn(T (&values)[count]) {
  const T first = values[0];
#pragma unroll
  for (int i = 0; i + 1 < count; ++i) values[i] = values[i + 1];
  values[count - 1] = first;
}

// Gives a tile back: its rows go to `returned`. All threads.
__device__ inline void return_tile(const Input& in, unsigned tile, unsigned tile_rows, uint32_t* returned,
                                   GroupCounters* counters) {
  __shared__ unsigned long long place;
  const int64_t first = static_cast<int64_t>(tile) * tile_rows, left = in.count - first;
  const unsigned count = left < tile_rows ? static_cast<unsigned>(left) : tile_rows;
  if (threadIdx.x == 0) place = atomicAdd(&counters->returned, static_cast<unsigned long long>(count));
  __syncthreads();
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
    returned[place + i] = static_cast<uint32_t>(row_at(in, first + i));
}

// Rows into a table of the block, tile after tile of blockDim.x * rows_a_thread rows; a block's first is that of its
// number. A table with more than `full` groups is emptied into `table`. Where fewer than four rows met in a group then,
// or the spill is filling, all blocks stop after the tiles that they have; a tile that does not pay alone is given
// back. Every other tile that was taken is done.
template <typename Groups, typename Rows>
__device__ inline void group_in_blocks(const Input& in, const BlockTable& block, unsigned full, const GroupTable& table,
                                       const GroupSpill& spill, uint32_t* returned, GroupCounters* counters,
                                       const Rows& source) {
  __shared__ unsigned next, refused;  // the next tile; rows that found no room
  constexpr int rows = Groups::rows_a_thread;
  const unsigned tile_rows = blockDim.x * rows;
  const auto tiles = static_cast<unsigned>((in.count + tile_rows - 1) / tile_rows);
  const auto take_ticket = [&] {
    if (threadIdx.x != 0) return;
    const bool stopping = *static_cast<volatile unsigned long long*>(&counters->stopped) != 0;
    next = stopping ? tiles : gridDim.x + static_cast<unsigned>(atomicAdd(&counters->tickets, 1ULL));
  };
  clear<Groups>(block);
  if (threadIdx.x == 0) refused = 0;
  __syncthreads();
  GroupKey<Groups::key_words> keys[rows];
  typename Groups::Row arguments[rows];
  unsigned left = 0;                                // rows of the tile that have no group yet
  unsigned taken = 0;                               // rows since the table was empty
  bool again = false, first = true, whole = false;  // whole: the table holds one tile alone
  for (unsigned tile = blockIdx.x;;) {
    const bool last = tile >= tiles;
    if (!again && !last) {
      if (!first) take_ticket();
      left = source.take(static_cast<int64_t>(tile) * tile_rows, keys, arguments);
      whole = taken == 0;
      taken += tile_rows;
    }
    // One row after the other, turning all by one place: the text of a row stands here once, and compiles once.
#pragma unroll 1
    for (int u = 0; u < rows; ++u) {
      if ((left & 1) != 0 && add_row<Groups>(block, keys[0], arguments[0])) left ^= 1;
      turn(keys);
      turn(arguments);
      left = left >> 1 | (left & 1) << (rows - 1);
    }
    if (left != 0) atomicAdd(&refused, static_cast<unsigned>(__popc(left)));
    __syncthreads();
    const unsigned used = *block.used, outside = refused;
    again = outside != 0;
    if (used > full || again || last) {
      const bool pays = last || taken - outside >= 4 * used || taken < tile_rows, give_back = whole && !pays;
      if (threadIdx.x == 0 && !pays) {
        counters->stopped = 1;
        atomicAdd(&counters->stops, 1ULL);
        atomicAdd(&counters->stop_rows, static_cast<unsigned long long>(taken));
        atomicAdd(&counters->stop_groups, static_cast<unsigned long long>(used));
        atomicAdd(&counters->stop_refused, static_cast<unsigned long long>(outside));
      } else if (threadIdx.x == 0 &&
                 *static_cast<volatile unsigned long long*>(&counters->spilled) > spill.capacity / 2) {
        counters->stopped = 1;
      }
      if (give_back)
        return_tile(in, tile, tile_rows, returned, counters);
      else
        flush<Groups>(block, table, spill, counters);
      if (last) return;
      __syncthreads();
      clear<Groups>(block);
      if (threadIdx.x == 0) refused = 0;
      if (give_back) left = 0;
      again = again && !give_back;
      taken = again ? outside : 0;
      __syncthreads();
    }
    if (again) continue;
    if (first) {
      take_ticket();
      __syncthreads();
      first = false;
    }
    tile = next;
    __syncthreads();
  }
}

// Rows into a table in device memory; those that find no room go to `overflow`. A row a thread: the more threads, the
// more probes are under way.
template <typename Groups, typename Read>
__device__ inline void group_in_table(const Input& in, const GroupTable& table, uint32_t* overflow,
                                      GroupCounters* counters, const Read& read) {
  __shared__ unsigned made;
  __shared__ int full;
  const BlockUse use{table, &made, &full, false};
  use.begin();
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < in.count; i += step) {
    GroupKey<Groups::key_words> key;
    typename Groups::Row arguments;
    const int64_t row = row_at(in, i);
    if (!read(row, key, arguments)) continue;
    const uint64_t hash = key.hash(), at = first_slot(hash, table.mask);
    SlotStart start = load_start(table.slots + at * Groups::slot_words);
    uint64_t* slot = find_group<Groups>(table, use, key, hash, at, start);
    if (slot == nullptr) {
      overflow[atomicAdd(&counters->overflow, 1ULL)] = static_cast<uint32_t>(row);
      continue;
    }
    const bool settled = (start.head & 1) != 0;
    Groups::update(slot + 1 + Groups::key_words, arguments, settled);
    if (!settled && Groups::settles(arguments)) atomicOr(reinterpret_cast<unsigned long long*>(slot), 1ULL);
  }
  use.end();
}

// Groups that stand as slots into a table that has room for them.
template <typename Groups>
__device__ inline void merge_slots(const uint64_t* slots, int64_t count, const GroupTable& table,
                                   GroupCounters* counters) {
  __shared__ unsigned made;
  __shared__ int full;
  const BlockUse use{table, &made, &full, true};
  use.begin();
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += static_cast<int64_t>(gridDim.x) * blockDim.x) {
    const uint64_t* slot = slots + i * Groups::slot_words;
    uint64_t* into = find_group<Groups>(table, use, slot);
    if (into != nullptr)
      Groups::merge(into + 1 + Groups::key_words, slot + 1 + Groups::key_words);
    else
      atomicAdd(&counters->lost, 1ULL);
  }
  use.end();
}

// Adds a thread's rows that passed; all lanes of the warp call it.
__device__ inline void count_passed(const Input& in, GroupCounters* counters, unsigned passed) {
  const unsigned all = __reduce_add_sync(0xffffffffu, passed);
  if (in.rows == nullptr && (threadIdx.x & 31) == 0 && all != 0)
    atomicAdd(&counters->passed, static_cast<unsigned long long>(all));
}

#endif

}  // namespace quern::cuda
