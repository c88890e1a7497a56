// Reads a top-level field: its leaves in step, then lists and structs out of their levels.
#include <algorithm>

#include "columnar/geometry.hpp"
#include "parquet/assembly.hpp"
#include "parquet/leaf_reader.hpp"
#include "parquet/variant.hpp"

namespace quern::parquet {

namespace {

// The column with each geometry in its one form. Throws corrupt_file for bytes that are none.
ColumnPtr check_geometries(Memory& memory, const ColumnPtr& column) {
  const auto* views = column->values<StringView>();
  const int64_t rows = column->form == Form::constant ? std::min<int64_t>(column->length, 1) : column->length;
  ColumnBuilder builder(memory, column->type, rows, true);
  StringHeap heap(memory);
  std::string normal;
  bool is_changed = false;
  for (int64_t row = 0; row < rows; ++row) {
    if (!column->is_valid(row)) {
      builder.set_null(row);
      continue;
    }
    normal.clear();
    const bool kept = normalize_wkb({views[row].data(), views[row].length}, normal);
    builder.data<StringView>()[row] = kept ? views[row] : heap.append(normal.data(), normal.size());
    is_changed |= !kept;
  }
  if (!is_changed) return column;
  builder.keep(column->owners);
  builder.keep(heap.owners());
  const ColumnPtr checked = builder.finish();
  return column->form == Form::constant ? make_constant(checked, 0, column->length) : checked;
}

class NestedFieldReader : public FieldReader {
 public:
  NestedFieldReader(Context& context, FilePtr file, int32_t row_group, FieldNode node)
      : context_(context), file_(std::move(file)), row_group_(row_group), root_(std::move(node)) {
    rows_left_ = row_group_rows(*file_, row_group);
    bool structured = root_.shape != Shape::leaf;
    std::vector<PathNode> path;
    add_leaves(root_, path, structured);
  }

  ColumnPtr read(int64_t rows) override {
    rows = std::min(rows, rows_left_);
    ColumnPtr column = root_.shape == Shape::leaf ? read_flat(rows) : read_nested(rows);
    rows_left_ -= rows;
    return column;
  }

  void skip(int64_t rows) override {
    rows = std::min(rows, rows_left_);
    for (Leaf& leaf : leaves_) leaf.reader->skip(rows);
    rows_left_ -= rows;
  }

 private:
  // A list or struct; numbered depth first.
  struct PathNode {
    const FieldNode* node;
    size_t number;
  };
  struct Leaf {
    std::unique_ptr<LeafReader> reader;
    std::vector<PathNode> path;  // nodes above the leaf, root first
    int32_t index = 0;
    int max_repetition = 0;
    bool is_geometry = false;
    ColumnPtr column;
  };

  void add_leaves(const FieldNode& node, std::vector<PathNode>& path, bool structured) {
    if (node.shape != Shape::leaf) {
      path.push_back({&node, node_count_++});
      for (const FieldNode& child : node.children) add_leaves(child, path, structured);
      path.pop_back();
      return;
    }
    const SchemaNode& schema_node = file_->schema.nodes[node.node];
    LeafPlace place;
    place.leaf = node.first_leaf;
    place.type = node.leaf;
    place.max_definition = schema_node.max_definition;
    place.max_repetition = schema_node.max_repetition;
    place.keep_levels = structured;
    const bool is_geometry = node.type->tag == TypeTag::geometry;
    place.allow_dictionary = !structured && node.leaf.conversion == Conversion::view && !is_geometry;
    for (const PathNode& above : path) {
      if (above.node->shape != Shape::structure) place.slot_level = above.node->element_level;
    }
    Leaf leaf;
    leaf.index = node.first_leaf;
    leaf.max_repetition = schema_node.max_repetition;
    leaf.path = path;
    leaf.is_geometry = is_geometry;
    leaf.reader = std::make_unique<LeafReader>(context_, file_, row_group_, std::move(place));
    leaves_.push_back(std::move(leaf));
  }

  template <typename Action>
  void located(const std::string& path, Action action) {
    try {
      action();
    } catch (const Error& error) {
      throw file_->locate(error, "row group " + std::to_string(row_group_) + ", column " + path);
    }
  }

  std::string path_of(const Leaf& leaf) const { return file_->schema.path(file_->schema.leaves[leaf.index]); }

  ColumnPtr read_flat(int64_t rows) {
    ColumnPtr column = leaves_[0].reader->read(rows, nullptr, nullptr);
    if (leaves_[0].is_geometry)
      located(path_of(leaves_[0]), [&] { column = check_geometries(context_.memory(), column); });
    return column;
  }

  // By number: the slots of each list and struct, as its first leaf has them.
  using SlotsOfNodes = std::vector<std::unique_ptr<Slots>>;

