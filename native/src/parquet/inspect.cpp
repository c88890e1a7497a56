// What `inspect` and `describe` show of a file, as JSON.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "parquet/codec.hpp"
#include "parquet/levels.hpp"
#include "parquet/pages.hpp"
#include "parquet/statistics.hpp"
#include "parquet/value_text.hpp"

namespace quern::parquet {

namespace {

using json = nlohmann::ordered_json;

const char* repetition_name(Repetition repetition) {
  switch (repetition) {
    case Repetition::required:
      return "required";
    case Repetition::optional:
      return "optional";
    default:
      return "repeated";
  }
}

std::string logical_name(const SchemaElement& element) {
  const LogicalType& type = element.logical;
  auto unit = [&] { return type.unit == TimeUnit::ms ? "MILLIS" : type.unit == TimeUnit::us ? "MICROS" : "NANOS"; };
  auto decimal = [](int32_t precision, int32_t scale) {
    return "DECIMAL(" + std::to_string(precision) + "," + std::to_string(scale) + ")";
  };
  switch (type.kind) {
    case LogicalKind::none:
      break;
    case LogicalKind::string:
      return "STRING";
    case LogicalKind::map:
      return "MAP";
    case LogicalKind::list:
      return "LIST";
    case LogicalKind::enumeration:
      return "ENUM";
    case LogicalKind::decimal:
      return decimal(type.precision, type.scale);
    case LogicalKind::date:
      return "DATE";
    case LogicalKind::time:
      return std::string("TIME(") + unit() + (type.utc ? ",UTC)" : ",LOCAL)");
    case LogicalKind::timestamp:
      return std::string("TIMESTAMP(") + unit() + (type.utc ? ",UTC)" : ",LOCAL)");
    case LogicalKind::integer:
      return (type.is_signed ? "INT(" : "UINT(") + std::to_string(type.bit_width) + ")";
    case LogicalKind::null:
      return "UNKNOWN";
    case LogicalKind::json:
      return "JSON";
    case LogicalKind::bson:
      return "BSON";
    case LogicalKind::uuid:
      return "UUID";
    case LogicalKind::float16:
      return "FLOAT16";
    case LogicalKind::variant:
      return "VARIANT";
    case LogicalKind::geometry:
      return "GEOMETRY";
    case LogicalKind::geography:
      return "GEOGRAPHY";
    case LogicalKind::other:
      return "OTHER";
  }
  static const char* const converted[] = {"UTF8",
                                          "MAP",
                                          "MAP_KEY_VALUE",
                                          "LIST",
                                          "ENUM",
                                          "DECIMAL",
                                          "DATE",
                                          "TIME_MILLIS",
                                          "TIME_MICROS",
                                          "TIMESTAMP_MILLIS",
                                          "TIMESTAMP_MICROS",
                                          "UINT_8",
                                          "UINT_16",
                                          "UINT_32",
                                          "UINT_64",
                                          "INT_8",
                                          "INT_16",
                                          "INT_32",
                                          "INT_64",
                                          "JSON",
                                          "BSON",
                                          "INTERVAL"};
  if (element.converted == Converted::none) return "";
  if (element.converted == Converted::decimal) return decimal(element.precision, element.scale);
  return converted[static_cast<int32_t>(element.converted)];
}

json schema_json(const Schema& schema) {
  json nodes = json::array();
  for (size_t index = 1; index < schema.nodes.size(); ++index) {
    const SchemaNode& node = schema.nodes[index];
    const SchemaElement& element = node.element;
    json entry = {{"name", element.name}, {"depth", node.depth}, {"repetition", repetition_name(element.repetition)}};
    if (element.type) {
      entry["physical"] = physical_type_name(*element.type);
      if (*element.type == PhysicalType::fixed) entry["type_length"] = element.type_length;
      entry["column"] = node.leaf;
    }
    if (std::string logical = logical_name(element); !logical.empty()) entry["logical"] = logical;
    if (element.field_id) entry["field_id"] = *element.field_id;
    entry["max_definition"] = node.max_definition;
    entry["max_repetition"] = node.max_repetition;
    nodes.push_back(std::move(entry));
  }
  return nodes;
}

// What the resolved fields say of each leaf column.
struct LeafInfo {
  LeafType type;
  int slot_level = 0;  // entries below hold no value or null of the leaf
};

void collect_leaves(const FieldNode& node, int slot_level, std::vector<LeafInfo>& leaves) {
  if (node.shape == Shape::list || node.shape == Shape::map) slot_level = node.element_level;
  if (node.shape == Shape::leaf) leaves[static_cast<size_t>(node.first_leaf)] = {node.leaf, slot_level};
  for (const FieldNode& child : node.children) collect_leaves(child, slot_level, leaves);
}

// Slots of a leaf in a chunk, by its definition levels, and the number of data pages.
std::pair<int64_t, int64_t> scan_leaf(Context& context, const File& file, const ColumnChunk& chunk,
                                      const SchemaNode& node, int slot_level) {
  // Only levels are read: those of a large page without its values where they come as a stream.
  PageStream pages(context, file, chunk, node.max_definition, node.max_repetition, true);
  int64_t slots = 0, page_count = 0;
  while (pages.next()) {
    context.check_cancelled();
    ++page_count;
    int64_t left = pages.page().entries;
    LevelCursor levels(context.memory(), pages.definition_levels(), node.max_definition, left);
    uint8_t piece[level_window], at_least[level_window];
    while (left > 0) {
      HybridDecoder::Run run = levels.peek(left);
      int64_t count = run.repeated ? run.count : std::min(run.count, level_window);
      if (run.repeated) {
        levels.advance(count);
        slots += static_cast<int>(run.value) >= slot_level ? count : 0;
      } else {
        levels.read(piece, count);
        slots += compare_levels(piece, count, static_cast<uint8_t>(slot_level), at_least);
      }
      left -= count;
    }
  }
  return {slots, page_count};
}

json statistics_json(const File& file, const ColumnChunk& chunk, int32_t leaf, const LeafType& type) {
  Bounds bounds = chunk_bounds(file.memory(), file, chunk, leaf, type);
  json entry = json::object();
  if (bounds.min) entry["min"] = value_text(*bounds.min);
  if (bounds.max) entry["max"] = value_text(*bounds.max);
  if (bounds.min) entry["min_exact"] = bounds.min_exact;
  if (bounds.max) entry["max_exact"] = bounds.max_exact;
  if (bounds.null_count) entry["nulls"] = *bounds.null_count;
  if (chunk.statistics.distinct_count) entry["distinct"] = *chunk.statistics.distinct_count;
  return entry;
}

json chunk_json(Context& context, const File& file, int32_t row_group, int32_t leaf, const LeafInfo& info,
                bool scan_levels) {
  json entry = {{"column", leaf}};
  try {
    ColumnChunk chunk = file.chunk(row_group, leaf);
    const SchemaNode& node = file.schema.nodes[file.schema.leaves[leaf]];
    entry["codec"] = codec_name(chunk.codec);
    entry["encodings"] = json::array();
    for (int32_t encoding : chunk.encodings) entry["encodings"].push_back(encoding_name(encoding));
    entry["values"] = chunk.value_count;
    entry["compressed_bytes"] = chunk.compressed_size;
    entry["uncompressed_bytes"] = chunk.uncompressed_size;
    entry["offset"] = file.chunk_range(chunk).first;
    entry["dictionary"] = chunk.dictionary_page_offset.value_or(0) > 0;
    entry["offset_index"] = chunk.offset_index_offset.has_value();
    entry["column_index"] = chunk.column_index_offset.has_value();
    entry["bloom_filter"] = chunk.bloom_offset.has_value();
    if (json statistics = statistics_json(file, chunk, leaf, info.type); !statistics.empty())
      entry["statistics"] = std::move(statistics);
    if (chunk.sizes.unencoded_bytes) entry["string_bytes"] = *chunk.sizes.unencoded_bytes;
    // Values and nulls of the leaf; empty and null lists are level entries without either.
    const std::vector<int64_t>& histogram = chunk.sizes.definition_histogram;
    if (scan_levels) {
      auto [slots, pages] = scan_leaf(context, file, chunk, node, info.slot_level);
      entry["pages"] = pages;
      entry["leaves"] = slots;
      entry["leaves_exact"] = true;
    } else if (info.slot_level == 0) {
      entry["leaves"] = chunk.value_count;
      entry["leaves_exact"] = true;
    } else if (histogram.size() == static_cast<size_t>(node.max_definition) + 1) {
      int64_t leaves = 0;
      for (size_t level = static_cast<size_t>(info.slot_level); level < histogram.size(); ++level)
        leaves += std::max<int64_t>(histogram[level], 0);
      entry["leaves"] = std::min(leaves, chunk.value_count);
      entry["leaves_exact"] = true;
    } else {
      entry["leaves"] = chunk.value_count;
      entry["leaves_exact"] = false;
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::corrupt_file && error.code() != ErrorCode::unsupported) throw;
    entry["error"] = error.message();
  }
  return entry;
}

}  // namespace

std::string inspect_json(Context& context, const File& file, bool scan_levels) {
  json document = {{"path", file.path},
                   {"bytes", file.size},
                   {"footer_bytes", file.footer.size()},
                   {"version", file.version},
                   {"created_by", file.created_by},
                   {"rows", file.row_count}};
  document["key_values"] = json::array();
  for (const auto& [key, value] : file.key_values) document["key_values"].push_back({{"key", key}, {"value", value}});
  document["schema"] = schema_json(file.schema);
  document["fields"] = json::array();
  std::vector<LeafInfo> leaves(file.schema.leaves.size());
  for (size_t field = 0; field < file.schema.top_level.size(); ++field) {
    FieldNode node = resolve_field(file.schema, static_cast<int32_t>(field), {});
    json entry = {{"name", node.name}, {"type", node.type ? json(type_name(*node.type)) : json(nullptr)}};
    if (!node.type) entry["reason"] = node.reason;
    entry["first_column"] = node.first_leaf;
    entry["column_end"] = node.leaf_end;
    document["fields"].push_back(std::move(entry));
    collect_leaves(node, 0, leaves);
  }
  document["columns"] = json::array();
  for (int32_t node : file.schema.leaves) document["columns"].push_back(file.schema.path(node));
  document["row_groups"] = json::array();
  for (int32_t group = 0; group < row_group_count(file); ++group) {
    json columns = json::array();
    for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      columns.push_back(chunk_json(context, file, group, static_cast<int32_t>(leaf), leaves[leaf], scan_levels));
    }
    document["row_groups"].push_back({{"rows", row_group_rows(file, group)},
                                      {"bytes", file.row_groups[static_cast<size_t>(group)].total_bytes},
                                      {"columns", std::move(columns)}});
  }
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace quern::parquet
