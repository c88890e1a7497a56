// Reading Arrow IPC files and streams (uncompressed, LZ4, ZSTD buffers) as columns, for the scan operator.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "columnar/column.hpp"
#include "context/context.hpp"

namespace quern::arrow {

class File;  // an open IPC file or a stream read to its end (stdin: path "-" or "/dev/stdin"); immutable, shared
using FilePtr = std::shared_ptr<const File>;

struct FieldInfo {
  std::string name;
  TypePtr type;  // nullptr when unsupported: `reason` says why
  std::string reason;
};

FilePtr open(Memory& memory, const std::string& path);
std::vector<FieldInfo> fields(const File& file);
int32_t batch_count(const File& file);
int64_t batch_rows(const File& file, int32_t batch);
// list, large_list, list views and fixed-size lists give list columns; string and binary of every width and views give
// views.
ColumnPtr read_field(Context& context, const File& file, int32_t batch, int32_t field);

}  // namespace quern::arrow
