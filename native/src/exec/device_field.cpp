#include "exec/device_field.hpp"

#include <algorithm>

#include "cpu/scan_file.hpp"
#include "jit/device_type.hpp"
#include "parquet/file.hpp"

namespace quern {

namespace {

using parquet::Conversion;
using parquet::Encoding;
using parquet::PhysicalType;

// Footers that are looked at while planning.
constexpr size_t most_files = 256;
// Row numbers on the device have 32 bits, and a few go to rounding.
constexpr int64_t most_rows = (1LL << 31) - 1024;

Error refused(const std::string& name, const std::string& what) {
  return unsupported("column " + name + " " + what + " on the GPU");
}

void require_leaf(const std::string& name, const parquet::FieldNode& node) {
  const auto& leaf = node.leaf;
  if (node.type->tag == TypeTag::geometry) throw refused(name, "of geometries");
  switch (leaf.conversion) {
    case Conversion::int32_to_double:
    case Conversion::int64_to_double:
    case Conversion::big_endian_to_double:
      throw refused(name, "of decimals of more than 38 digits");
    case Conversion::big_endian_to_int64:
    case Conversion::big_endian_to_int128:
      if (leaf.physical == PhysicalType::byte_array) throw refused(name, "of decimals of variable length");
      if (leaf.stored_width > 16) throw refused(name, "of decimals of more than 16 bytes");
      return;
    default:
      return;
  }
}

bool is_decoded(const DeviceField& field, Encoding encoding) {
  const auto physical = field.leaf.physical;
  switch (encoding) {
    case Encoding::plain:
      return true;
    case Encoding::plain_dictionary:
    case Encoding::rle_dictionary:
      return physical != PhysicalType::boolean;
    case Encoding::rle:
      return physical == PhysicalType::boolean;
    case Encoding::delta_binary_packed:
      return physical == PhysicalType::int32 || physical == PhysicalType::int64;
    case Encoding::delta_length_byte_array:
      return physical == PhysicalType::byte_array;
    case Encoding::byte_stream_split:
      return physical != PhysicalType::boolean && physical != PhysicalType::byte_array &&
             physical != PhysicalType::int96 && field.leaf.conversion != Conversion::view &&
             field.leaf.stored_width <= 16;
    default:
      return false;
  }
}

void require_scan(const plan::Scan& scan) {
  if (scan.format != plan::FileFormat::parquet) throw unsupported("Arrow files on the GPU");
  if (scan.options.skip_bad_files) throw unsupported("on_bad_file = 'skip' on the GPU");
}

void require_file(cpu::FileCache& files, const plan::Scan& scan, const std::string& path) {
  const auto layout = cpu::read_layout(files, scan, path);
  const auto file = cpu::open_scan_file(files, scan, path);
  for (size_t i = 0; i < scan.columns.size(); ++i) {
    if (layout.fields[i] < 0) continue;
    const auto& name = scan.columns[i].name;
    if (!same_type(*layout.types[i], *scan.columns[i].type)) throw refused(name, "that is cast while it is read");
    const auto field = device_field(*file->parquet(), layout.fields[i], cpu::read_options(scan));
    for (size_t group = 0; group < layout.group_rows.size(); ++group) {
      if (layout.group_rows[group] > most_rows)
        throw unsupported("a row group of " + std::to_string(layout.group_rows[group]) + " rows on the GPU");
      require_encodings(field, file->parquet()->chunk(static_cast<int32_t>(group), field.leaf_index));
    }
  }
}

}  // namespace

DeviceField device_field(const parquet::File& file, int32_t field, const parquet::ReadOptions& options) {
  const auto root = parquet::resolve_field(file.schema, field, options);
  DeviceField out;
  out.name = root.name;
  if (!root.type) throw refused(root.name, "of an unknown type");
  out.type = root.type;
  const parquet::FieldNode* node = &root;
  while (node->shape == parquet::Shape::list) {
    out.lists.push_back({node->level, node->element_level, node->repetition});
    node = &node->children.at(0);
  }
  if (node->shape != parquet::Shape::leaf) throw refused(root.name, "of " + type_name(*root.type));
  if (out.lists.size() > cuda::most_lists) throw refused(root.name, "of many levels of lists");
  jit::require_column(*root.type);
  require_leaf(root.name, *node);
  const auto& leaf = file.schema.nodes[static_cast<size_t>(node->node)];
  out.leaf = node->leaf;
  out.leaf_index = node->first_leaf;
  out.max_definition = leaf.max_definition;
  out.max_repetition = leaf.max_repetition;
  if (out.max_repetition != static_cast<int32_t>(out.lists.size()))
    throw internal_error("lists of another depth than their levels");
  return out;
}

void require_encodings(const DeviceField& field, const parquet::ColumnChunk& chunk) {
  for (const int32_t encoding : chunk.encodings) {
    // Levels are in these.
    if (encoding == static_cast<int32_t>(Encoding::rle) || encoding == static_cast<int32_t>(Encoding::bit_packed))
      continue;
    page_encoding(field, encoding);
  }
}

cuda::PageEncoding page_encoding(const DeviceField& field, int32_t encoding) {
  const auto known = static_cast<Encoding>(encoding);
  if (!is_decoded(field, known)) throw refused(field.name, "in " + parquet::encoding_name(encoding));
  switch (known) {
    case Encoding::plain_dictionary:
    case Encoding::rle_dictionary:
      return cuda::PageEncoding::codes;
    case Encoding::rle:
      return cuda::PageEncoding::runs;
    case Encoding::delta_binary_packed:
      return cuda::PageEncoding::deltas;
    case Encoding::delta_length_byte_array:
      return cuda::PageEncoding::lengths;
    case Encoding::byte_stream_split:
      return cuda::PageEncoding::split;
    default:
      return cuda::PageEncoding::plain;
  }
}

std::string scan_reason(cpu::FileCache& files, const plan::Scan& scan) {
  try {
    require_scan(scan);
    for (size_t i = 0; i < std::min(scan.files.size(), most_files); ++i) require_file(files, scan, scan.files[i]);
    return "";
  } catch (const Error& error) {
    // A file that cannot be read fails when it is read.
    return error.code() == ErrorCode::unsupported ? error.message() : "unsupported: " + error.message();
  }
}

}  // namespace quern
