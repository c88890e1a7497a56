#include <algorithm>

#include "cuda/check.hpp"
#include "ops/hash.hpp"
#include "peer_group_by.hpp"

namespace quern::bench {

namespace {

using cuda::check;
constexpr int block_threads = 128, block_keys = 128, block_slots = 366;  // 256 / 0.7
constexpr unsigned none = 0xffffffffu;

struct Results {
  void* sums;
  unsigned long long* counts;  // nullptr = not wanted, as the others
  long long *least, *greatest;
  double* squares;
};

__device__ inline uint64_t hash_of(const PeerInput& in, unsigned row) {
  uint64_t hash = hash_seed;
  for (int i = 0; i < in.key_count; ++i) hash = hash_word(hash, static_cast<uint64_t>(in.keys[i][row]));
  return hash;
}
__device__ inline bool same_key(const PeerInput& in, unsigned a, unsigned b) {
  bool same = true;
  for (int i = 0; i < in.key_count; ++i) same &= in.keys[i][a] == in.keys[i][b];
  return same;
}
// The row that stands for this row's key.
__device__ inline unsigned insert_and_find(const PeerInput& in, unsigned* set, uint64_t slots, unsigned row) {
  for (uint64_t at = hash_of(in, row) % slots;; at = at + 1 == slots ? 0 : at + 1) {
    unsigned seen = *static_cast<volatile unsigned*>(set + at);
    if (seen == none) seen = atomicCAS(set + at, none, row);
    if (seen == none) return row;
    if (same_key(in, seen, row)) return seen;
  }
}
__device__ inline bool is_valid(const PeerInput& in, int64_t row) {
  return in.validity == nullptr || ((in.validity[row >> 5] >> (row & 31)) & 1) != 0;
}
__device__ inline void add_by_swap(int128_t* sum, int128_t value) {
  int128_t seen = *static_cast<volatile int128_t*>(sum);
  for (;;) {
    const int128_t next = seen + value,
                   before = atomicCAS(reinterpret_cast<unsigned __int128*>(sum), static_cast<unsigned __int128>(seen),
                                      static_cast<unsigned __int128>(next));
    if (before == seen) return;
    seen = before;
  }
}
__device__ inline double number_at(const PeerInput& in, int64_t row) {
  return in.real ? static_cast<const double*>(in.values)[row]
                 : static_cast<double>(static_cast<const int64_t*>(in.values)[row]);
}
__device__ inline void add_global(const PeerInput& in, const Results& out, unsigned target, int64_t row) {
  if (!is_valid(in, row)) return;
  if (in.wide)
    add_by_swap(static_cast<int128_t*>(out.sums) + target, static_cast<const int128_t*>(in.values)[row]);
  else if (in.real)
    atomicAdd(static_cast<double*>(out.sums) + target, static_cast<const double*>(in.values)[row]);
  else
    atomicAdd(static_cast<unsigned long long*>(out.sums) + target,
              static_cast<unsigned long long>(static_cast<const int64_t*>(in.values)[row]));
  if (out.counts != nullptr) atomicAdd(out.counts + target, 1ULL);
  if (out.least != nullptr) {
    atomicMin(out.least + target, static_cast<const long long*>(in.values)[row]);
    atomicMax(out.greatest + target, static_cast<const long long*>(in.values)[row]);
  }
  if (out.squares != nullptr) {
    const double value = number_at(in, row);
    atomicAdd(out.squares + target, value * value);
  }
}

__global__ void global_kernel(PeerInput in, unsigned* set, uint64_t slots, Results out) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t row = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; row < in.rows; row += step)
    add_global(in, out, insert_and_find(in, set, slots, static_cast<unsigned>(row)), row);
}

