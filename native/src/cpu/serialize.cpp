#include "cpu/serialize.hpp"

#include <cstring>

#include "columnar/dispatch.hpp"
#include "common/error.hpp"
#include "ops/compare.hpp"

namespace quern::cpu {

uint32_t canonical_float32(uint32_t bits) {
  if ((bits & 0x7fffffffU) > 0x7f800000U) return 0x7fc00000U;
  return bits == 0x80000000U ? 0 : bits;
}

uint64_t canonical_float64(uint64_t bits) {
  if ((bits & 0x7fffffffffffffffULL) > 0x7ff0000000000000ULL) return 0x7ff8000000000000ULL;
  return bits == 0x8000000000000000ULL ? 0 : bits;
}

uint16_t canonical_half(uint16_t bits, TypeKind kind) {
  const uint16_t infinity = kind == TypeKind::float16 ? 0x7c00 : 0x7f80;
  if ((bits & 0x7fff) > infinity) return static_cast<uint16_t>(infinity | (infinity >> 1 & ~infinity) | 1);
  return bits == 0x8000 ? 0 : bits;
}

namespace {

template <typename T>
void append(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

void append_fixed(const Column& column, int64_t row, std::string& out) {
  switch (physical(*column.type)) {
    case Physical::float32:
      return append(out, canonical_float32(column.values<uint32_t>()[row]));
    case Physical::float64:
      return append(out, canonical_float64(column.values<uint64_t>()[row]));
    case Physical::half:
      return append(out, canonical_half(column.values<uint16_t>()[row], column.type->kind));
    case Physical::interval:
      return append(out, ops::normalise(column.values<Interval>()[row]));
    default:
      with_width(width(*column.type), [&]<typename T>() { append(out, column.values<T>()[row]); });
  }
}

}  // namespace

void serialize(const Column& column, int64_t row, std::string& out) {
  const int64_t at = column.form == Form::constant ? 0 : row;
  const bool valid = column.type->kind != TypeKind::null && column.is_valid(at);
  out += static_cast<char>(valid);
  if (!valid) return;
  if (column.form == Form::dictionary) {
    out.pop_back();
    return serialize(*column.children[0], column.values<uint32_t>()[row], out);
  }
  switch (physical(*column.type)) {
    case Physical::string: {
      const auto& view = column.values<StringView>()[at];
      append(out, view.length);
      out.append(view.data(), view.length);
      return;
    }
    case Physical::list: {
      const auto entry = column.values<ListEntry>()[at];
      append(out, entry.length);
      for (int64_t i = 0; i < entry.length; ++i) serialize(*column.children[0], entry.start + i, out);
      return;
    }
    case Physical::structure:
      for (const auto& child : column.children) serialize(*child, row, out);
      return;
    default:
      append_fixed(column, at, out);
  }
}

namespace {

// One cursor a row; every call reads one value of `type` at each of them.
class Parser {
 public:
  explicit Parser(Memory& memory) : memory_(memory) {}

  ColumnPtr read(const TypePtr& type, std::vector<const char*>& cursors) {
    const auto rows = static_cast<int64_t>(cursors.size());
    std::vector<bool> valid(cursors.size());
    for (size_t i = 0; i < cursors.size(); ++i) valid[i] = *cursors[i]++ != 0;
    if (rows == 0 || type->kind == TypeKind::null) return make_null_column(type, rows);
    ColumnBuilder out(memory_, type, rows, true);
    for (int64_t i = 0; i < rows; ++i) {
      if (!valid[static_cast<size_t>(i)]) out.set_null(i);
    }
    switch (physical(*type)) {
      case Physical::string:
        read_strings(out, cursors, valid);
        break;
      case Physical::list:
        read_lists(type, out, cursors, valid);
        break;
      case Physical::structure:
        read_structures(type, out, cursors, valid);
        break;
      default:
        with_width(width(*type), [&]<typename T>() {
          T* data = out.data<T>();
          for (size_t i = 0; i < cursors.size(); ++i) {
            if (valid[i]) take(cursors[i], data[i]);
          }
        });
    }
    return out.finish();
  }

 private:
  template <typename T>
  static void take(const char*& cursor, T& value) {
    std::memcpy(&value, cursor, sizeof(T));
    cursor += sizeof(T);
  }

  void read_strings(ColumnBuilder& out, std::vector<const char*>& cursors, const std::vector<bool>& valid) {
    StringHeap heap(memory_);
    for (size_t i = 0; i < cursors.size(); ++i) {
      if (!valid[i]) continue;
      uint32_t length = 0;
      take(cursors[i], length);
      out.data<StringView>()[i] = heap.append(cursors[i], length);
      cursors[i] += length;
    }
    out.keep(heap.owners());
  }

  // Elements are read row by row, because the cursor of a row moves over them.
  void read_lists(const TypePtr& type, ColumnBuilder& out, std::vector<const char*>& cursors,
                  const std::vector<bool>& valid) {
    const TypePtr element = type->kind == TypeKind::map ? map_entry_type(*type) : type->children[0];
    std::vector<ColumnPtr> parts;
    int64_t next = 0;
    for (size_t i = 0; i < cursors.size(); ++i) {
      if (!valid[i]) continue;
      int64_t length = 0;
      take(cursors[i], length);
      out.data<ListEntry>()[i] = {length > 0 ? next : 0, length};
      next += length;
      for (int64_t e = 0; e < length; ++e) {
        std::vector<const char*> one{cursors[i]};
        parts.push_back(read(element, one));
        cursors[i] = one[0];
      }
    }
    out.add_child(concat(memory_, element, parts));
  }

  void read_structures(const TypePtr& type, ColumnBuilder& out, std::vector<const char*>& cursors,
                       const std::vector<bool>& valid) {
    std::vector<const char*> present;
    std::vector<int64_t> place(cursors.size(), -1);
    for (size_t i = 0; i < cursors.size(); ++i) {
      if (!valid[i]) continue;
      place[i] = static_cast<int64_t>(present.size());
      present.push_back(cursors[i]);
    }
    for (const auto& field : type->children) {
      const auto dense = read(field, present);
      out.add_child(gather(memory_, dense, place.data(), static_cast<int64_t>(place.size())));
    }
    for (size_t i = 0; i < cursors.size(); ++i) {
      if (place[i] >= 0) cursors[i] = present[static_cast<size_t>(place[i])];
    }
  }

  Memory& memory_;
};

}  // namespace

ColumnPtr deserialize(Memory& memory, const TypePtr& type, const StringView* values, int64_t rows) {
  std::vector<const char*> cursors(static_cast<size_t>(rows));
  for (int64_t i = 0; i < rows; ++i) cursors[static_cast<size_t>(i)] = values[i].data();
  return Parser(memory).read(type, cursors);
}

}  // namespace quern::cpu
