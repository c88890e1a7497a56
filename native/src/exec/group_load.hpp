// One row group on its way to the device: page headers, then pieces of work that read bytes, take compression off and
// write into pinned memory; any thread does any piece.
#pragma once
#include <atomic>
#include <mutex>

#include "cpu/scan_file.hpp"
#include "cuda/interface.hpp"
#include "exec/device_field.hpp"

namespace quern {

class GroupLoad {
 public:
  // Where the rows of the group are.
  struct Place {
    const plan::Scan* scan = nullptr;
    const cpu::FileLayout* layout = nullptr;
    int32_t group = 0;
    int64_t first_row = 0;                  // of the group in its file
    std::vector<parquet::RowRange> ranges;  // that the filter may let through
    std::vector<ColumnPtr> constants;
  };
  GroupLoad(Context& context, cpu::FileCache& files, Place place);

  // Reads page headers and cuts the work into pieces; columns that the device still has need none.
  void plan(cuda::Run& run);
  int64_t pieces() const { return static_cast<int64_t>(pieces_.size()); }
  // Bytes on the device before they are decoded.
  int64_t bytes() const;
  // Piece by piece, each once.
  void load(int64_t piece, cuda::Run& run);
  // Once all pieces are loaded. Valid as long as this is.
  cuda::EncodedGroup finish();

  // Column chunks that the device decodes, that it had, and the others by column and reason.
  int64_t device_chunks() const;
  int64_t cached_chunks() const;
  const std::vector<std::string>& host_chunks() const { return host_chunks_; }

 private:
  struct LoadedPage {
    parquet::PageSections sections;
    bool no_nulls = false;
    parquet::RowStarts starts;
    cuda::PageEncoding encoding = cuda::PageEncoding::plain;
  };
  struct ColumnLoad {
    DeviceField field;
    parquet::ChunkPages chunk;
    bool is_plain = false;         // bytes go to the device as they stand in the file, from the first page on
    std::vector<int64_t> page_at;  // where each body lies in the upload
    int64_t dictionary_at = 0;
    int64_t size = 0;
    std::vector<LoadedPage> pages;
    std::once_flag made;
    std::shared_ptr<cuda::Upload> upload;
    std::mutex refusing;
    std::string refused;  // why the host decodes the chunk after all
  };
  // Of a column: pages [first, last) or, as they stand in the file, bytes; or the whole column on the host.
  struct Piece {
    size_t column = 0;
    int64_t first = 0, last = 0;
  };

  void plan_column(size_t i, cuda::Run& run);
  std::string key_of(const DeviceField& field) const;
  static void require_dictionary(const ColumnLoad& column);
  void lay_out(ColumnLoad& column);
  void cut_pieces(size_t i, const ColumnLoad& column);
  void load_plain(ColumnLoad& column, const Piece& piece);
  void load_pages(ColumnLoad& column, const Piece& piece);
  void look_at(ColumnLoad& column, size_t page, int64_t size,
               const std::function<parquet::Bytes(int64_t at, int64_t count)>& body);
  std::shared_ptr<const cuda::EncodedColumn> encoded(ColumnLoad& column) const;
  void find_list_length(const ColumnLoad& column, cuda::EncodedColumn& out) const;
  ColumnPtr on_host(size_t i);
  ColumnPtr read_on_host(size_t i);
  ColumnPtr made_column(size_t i) const;

  Context& context_;
  Place place_;
  std::unique_ptr<cpu::ScanFile> file_;
  std::shared_ptr<const parquet::FileHandle> handle_;
  int64_t rows_;
  std::vector<std::unique_ptr<ColumnLoad>> loads_;   // by scan column; null = the host makes it
  std::vector<ColumnPtr> decoded_;                   // by scan column, on the host
  std::vector<std::shared_ptr<const void>> cached_;  // by scan column, on the device
  std::vector<std::string> host_chunks_;
  std::vector<Piece> pieces_;
};

}  // namespace quern