// First kernel of few keys: ranks of rows in their block, rows of ranks in the set of all.
__global__ void rank_kernel(PeerInput in, unsigned* set, uint64_t slots, unsigned* ranks, unsigned* targets,
                            unsigned* block_counts, unsigned* gave_up) {
  __shared__ unsigned local[block_slots], keys[block_keys], count, slot_ranks[block_slots];
  for (int i = threadIdx.x; i < block_slots; i += blockDim.x) local[i] = none;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  const int64_t end = (in.rows + block_threads - 1) / block_threads * block_threads;
  for (int64_t row = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; row < end; row += step) {
    unsigned at = none;
    if (row < in.rows) {
      for (at = static_cast<unsigned>(hash_of(in, static_cast<unsigned>(row)) % block_slots);;
           at = at + 1 == block_slots ? 0 : at + 1) {
        const unsigned seen = atomicCAS(local + at, none, static_cast<unsigned>(row));
        if (seen == none) {
          const unsigned rank = atomicAdd(&count, 1U);
          slot_ranks[at] = rank;
          if (rank < block_keys) keys[rank] = static_cast<unsigned>(row);
        }
        if (seen == none || same_key(in, seen, static_cast<unsigned>(row))) break;
      }
    }
    __syncthreads();
    if (count > block_keys) {
      if (threadIdx.x == 0) *gave_up = 1;
      return;
    }
    if (row < in.rows) ranks[row] = slot_ranks[at];
  }
  __syncthreads();
  if (threadIdx.x < count)
    targets[blockIdx.x * block_keys + threadIdx.x] = insert_and_find(in, set, slots, keys[threadIdx.x]);
  if (threadIdx.x == 0) block_counts[blockIdx.x] = count;
}

// Second kernel of few keys: sums of a block in shared memory, then into the results.
__global__ void block_sum_kernel(PeerInput in, const unsigned* ranks, const unsigned* targets,
                                 const unsigned* block_counts, Results out) {
  __shared__ unsigned long long low[block_keys], high[block_keys], counts[block_keys];
  __shared__ long long least[block_keys], greatest[block_keys];
  __shared__ double reals[block_keys], squares[block_keys];
  low[threadIdx.x] = high[threadIdx.x] = counts[threadIdx.x] = 0;
  least[threadIdx.x] = INT64_MAX;
  greatest[threadIdx.x] = INT64_MIN;
  reals[threadIdx.x] = squares[threadIdx.x] = 0;
  __syncthreads();
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t row = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; row < in.rows; row += step) {
    if (!is_valid(in, row)) continue;
    const unsigned rank = ranks[row];
    if (in.wide) {
      const int128_t value = static_cast<const int128_t*>(in.values)[row];
      const auto part = static_cast<unsigned long long>(value);
      const unsigned long long old = atomicAdd(low + rank, part);
      atomicAdd(high + rank, static_cast<unsigned long long>(value >> 64) + (old + part < old ? 1 : 0));
    } else if (in.real) {
      atomicAdd(reals + rank, static_cast<const double*>(in.values)[row]);
    } else {
      atomicAdd(low + rank, static_cast<unsigned long long>(static_cast<const int64_t*>(in.values)[row]));
    }
    if (out.counts != nullptr) atomicAdd(counts + rank, 1ULL);
    if (out.least != nullptr) {
      atomicMin(least + rank, static_cast<const long long*>(in.values)[row]);
      atomicMax(greatest + rank, static_cast<const long long*>(in.values)[row]);
    }
    if (out.squares != nullptr) {
      const double value = number_at(in, row);
      atomicAdd(squares + rank, value * value);
    }
  }
  __syncthreads();
  if (threadIdx.x >= block_counts[blockIdx.x]) return;
  const unsigned target = targets[blockIdx.x * block_keys + threadIdx.x];
  if (in.wide)
    add_by_swap(static_cast<int128_t*>(out.sums) + target,
                static_cast<int128_t>(static_cast<uint128_t>(high[threadIdx.x]) << 64 | low[threadIdx.x]));
  else if (in.real)
    atomicAdd(static_cast<double*>(out.sums) + target, reals[threadIdx.x]);
  else
    atomicAdd(static_cast<unsigned long long*>(out.sums) + target, low[threadIdx.x]);
  if (out.counts != nullptr) atomicAdd(out.counts + target, counts[threadIdx.x]);
  if (out.least != nullptr) {
    atomicMin(out.least + target, least[threadIdx.x]);
    atomicMax(out.greatest + target, greatest[threadIdx.x]);
  }
  if (out.squares != nullptr) atomicAdd(out.squares + target, squares[threadIdx.x]);
}

