// An open Parquet file: its checked footer, and reading of byte ranges.
#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "context/context.hpp"
#include "parquet/scan.hpp"
#include "parquet/schema.hpp"

namespace quern::parquet {

// A file descriptor, shared by the readers that are alive: thousands of cached footers must not hold descriptors.
class FileHandle {
 public:
  explicit FileHandle(const std::string& path);
  ~FileHandle();
  FileHandle(const FileHandle&) = delete;
  FileHandle& operator=(const FileHandle&) = delete;

  // Fills `out` with the bytes at `offset`; throws io when the file ends before.
  void read(int64_t offset, std::span<uint8_t> out) const;

  struct Identity {
    uint64_t device = 0, inode = 0;
    int64_t size = 0, mtime_ns = 0;
    bool operator==(const Identity&) const = default;
  };
  const Identity& identity() const { return identity_; }

 private:
  const std::string path_;
  int descriptor_ = -1;
  Identity identity_;
};

struct RowGroup {
  int64_t row_count = 0;
  int64_t total_bytes = 0;
  size_t first_site = 0;  // into File::chunk_sites
};

class File {
 public:
  std::string path;
  int64_t size = 0;
  int64_t footer_offset = 0;  // column data lies before
  Bytes footer;               // Thrift bytes, owned by footer_buffer
  BufferPtr footer_buffer;
  int32_t version = 0;
  int64_t row_count = 0;
  std::string_view created_by;
  std::vector<std::pair<std::string_view, std::string_view>> key_values;
  Schema schema;
  std::vector<RowGroup> row_groups;
  std::vector<uint32_t> chunk_sites;  // footer position of each column chunk of each row group
  std::vector<bool> has_known_order;  // by leaf: column order is the type's own

  explicit File(Memory& memory) : memory_(memory), reserved_(memory) {}
  // Where what is derived from the footer is allocated.
  Memory& memory() const { return memory_; }

  // Parses and checks the metadata of a column chunk. Throws corrupt_file or unsupported, naming file, row group and
  // column.
  ColumnChunk chunk(int32_t row_group, int32_t leaf) const;
  // First and last byte + 1 of the pages of a chunk.
  std::pair<int64_t, int64_t> chunk_range(const ColumnChunk& chunk) const;

  // Opened again when no reader is alive; throws io when the file has changed since its footer was read.
  std::shared_ptr<const FileHandle> handle() const;

  // `error` with "PATH: where: " before its message, except for errors that are not about the file's content.
  Error locate(const Error& error, const std::string& where) const;

 private:
  friend FilePtr open(Memory& memory, const std::string& path);
  void parse_footer();
  ColumnChunk parse_chunk(int32_t row_group, int32_t leaf) const;
  Memory& memory_;
  FileHandle::Identity identity_;
  Reservation reserved_;
  mutable std::mutex mutex_;
  mutable std::weak_ptr<const FileHandle> handle_;
};

}  // namespace quern::parquet
