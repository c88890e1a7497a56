// GEOMETRY values: well-known binary in one form, so that equal geometries are equal bytes. Little-endian, ISO type
// codes (1000 for Z, 2000 for M, 3000 for both), no spatial reference; an empty point has only NaN coordinates.
// Sources: OGC 06-103r4 (Simple Feature Access), §8.2; EWKB of PostGIS.
#pragma once
#include <string>
#include <string_view>

namespace quern {

// Deepest nesting of collections.
constexpr int max_geometry_depth = 16;

// Checks well-known binary of any flavour: both byte orders, ISO and extended type codes. True: it has the one form
// already; otherwise that form is appended to `out`. Throws corrupt_file for anything else.
bool normalize_wkb(std::string_view wkb, std::string& out);

// Appends the well-known text of bytes that normalize_wkb has made or passed.
void append_wkt(std::string_view wkb, std::string& out);

}  // namespace quern
