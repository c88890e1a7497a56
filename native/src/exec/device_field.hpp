// Which fields of Parquet files a GPU decodes, and what it needs to know of them.
#pragma once
#include <optional>
#include <string>

#include "cpu/file_cache.hpp"
#include "cuda/interface.hpp"
#include "parquet/encoded_pages.hpp"
#include "plan/plan.hpp"

namespace quern {

// A field of one leaf: flat, or in lists.
struct DeviceField {
  std::string name;
  parquet::LeafType leaf;
  int32_t leaf_index = 0;
  int32_t max_definition = 0, max_repetition = 0;
  std::vector<cuda::EncodedList> lists;  // outermost first
  TypePtr type;
};

// Throws unsupported for a field that the host decodes.
DeviceField device_field(const parquet::File& file, int32_t field, const parquet::ReadOptions& options);
// Throws unsupported where the footer names an encoding that the device does not decode.
void require_encodings(const DeviceField& field, const parquet::ColumnChunk& chunk);
// How a page's values are encoded. Throws unsupported for what the host decodes.
cuda::PageEncoding page_encoding(const DeviceField& field, int32_t encoding);

// Why the scan runs on the CPU, by its options and the footers of its first files; empty when the GPU can run it.
// Fields of later files are decoded on the host where the device cannot.
std::string scan_reason(cpu::FileCache& files, const plan::Scan& scan);

}  // namespace quern
