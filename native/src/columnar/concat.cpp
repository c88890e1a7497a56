// Concatenation and compaction are one walk: the rows of some columns, one after another, with children in row order
// and strings in one heap. Bytes moved: every value once; list elements that stand in one range are moved as one range.
#include <algorithm>
#include <cstring>

#include "columnar/column.hpp"
#include "columnar/dispatch.hpp"
#include "common/error.hpp"

namespace quern {

namespace {

// Rows [start, start + length) of a column, in order.
struct Piece {
  ColumnPtr column;
  int64_t start = 0;
  int64_t length = 0;
};
using Pieces = std::vector<Piece>;

ColumnPtr join(Memory& memory, const TypePtr& type, const Pieces& pieces);

int64_t total_rows(const Pieces& pieces) {
  int64_t rows = 0;
  for (const auto& piece : pieces) rows += piece.length;
  return rows;
}

bool any_nulls(const Pieces& pieces) {
  for (const auto& piece : pieces) {
    if (piece.column->null_count > 0) return true;
  }
  return false;
}

// Calls `visit(piece row, output row, valid)` for every row.
template <typename Visit>
void for_each_row(const Pieces& pieces, Visit&& visit) {
  int64_t out = 0;
  for (const auto& piece : pieces) {
    const bool constant = piece.column->form == Form::constant;
    for (int64_t i = 0; i < piece.length; ++i, ++out) {
      const int64_t row = constant ? 0 : piece.start + i;
      visit(*piece.column, row, out, piece.column->is_valid(row));
    }
  }
}

void join_validity(const Pieces& pieces, ColumnBuilder& builder) {
  if (!any_nulls(pieces)) return;
  auto* words = builder.validity();
  for_each_row(pieces, [&](const Column&, int64_t, int64_t out, bool valid) {
    if (!valid) clear_bit(words, out);
  });
}

// The value of a row, through the dictionary if there is one; zero for a null row.
template <typename T>
T value_at(const Column& column, int64_t row, bool valid) {
  if (!valid) return T{};
  if (column.form == Form::dictionary) return column.children[0]->values<T>()[column.values<uint32_t>()[row]];
  return column.values<T>()[row];
}

ColumnPtr join_fixed(Memory& memory, const TypePtr& type, const Pieces& pieces) {
  ColumnBuilder builder(memory, type, total_rows(pieces));
  with_width(width(*type), [&]<typename T>() {
    T* data = builder.data<T>();
    for (const auto& piece : pieces) {
      if (piece.column->form == Form::flat) {
        if (piece.length > 0)
          std::memcpy(data, piece.column->values<T>() + piece.start, static_cast<size_t>(piece.length) * sizeof(T));
        data += piece.length;
      } else {
        for_each_row({piece}, [&](const Column& column, int64_t row, int64_t, bool valid) {
          *data++ = value_at<T>(column, row, valid);
        });
      }
    }
  });
  join_validity(pieces, builder);
  return builder.finish();
}

ColumnPtr join_strings(Memory& memory, const TypePtr& type, const Pieces& pieces) {
  int64_t bytes = 0;
  for_each_row(pieces, [&](const Column& column, int64_t row, int64_t, bool valid) {
    const auto view = value_at<StringView>(column, row, valid);
    if (!view.is_inline()) bytes += view.length;
  });
  ColumnBuilder builder(memory, type, total_rows(pieces));
  char* heap = nullptr;
  if (bytes > 0) {
    auto buffer = memory.allocate(static_cast<size_t>(bytes));
    heap = buffer->as<char>();
    builder.keep(std::move(buffer));
  }
  auto* data = builder.data<StringView>();
  for_each_row(pieces, [&](const Column& column, int64_t row, int64_t out, bool valid) {
    auto view = value_at<StringView>(column, row, valid);
    if (!view.is_inline()) {
      std::memcpy(heap, view.pointer, view.length);
      view.pointer = heap;
      heap += view.length;
    }
    data[out] = view;
  });
  join_validity(pieces, builder);
  return builder.finish();
}

ColumnPtr join_lists(Memory& memory, const TypePtr& type, const Pieces& pieces) {
  ColumnBuilder builder(memory, type, total_rows(pieces));
  auto* data = builder.data<ListEntry>();
  Pieces elements;
  int64_t next = 0;
  for_each_row(pieces, [&](const Column& column, int64_t row, int64_t out, bool valid) {
    const auto entry = value_at<ListEntry>(column, row, valid);
    data[out] = valid ? ListEntry{entry.length > 0 ? next : 0, entry.length} : ListEntry{0, 0};
    if (entry.length == 0) return;
    next += entry.length;
    const auto& child = column.form == Form::dictionary ? column.children[0]->children[0] : column.children[0];
    if (!elements.empty() && elements.back().column == child &&
        elements.back().start + elements.back().length == entry.start) {
      elements.back().length += entry.length;
    } else {
      elements.push_back({child, entry.start, entry.length});
    }
  });
  const TypePtr child_type = type->kind == TypeKind::map ? map_entry_type(*type) : type->children[0];
  builder.add_child(join(memory, child_type, elements));
  join_validity(pieces, builder);
  const int64_t stride = pieces[0].column->stride;
  if (std::all_of(pieces.begin(), pieces.end(), [&](const Piece& piece) { return piece.column->stride == stride; }))
    builder.set_stride(stride);
  return builder.finish();
}

ColumnPtr join_structures(Memory& memory, const TypePtr& type, const Pieces& pieces) {
  ColumnBuilder builder(memory, type, total_rows(pieces));
  for (size_t field = 0; field < type->children.size(); ++field) {
    Pieces inner;
    inner.reserve(pieces.size());
    for (const auto& piece : pieces) inner.push_back({piece.column->children[field], piece.start, piece.length});
    builder.add_child(join(memory, type->children[field], inner));
  }
  join_validity(pieces, builder);
  return builder.finish();
}

ColumnPtr join(Memory& memory, const TypePtr& type, const Pieces& pieces) {
  const int64_t rows = total_rows(pieces);
  if (rows == 0 || type->kind == TypeKind::null) return make_null_column(type, rows);
  switch (physical(*type)) {
    case Physical::string:
      return join_strings(memory, type, pieces);
    case Physical::list:
      return join_lists(memory, type, pieces);
    case Physical::structure:
      return join_structures(memory, type, pieces);
    default:
      return join_fixed(memory, type, pieces);
  }
}

}  // namespace

ColumnPtr concat(Memory& memory, const TypePtr& type, const std::vector<ColumnPtr>& columns) {
  Pieces pieces;
  pieces.reserve(columns.size());
  for (const auto& column : columns) pieces.push_back({column, 0, column->length});
  return join(memory, type, pieces);
}

ColumnPtr compact(Memory& memory, const ColumnPtr& column) {
  return join(memory, column->type, {{column, 0, column->length}});
}

namespace {

int64_t piece_bytes(const Column& column, int64_t start, int64_t length) {
  int64_t bytes = length * width(*column.type) + (column.null_count > 0 ? length / 8 : 0);
  const Piece piece{std::shared_ptr<const Column>(std::shared_ptr<const Column>(), &column), start, length};
  switch (physical(*column.type)) {
    case Physical::string:
      for_each_row({piece}, [&](const Column& of, int64_t row, int64_t, bool valid) {
        const auto view = value_at<StringView>(of, row, valid);
        if (!view.is_inline()) bytes += view.length;
      });
      break;
    case Physical::list: {
      const auto& child = column.form == Form::dictionary ? column.children[0]->children[0] : column.children[0];
      const auto kind = physical(*child->type);
      const bool nested = kind == Physical::string || kind == Physical::list || kind == Physical::structure;
      if (column.stride != unknown_stride && !nested) return bytes + length * column.stride * width(kind);
      for_each_row({piece}, [&](const Column& of, int64_t row, int64_t, bool valid) {
        const auto entry = value_at<ListEntry>(of, row, valid);
        if (entry.length == 0) return;
        bytes += nested ? piece_bytes(*child, entry.start, entry.length) : entry.length * width(kind);
      });
      break;
    }
    case Physical::structure:
      for (const auto& child : column.children) bytes += piece_bytes(*child, start, length);
      break;
    default:
      break;
  }
  return bytes;
}

}  // namespace

int64_t row_bytes(const Column& column) { return piece_bytes(column, 0, column.length); }

}  // namespace quern