  ColumnPtr read_nested(int64_t rows) {
    SlotsOfNodes known(node_count_);
    for (Leaf& leaf : leaves_) {
      LeafLevels levels(context_.memory());
      levels.max_repetition = leaf.max_repetition;
      leaf.column = leaf.reader->read(rows, &levels.repetition, &levels.definition);
      located(path_of(leaf), [&] {
        if (leaf.is_geometry) leaf.column = check_geometries(context_.memory(), leaf.column);
        place_leaf(leaf, levels, rows, known);
      });
    }
    size_t next_leaf = 0, next_slots = 0;
    ColumnPtr column = build(root_, known, next_slots, next_leaf, rows);
    for (Leaf& leaf : leaves_) leaf.column = nullptr;
    return column;
  }

  // Works out the slots of all nodes above a leaf, or compares them with what an earlier leaf saw.
  void place_leaf(const Leaf& leaf, LeafLevels& levels, int64_t rows, SlotsOfNodes& known) {
    SlotRule rule;
    int64_t expected = rows;
    for (const auto& [node, number] : leaf.path) {
      auto slots = std::make_unique<Slots>(context_.memory());
      bool is_list = node->shape != Shape::structure;
      if (is_list)
        read_list_slots(levels, *node, rule, expected, *slots);
      else
        read_struct_slots(levels, *node, rule, expected, *slots);
      if (is_list) {
        expected = slots->element_count;
        rule = {static_cast<uint8_t>(node->repetition), static_cast<uint8_t>(node->element_level)};
      }
      if (!known[number])
        known[number] = std::move(slots);
      else
        compare_slots(*known[number], *slots);
    }
    if (leaf.column->length != expected) {
      throw corrupt_file("levels make " + std::to_string(leaf.column->length) + " values, expected " +
                         std::to_string(expected));
    }
  }

  // Visits nodes in the order of their numbers.
  ColumnPtr build(const FieldNode& node, SlotsOfNodes& known, size_t& next_slots, size_t& next_leaf, int64_t length) {
    if (node.shape == Shape::leaf) return leaves_[next_leaf++].column;
    Slots& slots = *known.at(next_slots++);
    auto column = std::make_shared<Column>();
    column->type = node.variant ? node.variant : node.type;
    column->length = length;
    column->null_count = slots.validity.null_count();
    if (column->null_count > 0) {
      column->validity = slots.validity.words();
      column->owners.push_back(slots.validity.buffer());
    }
    if (node.shape == Shape::structure) {
      for (const FieldNode& child : node.children)
        column->children.push_back(build(child, known, next_slots, next_leaf, length));
      if (!node.variant) return column;
      ColumnPtr values;
      located(file_->schema.path(node.node), [&] { values = read_variant(context_, node, column); });
      return values;
    }
    column->data = slots.entries.data();
    column->owners.push_back(slots.entries.buffer());
    column->stride = slots.stride;
    if (node.shape == Shape::list) {
      column->children.push_back(build(node.children[0], known, next_slots, next_leaf, slots.element_count));
      return column;
    }
    auto entries = std::make_shared<Column>();
    entries->type = map_entry_type(*node.type);
    entries->length = slots.element_count;
    for (const FieldNode& child : node.children) {
      entries->children.push_back(build(child, known, next_slots, next_leaf, slots.element_count));
    }
    column->children.push_back(std::move(entries));
    return column;
  }

  Context& context_;
  FilePtr file_;
  int32_t row_group_;
  FieldNode root_;
  std::vector<Leaf> leaves_;
  size_t node_count_ = 0;
  int64_t rows_left_ = 0;
};

}  // namespace

std::unique_ptr<FieldReader> make_field_reader(Context& context, FilePtr file, int32_t row_group, int32_t field,
                                               const ReadOptions& options) {
  FieldNode node = resolve_field(file->schema, field, options);
  if (!node.type) throw unsupported("column '" + node.name + "' of " + file->path + ": " + node.reason);
  return std::make_unique<NestedFieldReader>(context, std::move(file), row_group, std::move(node));
}

ColumnPtr read_field(Context& context, const File& file, int32_t row_group, int32_t field, const ReadOptions& options,
                     const std::vector<RowRange>* ranges) {
  // The reader ends before the caller's reference does.
  FilePtr borrowed(FilePtr(), &file);
  std::unique_ptr<FieldReader> reader = make_field_reader(context, borrowed, row_group, field, options);
  int64_t rows = row_group_rows(file, row_group);
  if (ranges == nullptr) return reader->read(rows);
  std::vector<ColumnPtr> pieces;
  int64_t at = 0;
  for (const RowRange& range : *ranges) {
    if (range.start < at || range.end <= range.start || range.end > rows)
      throw internal_error("row ranges are not ascending");
    reader->skip(range.start - at);
    pieces.push_back(reader->read(range.end - range.start));
    at = range.end;
  }
  if (pieces.size() == 1) return pieces[0];
  return concat(context.memory(), resolve_field(file.schema, field, options).type, pieces);
}

}  // namespace quern::parquet
