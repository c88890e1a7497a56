// Fibers for threads, and a CUDA runtime whose device memory is the host's: every copy is done when its call returns,
// and behind every allocation lies a page that faults.
#include "emulated/emulated_device.hpp"

#include <setjmp.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <vector>

#include "cuda/group_kernels.hpp"
#include "cuda/move_kernels.hpp"
#include "cuda/sort_kernels.hpp"

thread_local quern::emulated::Index threadIdx, blockIdx, blockDim, gridDim;

namespace quern::emulated {

namespace {

constexpr size_t stack_bytes = 64 << 10;
enum class State : uint8_t { runs, at_block, at_warp, ended };

struct Fiber {
  jmp_buf place{};  // once it has begun
  std::unique_ptr<uint8_t[]> stack;
  State state = State::runs;
  bool predicate = false;
};

struct Block {
  jmp_buf scheduler{};
  std::vector<Fiber> fibers;
  size_t current = 0;
  const std::function<void()>* thread = nullptr;
};
thread_local Block block;

// Gives the turn back; returns with the next one.
void pause(State state) {
  Fiber& fiber = block.fibers[block.current];
  fiber.state = state;
  if (_setjmp(fiber.place) == 0) _longjmp(block.scheduler, 1);
}

// A fiber is one thread of a block after another.
void enter() {
  for (;;) {
    (*block.thread)();
    pause(State::ended);
  }
}

void resume(Fiber& fiber) {
  if (_setjmp(block.scheduler) != 0) return;
  if (fiber.stack) _longjmp(fiber.place, 1);
  fiber.stack.reset(new uint8_t[stack_bytes]);
  ucontext_t context{};
  getcontext(&context);
  context.uc_stack.ss_sp = fiber.stack.get();
  context.uc_stack.ss_size = stack_bytes;
  context.uc_link = nullptr;
  makecontext(&context, enter, 0);
  setcontext(&context);
}

// Lets those go on who wait for nobody that still runs.
bool release() {
  bool any = false, all_at_block = true;
  for (const auto& fiber : block.fibers) {
    any |= fiber.state != State::ended;
    all_at_block &= fiber.state == State::at_block || fiber.state == State::ended;
  }
  for (size_t first = 0; first < block.fibers.size(); first += 32) {
    bool all_at_warp = true;
    for (size_t i = first; i < first + 32 && i < block.fibers.size(); ++i)
      all_at_warp &= block.fibers[i].state == State::at_warp || block.fibers[i].state == State::ended;
    for (size_t i = first; i < first + 32 && i < block.fibers.size(); ++i) {
      if (block.fibers[i].state != State::ended && (all_at_warp || all_at_block)) block.fibers[i].state = State::runs;
    }
  }
  return any;
}

}  // namespace

void run_blocks(int64_t blocks, int32_t threads, const std::function<void()>& thread) {
  // `static` memory stands for a block's: one block at a time.
  static std::mutex one;
  const std::lock_guard lock(one);
  block.thread = &thread;
  if (block.fibers.size() != static_cast<size_t>(threads))
    block.fibers = std::vector<Fiber>(static_cast<size_t>(threads));
  blockDim.x = static_cast<unsigned>(threads);
  gridDim.x = static_cast<unsigned>(blocks);
  for (int64_t b = 0; b < blocks; ++b) {
    blockIdx.x = static_cast<unsigned>(b);
    for (auto& fiber : block.fibers) fiber.state = State::runs;
    do {
      for (size_t i = 0; i < block.fibers.size(); ++i) {
        if (block.fibers[i].state != State::runs) continue;
        block.current = i;
        threadIdx.x = static_cast<unsigned>(i);
        resume(block.fibers[i]);
      }
    } while (release());
  }
}

void wait_for_block() {
  pause(State::at_block);
  threadIdx.x = static_cast<unsigned>(block.current);
}

void wait_for_warp() {
  pause(State::at_warp);
  threadIdx.x = static_cast<unsigned>(block.current);
}

unsigned ballot(bool predicate) {
  block.fibers[block.current].predicate = predicate;
  wait_for_warp();
  unsigned bits = 0;
  const size_t first = block.current / 32 * 32;
  for (size_t i = first; i < first + 32 && i < block.fibers.size(); ++i) {
    if (block.fibers[i].state != State::ended && block.fibers[i].predicate) bits |= 1U << (i - first);
  }
  wait_for_warp();
  return bits;
}

namespace {

struct Allocation {
  void* map;
  size_t size;
};
std::mutex allocations_mutex;
std::map<void*, Allocation> allocations;

}  // namespace

}  // namespace quern::emulated

