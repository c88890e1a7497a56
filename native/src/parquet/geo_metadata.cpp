#include "parquet/geo_metadata.hpp"

#include <nlohmann/json.hpp>

namespace quern::parquet {

namespace {

using nlohmann::json;

// The text member `name`; empty when there is none.
std::string text_of(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

void mark_geometries(Schema& schema, std::string_view geo) {
  const json document = json::parse(geo, nullptr, false);
  if (!document.is_object() || !text_of(document, "version").starts_with("1.")) return;
  const auto columns = document.find("columns");
  if (columns == document.end() || !columns->is_object()) return;
  for (const int32_t index : schema.top_level) {
    SchemaElement& element = schema.nodes[static_cast<size_t>(index)].element;
    const auto column = columns->find(element.name);
    const bool is_bare = element.type == PhysicalType::byte_array && element.repetition != Repetition::repeated &&
                         element.logical.kind == LogicalKind::none && element.converted == Converted::none;
    if (!is_bare || column == columns->end() || !column->is_object()) continue;
    if (text_of(*column, "encoding") == "WKB") element.logical.kind = LogicalKind::geometry;
  }
}

}  // namespace quern::parquet
