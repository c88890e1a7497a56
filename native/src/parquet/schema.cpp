#include "parquet/schema.hpp"

#include <algorithm>

#include "columnar/variant_builder.hpp"
#include "parquet/scan.hpp"

namespace quern::parquet {

std::vector<int32_t> Schema::children(int32_t node) const {
  std::vector<int32_t> found;
  for (int32_t child = node + 1; child < nodes[node].end; child = nodes[child].end) found.push_back(child);
  return found;
}

std::string Schema::path(int32_t node) const {
  std::string path = nodes[node].element.name;
  for (int32_t up = nodes[node].parent; up > 0; up = nodes[up].parent) path = nodes[up].element.name + "." + path;
  return path;
}

Schema make_schema(std::vector<SchemaElement> elements) {
  if (elements.empty()) throw corrupt_file("schema is empty");
  if (elements.size() > INT32_MAX / 2) throw corrupt_file("schema has too many elements");
  Schema schema;
  schema.nodes.resize(elements.size());
  // Groups whose children are still to come, outermost first.
  struct Open {
    int32_t node;
    int32_t left;
  };
  std::vector<Open> open;
  auto count = static_cast<int32_t>(elements.size());
  for (int32_t index = 0; index < count; ++index) {
    SchemaNode& node = schema.nodes[index];
    node.element = std::move(elements[index]);
    const SchemaElement& element = node.element;
    if (element.child_count < 0) {
      throw corrupt_file("schema element '" + element.name + "' has " + std::to_string(element.child_count) +
                         " children");
    }
    if (element.type && element.child_count > 0) {
      throw corrupt_file("schema element '" + element.name + "' has both a type and children");
    }
    if (index == 0) {
      if (element.type) throw corrupt_file("schema root is not a group");
    } else {
      if (open.empty()) throw corrupt_file("schema has elements beyond the root's children");
      node.parent = open.back().node;
      const SchemaNode& parent = schema.nodes[node.parent];
      node.depth = parent.depth + 1;
      if (node.depth > max_schema_depth) {
        throw unsupported("schema nested deeper than " + std::to_string(max_schema_depth) + " levels");
      }
      node.max_definition = parent.max_definition + (element.repetition == Repetition::required ? 0 : 1);
      node.max_repetition = parent.max_repetition + (element.repetition == Repetition::repeated ? 1 : 0);
      if (node.parent == 0) schema.top_level.push_back(index);
      --open.back().left;
    }
    node.first_leaf = static_cast<int32_t>(schema.leaves.size());
    if (element.type) {
      node.leaf = node.first_leaf;
      schema.leaves.push_back(index);
    }
    if (element.child_count > 0)
      open.push_back({index, element.child_count});
    else {
      node.end = index + 1;
      node.leaf_end = static_cast<int32_t>(schema.leaves.size());
    }
    while (!open.empty() && open.back().left == 0) {
      schema.nodes[open.back().node].end = index + 1;
      schema.nodes[open.back().node].leaf_end = static_cast<int32_t>(schema.leaves.size());
      open.pop_back();
    }
  }
  if (!open.empty()) {
    throw corrupt_file("schema element '" + schema.nodes[open.back().node].element.name + "' lacks " +
                       std::to_string(open.back().left) + " children");
  }
  return schema;
}

namespace {

bool is_list(const SchemaElement& element) {
  return element.logical.kind == LogicalKind::list ||
         (element.logical.kind == LogicalKind::none && element.converted == Converted::list);
}

bool is_map(const SchemaElement& element) {
  return element.logical.kind == LogicalKind::map ||
         (element.logical.kind == LogicalKind::none &&
          (element.converted == Converted::map || element.converted == Converted::map_key_value));
}

class Resolver {
 public:
  Resolver(const Schema& schema, const ReadOptions& options, bool bfloat16, bool in_variant = false)
      : schema_(schema), options_(options), bfloat16_(bfloat16), in_variant_(in_variant) {}

  FieldNode field(int32_t index) const {
    const SchemaNode& node = schema_.nodes[index];
    if (node.element.repetition == Repetition::repeated) return bare_list(index);
    return value(index);
  }

