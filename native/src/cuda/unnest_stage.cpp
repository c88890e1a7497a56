#include "cuda/unnest_stage.hpp"

#include <algorithm>

#include "cuda/move_kernels.hpp"
#include "cuda/unnest_kernels.hpp"

namespace quern::cuda {

namespace {

// How many rows come of each, as sums: targets[rows] is the total.
struct Expansion {
  DeviceBufferPtr longest, targets;  // int64_t
  int64_t total = 0;
};

Expansion expansion_of(Device& device, const std::vector<DeviceColumnPtr>& lists, int64_t rows, bool outer) {
  const auto size = static_cast<size_t>(rows);
  Expansion out;
  out.longest = device.memory.allocate(size * 8);
  out.targets = device.memory.allocate((size + 1) * 8);
  for (size_t i = 0; i < lists.size(); ++i)
    longest_lists(device, lists[i]->offsets->data(), lists[i]->wide, rows, i > 0, out.longest->as<int64_t>());
  DeviceBufferPtr counts = out.longest;
  if (outer) {
    counts = device.memory.allocate(size * 8);
    count_at_least_one(device, out.longest->as<int64_t>(), rows, counts->as<int64_t>());
  }
  sum_lengths(device, counts->as<int64_t>(), rows, out.targets->as<int64_t>());
  device.staging.to_host(&out.total, out.targets->as<int64_t>() + rows, sizeof(out.total));
  ++device.read_backs;
  return out;
}

DeviceColumnPtr ordinality(Device& device, const Expansion& expansion, const DeviceBufferPtr& from,
                           const DeviceBufferPtr& places, int64_t count) {
  auto out = std::make_shared<DeviceColumn>();
  out->type = make_type(TypeKind::int64);
  out->length = count;
  out->data = device.memory.allocate(static_cast<size_t>(count) * 8);
  out->validity = device.memory.allocate(static_cast<size_t>((count + 31) / 32) * 4);
  const auto nulls = device.memory.allocate_zeroed(8);
  number_elements(device, expansion.longest->as<int64_t>(), from->as<uint32_t>(), places->as<int64_t>(), count,
                  out->data->as<int64_t>(), out->validity->as<uint32_t>(), nulls->as<uint64_t>());
  device.staging.to_host(&out->null_count, nulls->data(), sizeof(out->null_count));
  ++device.read_backs;
  if (out->null_count == 0) out->validity = nullptr;
  return out;
}

}  // namespace

void unnest(Device& device, const Layout& layout, const DeviceBatch& batch, const std::vector<DeviceColumnPtr>& lists,
            const UnnestForm& form, const std::function<void(const DeviceBatch&)>& next) {
  if (batch.rows == 0) return;
  const Expansion expansion = expansion_of(device, lists, batch.rows, form.outer);
  // Where no row is filled up the elements lie as they are wanted.
  const bool in_order = lists.size() == 1 && expansion.total == lists[0]->elements;
  for (int64_t first = 0; first < expansion.total; first += form.piece) {
    DeviceBatch out;
    out.rows = std::min(form.piece, expansion.total - first);
    DeviceBufferPtr from, places;
    if (!in_order || !form.keep.empty() || form.ordinality) {
      from = device.memory.allocate(static_cast<size_t>(out.rows) * 4);
      places = device.memory.allocate(static_cast<size_t>(out.rows) * 8);
      expand_rows(device, expansion.targets->as<int64_t>(), batch.rows, first, out.rows, from->as<uint32_t>(),
                  places->as<int64_t>());
    }
    for (const int32_t column : form.keep)
      out.columns.push_back(
          gather(device, layout, *batch.columns[static_cast<size_t>(column)], from->as<uint32_t>(), out.rows));
    for (const auto& list : lists) {
      if (in_order) {
        out.columns.push_back(slice(device, layout, list->child, first, out.rows));
        continue;
      }
      const auto numbers = device.memory.allocate(static_cast<size_t>(out.rows) * 8);
      element_numbers(device, list->offsets->data(), list->wide, from->as<uint32_t>(), places->as<int64_t>(), out.rows,
                      numbers->as<int64_t>());
      out.columns.push_back(gather_or_null(device, layout, *list->child, numbers->as<int64_t>(), out.rows));
    }
    if (form.ordinality) out.columns.push_back(ordinality(device, expansion, from, places, out.rows));
    next(out);
  }
}

UnnestStage::UnnestStage(Device& device, const Layout& layout, const plan::Plan& plan, const jit::Segment& segment)
    : device_(device), layout_(layout), lists_(device, layout, plan, segment) {
  const auto& node = std::get<plan::Unnest>(plan.nodes[static_cast<size_t>(*segment.unnest)].op);
  form_.keep = node.keep;
  form_.ordinality = node.ordinality;
  form_.outer = node.outer;
}

void UnnestStage::process(const DeviceBatch& batch, uint64_t& failed,
                          const std::function<void(const DeviceBatch&)>& next) {
  const DeviceBatch lists = lists_.process(batch, failed);
  if (failed == no_failure) unnest(device_, layout_, batch, lists.columns, form_, next);
}

}  // namespace quern::cuda