using namespace quern::emulated;

extern "C" {

cudaError_t cudaMallocFromPoolAsync(void** out, size_t bytes, cudaMemPool_t, cudaStream_t) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t size = (bytes + page - 1) / page * page;
  void* map = mmap(nullptr, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED) return cudaErrorMemoryAllocation;
  mprotect(static_cast<uint8_t*>(map) + size, page, PROT_NONE);
  *out = static_cast<uint8_t*>(map) + (size - bytes);  // the end is at the page that faults; 256-byte aligned sizes
  std::memset(*out, 0xa5, bytes);
  const std::lock_guard lock(allocations_mutex);
  allocations[*out] = {map, size + page};
  return cudaSuccess;
}
cudaError_t cudaFreeAsync(void* data, cudaStream_t) {
  const std::lock_guard lock(allocations_mutex);
  const auto found = allocations.find(data);
  if (found == allocations.end()) std::abort();
  munmap(found->second.map, found->second.size);
  allocations.erase(found);
  return cudaSuccess;
}
cudaError_t cudaMallocHost(void** out, size_t bytes) {
  *out = std::malloc(bytes);
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* data) {
  std::free(data);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind, cudaStream_t) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t) {
  std::memset(to, value, bytes);
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* out, int) {
  std::memset(out, 0, sizeof(*out));
  std::strcpy(out->name, "emulated");
  out->major = 9;
  out->multiProcessorCount = 1;
  out->totalGlobalMem = 4ULL << 30;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t* available, size_t* total) {
  *available = *total = 4ULL << 30;
  return cudaSuccess;
}
const char* cudaGetErrorString(cudaError_t) { return "not emulated"; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaEventCreate(cudaEvent_t*) { return cudaSuccess; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t*, unsigned) { return cudaSuccess; }
cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t*, unsigned) { return cudaSuccess; }
cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaMemPoolCreate(cudaMemPool_t*, const cudaMemPoolProps*) { return cudaSuccess; }
cudaError_t cudaMemPoolDestroy(cudaMemPool_t) { return cudaSuccess; }
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) { return cudaSuccess; }
// Kernels that are compiled at run time are not emulated.
cudaError_t cudaLibraryLoadData(cudaLibrary_t*, const void*, cudaJitOption*, void**, unsigned, cudaLibraryOption*,
                                void**, unsigned) {
  return cudaErrorNotSupported;
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t*, cudaLibrary_t, const char*) { return cudaErrorNotSupported; }
cudaError_t cudaLibraryUnload(cudaLibrary_t) { return cudaErrorNotSupported; }
cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t) { return cudaErrorNotSupported; }
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return cudaErrorNotSupported; }
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int*, const void*, int, size_t) {
  return cudaErrorNotSupported;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int*, const void*, int, size_t, unsigned) {
  return cudaErrorNotSupported;
}

}  // extern "C"

namespace quern::cuda {

void sum_lengths(Device&, const int64_t* lengths, int64_t count, int64_t* sums) {
  sums[0] = 0;
  for (int64_t i = 0; i < count; ++i) sums[i + 1] = sums[i] + lengths[i];
}
void sort_pairs(Device&, const uint64_t* words, const uint32_t* rows, int64_t count, int bits, uint64_t* sorted_words,
                uint32_t* sorted_rows) {
  std::vector<int64_t> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  const uint64_t mask = bits == 64 ? ~0ULL : (1ULL << bits) - 1;
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return (words[a] & mask) < (words[b] & mask); });
  for (size_t i = 0; i < order.size(); ++i) {
    sorted_words[i] = words[order[i]];
    sorted_rows[i] = rows[order[i]];
  }
}
void rehash(Device&, const jit::GroupLayout&, const GroupSlots&, const GroupTable&) {
  throw internal_error("not emulated");
}
void list_groups(Device&, const jit::GroupLayout&, const GroupSlots&, uint32_t*, int64_t, unsigned long long*) {
  throw internal_error("not emulated");
}
void partition_slots(Device&, const jit::GroupLayout&, const GroupSlots&, const GroupParts&, GroupCounters*) {
  throw internal_error("not emulated");
}

}  // namespace quern::cuda
