#include "parquet/variant.hpp"

#include <algorithm>

#include "columnar/variant_builder.hpp"

namespace quern::parquet {

namespace {

// A group of value and typed_value, as columns whose rows are slots of the group.
struct Shredded {
  ColumnPtr group;  // validity of the slots
  ColumnPtr value;
  ColumnPtr typed;                 // null: there is none
  Shape shape = Shape::leaf;       // of typed
  std::vector<Shredded> parts;     // structure: fields; list: its element
  std::vector<std::string> names;  // structure

  bool has_group(int64_t row) const { return group->is_valid(row); }
  bool has_value(int64_t row) const { return value->is_valid(row); }
  bool has_typed(int64_t row) const { return typed && typed->is_valid(row); }
  // A field that is none of these is not in the object.
  bool is_present(int64_t row) const { return has_group(row) && (has_value(row) || has_typed(row)); }
};

ColumnPtr flat_part(Context& context, const FieldNode& node, const ColumnPtr& group, std::string_view name) {
  const FieldNode* part = variant_part(node, name);
  return part == nullptr ? nullptr
                         : flatten(context.memory(), group->children[static_cast<size_t>(part - node.children.data())]);
}

Shredded shredded(Context& context, const FieldNode& node, const ColumnPtr& group) {
  Shredded out;
  out.group = group;
  out.value = flat_part(context, node, group, "value");
  out.typed = flat_part(context, node, group, "typed_value");
  if (!out.typed) return out;
  const FieldNode& typed = *variant_part(node, "typed_value");
  out.shape = typed.shape;
  for (size_t i = 0; i < typed.children.size(); ++i) {
    out.parts.push_back(shredded(context, typed.children[i], out.typed->children[i]));
    out.names.push_back(typed.children[i].name);
  }
  return out;
}

std::string_view bytes_at(const Column& column, int64_t row) {
  const StringView& view = column.values<StringView>()[row];
  return {view.data(), view.length};
}

// Puts one row after another together.
class Rows {
 public:
  Rows(Context& context, const FieldNode& node, const ColumnPtr& stored)
      : root_(shredded(context, node, stored)), metadata_(flat_part(context, node, stored, "metadata")) {}

  // False: the value is NULL.
  bool row(int64_t row, std::string& out) {
    if (!root_.has_group(row)) return false;
    row_ = row;
    builder_.start();
    part(root_, row);
    if (builder_.is_null()) return false;
    builder_.take(out);
    return true;
  }

 private:
  VariantMetadata metadata() const {
    if (!metadata_->is_valid(row_)) throw corrupt_file("VARIANT value without metadata");
    return VariantMetadata(bytes_at(*metadata_, row_));
  }

  // A value that is missing where there must be one is null.
  void part(const Shredded& shredded, int64_t row) {
    if (!shredded.has_group(row)) return builder_.null();
    if (!shredded.has_typed(row)) {
      if (!shredded.has_value(row)) return builder_.null();
      const std::string_view value = bytes_at(*shredded.value, row);
      builder_.allow(value.size());
      return builder_.copy(metadata(), value);
    }
    if (shredded.shape == Shape::structure) return object(shredded, row);
    if (shredded.has_value(row)) throw corrupt_file("VARIANT with a value beside a typed_value that is no object");
    if (shredded.shape == Shape::list)
      list(shredded, row);
    else
      builder_.leaf(*shredded.typed, row);
  }

  void list(const Shredded& shredded, int64_t row) {
    const auto entry = shredded.typed->values<ListEntry>()[row];
    VariantBuilder::Open open = builder_.open();
    for (int64_t i = 0; i < entry.length; ++i) {
      part(shredded.parts[0], entry.start + i);
      builder_.part(open);
    }
    builder_.close_array(open);
  }

  // Fields of the typed_value and those left in the value, by name.
  void object(const Shredded& shredded, int64_t row) {
    struct Field {
      std::string_view name;
      const Shredded* part;  // null: in the value
      std::string_view value;
    };
    std::vector<Field> fields;
    for (size_t i = 0; i < shredded.parts.size(); ++i) {
      if (shredded.parts[i].is_present(row)) fields.push_back({shredded.names[i], &shredded.parts[i], {}});
    }
    if (shredded.has_value(row)) {
      const std::string_view value = bytes_at(*shredded.value, row);
      if (variant_basic(value) != VariantBasic::object)
        throw corrupt_file("VARIANT value beside a typed_value that is an object is none");
      builder_.allow(value.size());
      for (const VariantField& field : variant_contents(metadata(), value).fields) {
        if (std::find(shredded.names.begin(), shredded.names.end(), field.name) != shredded.names.end()) {
          throw corrupt_file("VARIANT object with field " + std::string(field.name) + " in its value and in a column");
        }
        fields.push_back({field.name, nullptr, field.value});
      }
    }
    std::sort(fields.begin(), fields.end(), [](const Field& a, const Field& b) { return a.name < b.name; });
    VariantBuilder::Open open = builder_.open();
    for (const Field& field : fields) {
      builder_.name(open, field.name);
      if (field.part != nullptr)
        part(*field.part, row);
      else
        builder_.copy(metadata(), field.value);
      builder_.part(open);
    }
    builder_.close_object(open);
  }

  Shredded root_;
  ColumnPtr metadata_;
  int64_t row_ = 0;
  VariantBuilder builder_;
};

}  // namespace

ColumnPtr read_variant(Context& context, const FieldNode& node, const ColumnPtr& stored) {
  constexpr int64_t rows_between_looks = 1024;
  Rows rows(context, node, stored);
  StringHeap heap(context.memory());
  ColumnBuilder builder(context.memory(), node.type, stored->length, true);
  auto* out = builder.data<StringView>();
  std::string bytes;
  for (int64_t row = 0; row < stored->length; ++row) {
    if (row % rows_between_looks == 0) context.check_cancelled();
    if (rows.row(row, bytes))
      out[row] = heap.append(bytes.data(), bytes.size());
    else
      builder.set_null(row);
  }
  builder.keep(heap.owners());
  return builder.finish();
}

VariantColumns variant_columns(Memory& memory, const ColumnPtr& column) {
  const TypePtr type = make_type(TypeKind::binary);
  ColumnBuilder metadata(memory, type, column->length, true), value(memory, type, column->length, true);
  for (ColumnBuilder* part : {&metadata, &value}) part->keep(column->owners);
  const auto* rows = column->values<StringView>();
  const auto view = [](std::string_view bytes) {
    return make_string_view(bytes.data(), static_cast<uint32_t>(bytes.size()));
  };
  for (int64_t row = 0; row < column->length; ++row) {
    if (!column->is_valid(row)) continue;
    const VariantParts parts = variant_parts({rows[row].data(), rows[row].length});
    metadata.data<StringView>()[row] = view(parts.metadata_bytes);
    value.data<StringView>()[row] = view(parts.value);
  }
  return {metadata.finish(), value.finish()};
}

}  // namespace quern::parquet
