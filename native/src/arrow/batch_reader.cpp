#include "arrow/batch_reader.hpp"

#include <bit>

#include "arrow/body_compression.hpp"
#include "columnar/dispatch.hpp"
#include "columnar/variant_builder.hpp"

namespace quern::arrow {
namespace {

bool is_view(Kind kind) { return kind == Kind::utf8_view || kind == Kind::binary_view; }

// Buffers of an array itself, data buffers of views aside.
size_t buffer_count(const Field& field, bool has_union_validity) {
  switch (field.kind) {
    case Kind::null:
    case Kind::run_ends:
      return 0;
    case Kind::structure:
    case Kind::fixed_list:
      return 1;
    case Kind::union_of:
      return (field.sparse ? 1 : 2) + (has_union_validity ? 1 : 0);
    case Kind::binary:
    case Kind::utf8:
    case Kind::large_binary:
    case Kind::large_utf8:
    case Kind::list_view:
    case Kind::large_list_view:
      return 3;
    default:
      return 2;
  }
}

void zero_null_rows(uint8_t* data, int32_t width, int64_t length, const Mask& mask) {
  if (mask.words == nullptr) return;
  with_width(width, [&]<typename T>() {
    T* values = reinterpret_cast<T*>(data);
    for (int64_t start = 0; start < length; start += 64) {
      uint64_t nulls = ~mask.words[start / 64];
      if (length - start < 64) nulls &= (1ULL << (length - start)) - 1;
      for (; nulls != 0; nulls &= nulls - 1) values[start + std::countr_zero(nulls)] = T{};
    }
  });
}

}  // namespace

std::shared_ptr<Column> flat_column(TypePtr type, int64_t length, const Mask& mask, BufferPtr data) {
  auto column = std::make_shared<Column>();
  column->type = std::move(type);
  column->length = length;
  if (data) {
    zero_null_rows(data->data(), width(*column->type), length, mask);
    column->data = data->data();
    column->owners.push_back(std::move(data));
  }
  if (mask.words != nullptr) {
    column->validity = mask.words;
    column->null_count = mask.null_count;
    column->owners.push_back(mask.owner);
  }
  return column;
}

const Node& BatchReader::next_node() {
  if (node_ >= batch_.nodes.size()) throw corrupt_file("record batch: fewer arrays than the schema has");
  return batch_.nodes[node_++];
}

Range BatchReader::next_range() {
  if (buffer_ >= batch_.buffers.size()) throw corrupt_file("record batch: fewer buffers than the schema needs");
  return batch_.buffers[buffer_++];
}

BufferPtr BatchReader::load(Range range) {
  const int64_t at = batch_.body + range.offset;
  int64_t prefix = 0;
  int64_t size = -1;
  if (batch_.compression != Compression::none && range.length > 0) {
    // The size before compression, or -1 for bytes that are not compressed.
    prefix = sizeof(size);
    if (range.length < prefix) throw corrupt_file("compressed buffer of " + std::to_string(range.length) + " bytes");
    file_.source.read(at, prefix, reinterpret_cast<uint8_t*>(&size));
    if (size < -1) throw corrupt_file("compressed buffer: size " + std::to_string(size));
  }
  BufferPtr stored = memory_.allocate(static_cast<size_t>(range.length - prefix));
  file_.source.read(at + prefix, range.length - prefix, stored->data());
  context_.metrics().bytes_read.fetch_add(range.length, std::memory_order_relaxed);
  if (size < 0) return stored;
  BufferPtr data = memory_.allocate(static_cast<size_t>(size));
  decompress(batch_.compression, {stored->data(), stored->size()}, {data->data(), data->size()});
  return data;
}

BufferPtr BatchReader::next_buffer(int64_t needed) {
  BufferPtr buffer = load(next_range());
  if (static_cast<int64_t>(buffer->size()) < needed) {
    throw corrupt_file("buffer of " + std::to_string(buffer->size()) + " bytes where " + std::to_string(needed) +
                       " are needed");
  }
  return buffer;
}

int64_t BatchReader::checked_length(const Node& node, int64_t expected) {
  if (node.length < 0 || node.length > length_limit) {
    throw corrupt_file("array of " + std::to_string(node.length) + " rows");
  }
  if (expected >= 0 && node.length != expected) {
    throw corrupt_file("array of " + std::to_string(node.length) + " rows in place of " + std::to_string(expected));
  }
  return node.length;
}

Mask BatchReader::next_mask(int64_t length, int64_t null_count, const Mask& parent) {
  const Range range = next_range();
  if (null_count == 0 || (null_count < 0 && range.length == 0)) return parent;
  const BufferPtr buffer = load(range);
  if (static_cast<int64_t>(buffer->size()) < (length + 7) / 8) {
    throw corrupt_file("validity of " + std::to_string(buffer->size()) + " bytes for " + std::to_string(length) +
                       " rows");
  }
  // Whole words: buffers have room past their size.
  uint64_t* words = buffer->as<uint64_t>();
  if (parent.words != nullptr) {
    for (int64_t i = 0; i < validity_words(length); ++i) words[i] &= parent.words[i];
  }
  Mask mask;
  mask.null_count = length - count_set_bits(words, length);
  if (mask.null_count > 0) {
    mask.words = words;
    mask.owner = buffer;
  }
  return mask;
}

void BatchReader::skip_array(const Field& field, bool as_indices) {
  next_node();
  size_t buffers = as_indices ? 2 : buffer_count(field, batch_.has_union_validity);
  if (!as_indices && is_view(field.kind)) {
    if (variadic_ >= batch_.variadic_counts.size()) throw corrupt_file("record batch: no count of view buffers");
    buffers += static_cast<size_t>(batch_.variadic_counts[variadic_++]);
  }
  for (size_t i = 0; i < buffers; ++i) next_range();
  if (as_indices) return;
  for (const Field& child : field.children) skip(child);
}

ColumnPtr BatchReader::read(const Field& field, int64_t expected, const Mask& parent, bool top) {
  if (!field.is_dictionary) return read_values(field, expected, parent);
  const Node& node = next_node();
  const int64_t length = checked_length(node, expected);
  if (length == 0) {
    --node_;
    skip_array(field, true);
    return make_null_column(field.type, 0);
  }
  const Mask mask = next_mask(length, node.null_count, parent);
  return read_indices(field, length, mask, top);
}

ColumnPtr BatchReader::read_values(const Field& field, int64_t expected, const Mask& parent) {
  context_.check_cancelled();
  if (!field.type) throw unsupported(field.reason);
  const Node& node = next_node();
  const int64_t length = checked_length(node, expected);
  if (length == 0) {
    // Its buffers may be absent altogether.
    --node_;
    skip_array(field, false);
    return make_null_column(field.type, 0);
  }
  if (field.kind == Kind::null) return flatten(memory_, make_null_column(field.type, length));
  if (field.kind == Kind::run_ends) return read_run_ends(field, length, parent);
  const Mask mask = next_mask(length, node.null_count, parent);
  switch (field.kind) {
    case Kind::boolean:
      return read_boolean(field, length, mask);
    case Kind::utf8:
    case Kind::binary:
    case Kind::large_utf8:
    case Kind::large_binary:
    case Kind::utf8_view:
    case Kind::binary_view: {
      const ColumnPtr text = is_view(field.kind) ? read_views(field, length, mask) : read_text(field, length, mask);
      return field.type->tag == TypeTag::variant ? texts_as_variants(memory_, text) : text;
    }
    case Kind::fixed_binary:
      return read_fixed_binary(field, length, mask);
    case Kind::list:
    case Kind::large_list:
    case Kind::map:
      return read_list(field, length, mask);
    case Kind::list_view:
    case Kind::large_list_view:
      return read_list_view(field, length, mask);
    case Kind::fixed_list:
      return read_fixed_list(field, length, mask);
    case Kind::structure:
      return read_structure(field, length, mask);
    default:
      return read_fixed(field, length, mask);
  }
}

}  // namespace quern::arrow
