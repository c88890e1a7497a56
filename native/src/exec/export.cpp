#include "exec/export.hpp"

#include <cstring>

#include "columnar/dispatch.hpp"
#include "common/error.hpp"

namespace quern {

namespace {

// Rows [start, start + length) of a column.
struct Piece {
  const Column* column;
  int64_t start;
  int64_t length;
};
using Pieces = std::vector<Piece>;

// One exported column: what goes in and how large it is.
struct Part {
  TypePtr type;
  Pieces pieces;
  int64_t rows = 0;
  int64_t nulls = 0;
  int64_t value_bytes = 0;
  bool has_offsets = false;
  bool wide = false;  // 64-bit offsets
  std::vector<Part> children;
};

int64_t aligned(int64_t bytes) { return (bytes + 7) / 8 * 8; }

// Calls `visit(column, row, valid)` for every row; `row` indexes the column's data.
template <typename Visit>
void for_each_row(const Pieces& pieces, Visit&& visit) {
  for (const auto& piece : pieces) {
    const bool constant = piece.column->form == Form::constant;
    for (int64_t i = 0; i < piece.length; ++i) {
      const int64_t row = constant ? 0 : piece.start + i;
      visit(*piece.column, row, piece.column->is_valid(row));
    }
  }
}

template <typename T>
T value_at(const Column& column, int64_t row, bool valid) {
  if (!valid) return T{};
  if (column.form == Form::dictionary) return column.children[0]->values<T>()[column.values<uint32_t>()[row]];
  return column.values<T>()[row];
}

int64_t count_nulls(const Piece& piece) {
  const Column& column = *piece.column;
  if (column.type->kind == TypeKind::null) return piece.length;
  if (column.null_count == 0) return 0;
  if (column.form == Form::constant) return piece.length;
  int64_t nulls = 0;
  for (int64_t i = 0; i < piece.length; ++i) nulls += column.is_valid(piece.start + i) ? 0 : 1;
  return nulls;
}

// Bytes of a value in the result; 0 for bits, and for what has no values of its own.
int64_t result_width(const DataType& type) {
  if (type.kind == TypeKind::decimal) return 16;
  const auto kind = physical(type);
  return kind == Physical::boolean || kind == Physical::string || kind == Physical::list ? 0 : width(kind);
}

Part measure(const TypePtr& type, Pieces pieces, int64_t offset_limit);

void measure_list(Part& part, int64_t offset_limit) {
  Pieces elements;
  int64_t count = 0;
  for_each_row(part.pieces, [&](const Column& column, int64_t row, bool valid) {
    const auto entry = value_at<ListEntry>(column, row, valid);
    if (entry.length == 0) return;
    count += entry.length;
    const Column* child =
        column.form == Form::dictionary ? column.children[0]->children[0].get() : column.children[0].get();
    if (!elements.empty() && elements.back().column == child &&
        elements.back().start + elements.back().length == entry.start) {
      elements.back().length += entry.length;
    } else {
      elements.push_back({child, entry.start, entry.length});
    }
  });
  part.has_offsets = true;
  part.wide = count > offset_limit;
  part.children.push_back(
      measure(part.type->kind == TypeKind::map ? map_entry_type(*part.type) : part.type->children[0],
              std::move(elements), offset_limit));
}

Part measure(const TypePtr& type, Pieces pieces, int64_t offset_limit) {
  Part part;
  part.type = type;
  part.pieces = std::move(pieces);
  for (const auto& piece : part.pieces) {
    part.rows += piece.length;
    part.nulls += count_nulls(piece);
  }
  switch (physical(*type)) {
    case Physical::boolean:
      part.value_bytes = (part.rows + 7) / 8;
      break;
    case Physical::string:
      for_each_row(part.pieces, [&](const Column& column, int64_t row, bool valid) {
        if (valid) part.value_bytes += value_at<StringView>(column, row, true).length;
      });
      part.has_offsets = true;
      part.wide = part.value_bytes > offset_limit;
      break;
    case Physical::list:
      measure_list(part, offset_limit);
      break;
    case Physical::structure:
      for (size_t field = 0; field < type->children.size(); ++field) {
        Pieces inner;
        inner.reserve(part.pieces.size());
        for (const auto& piece : part.pieces)
          inner.push_back({piece.column->children[field].get(), piece.start, piece.length});
        part.children.push_back(measure(type->children[field], std::move(inner), offset_limit));
      }
      break;
    default:
      part.value_bytes = part.rows * result_width(*type);
  }
  return part;
}

int64_t validity_bytes(const Part& part) { return part.nulls > 0 ? aligned((part.rows + 7) / 8) : 0; }
int64_t offset_bytes(const Part& part) { return part.has_offsets ? aligned((part.rows + 1) * (part.wide ? 8 : 4)) : 0; }

int64_t total_bytes(const Part& part) {
  int64_t bytes = validity_bytes(part) + offset_bytes(part) + aligned(part.value_bytes);
  for (const auto& child : part.children) bytes += total_bytes(child);
  return bytes;
}

// Writes parts one after another into one block.
class Writer {
 public:
  explicit Writer(ResultBlock& block) : block_(block) {}

