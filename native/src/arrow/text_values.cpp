// Strings and binary values of every layout, as views into the buffers they were read to.
#include <cstring>

#include "arrow/batch_reader.hpp"
#include "common/utf8.hpp"

namespace quern::arrow {
namespace {

// `data` has at least 12 readable bytes: buffers have room past their size.
StringView view_of(const uint8_t* data, uint32_t length) {
  StringView view;
  view.length = length;
  if (length > 12) {
    std::memcpy(view.prefix, data, 4);
    view.pointer = reinterpret_cast<const char*>(data);
    return view;
  }
  uint64_t first;
  uint32_t second;
  std::memcpy(&first, data, 8);
  std::memcpy(&second, data + 8, 4);
  // Bytes past the text are zero.
  if (length < 8) {
    first &= (1ULL << (8 * length)) - 1;
    second = 0;
  } else {
    second &= length == 12 ? ~0U : (1U << (8 * (length - 8))) - 1;
  }
  uint8_t* text = reinterpret_cast<uint8_t*>(&view) + offsetof(StringView, prefix);
  std::memcpy(text, &first, 8);
  std::memcpy(text + 8, &second, 4);
  return view;
}

Error not_utf8(int64_t row) { return corrupt_file("row " + std::to_string(row) + " is not UTF-8"); }

// Whether every string is well-formed because their bytes as a whole are and none begins inside a character.
template <typename Offset>
bool valid_as_a_whole(const uint8_t* bytes, const Offset* offsets, int64_t length) {
  const size_t size = static_cast<size_t>(offsets[length] - offsets[0]);
  if (!valid_utf8(reinterpret_cast<const char*>(bytes) + offsets[0], size)) return false;
  bool inside = false;
  for (int64_t row = 0; row < length; ++row) inside |= (bytes[offsets[row]] & 0xC0) == 0x80;
  return !inside;
}

template <typename Offset>
void check_offsets(const Offset* offsets, int64_t length, int64_t size) {
  bool falls = false;
  for (int64_t row = 0; row < length; ++row) falls |= offsets[row + 1] < offsets[row];
  if (falls || offsets[0] < 0 || offsets[length] > size) {
    throw corrupt_file("offsets fall, or leave the " + std::to_string(size) + " bytes of data");
  }
}

template <typename Offset>
void make_views(const uint8_t* bytes, const Offset* offsets, int64_t length, bool is_text, const Mask& mask,
                StringView* out) {
  const bool check_each = is_text && !valid_as_a_whole(bytes, offsets, length);
  for (int64_t row = 0; row < length; ++row) {
    const uint8_t* data = bytes + offsets[row];
    const int64_t size = static_cast<int64_t>(offsets[row + 1]) - static_cast<int64_t>(offsets[row]);
    if (size > UINT32_MAX) throw unsupported("strings of more than 4294967295 bytes");
    if (check_each && mask.valid(row) && !valid_utf8(reinterpret_cast<const char*>(data), static_cast<size_t>(size))) {
      throw not_utf8(row);
    }
    out[row] = view_of(data, static_cast<uint32_t>(size));
  }
}

}  // namespace

ColumnPtr BatchReader::read_text(const Field& field, int64_t length, const Mask& mask) {
  const bool is_text = field.kind == Kind::utf8 || field.kind == Kind::large_utf8;
  const bool is_large = field.kind == Kind::large_utf8 || field.kind == Kind::large_binary;
  const BufferPtr offsets = next_buffer((length + 1) * (is_large ? 8 : 4));
  BufferPtr bytes = next_buffer(0);
  BufferPtr views = memory_.allocate(static_cast<size_t>(length) * sizeof(StringView));
  const auto make = [&](const auto* at) {
    check_offsets(at, length, static_cast<int64_t>(bytes->size()));
    make_views(bytes->data(), at, length, is_text, mask, views->as<StringView>());
  };
  if (is_large)
    make(offsets->as<const int64_t>());
  else
    make(offsets->as<const int32_t>());
  const auto column = flat_column(field.type, length, mask, std::move(views));
  column->owners.push_back(std::move(bytes));
  return column;
}

ColumnPtr BatchReader::read_views(const Field& field, int64_t length, const Mask& mask) {
  // Arrow's own views: length, then the text of up to 12 bytes, or prefix, buffer number and offset.
  struct ArrowView {
    int32_t length;
    uint8_t prefix[4];
    int32_t buffer;
    int32_t offset;
  };
  static_assert(sizeof(ArrowView) == 16);
  BufferPtr stored = next_buffer(length * static_cast<int64_t>(sizeof(ArrowView)));
  if (variadic_ >= batch_.variadic_counts.size()) throw corrupt_file("record batch: no count of view buffers");
  std::vector<BufferPtr> buffers;
  for (int64_t i = batch_.variadic_counts[variadic_++]; i > 0; --i) buffers.push_back(next_buffer(0));

  const ArrowView* from = stored->as<const ArrowView>();
  BufferPtr views = memory_.allocate(static_cast<size_t>(length) * sizeof(StringView));
  StringView* out = views->as<StringView>();
  for (int64_t row = 0; row < length; ++row) {
    if (!mask.valid(row)) {
      out[row] = StringView{};
      continue;
    }
    const ArrowView& view = from[row];
    if (view.length < 0) throw corrupt_file("row " + std::to_string(row) + ": length " + std::to_string(view.length));
    const uint8_t* data = reinterpret_cast<const uint8_t*>(&view) + offsetof(ArrowView, prefix);
    if (view.length > 12) {
      if (view.buffer < 0 || static_cast<size_t>(view.buffer) >= buffers.size()) {
        throw corrupt_file("row " + std::to_string(row) + ": view buffer " + std::to_string(view.buffer));
      }
      const Buffer& buffer = *buffers[static_cast<size_t>(view.buffer)];
      if (view.offset < 0 || static_cast<size_t>(view.offset) > buffer.size() ||
          static_cast<size_t>(view.length) > buffer.size() - static_cast<size_t>(view.offset)) {
        throw corrupt_file("row " + std::to_string(row) + ": view leaves its buffer of " +
                           std::to_string(buffer.size()) + " bytes");
      }
      data = buffer.data() + view.offset;
    }
    if (field.kind == Kind::utf8_view &&
        !valid_utf8(reinterpret_cast<const char*>(data), static_cast<size_t>(view.length))) {
      throw not_utf8(row);
    }
    out[row] = view_of(data, static_cast<uint32_t>(view.length));
  }
  const auto column = flat_column(field.type, length, mask, std::move(views));
  column->owners.insert(column->owners.end(), buffers.begin(), buffers.end());
  return column;
}

ColumnPtr BatchReader::read_fixed_binary(const Field& field, int64_t length, const Mask& mask) {
  int64_t needed;
  if (__builtin_mul_overflow(length, int64_t{field.fixed_size}, &needed)) throw corrupt_file("array size overflows");
  BufferPtr bytes = next_buffer(needed);
  if (field.type->kind == TypeKind::bfloat16) return flat_column(field.type, length, mask, std::move(bytes));
  const uint8_t* data = bytes->data();
  if (field.type->kind == TypeKind::uuid) {
    BufferPtr values = memory_.allocate(static_cast<size_t>(needed));
    for (int64_t row = 0; row < length; ++row) {
      uint64_t words[2];
      std::memcpy(words, data + row * 16, 16);
      values->as<uint128_t>()[row] =
          static_cast<uint128_t>(__builtin_bswap64(words[0])) << 64 | __builtin_bswap64(words[1]);
    }
    return flat_column(field.type, length, mask, std::move(values));
  }
  BufferPtr views = memory_.allocate(static_cast<size_t>(length) * sizeof(StringView));
  for (int64_t row = 0; row < length; ++row) {
    views->as<StringView>()[row] = view_of(data + row * field.fixed_size, static_cast<uint32_t>(field.fixed_size));
  }
  const auto column = flat_column(field.type, length, mask, std::move(views));
  column->owners.push_back(std::move(bytes));
  return column;
}

}  // namespace quern::arrow