__global__ void retrieve_kernel(const unsigned* set, int64_t slots, unsigned* rows, unsigned long long* count) {
  __shared__ unsigned here;
  __shared__ unsigned long long base;
  for (int64_t first = static_cast<int64_t>(blockIdx.x) * 1024; first < slots; first += gridDim.x * 1024LL) {
    if (threadIdx.x == 0) here = 0;
    __syncthreads();
    const int64_t i = first + threadIdx.x;
    const bool taken = i < slots && set[i] != none;
    const unsigned bits = __ballot_sync(0xffffffffu, taken);
    unsigned at = 0;
    if ((threadIdx.x & 31) == 0 && bits != 0) at = atomicAdd(&here, static_cast<unsigned>(__popc(bits)));
    at = __shfl_sync(0xffffffffu, at, 0) + __popc(bits & ((1U << (threadIdx.x & 31)) - 1));
    __syncthreads();
    if (threadIdx.x == 0) base = atomicAdd(count, static_cast<unsigned long long>(here));
    __syncthreads();
    if (taken) rows[base + at] = set[i];
    __syncthreads();
  }
}

struct Moments {
  double *means, *deviations;
};
__global__ void fill_kernel(int64_t rows, long long* least, long long* greatest) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < rows; i += step) {
    least[i] = INT64_MAX;
    greatest[i] = INT64_MIN;
  }
}

__global__ void gather_kernel(PeerInput in, const unsigned* rows, int64_t groups, Results from, int64_t* key0,
                              int64_t* key1, Results to, Moments moments) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < groups; i += step) {
    const unsigned row = rows[i];
    key0[i] = in.keys[0][row];
    if (in.key_count > 1) key1[i] = in.keys[1][row];
    if (in.wide)
      static_cast<int128_t*>(to.sums)[i] = static_cast<const int128_t*>(from.sums)[row];
    else
      static_cast<int64_t*>(to.sums)[i] = static_cast<const int64_t*>(from.sums)[row];
    if (to.counts != nullptr) to.counts[i] = from.counts[row];
    if (to.least != nullptr) {
      to.least[i] = from.least[row];
      to.greatest[i] = from.greatest[row];
    }
    if (from.squares != nullptr) {
      const auto count = static_cast<double>(from.counts[row]);
      const double sum = in.real ? static_cast<const double*>(from.sums)[row]
                                 : static_cast<double>(static_cast<const int64_t*>(from.sums)[row]);
      moments.means[i] = sum / count;
      moments.deviations[i] = sqrt((from.squares[row] - sum * sum / count) / (count - 1));
    }
  }
}

}  // namespace