  void write(const Part& part) {
    const int64_t validity = part.nulls > 0 ? take(validity_bytes(part)) : -1;
    const int64_t offsets = part.has_offsets ? take(offset_bytes(part)) : -1;
    const bool has_values = physical(*part.type) != Physical::none && physical(*part.type) != Physical::list &&
                            physical(*part.type) != Physical::structure;
    const int64_t values = has_values ? take(aligned(part.value_bytes)) : -1;
    for (const int64_t number :
         {part.rows, part.nulls, validity, values, part.value_bytes, offsets, static_cast<int64_t>(part.wide)}) {
      block_.layout.push_back(static_cast<double>(number));
    }
    if (validity >= 0) write_validity(part, at(validity));
    if (offsets >= 0) part.wide ? write_offsets<int64_t>(part, at(offsets)) : write_offsets<int32_t>(part, at(offsets));
    if (values >= 0) write_values(part, at(values));
    for (const auto& child : part.children) write(child);
  }

 private:
  uint8_t* at(int64_t offset) { return block_.bytes.get() + offset; }
  int64_t take(int64_t bytes) { return std::exchange(next_, next_ + bytes); }

  static void set(uint8_t* bits, int64_t row) {
    bits[row >> 3] = static_cast<uint8_t>(bits[row >> 3] | 1u << (row & 7));
  }

  static void write_validity(const Part& part, uint8_t* bits) {
    std::memset(bits, 0, static_cast<size_t>(validity_bytes(part)));
    int64_t out = 0;
    for_each_row(part.pieces, [&](const Column&, int64_t, bool valid) {
      if (valid) set(bits, out);
      ++out;
    });
  }

  template <typename Offset>
  static void write_offsets(const Part& part, uint8_t* bytes) {
    auto* out = reinterpret_cast<Offset*>(bytes);
    int64_t next = 0;
    *out++ = 0;
    const bool strings = physical(*part.type) == Physical::string;
    for_each_row(part.pieces, [&](const Column& column, int64_t row, bool valid) {
      next +=
          strings ? value_at<StringView>(column, row, valid).length : value_at<ListEntry>(column, row, valid).length;
      *out++ = static_cast<Offset>(next);
    });
  }

  static void write_values(const Part& part, uint8_t* out) {
    const auto kind = physical(*part.type);
    if (kind == Physical::boolean) return write_bits(part, out);
    if (kind == Physical::string) return write_strings(part, out);
    if (part.type->kind == TypeKind::uuid) return write_uuids(part, out);
    if (part.type->kind == TypeKind::decimal && kind == Physical::int64) return write_narrow_decimals(part, out);
    with_width(width(kind), [&]<typename T>() { write_fixed<T>(part, reinterpret_cast<T*>(out)); });
  }

