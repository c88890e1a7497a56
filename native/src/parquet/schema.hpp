// The schema tree of a file and the columns it means: legacy list and map shapes resolved, level thresholds computed.
#pragma once
#include <string>
#include <vector>

#include "parquet/leaf_type.hpp"
#include "parquet/metadata.hpp"

namespace quern::parquet {

struct ReadOptions;

// Deepest schema tree; the tree is only walked recursively within this.
constexpr int max_schema_depth = 400;
// Levels are held in bytes.
constexpr int max_level = 255;

// One element of the schema in depth-first order; node 0 is the root.
struct SchemaNode {
  SchemaElement element;
  int32_t parent = -1;
  int32_t end = 0;  // nodes [index + 1, end) are its descendants
  int32_t depth = 0;
  int32_t leaf = -1;  // column number of a leaf
  int32_t first_leaf = 0, leaf_end = 0;
  int32_t max_definition = 0, max_repetition = 0;
};

struct Schema {
  std::vector<SchemaNode> nodes;
  std::vector<int32_t> leaves;     // node of each leaf column
  std::vector<int32_t> top_level;  // nodes of the root's children

  std::vector<int32_t> children(int32_t node) const;
  // "a.b.c"
  std::string path(int32_t node) const;
};

// Links and checks the elements as they stand in the footer. Throws corrupt_file.
Schema make_schema(std::vector<SchemaElement> elements);

enum class Shape : uint8_t { leaf, structure, list, map };

// A column or a part of one, as SQL sees it. A slot of the node exists for each level entry whose repetition level is
// at most that of the enclosing list and whose definition level reaches that list's `element_level`.
struct FieldNode {
  Shape shape = Shape::leaf;
  std::string name;
  TypePtr type;  // null when unsupported: `reason` says why
  std::string reason;
  int32_t level = 0;  // a slot is null when its definition level is below
  bool nullable = false;
  int32_t repetition = 0;     // list, map: repetition level of elements after the first
  int32_t element_level = 0;  // list, map: definition level from which a slot has an element
  int32_t first_leaf = 0, leaf_end = 0;
  LeafType leaf;  // Shape::leaf
  // A VARIANT group: a structure of metadata, value and perhaps typed_value, of this type, that becomes text once it is
  // read.
  TypePtr variant;
  int32_t node = 0;                 // schema node
  std::vector<FieldNode> children;  // structure: fields; list: element; map: key and value
};

// The metadata, value or typed_value of a VARIANT group or of a part of it; null when it has none.
const FieldNode* variant_part(const FieldNode& group, std::string_view name);

// What top-level field `field` means. An unsupported part makes the whole field unsupported.
FieldNode resolve_field(const Schema& schema, int32_t field, const ReadOptions& options);

}  // namespace quern::parquet
