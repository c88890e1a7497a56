#include "cuda/stream_stage.hpp"

#include <map>

#include "cuda/fragments/list_values.cuh"
#include "cuda/kernel_cache.hpp"
#include "cuda/move_kernels.hpp"

namespace quern::cuda {

namespace {

// A list column whose elements a kernel is to write.
struct MadeList {
  std::shared_ptr<DeviceColumn> list, elements;
  DeviceBufferPtr starts;  // int64_t
};

MadeList make_list(Device& device, const Layout& layout, const TypePtr& type, const DeviceColumn& lengths) {
  const auto rows = static_cast<size_t>(lengths.length);
  MadeList out{std::make_shared<DeviceColumn>(), std::make_shared<DeviceColumn>(),
               device.memory.allocate((rows + 1) * 8)};
  sum_lengths(device, lengths.data->as<int64_t>(), lengths.length, out.starts->as<int64_t>());
  auto& list = *out.list;
  list.type = type;
  list.length = lengths.length;
  list.null_count = lengths.null_count;
  list.validity = lengths.validity;
  device.staging.to_host(&list.elements, out.starts->as<int64_t>() + rows, sizeof(list.elements));
  ++device.read_backs;
  list.wide = list.elements > layout.offset_limit;
  list.offsets = out.starts;
  if (!list.wide) {
    list.offsets = device.memory.allocate((rows + 1) * 4);
    narrow_offsets(device, out.starts->as<int64_t>(), lengths.length + 1, list.offsets->as<int32_t>());
  }
  auto& elements = *out.elements;
  elements.type = type->children[0];
  elements.length = list.elements;
  elements.data =
      device.memory.allocate(static_cast<size_t>(list.elements) * static_cast<size_t>(width(*elements.type)));
  const size_t words = static_cast<size_t>((list.elements + 31) / 32);
  elements.validity = device.memory.allocate(words * 4);
  check(cudaMemsetAsync(elements.validity->data(), 0xff, words * 4, device.stream.get()), "lists");
  return out;
}

}  // namespace

StreamStage::StreamStage(Device& device, const Layout& layout, const plan::Plan& plan, const jit::Segment& segment)
    : device_(device), layout_(layout), places_(jit::output_places(plan, segment)) {
  for (const auto& text : jit::kernel_texts(plan, segment)) {
    Kernel& kernel = text.name == "mask_rows" ? mask_ : text.name == "write_lists" ? write_ : project_;
    kernel.literals.emplace(device, text.literals);
    kernel.function = device.kernels->load({text})[0];
  }
  const auto* exprs = jit::computed_exprs(plan, segment);
  for (size_t i = 0; exprs != nullptr && i < places_.size(); ++i) {
    if (places_[i].output >= 0) computed_.push_back(plan.exprs[static_cast<size_t>((*exprs)[i])].type);
  }
}

DeviceBatch StreamStage::process(const DeviceBatch& batch, uint64_t& failed) {
  DeviceBatch out;
  out.rows = batch.rows;
  std::optional<RowIds> kept;
  if (mask_.function != nullptr && batch.rows > 0) {
    const auto mask = device_.memory.allocate(static_cast<size_t>((batch.rows + 31) / 32) * 4);
    DeviceInput input(device_, batch, *mask_.literals, nullptr, batch.rows);
    void* words = mask->data();
    run(mask_, "mask_rows", {input.get(), &words}, batch.rows);
    if ((failed = input.failure(device_)) != no_failure) return out;
    kept = select(device_, mask->as<uint32_t>(), batch.rows);
    out.rows = kept->count;
    if (kept->count == batch.rows) kept.reset();
  }
  const uint32_t* rows = kept ? kept->rows->as<uint32_t>() : nullptr;
  const auto computed = compute(batch, rows, out.rows, failed);
  if (failed != no_failure) return out;
  std::map<int32_t, DeviceColumnPtr> gathered;
  for (const auto& place : places_) {
    if (place.output >= 0) {
      out.columns.push_back(computed[static_cast<size_t>(place.output)]);
      continue;
    }
    auto& column = gathered[place.column];
    const auto& source = batch.columns[static_cast<size_t>(place.column)];
    if (!column) column = rows == nullptr ? source : gather(device_, layout_, *source, rows, out.rows);
    out.columns.push_back(column);
  }
  return out;
}

std::vector<DeviceColumnPtr> StreamStage::compute(const DeviceBatch& batch, const uint32_t* rows, int64_t count,
                                                  uint64_t& failed) {
  if (computed_.empty()) return {};
  std::vector<TypePtr> types;
  for (const auto& type : computed_) types.push_back(has_elements(*type) ? make_type(TypeKind::int64) : type);
  DeviceOutputs outputs(device_, types, count);
  if (count > 0) {
    DeviceInput input(device_, batch, *project_.literals, rows, count);
    const OutputView* views = outputs.views();
    run(project_, "project_rows", {input.get(), &views}, count);
    if ((failed = input.failure(device_)) != no_failure) return {};
  }
  auto computed = outputs.finish(device_);
  for (auto& column : computed) {
    if (has_bytes(*column->type)) column = strings_of_views(device_, layout_, *column);
  }
  if (write_.function != nullptr) make_lists(batch, rows, count, computed);
  return computed;
}

void StreamStage::make_lists(const DeviceBatch& batch, const uint32_t* rows, int64_t count,
                             std::vector<DeviceColumnPtr>& computed) {
  std::vector<MadeList> lists;
  for (size_t i = 0; i < computed.size(); ++i) {
    if (!has_elements(*computed_[i])) continue;
    lists.push_back(make_list(device_, layout_, computed_[i], *computed[i]));
    computed[i] = lists.back().list;
  }
  const auto nulls = device_.memory.allocate_zeroed(lists.size() * 8);
  std::vector<ListOutput> outputs;
  for (size_t i = 0; i < lists.size(); ++i) {
    outputs.push_back({lists[i].elements->data->data(), lists[i].elements->validity->as<uint32_t>(),
                       lists[i].starts->as<int64_t>(), nulls->as<unsigned long long>() + i});
  }
  const auto views = device_.memory.allocate(outputs.size() * sizeof(ListOutput));
  device_.staging.to_device(views->data(), outputs.data(), outputs.size() * sizeof(ListOutput));
  std::vector<int64_t> null_counts(lists.size());
  if (count > 0) {
    // Rows that fail did so when their lengths were computed.
    DeviceInput input(device_, batch, *write_.literals, rows, count);
    void* at = views->data();
    run(write_, "write_lists", {input.get(), &at}, count);
    device_.wait();
    device_.staging.to_host(null_counts.data(), nulls->data(), null_counts.size() * 8);
    ++device_.read_backs;
  }
  for (size_t i = 0; i < lists.size(); ++i) {
    lists[i].elements->null_count = null_counts[i];
    if (null_counts[i] == 0) lists[i].elements->validity = nullptr;
    lists[i].list->child = lists[i].elements;
  }
}

void StreamStage::run(const Kernel& kernel, const char* name, std::vector<void*> arguments, int64_t rows) {
  constexpr int32_t threads = 256;
  launch(device_, name, kernel.function, resident_blocks(device_, kernel.function, threads, 0, rows), threads, 0,
         std::move(arguments));
}

}  // namespace quern::cuda
