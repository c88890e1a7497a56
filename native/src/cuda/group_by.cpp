#include "cuda/group_by.hpp"

#include <algorithm>
#include <bit>

#include "cuda/group_kernels.hpp"
#include "cuda/kernel_cache.hpp"

namespace quern::cuda {

namespace {

constexpr int32_t block_threads = 512;
// Of a block's table: two blocks a multiprocessor. Fewer slots than this are not worth looking into.
constexpr int64_t shared_bytes = 96 * 1024;
// Rows after which the number of groups is looked at.
constexpr int64_t sample_rows = 1 << 20;
constexpr int32_t most_shared_slots = 2048, least_shared_slots = 64;

int32_t shared_slots_for(int32_t slot_words) {
  const auto fit = static_cast<uint32_t>(shared_bytes / (8 * slot_words));
  const auto slots = static_cast<int32_t>(std::bit_floor(fit));
  return slots < least_shared_slots ? 0 : std::min(slots, most_shared_slots);
}

std::vector<jit::KernelText> texts_of(const plan::Plan& plan, const jit::Segment& segment) {
  return jit::kernel_texts(plan, segment);
}

}  // namespace

GroupBy::GroupBy(Device& device, const plan::Plan& plan, const jit::Segment& segment)
    : device_(device),
      layout_(jit::group_layout(plan, std::get<plan::HashGroupBy>(plan.nodes[static_cast<size_t>(*segment.group)].op))),
      literals_(device, jit::group_text(plan, segment).literals),
      without_keys_(layout_.keys.empty()) {
  for (const auto& field : plan.nodes[static_cast<size_t>(*segment.group)].output) output_.push_back(field.type);
  const auto kernels = device_.kernels->load(texts_of(plan, segment));
  group_kernel_ = kernels[0];
  finish_kernel_ = kernels[1];
  shared_slots_ = shared_slots_for(layout_.slot_words());
  check(cudaFuncSetAttribute(reinterpret_cast<const void*>(group_kernel_), cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(shared_bytes)),
        "shared memory of group_rows");
}

GroupBy::Table GroupBy::make_table(uint64_t slots) {
  Table table;
  table.slots = device_.memory.allocate_zeroed(slots * static_cast<uint64_t>(layout_.slot_words()) * 8);
  table.used = device_.memory.allocate_zeroed(8);
  table.view = {table.slots->as<uint64_t>(), slots - 1, table.used->as<unsigned long long>(), slots / 2};
  return table;
}

uint64_t GroupBy::used(const Table& table) {
  uint64_t count = 0;
  device_.staging.to_host(&count, table.used->data(), 8);
  ++device_.read_backs;
  return count;
}

// Room for so many groups before the limit, which is half of the slots; the headroom fits into the other half.
void GroupBy::reserve(uint64_t groups) {
  const uint64_t slots = std::bit_ceil(2 * std::max<uint64_t>(groups, static_cast<uint64_t>(headroom_)) + 2);
  if (table_.slots && table_.view.mask + 1 >= slots) return;
  Table next = make_table(slots);
  if (table_.slots) {
    rehash(device_, table_.view, next.view, layout_.slot_words(), layout_.key_words);
    check(cudaMemcpyAsync(next.used->data(), table_.used->data(), 8, cudaMemcpyDeviceToDevice, device_.stream.get()),
          "groups");
    ++grown_;
  }
  table_ = std::move(next);
}

// The first rows tell whether there are few groups; many of them leave no use for tables in shared memory, without
// which more rows are in flight.
uint64_t GroupBy::update(const DeviceBatch& batch) {
  const int64_t sample = shared_pays_ && batch.rows > 4 * sample_rows ? sample_rows : batch.rows;
  for (int64_t first = 0; first < batch.rows;) {
    const int64_t count = first == 0 ? sample : batch.rows - first;
    if (const uint64_t failed = update(batch, first, count); failed != no_failure) return failed;
    first += count;
    if (shared_pays_ && used(table_) > static_cast<uint64_t>(2 * shared_slots_)) shared_pays_ = false;
  }
  return no_failure;
}

uint64_t GroupBy::update(const DeviceBatch& batch, int64_t first, int64_t count) {
  int32_t slots = shared_pays_ ? shared_slots_ : 0;
  const size_t shared = static_cast<size_t>(slots) * static_cast<size_t>(layout_.slot_words()) * 8;
  DeviceBufferPtr rows;
  while (count > 0) {
    const int64_t blocks = resident_blocks(device_, group_kernel_, block_threads, shared, count);
    headroom_ = std::max<int64_t>(headroom_, blocks * (slots + block_threads));
    reserve(static_cast<uint64_t>(headroom_));
    DeviceInput input(device_, batch, literals_, rows ? rows->as<uint32_t>() : nullptr, count, first);
    if (joins_) joins_->bind(*input.get());
    const auto overflow = device_.memory.allocate(static_cast<size_t>(count) * 4);
    const auto counts = device_.memory.allocate_zeroed(24);
    void* overflow_rows = overflow->data();
    void* overflow_count = counts->data();
    launch(device_, "group_rows", group_kernel_, blocks, block_threads, shared,
           {input.get(), &table_.view, &slots, &overflow_rows, &overflow_count});
    if (const uint64_t failed = input.failure(device_); failed != no_failure) return failed;
    uint64_t left[3] = {0, 0, 0};
    device_.staging.to_host(left, counts->data(), sizeof(left));
    if (left[1] != 0) throw internal_error("a group table ran over");
    passed_ += static_cast<int64_t>(left[2]);
    rows = overflow;
    count = static_cast<int64_t>(left[0]);
    if (count > 0) reserve(used(table_) + static_cast<uint64_t>(count + headroom_));
  }
  return no_failure;
}

DeviceBatch GroupBy::finish() {
  if (!table_.slots) reserve(1);
  if (without_keys_ && used(table_) == 0) {
    const uint64_t head = 2;  // the one group there is even without rows
    device_.staging.to_device(table_.slots->data(), &head, sizeof(head));
  }
  const auto slots = static_cast<int64_t>(table_.view.mask) + 1;
  const auto mask = device_.memory.allocate(static_cast<size_t>((slots + 31) / 32) * 4);
  mark_groups(device_, table_.view, layout_.slot_words(), mask->as<uint32_t>());
  const RowIds groups = select(device_, mask->as<uint32_t>(), slots);
  DeviceBatch out;
  out.rows = groups.count;
  DeviceOutputs outputs(device_, output_, groups.count);
  if (groups.count > 0) {
    const auto failure = device_.memory.allocate(8);
    device_.staging.to_device(failure->data(), &no_failure, 8);
    uint64_t* slot_words = table_.view.slots;
    uint32_t* rows = groups.rows->as<uint32_t>();
    int64_t count = groups.count;
    const OutputView* views = outputs.views();
    void* failed = failure->data();
    const int64_t blocks = resident_blocks(device_, finish_kernel_, 256, 0, count);
    launch(device_, "finish_groups", finish_kernel_, blocks, 256, 0, {&slot_words, &rows, &count, &views, &failed});
    device_.wait();
    uint64_t row = 0;
    device_.staging.to_host(&row, failure->data(), 8);
    if (row != no_failure) throw runtime_error("sum is out of range of DECIMAL(38)");
  }
  out.columns = outputs.finish(device_);
  return out;
}

std::string GroupBy::tier() const {
  const uint64_t slots = table_.slots ? table_.view.mask + 1 : 0;
  return "shared " + std::to_string(shared_pays_ ? shared_slots_ : 0) + " slots, global " + std::to_string(slots) +
         " slots, grown " + std::to_string(grown_) + " times";
}

}  // namespace quern::cuda
