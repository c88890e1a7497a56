#include "cuda/device_column.hpp"

#include <cstring>

#include "cuda/move_kernels.hpp"

namespace quern::cuda {

namespace {

size_t word_bytes(int64_t rows) { return static_cast<size_t>((rows + 31) / 32) * 4; }
size_t offset_bytes(int64_t rows, bool wide) { return static_cast<size_t>(rows + 1) * (wide ? 8 : 4); }

uint64_t read_word(Device& device, const DeviceBuffer& buffer, int64_t index = 0) {
  uint64_t word = 0;
  device.staging.to_host(&word, buffer.as<uint64_t>() + index, sizeof(word));
  ++device.read_backs;
  return word;
}

DeviceBufferPtr copied(Device& device, const void* data, size_t bytes) {
  auto buffer = device.memory.allocate(bytes);
  device.staging.to_device(buffer->data(), data, bytes);
  return buffer;
}

// Host offsets, of the width that `total` asks for.
DeviceBufferPtr copied_offsets(Device& device, std::vector<int64_t>&& offsets, bool wide) {
  if (wide) return copied(device, offsets.data(), offsets.size() * 8);
  std::vector<int32_t> narrow(offsets.begin(), offsets.end());
  return copied(device, narrow.data(), narrow.size() * 4);
}

void strings_to_device(Device& device, const Layout& layout, const Column& column, DeviceColumn& out) {
  const auto* views = column.values<StringView>();
  std::vector<int64_t> offsets(static_cast<size_t>(column.length) + 1, 0);
  for (int64_t i = 0; i < column.length; ++i)
    offsets[static_cast<size_t>(i) + 1] = offsets[static_cast<size_t>(i)] + (column.is_valid(i) ? views[i].length : 0);
  out.elements = offsets.back();
  out.wide = out.elements > layout.offset_limit;
  std::vector<char> bytes(static_cast<size_t>(out.elements));
  for (int64_t i = 0; i < column.length; ++i) {
    if (column.is_valid(i) && views[i].length > 0)
      std::memcpy(bytes.data() + offsets[static_cast<size_t>(i)], views[i].data(), views[i].length);
  }
  out.data = copied(device, bytes.data(), bytes.size());
  out.offsets = copied_offsets(device, std::move(offsets), out.wide);
}

// `column` is flat and its children are in row order, nothing unreferenced (concat and compact make it so).
DeviceColumnPtr flat_to_device(Device& device, const Layout& layout, const Column& column) {
  auto out = std::make_shared<DeviceColumn>();
  out->type = column.type;
  out->length = column.length;
  out->null_count = column.null_count;
  if (column.null_count > 0) out->validity = copied(device, column.validity, word_bytes(column.length));
  if (has_bytes(*column.type)) {
    strings_to_device(device, layout, column, *out);
  } else if (has_elements(*column.type)) {
    const auto* entries = column.values<ListEntry>();
    std::vector<int64_t> offsets(static_cast<size_t>(column.length) + 1, 0);
    for (int64_t i = 0; i < column.length; ++i) {
      const int64_t at = offsets[static_cast<size_t>(i)];
      if (entries[i].length > 0 && entries[i].start != at) throw internal_error("a list's elements are not in order");
      offsets[static_cast<size_t>(i) + 1] = at + entries[i].length;
    }
    out->elements = offsets.back();
    out->wide = out->elements > layout.offset_limit;
    out->offsets = copied_offsets(device, std::move(offsets), out->wide);
    out->child = flat_to_device(device, layout, *column.children[0]);
  } else {
    out->data =
        copied(device, column.data, static_cast<size_t>(column.length) * static_cast<size_t>(width(*column.type)));
  }
  return out;
}

std::vector<int64_t> offsets_to_host(Device& device, const DeviceColumn& column) {
  std::vector<int64_t> offsets(static_cast<size_t>(column.length) + 1, 0);
  if (column.wide) {
    device.staging.to_host(offsets.data(), column.offsets->data(), offsets.size() * 8);
  } else {
    std::vector<int32_t> narrow(offsets.size());
    device.staging.to_host(narrow.data(), column.offsets->data(), narrow.size() * 4);
    offsets.assign(narrow.begin(), narrow.end());
  }
  return offsets;
}

// Makes offsets of summed lengths: sums[count] is the total, which the caller has read.
DeviceBufferPtr finish_offsets(Device& device, const DeviceBufferPtr& sums, int64_t count, bool wide) {
  if (wide) return sums;
  auto narrow = device.memory.allocate(offset_bytes(count, false));
  narrow_offsets(device, sums->as<int64_t>(), count + 1, narrow->as<int32_t>());
  return narrow;
}

// Ranges of rows to take from a column.
struct Ranges {
  const int64_t* starts;
  const int64_t* targets;  // count + 1
  int64_t count;
  int64_t total;
};

DeviceColumnPtr take_ranges(Device& device, const Layout& layout, const DeviceColumn& column, const Ranges& ranges);

// The bytes or elements behind `ranges` of a string or list column.
void take_content(Device& device, const Layout& layout, const DeviceColumn& column, const Ranges& ranges,
                  DeviceColumn& out) {
  out.elements = ranges.total;
  if (has_elements(*column.type)) {
    out.child = take_ranges(device, layout, *column.child, ranges);
    return;
  }
  out.data = device.memory.allocate(static_cast<size_t>(ranges.total));
  copy_ranges(device, 1, column.data->data(), ranges.starts, ranges.targets, ranges.count, ranges.total,
              out.data->data());
}

DeviceColumnPtr take_ranges(Device& device, const Layout& layout, const DeviceColumn& column, const Ranges& ranges) {
  auto out = std::make_shared<DeviceColumn>();
  out->type = column.type;
  out->length = ranges.total;
  if (column.null_count > 0) {
    out->validity = device.memory.allocate_zeroed(word_bytes(ranges.total));
    const auto nulls = device.memory.allocate_zeroed(8);
    copy_bit_ranges(device, column.valid_words(), ranges.starts, ranges.targets, ranges.count, ranges.total,
                    out->validity->as<uint32_t>(), nulls->as<uint64_t>());
    out->null_count = static_cast<int64_t>(read_word(device, *nulls));
    if (out->null_count == 0) out->validity = nullptr;
  }
  if (!has_bytes(*column.type) && !has_elements(*column.type)) {
    const int32_t bytes = width(*column.type);
    out->data = device.memory.allocate(static_cast<size_t>(ranges.total) * static_cast<size_t>(bytes));
    copy_ranges(device, bytes, column.data->data(), ranges.starts, ranges.targets, ranges.count, ranges.total,
                out->data->data());
    return out;
  }
  const auto size = static_cast<size_t>(ranges.count);
  const auto starts = device.memory.allocate(size * 8), lengths = device.memory.allocate(size * 8);
  const auto targets = device.memory.allocate((size + 1) * 8);
  inner_ranges(device, column.offsets->data(), column.wide, ranges.starts, ranges.targets, ranges.count,
               starts->as<int64_t>(), lengths->as<int64_t>());
  sum_lengths(device, lengths->as<int64_t>(), ranges.count, targets->as<int64_t>());
  const auto total = static_cast<int64_t>(read_word(device, *targets, ranges.count));
  out->wide = total > layout.offset_limit;
  out->offsets = device.memory.allocate(offset_bytes(ranges.total, out->wide));
  copy_offset_ranges(device, column.offsets->data(), column.wide, ranges.starts, ranges.targets, targets->as<int64_t>(),
                     ranges.count, ranges.total, out->offsets->data(), out->wide);
  take_content(device, layout, column, {starts->as<int64_t>(), targets->as<int64_t>(), ranges.count, total}, *out);
  return out;
}

template <typename Row>
DeviceColumnPtr gather_rows(Device& device, const Layout& layout, const DeviceColumn& column, const Row* rows,
                            int64_t count, bool may_be_null) {
  auto out = std::make_shared<DeviceColumn>();
  out->type = column.type;
  out->length = count;
  if (may_be_null && count > 0) {
    out->validity = device.memory.allocate(word_bytes(count));
    const auto nulls = device.memory.allocate_zeroed(8);
    gather_bits(device, column.valid_words(), rows, count, out->validity->as<uint32_t>(), nulls->as<uint64_t>());
    out->null_count = static_cast<int64_t>(read_word(device, *nulls));
    if (out->null_count == 0) out->validity = nullptr;
  }
  if (!has_bytes(*column.type) && !has_elements(*column.type)) {
    const int32_t bytes = width(*column.type);
    out->data = device.memory.allocate(static_cast<size_t>(count) * static_cast<size_t>(bytes));
    gather_values(device, bytes, column.data->data(), rows, count, out->data->data());
    return out;
  }
  const auto size = static_cast<size_t>(count);
  const auto starts = device.memory.allocate(size * 8), lengths = device.memory.allocate(size * 8);
  const auto targets = device.memory.allocate((size + 1) * 8);
  row_ranges(device, column.offsets->data(), column.wide, rows, count, starts->as<int64_t>(), lengths->as<int64_t>());
  sum_lengths(device, lengths->as<int64_t>(), count, targets->as<int64_t>());
  const auto total = static_cast<int64_t>(read_word(device, *targets, count));
  out->wide = total > layout.offset_limit;
  out->offsets = finish_offsets(device, targets, count, out->wide);
  take_content(device, layout, column, {starts->as<int64_t>(), targets->as<int64_t>(), count, total}, *out);
  return out;
}

int64_t read_offset(Device& device, const DeviceColumn& column, int64_t row) {
  if (column.wide) return static_cast<int64_t>(read_word(device, *column.offsets, row));
  int32_t offset = 0;
  device.staging.to_host(&offset, column.offsets->as<int32_t>() + row, sizeof(offset));
  ++device.read_backs;
  return offset;
}

}  // namespace

DeviceColumnPtr to_device(Device& device, Memory& memory, const Layout& layout, const TypePtr& type,
                          const std::vector<ColumnPtr>& pieces) {
  return flat_to_device(device, layout, *concat(memory, type, pieces));
}

ColumnPtr to_host(Device& device, Memory& memory, const DeviceColumn& column) {
  ColumnBuilder out(memory, column.type, column.length);
  if (column.null_count > 0) device.staging.to_host(out.validity(), column.validity->data(), word_bytes(column.length));
  const auto valid = [&](int64_t row) { return column.null_count == 0 || bit_at(out.validity(), row); };
  if (has_bytes(*column.type)) {
    const auto offsets = offsets_to_host(device, column);
    const auto bytes = memory.allocate(static_cast<size_t>(column.elements));
    device.staging.to_host(bytes->data(), column.data->data(), static_cast<size_t>(column.elements));
    for (int64_t i = 0; i < column.length; ++i) {
      const auto at = offsets[static_cast<size_t>(i)];
      const auto length = valid(i) ? offsets[static_cast<size_t>(i) + 1] - at : 0;
      out.data<StringView>()[i] =
          make_string_view(reinterpret_cast<const char*>(bytes->data()) + at, static_cast<uint32_t>(length));
    }
    out.keep(bytes);
  } else if (has_elements(*column.type)) {
    const auto offsets = offsets_to_host(device, column);
    for (int64_t i = 0; i < column.length; ++i) {
      const auto at = offsets[static_cast<size_t>(i)];
      const auto length = offsets[static_cast<size_t>(i) + 1] - at;
      out.data<ListEntry>()[i] = {valid(i) && length > 0 ? at : 0, valid(i) ? length : 0};
    }
    out.add_child(to_host(device, memory, *column.child));
  } else {
    device.staging.to_host(out.data<uint8_t>(), column.data->data(),
                           static_cast<size_t>(column.length) * static_cast<size_t>(width(*column.type)));
  }
  return out.finish();
}

DeviceColumnPtr gather(Device& device, const Layout& layout, const DeviceColumn& column, const uint32_t* rows,
                       int64_t count) {
  return gather_rows(device, layout, column, rows, count, column.null_count > 0);
}

DeviceColumnPtr gather_or_null(Device& device, const Layout& layout, const DeviceColumn& column, const int64_t* rows,
                               int64_t count) {
  return gather_rows(device, layout, column, rows, count, true);
}

DeviceColumnPtr slice(Device& device, const Layout& layout, const DeviceColumnPtr& column, int64_t first,
                      int64_t count) {
  if (first == 0 && count == column->length) return column;
  auto out = std::make_shared<DeviceColumn>();
  out->type = column->type;
  out->length = count;
  if (column->null_count > 0 && count > 0) {
    out->validity = device.memory.allocate(word_bytes(count));
    const auto nulls = device.memory.allocate_zeroed(8);
    slice_bits(device, column->valid_words(), first, count, out->validity->as<uint32_t>(), nulls->as<uint64_t>());
    out->null_count = static_cast<int64_t>(read_word(device, *nulls));
    if (out->null_count == 0) out->validity = nullptr;
  }
  int64_t start = first;
  size_t bytes = static_cast<size_t>(count);
  const bool varies = has_bytes(*column->type) || has_elements(*column->type);
  if (varies) {
    start = read_offset(device, *column, first);
    out->elements = read_offset(device, *column, first + count) - start;
    out->wide = out->elements > layout.offset_limit;
    out->offsets = device.memory.allocate(offset_bytes(count, out->wide));
    append_offsets(device, column->offsets->as<uint8_t>() + static_cast<size_t>(first) * (column->wide ? 8 : 4),
                   column->wide, count, -start, out->offsets->data(), out->wide, 0);
    bytes = static_cast<size_t>(out->elements);
  }
  if (has_elements(*column->type)) {
    out->child = slice(device, layout, column->child, start, out->elements);
    return out;
  }
  const size_t unit = varies ? 1 : static_cast<size_t>(width(*column->type));
  out->data = device.memory.allocate(bytes * unit);
  check(cudaMemcpyAsync(out->data->data(), column->data->as<uint8_t>() + static_cast<size_t>(start) * unit,
                        bytes * unit, cudaMemcpyDeviceToDevice, device.stream.get()),
        "slice");
  return out;
}

DeviceColumnPtr strings_of_views(Device& device, const Layout& layout, const DeviceColumn& views) {
  auto out = std::make_shared<DeviceColumn>(views);
  const auto size = static_cast<size_t>(views.length);
  const auto starts = device.memory.allocate(size * 8), lengths = device.memory.allocate(size * 8);
  const auto targets = device.memory.allocate((size + 1) * 8);
  view_ranges(device, views.data->as<StringView>(), views.valid_words(), views.length, starts->as<int64_t>(),
              lengths->as<int64_t>());
  sum_lengths(device, lengths->as<int64_t>(), views.length, targets->as<int64_t>());
  out->elements = static_cast<int64_t>(read_word(device, *targets, views.length));
  out->wide = out->elements > layout.offset_limit;
  out->offsets = finish_offsets(device, targets, views.length, out->wide);
  out->data = device.memory.allocate(static_cast<size_t>(out->elements));
  copy_ranges(device, 1, nullptr, starts->as<int64_t>(), targets->as<int64_t>(), views.length, out->elements,
              out->data->data());
  return out;
}

DeviceColumnPtr null_column(Device& device, const TypePtr& type, int64_t rows) {
  auto out = std::make_shared<DeviceColumn>();
  out->type = type;
  out->length = rows;
  out->null_count = rows;
  out->validity = device.memory.allocate_zeroed(word_bytes(rows));
  if (has_bytes(*type) || has_elements(*type)) out->offsets = device.memory.allocate_zeroed(offset_bytes(rows, true));
  if (has_elements(*type))
    out->child = null_column(device, type->children[0], 0);
  else if (has_bytes(*type))
    out->data = device.memory.allocate(0);
  else
    out->data = device.memory.allocate_zeroed(static_cast<size_t>(rows) * static_cast<size_t>(width(*type)));
  return out;
}

DeviceColumnPtr concat(Device& device, const Layout& layout, const std::vector<DeviceColumnPtr>& columns) {
  if (columns.size() == 1) return columns[0];
  auto out = std::make_shared<DeviceColumn>();
  out->type = columns.at(0)->type;
  for (const auto& column : columns) {
    out->length += column->length;
    out->null_count += column->null_count;
    out->elements += column->elements;
  }
  if (out->null_count > 0) {
    out->validity = device.memory.allocate_zeroed(word_bytes(out->length));
    int64_t at = 0;
    for (const auto& column : columns) {
      append_bits(device, column->valid_words(), column->length, out->validity->as<uint32_t>(), at);
      at += column->length;
    }
  }
  const bool lists = has_elements(*out->type), varies = lists || has_bytes(*out->type);
  if (varies) {
    out->wide = out->elements > layout.offset_limit;
    out->offsets = device.memory.allocate(offset_bytes(out->length, out->wide));
    int64_t at = 0, base = 0;
    for (const auto& column : columns) {
      append_offsets(device, column->offsets->data(), column->wide, column->length, base, out->offsets->data(),
                     out->wide, at);
      at += column->length;
      base += column->elements;
    }
  }
  if (lists) {
    std::vector<DeviceColumnPtr> children;
    for (const auto& column : columns) children.push_back(column->child);
    out->child = concat(device, layout, children);
    return out;
  }
  const auto unit = varies ? size_t{1} : static_cast<size_t>(width(*out->type));
  const auto size = [&](const DeviceColumn& column) {
    return static_cast<size_t>(varies ? column.elements : column.length) * unit;
  };
  out->data = device.memory.allocate(size(*out));
  size_t at = 0;
  for (const auto& column : columns) {
    check(cudaMemcpyAsync(out->data->as<uint8_t>() + at, column->data->data(), size(*column), cudaMemcpyDeviceToDevice,
                          device.stream.get()),
          "concat");
    at += size(*column);
  }
  return out;
}

RowIds select(Device& device, const uint32_t* mask, int64_t rows) {
  const int64_t words = (rows + 31) / 32;
  const auto counts = device.memory.allocate(static_cast<size_t>(words) * 8);
  const auto sums = device.memory.allocate(static_cast<size_t>(words + 1) * 8);
  count_words(device, mask, rows, counts->as<int64_t>());
  sum_lengths(device, counts->as<int64_t>(), words, sums->as<int64_t>());
  RowIds out;
  out.count = static_cast<int64_t>(read_word(device, *sums, words));
  out.rows = device.memory.allocate(static_cast<size_t>(out.count) * 4);
  write_rows(device, mask, rows, sums->as<int64_t>(), out.rows->as<uint32_t>());
  return out;
}

}  // namespace quern::cuda