PeerResult peer_group_by(cuda::Device& device, const PeerInput& in) {
  const auto stream = device.stream.get();
  const auto rows = static_cast<size_t>(in.rows), value_bytes = static_cast<size_t>(in.wide ? 16 : 8);
  const uint64_t slots = 2 * rows;
  const auto set = device.memory.allocate(slots * 4);
  check(cudaMemsetAsync(set->data(), 0xff, slots * 4, stream), "memset");
  const auto sums = device.memory.allocate_zeroed(rows * value_bytes);
  const auto counts = in.count ? device.memory.allocate_zeroed(rows * 8) : nullptr;
  const auto least = in.extremes ? device.memory.allocate(rows * 8) : nullptr,
             greatest = in.extremes ? device.memory.allocate(rows * 8) : nullptr,
             squares = in.squares ? device.memory.allocate_zeroed(rows * 8) : nullptr;
  const Results results{sums->data(), in.count ? counts->as<unsigned long long>() : nullptr,
                        in.extremes ? least->as<long long>() : nullptr,
                        in.extremes ? greatest->as<long long>() : nullptr,
                        in.squares ? squares->as<double>() : nullptr};
  if (in.extremes) {
    const unsigned all = static_cast<unsigned>(device.info.multiprocessors) * 8;
    fill_kernel<<<all, 256, 0, stream>>>(in.rows, results.least, results.greatest);
    device.launched("peer fill", all, 256);
  }
  const auto control = device.memory.allocate_zeroed(16);
  const auto resident = [&](const void* kernel, int threads) {
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0), "occupancy");
    return static_cast<int64_t>(blocks) * device.info.multiprocessors;
  };
  const int64_t blocks = std::min({resident(reinterpret_cast<const void*>(rank_kernel), block_threads),
                                   resident(reinterpret_cast<const void*>(block_sum_kernel), block_threads),
                                   (in.rows + block_threads - 1) / block_threads});
  PeerResult out;
  {
    const auto ranks = device.memory.allocate(rows * 4);
    const auto targets = device.memory.allocate(static_cast<size_t>(blocks) * block_keys * 4);
    const auto block_counts = device.memory.allocate(static_cast<size_t>(blocks) * 4);
    rank_kernel<<<static_cast<unsigned>(blocks), block_threads, 0, stream>>>(
        in, set->as<unsigned>(), slots, ranks->as<unsigned>(), targets->as<unsigned>(), block_counts->as<unsigned>(),
        control->as<unsigned>());
    device.launched("peer ranks", blocks, block_threads);
    unsigned gave_up = 0;
    device.read_back(&gave_up, control->data(), sizeof(gave_up));
    out.shared = gave_up == 0;
    if (out.shared) {
      block_sum_kernel<<<static_cast<unsigned>(blocks), block_threads, 0, stream>>>(
          in, ranks->as<unsigned>(), targets->as<unsigned>(), block_counts->as<unsigned>(), results);
      device.launched("peer block sums", blocks, block_threads);
    }
  }
  if (!out.shared) {
    check(cudaMemsetAsync(set->data(), 0xff, slots * 4, stream), "memset");
    const int64_t all = resident(reinterpret_cast<const void*>(global_kernel), block_threads);
    global_kernel<<<static_cast<unsigned>(all), block_threads, 0, stream>>>(in, set->as<unsigned>(), slots, results);
    device.launched("peer global", all, block_threads);
  }
  const auto kept = device.memory.allocate(rows * 4);
  auto* count = control->as<unsigned long long>() + 1;
  const unsigned wide = static_cast<unsigned>(device.info.multiprocessors) * 2;
  retrieve_kernel<<<wide, 1024, 0, stream>>>(set->as<unsigned>(), static_cast<int64_t>(slots), kept->as<unsigned>(),
                                             count);
  device.launched("peer retrieve", wide, 1024);
  device.read_back(&out.groups, count, 8);
  const auto groups = static_cast<size_t>(out.groups);
  for (int i = 0; i < in.key_count; ++i) out.keys[i] = device.memory.allocate(groups * 8);
  out.sums = device.memory.allocate(groups * value_bytes);
  if (in.count) out.counts = device.memory.allocate(groups * 8);
  for (auto* column : {&out.least, &out.greatest})
    if (in.extremes) *column = device.memory.allocate(groups * 8);
  for (auto* column : {&out.means, &out.deviations})
    if (in.squares) *column = device.memory.allocate(groups * 8);
  gather_kernel<<<wide * 4, 256, 0, stream>>>(
      in, kept->as<unsigned>(), out.groups, results, out.keys[0]->as<int64_t>(),
      in.key_count > 1 ? out.keys[1]->as<int64_t>() : nullptr,
      {out.sums->data(), in.count ? out.counts->as<unsigned long long>() : nullptr,
       in.extremes ? out.least->as<long long>() : nullptr, in.extremes ? out.greatest->as<long long>() : nullptr,
       nullptr},
      {in.squares ? out.means->as<double>() : nullptr, in.squares ? out.deviations->as<double>() : nullptr});
  device.launched("peer gather", wide * 4, 256);
  return out;
}

}  // namespace quern::bench
