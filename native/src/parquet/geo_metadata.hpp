// GeoParquet 1.x: columns of well-known binary that carry no annotation but are named in the file's key "geo".
// Source: geoparquet.org, specification 1.1.0.
#pragma once
#include <string_view>

#include "parquet/schema.hpp"

namespace quern::parquet {

// Marks top-level columns that the text of key "geo" says hold WKB as geometries. Text that is not such metadata marks
// none.
void mark_geometries(Schema& schema, std::string_view geo);

}  // namespace quern::parquet
