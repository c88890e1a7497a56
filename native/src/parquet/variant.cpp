#include "parquet/variant.hpp"

#include <algorithm>

#include "columnar/value_text.hpp"
#include "parquet/variant_value.hpp"

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

// Writes one row after another.
class Writer {
 public:
  Writer(Context& context, const FieldNode& node, const ColumnPtr& stored)
      : root_(shredded(context, node, stored)), metadata_(flat_part(context, node, stored, "metadata")) {}

  // False: the value is NULL.
  bool write(int64_t row, std::string& text) {
    if (!root_.has_group(row)) return false;
    row_ = row;
    return part(root_, row, false, text);
  }

 private:
  VariantMetadata metadata() const {
    if (!metadata_->is_valid(row_)) throw corrupt_file("VARIANT value without metadata");
    return VariantMetadata(bytes_at(*metadata_, row_));
  }

  // False: variant null, of which nothing is written. A value that is missing where there must be one is null as well.
  bool part(const Shredded& shredded, int64_t row, bool inside, std::string& text) {
    if (!shredded.has_typed(row)) {
      if (!shredded.has_value(row)) return false;
      return write_variant(metadata(), bytes_at(*shredded.value, row), inside, text);
    }
    if (shredded.shape == Shape::structure) {
      object(shredded, row, text);
      return true;
    }
    if (shredded.has_value(row)) throw corrupt_file("VARIANT with a value beside a typed_value that is no object");
    if (shredded.shape == Shape::list)
      list(shredded, row, text);
    else
      append_text(*shredded.typed, row, inside, text);
    return true;
  }

  void inner(const Shredded& shredded, int64_t row, bool inside, std::string& text) {
    if (!shredded.has_group(row) || !part(shredded, row, inside, text)) text += "NULL";
  }

  static VariantKind kind(const Shredded& shredded, int64_t row) {
    if (!shredded.is_present(row)) return VariantKind::null;
    return shredded.has_typed(row) ? variant_kind(*shredded.typed->type) : variant_kind(bytes_at(*shredded.value, row));
  }

  void list(const Shredded& shredded, int64_t row, std::string& text) {
    const auto entry = shredded.typed->values<ListEntry>()[row];
    const Shredded& element = shredded.parts[0];
    bool is_uniform = true;
    for (int64_t i = 1; i < entry.length && is_uniform; ++i) {
      is_uniform = kind(element, entry.start + i) == kind(element, entry.start);
    }
    text += '[';
    for (int64_t i = 0; i < entry.length; ++i) {
      if (i > 0) text += ", ";
      inner(element, entry.start + i, is_uniform, text);
    }
    text += ']';
  }

  // Fields of the typed_value and those left in the value, by name.
  void object(const Shredded& shredded, int64_t row, std::string& text) {
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
      for (const VariantField& field : variant_fields(metadata(), bytes_at(*shredded.value, row))) {
        if (std::find(shredded.names.begin(), shredded.names.end(), field.name) != shredded.names.end()) {
          throw corrupt_file("VARIANT object with field " + std::string(field.name) + " in its value and in a column");
        }
        fields.push_back({field.name, nullptr, field.value});
      }
    }
    std::sort(fields.begin(), fields.end(), [](const Field& a, const Field& b) { return a.name < b.name; });
    ObjectText out(text, fields.size() == 1 && fields[0].name.empty());
    for (const Field& field : fields) {
      out.next(field.name);
      if (field.part != nullptr)
        inner(*field.part, row, true, text);
      else if (!write_variant(metadata(), field.value, true, text))
        text += "NULL";
    }
    out.close();
  }

  Shredded root_;
  ColumnPtr metadata_;
  int64_t row_ = 0;
};

}  // namespace

ColumnPtr read_variant(Context& context, const FieldNode& node, const ColumnPtr& stored) {
  constexpr int64_t rows_between_looks = 1024;
  Writer writer(context, node, stored);
  StringHeap heap(context.memory());
  ColumnBuilder builder(context.memory(), node.type, stored->length, true);
  auto* out = builder.data<StringView>();
  std::string text;
  for (int64_t row = 0; row < stored->length; ++row) {
    if (row % rows_between_looks == 0) context.check_cancelled();
    text.clear();
    if (writer.write(row, text))
      out[row] = heap.append(text.data(), text.size());
    else
      builder.set_null(row);
  }
  builder.keep(heap.owners());
  return builder.finish();
}

}  // namespace quern::parquet
