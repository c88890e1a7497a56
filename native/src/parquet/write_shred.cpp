#include "parquet/write_shred.hpp"

#include <algorithm>
#include <cstring>

#include "common/error.hpp"
#include "parquet/variant.hpp"
#include "parquet/write_hybrid.hpp"
#include "parquet/write_values.hpp"

namespace quern::parquet {

namespace {

// Where level entries stand on the way down to a leaf. An entry is live while its value exists so far; one that a null
// or an empty list has ended keeps the definition level it ended with.
struct Slots {
  int64_t count = 0;
  int64_t live = 0;
  uint8_t definition = 0;  // level that live entries have reached
  uint8_t depth = 0;       // lists passed: the repetition level of further elements of the innermost one
  BufferPtr repetition;    // null: all 0
  int64_t first = 0;       // without `rows`: entry i is live and stands for row first + i
  BufferPtr rows;          // int64 a slot: row of the column, -1 when ended
  BufferPtr ended;         // with `rows`: a byte a slot, the level of ended ones

  int64_t row(int64_t i) const { return rows ? rows->as<const int64_t>()[i] : first + i; }
  uint8_t level(int64_t i) const { return rows && row(i) < 0 ? ended->data()[i] : definition; }
};

// Rows of a column whatever its form.
struct View {
  explicit View(const Column& column) : column(column), base(&column) {
    if (column.form == Form::dictionary) {
      base = column.children[0].get();
      codes = column.values<uint32_t>();
    }
    constant = column.form == Form::constant;
    if (constant && column.null_count > 0) all_null = true;
  }
  bool has_nulls() const { return column.null_count > 0; }
  bool valid(int64_t row) const { return constant ? !all_null : column.is_valid(row); }
  // Position in `base`.
  int64_t at(int64_t row) const { return constant ? 0 : codes != nullptr ? codes[row] : row; }
  bool is_flat() const { return !constant && codes == nullptr; }

  const Column& column;
  const Column* base;
  const uint32_t* codes = nullptr;
  bool constant = false, all_null = false;
};

class Shredder {
 public:
  Shredder(Memory& memory, const WriteSchema& schema) : memory_(memory), schema_(schema) {}

  Shred run(const Batch& batch) {
    Shred out;
    out.rows = batch.rows;
    Slots slots;
    slots.count = slots.live = batch.rows;
    for (const ColumnPtr& column : batch.columns) node(column, slots, true);
    out.leaves = std::move(pieces_);
    for (size_t i = 0; i < out.leaves.size(); ++i) count(out.leaves[i], schema_.leaves[i], out);
    return out;
  }

 private:
  static void count(const LeafPiece& piece, const WriteLeaf& leaf, Shred& out) {
    out.bytes += piece.data_bytes;
    out.file_bytes += leaf.physical == PhysicalType::boolean ? (piece.values + 7) / 8 : piece.data_bytes;
    const auto levels = [&](const BufferPtr& bytes, int most) {
      if (!bytes) return;
      out.bytes += piece.entries;
      out.file_bytes += piece.entries * bits_for(static_cast<uint32_t>(most)) / 8;
    };
    levels(piece.repetition, leaf.max_repetition);
    levels(piece.definition, leaf.max_definition);
  }

  void node(const ColumnPtr& column, const Slots& slots, bool optional) {
    switch (column->type->kind) {
      case TypeKind::structure:
        return structure(*column, slots, optional);
      case TypeKind::list:
      case TypeKind::map:
        return list(*column, slots, optional);
      default:
        return column->type->tag == TypeTag::variant ? variant(column, slots, optional)
                                                     : leaf(*column, slots, optional);
    }
  }

  // A group of two leaves.
  void variant(const ColumnPtr& column, const Slots& slots, bool optional) {
    const ColumnPtr flat = flatten(memory_, column);
    const Slots inner = without_nulls(View(*flat), slots, optional);
    const VariantColumns parts = variant_columns(memory_, flat);
    leaf(*parts.metadata, inner, false);
    leaf(*parts.value, inner, false);
  }

  // Entries after the nulls of `column` have ended theirs, one definition level deeper.
  Slots without_nulls(const View& view, const Slots& slots, bool optional) {
    Slots out = slots;
    if (optional) ++out.definition;
    if (!view.has_nulls()) return out;
    auto rows = memory_.allocate(static_cast<size_t>(slots.count) * 8);
    auto ended = memory_.allocate(static_cast<size_t>(slots.count));
    out.live = 0;
    for (int64_t i = 0; i < slots.count; ++i) {
      const int64_t row = slots.row(i);
      const bool live = row >= 0 && view.valid(row);
      if (row >= 0 && !live && !optional) throw runtime_error("a map key is NULL");
      rows->as<int64_t>()[i] = live ? row : -1;
      ended->data()[i] = slots.level(i);
      out.live += live;
    }
    out.rows = std::move(rows);
    out.ended = std::move(ended);
    return out;
  }

