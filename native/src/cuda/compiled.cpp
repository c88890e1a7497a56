#include "cuda/compiled.hpp"

#include <algorithm>
#include <cstring>

namespace quern::cuda {

DeviceLiterals::DeviceLiterals(Device& device, const std::vector<ColumnPtr>& literals) {
  std::vector<Literal> values(std::max<size_t>(literals.size(), 1));
  for (size_t i = 0; i < literals.size(); ++i) {
    const Column& column = *literals[i];
    if (physical(*column.type) == Physical::list) {
      // Its elements, flat and without NULLs (jit/list_pair_text.cpp): where they are, and how many.
      const ListEntry entry = column.values<ListEntry>()[0];
      const Column& elements = *column.children[0];
      const auto bytes = static_cast<size_t>(width(*elements.type));
      texts_.push_back(device.memory.allocate(static_cast<size_t>(entry.length) * bytes));
      device.staging.to_device(texts_.back()->data(),
                               static_cast<const uint8_t*>(elements.data) + static_cast<size_t>(entry.start) * bytes,
                               static_cast<size_t>(entry.length) * bytes);
      values[i] = {{reinterpret_cast<uint64_t>(texts_.back()->data()), static_cast<uint64_t>(entry.length)}};
      continue;
    }
    if (physical(*column.type) != Physical::string) {
      std::memcpy(&values[i], column.data, static_cast<size_t>(width(*column.type)));
      continue;
    }
    StringView view = column.values<StringView>()[0];
    if (!view.is_inline()) {
      texts_.push_back(device.memory.allocate(view.length));
      device.staging.to_device(texts_.back()->data(), view.pointer, view.length);
      view.pointer = texts_.back()->as<char>();
    }
    std::memcpy(&values[i], &view, sizeof(view));
  }
  values_ = device.memory.allocate(values.size() * sizeof(Literal));
  device.staging.to_device(values_->data(), values.data(), values.size() * sizeof(Literal));
}

ColumnView column_view(const DeviceColumn& column) {
  return {column.data ? column.data->data() : nullptr,
          column.valid_words(),
          column.offsets ? column.offsets->data() : nullptr,
          column.wide,
          column.child && column.child->data ? column.child->data->data() : nullptr,
          column.child ? column.child->valid_words() : nullptr};
}

std::vector<ColumnView> column_views(const DeviceBatch& batch) {
  std::vector<ColumnView> views;
  for (const auto& column : batch.columns) views.push_back(column_view(*column));
  if (views.empty()) views.push_back({});
  return views;
}

DeviceInput::DeviceInput(Device& device, const DeviceBatch& batch, const DeviceLiterals& literals, const uint32_t* rows,
                         int64_t count, int64_t first) {
  const auto views = column_views(batch);
  columns_ = device.memory.allocate(views.size() * sizeof(ColumnView));
  device.staging.to_device(columns_->data(), views.data(), views.size() * sizeof(ColumnView));
  failure_ = device.memory.allocate(sizeof(uint64_t));
  device.staging.to_device(failure_->data(), &no_failure, sizeof(no_failure));
  input_ = {columns_->as<ColumnView>(), literals.data(), rows, first, count, failure_->as<unsigned long long>()};
}

uint64_t DeviceInput::failure(Device& device) const {
  device.wait();
  uint64_t row = 0;
  device.staging.to_host(&row, failure_->data(), sizeof(row));
  return row;
}

DeviceOutputs::DeviceOutputs(Device& device, const std::vector<TypePtr>& types, int64_t rows) {
  nulls_ = device.memory.allocate_zeroed(types.size() * 8);
  std::vector<OutputView> views(std::max<size_t>(types.size(), 1));
  for (size_t i = 0; i < types.size(); ++i) {
    auto column = std::make_shared<DeviceColumn>();
    column->type = types[i];
    column->length = rows;
    column->data = device.memory.allocate(static_cast<size_t>(rows) * static_cast<size_t>(width(*types[i])));
    column->validity = device.memory.allocate(static_cast<size_t>((rows + 31) / 32) * 4);
    views[i] = {column->data->data(), column->validity->as<uint32_t>(), nulls_->as<unsigned long long>() + i};
    columns_.push_back(std::move(column));
  }
  views_ = device.memory.allocate(views.size() * sizeof(OutputView));
  device.staging.to_device(views_->data(), views.data(), views.size() * sizeof(OutputView));
}

std::vector<DeviceColumnPtr> DeviceOutputs::finish(Device& device) {
  device.wait();
  std::vector<uint64_t> nulls(columns_.size());
  device.staging.to_host(nulls.data(), nulls_->data(), nulls.size() * 8);
  for (size_t i = 0; i < columns_.size(); ++i) {
    columns_[i]->null_count = static_cast<int64_t>(nulls[i]);
    if (nulls[i] == 0) columns_[i]->validity = nullptr;
  }
  return {columns_.begin(), columns_.end()};
}

void launch(Device& device, const char* name, cudaKernel_t kernel, int64_t blocks, int32_t threads, size_t shared_bytes,
            std::vector<void*> arguments) {
  const auto* function = reinterpret_cast<const void*>(kernel);
  check(cudaLaunchKernel(function, dim3(static_cast<unsigned>(blocks)), dim3(static_cast<unsigned>(threads)),
                         arguments.data(), shared_bytes, device.stream.get()),
        std::string("launch of ") + name);
  device.launched(name, blocks, threads);
}

int64_t resident_blocks(Device& device, cudaKernel_t kernel, int32_t threads, size_t shared_bytes, int64_t items) {
  const auto* function = reinterpret_cast<const void*>(kernel);
  int a_multiprocessor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&a_multiprocessor, function, threads, shared_bytes), "occupancy");
  const int64_t most = std::max<int64_t>(1, static_cast<int64_t>(a_multiprocessor) * device.info.multiprocessors);
  return std::clamp<int64_t>((items + threads - 1) / threads, 1, most);
}

}  // namespace quern::cuda