 private:
  // The node as one value, whatever its repetition: inside a bare or two-level list it is a required element.
  FieldNode value(int32_t index) const {
    const SchemaNode& node = schema_.nodes[index];
    FieldNode field = start(index);
    field.nullable = node.element.repetition == Repetition::optional;
    if (node.element.type) {
      field.leaf = leaf_type(node.element, options_.binary_as_string, bfloat16_);
      if (in_variant_) keep_nanoseconds(node.element, field.leaf);
      field.type = field.leaf.type;
      field.reason = field.leaf.reason;
      if (node.max_definition > max_level) refuse(field, "more than " + std::to_string(max_level) + " levels");
      return field;
    }
    if (node.element.logical.kind == LogicalKind::variant) return variant(index, std::move(field));
    if (is_list(node.element)) return list(index, std::move(field));
    if (is_map(node.element)) return map(index, std::move(field));
    return structure(index, std::move(field));
  }

  // SQL has no instants in nanoseconds, a VARIANT has.
  static void keep_nanoseconds(const SchemaElement& element, LeafType& leaf) {
    if (leaf.conversion != Conversion::divide_int64) return;
    if (element.logical.kind != LogicalKind::timestamp || element.logical.unit != TimeUnit::ns) return;
    leaf.type = make_timestamp(TimeUnit::ns, true);
    leaf.conversion = Conversion::copy;
  }

  FieldNode start(int32_t index) const {
    const SchemaNode& node = schema_.nodes[index];
    FieldNode field;
    field.name = node.element.name;
    field.node = index;
    field.level = node.max_definition;
    field.first_leaf = node.first_leaf;
    field.leaf_end = node.leaf_end;
    return field;
  }

  static void refuse(FieldNode& field, std::string reason) {
    field.type = nullptr;
    if (field.reason.empty()) field.reason = std::move(reason);
  }

  // A repeated field outside of LIST and MAP groups: a required list of required elements.
  FieldNode bare_list(int32_t index) const {
    FieldNode field = start(index);
    field.level = schema_.nodes[index].max_definition - 1;
    return list_of(std::move(field), index, value(index));
  }

  // Makes `field` a list whose repeated node is `repeated`.
  FieldNode list_of(FieldNode field, int32_t repeated, FieldNode element) const {
    field.shape = Shape::list;
    field.repetition = schema_.nodes[repeated].max_repetition;
    field.element_level = schema_.nodes[repeated].max_definition;
    if (element.type)
      field.type = make_list(element.type);
    else
      refuse(field, element.reason);
    field.children.push_back(std::move(element));
    return field;
  }

  FieldNode structure(int32_t index, FieldNode field) const {
    field.shape = Shape::structure;
    std::vector<std::string> names;
    std::vector<TypePtr> types;
    for (int32_t child : schema_.children(index)) {
      field.children.push_back(this->field(child));
      const FieldNode& part = field.children.back();
      if (!part.type) refuse(field, part.reason);
      names.push_back(part.name);
      types.push_back(part.type);
    }
    if (field.children.empty()) refuse(field, "group without fields");
    if (field.reason.empty()) field.type = make_structure(std::move(names), std::move(types));
    return field;
  }

  // VariantShredding.md. Its parts are what they are stored as, whatever the options say.
  FieldNode variant(int32_t index, FieldNode field) const {
    static const ReadOptions plain;
    field = Resolver(schema_, plain, false, true).structure(index, std::move(field));
    if (!field.type) return field;
    const FieldNode* metadata = variant_part(field, "metadata");
    if (metadata == nullptr || !is_bytes(*metadata)) {
      refuse(field, "VARIANT without metadata");
    } else if (std::string reason = shredded_group(field, true); !reason.empty()) {
      refuse(field, std::move(reason));
    } else {
      field.variant = field.type;
      field.type = make_tagged(TypeTag::variant);
    }
    return field;
  }

  static bool is_bytes(const FieldNode& node) {
    return node.shape == Shape::leaf && node.type->kind == TypeKind::binary && node.type->tag == TypeTag::none;
  }