  void structure(const Column& column, const Slots& slots, bool optional) {
    const View view(column);
    const Slots inner = without_nulls(view, slots, optional);
    for (const ColumnPtr& child : column.children) node(child, inner, true);
  }

  void list(const Column& column, const Slots& slots, bool optional) {
    const View view(column);
    const Slots present = without_nulls(view, slots, optional);
    const ColumnPtr& child = view.base->children[0];
    const Slots elements = elements_of(view, present);
    if (column.type->kind == TypeKind::list) return node(child, elements, true);
    node(child->children[0], elements, false);
    node(child->children[1], elements, true);
  }

  Slots elements_of(const View& view, const Slots& slots) {
    const auto* entries = view.base->values<ListEntry>();
    Slots out;
    out.definition = static_cast<uint8_t>(slots.definition + 1);
    out.depth = static_cast<uint8_t>(slots.depth + 1);
    bool contiguous = slots.live == slots.count && slots.count > 0;
    int64_t next = slots.count > 0 && contiguous ? entries[view.at(slots.row(0))].start : 0;
    out.first = next;
    for (int64_t i = 0; i < slots.count; ++i) {
      const int64_t row = slots.row(i);
      const ListEntry entry = row < 0 ? ListEntry{0, 0} : entries[view.at(row)];
      contiguous = contiguous && entry.length > 0 && entry.start == next;
      next = entry.start + entry.length;
      out.count += std::max<int64_t>(entry.length, 1);
      out.live += entry.length;
    }
    out.repetition = memory_.allocate(static_cast<size_t>(out.count));
    if (!contiguous) {
      out.rows = memory_.allocate(static_cast<size_t>(out.count) * 8);
      out.ended = memory_.allocate(static_cast<size_t>(out.count));
    }
    fill_elements(view, entries, slots, out);
    return out;
  }

  void fill_elements(const View& view, const ListEntry* entries, const Slots& slots, Slots& out) {
    uint8_t* repetition = out.repetition->data();
    int64_t* rows = out.rows ? out.rows->as<int64_t>() : nullptr;
    int64_t at = 0;
    for (int64_t i = 0; i < slots.count; ++i) {
      const int64_t row = slots.row(i);
      const ListEntry entry = row < 0 ? ListEntry{0, 0} : entries[view.at(row)];
      repetition[at] = slots.repetition ? slots.repetition->data()[i] : 0;
      if (entry.length == 0) {
        rows[at] = -1;
        out.ended->data()[at++] = row < 0 ? slots.level(i) : slots.definition;
        continue;
      }
      std::memset(repetition + at + 1, out.depth, static_cast<size_t>(entry.length - 1));
      if (rows != nullptr) {
        for (int64_t element = 0; element < entry.length; ++element) rows[at + element] = entry.start + element;
        std::memset(out.ended->data() + at, 0, static_cast<size_t>(entry.length));
      }
      at += entry.length;
    }
  }

  void leaf(const Column& column, const Slots& slots, bool optional) {
    const WriteLeaf& leaf = schema_.leaves[pieces_.size()];
    const View view(column);
    LeafPiece piece;
    piece.entries = slots.count;
    piece.repetition = slots.repetition;
    if (column.type->kind == TypeKind::null) {
      piece.definition = memory_.allocate(static_cast<size_t>(slots.count));
      for (int64_t i = 0; i < slots.count; ++i) piece.definition->data()[i] = slots.level(i);
      pieces_.push_back(std::move(piece));
      return;
    }
    const Slots inner = without_nulls(view, slots, optional);
    if (inner.live < inner.count) {
      piece.definition = memory_.allocate(static_cast<size_t>(inner.count));
      for (int64_t i = 0; i < inner.count; ++i) piece.definition->data()[i] = inner.level(i);
    }
    piece.values = inner.live;
    Selection selection;
    selection.count = inner.live;
    BufferPtr positions;
    if (!inner.rows && view.is_flat()) {
      selection.first = inner.first;
    } else {
      positions = memory_.allocate(static_cast<size_t>(inner.live) * 8);
      auto* to = positions->as<int64_t>();
      for (int64_t i = 0; i < inner.count; ++i) {
        const int64_t row = inner.row(i);
        if (row >= 0) *to++ = view.at(row);
      }
      selection.positions = positions->as<const int64_t>();
    }
    StoredValues stored = store_values(memory_, leaf, *view.base, selection);
    piece.data = std::move(stored.data);
    piece.data_bytes = stored.bytes;
    pieces_.push_back(std::move(piece));
  }

  Memory& memory_;
  const WriteSchema& schema_;
  std::vector<LeafPiece> pieces_;
};

}  // namespace

Shred shred(Memory& memory, const WriteSchema& schema, const Batch& batch) {
  return Shredder(memory, schema).run(batch);
}

}  // namespace quern::parquet