  static void write_bits(const Part& part, uint8_t* bits) {
    std::memset(bits, 0, static_cast<size_t>(aligned(part.value_bytes)));
    int64_t out = 0;
    for_each_row(part.pieces, [&](const Column& column, int64_t row, bool valid) {
      if (value_at<uint8_t>(column, row, valid) != 0) set(bits, out);
      ++out;
    });
  }

  static void write_strings(const Part& part, uint8_t* out) {
    for_each_row(part.pieces, [&](const Column& column, int64_t row, bool valid) {
      const auto view = value_at<StringView>(column, row, valid);
      std::memcpy(out, view.data(), view.length);
      out += view.length;
    });
  }

  // The int128's most significant byte is the first of the text.
  static void write_uuids(const Part& part, uint8_t* out) {
    for_each_row(part.pieces, [&](const Column& column, int64_t row, bool valid) {
      auto bits = static_cast<uint128_t>(value_at<int128_t>(column, row, valid));
      for (int i = 15; i >= 0; --i, bits >>= 8) out[i] = static_cast<uint8_t>(bits);
      out += 16;
    });
  }

  static void write_narrow_decimals(const Part& part, uint8_t* bytes) {
    auto* out = reinterpret_cast<int64_t*>(bytes);
    for_each_row(part.pieces, [&](const Column& column, int64_t row, bool valid) {
      const auto value = value_at<int64_t>(column, row, valid);
      *out++ = value;
      *out++ = value < 0 ? -1 : 0;
    });
  }

  template <typename T>
  static void write_fixed(const Part& part, T* out) {
    for (const auto& piece : part.pieces) {
      if (piece.column->form == Form::flat) {
        if (piece.length > 0)
          std::memcpy(static_cast<void*>(out), piece.column->values<T>() + piece.start,
                      static_cast<size_t>(piece.length) * sizeof(T));
        out += piece.length;
      } else {
        for_each_row({piece}, [&](const Column& column, int64_t row, bool valid) {
          const T value = value_at<T>(column, row, valid);
          std::memcpy(static_cast<void*>(out++), &value, sizeof(T));
        });
      }
    }
  }

  ResultBlock& block_;
  int64_t next_ = 0;
};

std::vector<Part> measure_all(const std::vector<Batch>& batches, int64_t offset_limit) {
  std::vector<Part> parts;
  if (batches.empty()) return parts;
  for (size_t i = 0; i < batches[0].columns.size(); ++i) {
    Pieces pieces;
    pieces.reserve(batches.size());
    for (const auto& batch : batches) pieces.push_back({batch.columns[i].get(), 0, batch.rows});
    parts.push_back(measure(batches[0].columns[i]->type, std::move(pieces), offset_limit));
  }
  return parts;
}

}  // namespace

int64_t exported_bytes(const Batch& batch, int64_t offset_limit) {
  int64_t bytes = 0;
  for (const auto& column : batch.columns)
    bytes += total_bytes(measure(column->type, {{column.get(), 0, batch.rows}}, offset_limit));
  return bytes;
}

ResultBlock export_batches(const std::vector<Batch>& batches, int64_t offset_limit) {
  ResultBlock block;
  for (const auto& batch : batches) block.rows += batch.rows;
  const auto parts = measure_all(batches, offset_limit);
  for (const auto& part : parts) block.size += total_bytes(part);
  block.bytes.reset(static_cast<uint8_t*>(std::malloc(static_cast<size_t>(std::max<int64_t>(block.size, 8)))));
  if (!block.bytes)
    throw Error(ErrorSource::resource, ErrorCode::oom,
                "out of memory: no " + std::to_string(block.size) + " bytes for a result batch");
  Writer writer(block);
  for (const auto& part : parts) writer.write(part);
  return block;
}

}  // namespace quern