  // Why a group is not a value and perhaps a typed_value; empty when it is.
  static std::string shredded_group(const FieldNode& node, bool is_top) {
    const FieldNode* value = node.shape == Shape::structure ? variant_part(node, "value") : nullptr;
    if (value == nullptr || !is_bytes(*value)) return "VARIANT with a part that has no value column";
    const FieldNode* typed = variant_part(node, "typed_value");
    if (node.children.size() != (is_top ? 2U : 1U) + (typed == nullptr ? 0U : 1U))
      return "VARIANT with columns of unknown names";
    if (typed == nullptr) return {};
    if (typed->shape == Shape::leaf)
      return fits_variant(*typed->type) ? "" : "VARIANT shredded as " + type_name(*typed->type);
    if (typed->variant || typed->shape == Shape::map) return "VARIANT shredded as " + type_name(*typed->type);
    for (const FieldNode& child : typed->children) {
      if (std::string reason = shredded_group(child, false); !reason.empty()) return reason;
    }
    return {};
  }

  // Backward-compatibility rules of LogicalTypes.md, "Lists".
  FieldNode list(int32_t index, FieldNode field) const {
    std::vector<int32_t> children = schema_.children(index);
    if (children.size() != 1 || schema_.nodes[children[0]].element.repetition != Repetition::repeated) {
      refuse(field, "LIST group must have one repeated field");
      return field;
    }
    int32_t repeated = children[0];
    const SchemaElement& element = schema_.nodes[repeated].element;
    std::vector<int32_t> inner = schema_.children(repeated);
    bool element_is_repeated_node = element.type.has_value() || inner.size() != 1 || element.name == "array" ||
                                    element.name == schema_.nodes[index].element.name + "_tuple" || is_list(element) ||
                                    is_map(element) ||
                                    schema_.nodes[inner[0]].element.repetition == Repetition::repeated;
    return list_of(std::move(field), repeated, element_is_repeated_node ? value(repeated) : value(inner[0]));
  }

  // "Maps" of the same page. The repeated group may be called anything; without a value it is a list of keys.
  FieldNode map(int32_t index, FieldNode field) const {
    std::vector<int32_t> children = schema_.children(index);
    if (children.size() != 1 || schema_.nodes[children[0]].element.repetition != Repetition::repeated ||
        schema_.nodes[children[0]].element.type) {
      if (schema_.nodes[index].element.converted == Converted::map_key_value) return structure(index, std::move(field));
      refuse(field, "MAP group must have one repeated group");
      return field;
    }
    int32_t repeated = children[0];
    std::vector<int32_t> inner = schema_.children(repeated);
    if (inner.size() == 1) return list_of(std::move(field), repeated, this->field(inner[0]));
    if (inner.size() != 2) {
      refuse(field, "MAP entries must have a key and a value");
      return field;
    }
    field.shape = Shape::map;
    field.repetition = schema_.nodes[repeated].max_repetition;
    field.element_level = schema_.nodes[repeated].max_definition;
    for (int32_t part : inner) {
      field.children.push_back(this->field(part));
      if (!field.children.back().type) refuse(field, field.children.back().reason);
    }
    if (field.reason.empty()) field.type = make_map(field.children[0].type, field.children[1].type);
    return field;
  }

  const Schema& schema_;
  const ReadOptions& options_;
  bool bfloat16_, in_variant_;
};

}  // namespace

const FieldNode* variant_part(const FieldNode& group, std::string_view name) {
  for (const FieldNode& child : group.children) {
    if (child.name == name) return &child;
  }
  return nullptr;
}

FieldNode resolve_field(const Schema& schema, int32_t field, const ReadOptions& options) {
  int32_t index = schema.top_level.at(static_cast<size_t>(field));
  const std::string& name = schema.nodes[index].element.name;
  bool bfloat16 = std::find(options.bfloat16.begin(), options.bfloat16.end(), name) != options.bfloat16.end();
  FieldNode node = Resolver(schema, options, bfloat16).field(index);
  if (bfloat16) {
    bool any = false;
    for (int32_t leaf = node.first_leaf; leaf < node.leaf_end; ++leaf) {
      any = any || holds_16_bits(schema.nodes[schema.leaves[leaf]].element);
    }
    if (!any) {
      node.type = nullptr;
      node.reason = "bfloat16 needs 16-bit values";
    }
  }
  return node;
}

}  // namespace quern::parquet
