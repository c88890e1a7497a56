#include "cuda/stream_stage.hpp"

#include <map>

#include "cuda/kernel_cache.hpp"

namespace quern::cuda {

StreamStage::StreamStage(Device& device, const Layout& layout, const plan::Plan& plan, const jit::Segment& segment)
    : device_(device), layout_(layout), places_(jit::output_places(plan, segment)) {
  for (const auto& text : jit::kernel_texts(plan, segment)) {
    Kernel& kernel = text.name == "mask_rows" ? mask_ : project_;
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
  std::vector<DeviceColumnPtr> computed;
  if (!computed_.empty()) {
    DeviceOutputs outputs(device_, computed_, out.rows);
    if (out.rows > 0) {
      DeviceInput input(device_, batch, *project_.literals, rows, out.rows);
      const OutputView* views = outputs.views();
      run(project_, "project_rows", {input.get(), &views}, out.rows);
      if ((failed = input.failure(device_)) != no_failure) return out;
    }
    computed = outputs.finish(device_);
  }
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

void StreamStage::run(const Kernel& kernel, const char* name, std::vector<void*> arguments, int64_t rows) {
  constexpr int32_t threads = 256;
  launch(device_, name, kernel.function, resident_blocks(device_, kernel.function, threads, 0, rows), threads, 0,
         std::move(arguments));
}

}  // namespace quern::cuda
