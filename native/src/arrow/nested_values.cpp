// Lists, maps, structs and run-end encoding.
#include <algorithm>

#include "arrow/batch_reader.hpp"

namespace quern::arrow {
namespace {

template <typename Offset>
void entries_of_offsets(const Offset* offsets, int64_t length, int64_t child_length, ListEntry* out) {
  bool falls = false;
  for (int64_t row = 0; row < length; ++row) {
    falls |= offsets[row + 1] < offsets[row];
    out[row] = {offsets[row], static_cast<int64_t>(offsets[row + 1]) - static_cast<int64_t>(offsets[row])};
  }
  if (falls || offsets[0] < 0 || offsets[length] > child_length) {
    throw corrupt_file("list offsets fall, or leave the " + std::to_string(child_length) + " elements");
  }
}

template <typename Offset>
void entries_of_views(const Offset* offsets, const Offset* sizes, int64_t length, int64_t child_length,
                      const Mask& mask, ListEntry* out) {
  for (int64_t row = 0; row < length; ++row) {
    const int64_t start = offsets[row], size = sizes[row];
    if (mask.valid(row) && (start < 0 || size < 0 || start > child_length || size > child_length - start)) {
      throw corrupt_file("row " + std::to_string(row) + ": list leaves the " + std::to_string(child_length) +
                         " elements");
    }
    out[row] = {start, size};
  }
}

void check_map_entries(const Column& entries) {
  if (entries.null_count > 0) throw corrupt_file("map entry that is null");
  if (entries.length > 0 && entries.children[0]->null_count > 0) throw corrupt_file("map key that is null");
}

}  // namespace

// `entries` hold the rows' ranges of `child`.
ColumnPtr BatchReader::list_column(const Field& field, int64_t length, const Mask& mask, BufferPtr entries,
                                   ColumnPtr child) {
  if (field.kind == Kind::map) {
    check_map_entries(*child);
    child = with_type(child, map_entry_type(*field.type));
  }
  const auto column = flat_column(field.type, length, mask, std::move(entries));
  column->children.push_back(std::move(child));
  if (field.kind == Kind::map || length == 0 || column->null_count > 0) return column;
  const auto* lists = column->values<ListEntry>();
  const auto is_like_first = [&](const ListEntry& entry) { return entry.length == lists[0].length; };
  if (std::all_of(lists, lists + length, is_like_first)) column->stride = lists[0].length;
  return column;
}

ColumnPtr BatchReader::read_list(const Field& field, int64_t length, const Mask& mask) {
  const bool is_large = field.kind == Kind::large_list;
  const BufferPtr offsets = next_buffer((length + 1) * (is_large ? 8 : 4));
  ColumnPtr child = read(field.children[0], -1, {}, false);
  BufferPtr entries = memory_.allocate(static_cast<size_t>(length) * sizeof(ListEntry));
  ListEntry* out = entries->as<ListEntry>();
  if (is_large)
    entries_of_offsets(offsets->as<const int64_t>(), length, child->length, out);
  else
    entries_of_offsets(offsets->as<const int32_t>(), length, child->length, out);
  return list_column(field, length, mask, std::move(entries), std::move(child));
}

ColumnPtr BatchReader::read_list_view(const Field& field, int64_t length, const Mask& mask) {
  const bool is_large = field.kind == Kind::large_list_view;
  const BufferPtr offsets = next_buffer(length * (is_large ? 8 : 4));
  const BufferPtr sizes = next_buffer(length * (is_large ? 8 : 4));
  ColumnPtr child = read(field.children[0], -1, {}, false);
  BufferPtr entries = memory_.allocate(static_cast<size_t>(length) * sizeof(ListEntry));
  ListEntry* out = entries->as<ListEntry>();
  if (is_large) {
    entries_of_views(offsets->as<const int64_t>(), sizes->as<const int64_t>(), length, child->length, mask, out);
  } else {
    entries_of_views(offsets->as<const int32_t>(), sizes->as<const int32_t>(), length, child->length, mask, out);
  }
  return list_column(field, length, mask, std::move(entries), std::move(child));
}

ColumnPtr BatchReader::read_fixed_list(const Field& field, int64_t length, const Mask& mask) {
  ColumnPtr child = read(field.children[0], -1, {}, false);
  int64_t needed;
  if (__builtin_mul_overflow(length, int64_t{field.fixed_size}, &needed) || needed > child->length) {
    throw corrupt_file(std::to_string(length) + " lists of " + std::to_string(field.fixed_size) + " have " +
                       std::to_string(child->length) + " elements");
  }
  BufferPtr entries = memory_.allocate(static_cast<size_t>(length) * sizeof(ListEntry));
  for (int64_t row = 0; row < length; ++row) {
    entries->as<ListEntry>()[row] = {row * field.fixed_size, field.fixed_size};
  }
  return list_column(field, length, mask, std::move(entries), std::move(child));
}

ColumnPtr BatchReader::read_structure(const Field& field, int64_t length, const Mask& mask) {
  const auto column = flat_column(field.type, length, mask, nullptr);
  for (const Field& child : field.children) {
    // A field of a null struct is null.
    column->children.push_back(read(child, length, mask, false));
  }
  return column;
}

ColumnPtr BatchReader::read_run_ends(const Field& field, int64_t length, const Mask& parent) {
  const ColumnPtr ends = read(field.children[0], -1, {}, false);
  const ColumnPtr values = read(field.children[1], ends->length, {}, false);
  if (ends->null_count > 0) throw corrupt_file("run end that is null");
  const BufferPtr rows = memory_.allocate(static_cast<size_t>(length) * sizeof(int64_t));
  int64_t* out = rows->as<int64_t>();
  int64_t done = 0;
  const auto fill = [&](const auto* at) {
    for (int64_t run = 0; run < ends->length && done < length; ++run) {
      const int64_t end = at[run];
      if (end <= done) throw corrupt_file("run end " + std::to_string(end) + " after " + std::to_string(done));
      const int64_t stop = std::min(end, length);
      std::fill(out + done, out + stop, run);
      done = stop;
    }
  };
  switch (field.children[0].bits) {
    case 16:
      fill(ends->values<int16_t>());
      break;
    case 32:
      fill(ends->values<int32_t>());
      break;
    default:
      fill(ends->values<int64_t>());
      break;
  }
  if (done < length)
    throw corrupt_file("runs end at " + std::to_string(done) + " of " + std::to_string(length) + " rows");
  if (parent.words != nullptr) {
    for (int64_t row = 0; row < length; ++row) {
      if (!parent.valid(row)) out[row] = -1;
    }
  }
  return flatten(memory_, gather(memory_, values, out, length));
}

}  // namespace quern::arrow
