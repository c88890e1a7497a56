#include "cpu/scan_file.hpp"

#include <algorithm>

#include "parquet/file.hpp"

namespace quern::cpu {

namespace {

class ParquetFile : public ScanFile {
 public:
  ParquetFile(parquet::FilePtr file, parquet::ReadOptions options)
      : file_(std::move(file)), options_(std::move(options)) {}
  std::unique_ptr<parquet::FieldReader> stream(Context& context, int32_t group, int32_t field) const override {
    return parquet::make_field_reader(context, file_, group, field, options_);
  }
  Storage storage(int32_t group, int32_t field) const override {
    const auto node = parquet::resolve_field(file_->schema, field, options_);
    Storage out{0, true};
    try {
      for (int32_t leaf = node.first_leaf; leaf < node.leaf_end; ++leaf) {
        const auto chunk = file_->chunk(group, leaf);
        out.row_bytes += chunk.uncompressed_size;
        out.page_index &= chunk.offset_index_offset.has_value();
      }
    } catch (const Error& error) {
      throw file_->locate(error, "row group " + std::to_string(group) + ", column " + node.name);
    }
    out.row_bytes = std::max<int64_t>(1, out.row_bytes / std::max<int64_t>(1, parquet::row_group_rows(*file_, group)));
    return out;
  }
  std::vector<int64_t> page_starts(Context& context, int32_t group, int32_t field) const override {
    return parquet::page_starts(context, *file_, group, field, options_);
  }
  const parquet::File* parquet() const override { return file_.get(); }

 private:
  parquet::FilePtr file_;
  parquet::ReadOptions options_;
};

// A column of a record batch, given out in slices.
class SliceReader : public parquet::FieldReader {
 public:
  SliceReader(Context& context, arrow::FilePtr file, int32_t batch, int32_t field)
      : context_(context), file_(std::move(file)), batch_(batch), field_(field) {}
  ColumnPtr read(int64_t rows) override {
    if (!column_) column_ = arrow::read_field(context_, *file_, batch_, field_);
    auto out = slice(context_.memory(), column_, at_, rows);
    at_ += rows;
    return out;
  }
  void skip(int64_t rows) override { at_ += rows; }

 private:
  Context& context_;
  arrow::FilePtr file_;
  int32_t batch_;
  int32_t field_;
  ColumnPtr column_;
  int64_t at_ = 0;
};

class ArrowFile : public ScanFile {
 public:
  explicit ArrowFile(arrow::FilePtr file) : file_(std::move(file)) {}
  std::unique_ptr<parquet::FieldReader> stream(Context& context, int32_t group, int32_t field) const override {
    return std::make_unique<SliceReader>(context, file_, group, field);
  }

 private:
  arrow::FilePtr file_;
};

template <typename Info>
void find_columns(const plan::Scan& scan, const std::vector<Info>& infos, FileLayout& layout) {
  for (const auto& column : scan.columns) {
    layout.fields.push_back(-1);
    layout.types.push_back(nullptr);
    if (column.source != plan::ColumnSource::field) continue;
    int32_t before = column.nth;  // fields of the same name that come first
    const auto found = std::find_if(infos.begin(), infos.end(),
                                    [&](const Info& info) { return info.name == column.field && before-- == 0; });
    if (found == infos.end()) {
      if (scan.options.union_by_name) continue;
      throw Error(ErrorSource::user, ErrorCode::type, "no column " + column.field + " in " + layout.path)
          .with_hint("read_parquet(…, union_by_name = true) fills it with NULL");
    }
    if (!found->type)
      throw Error(ErrorSource::unsupported, ErrorCode::unsupported,
                  "unsupported: column " + column.field + " of " + layout.path + ": " + found->reason);
    layout.fields.back() = static_cast<int32_t>(found - infos.begin());
    layout.types.back() = found->type;
  }
}

}  // namespace

parquet::ReadOptions read_options(const plan::Scan& scan) {
  return {scan.options.binary_as_string, scan.options.bfloat16};
}

std::unique_ptr<ScanFile> open_scan_file(FileCache& files, const plan::Scan& scan, const std::string& path) {
  if (scan.format == plan::FileFormat::arrow) return std::make_unique<ArrowFile>(files.open_arrow(path));
  return std::make_unique<ParquetFile>(files.open_parquet(path), read_options(scan));
}

FileLayout read_layout(FileCache& files, const plan::Scan& scan, const std::string& path) {
  FileLayout layout;
  layout.path = path;
  if (scan.format == plan::FileFormat::arrow) {
    const auto file = files.open_arrow(path);
    for (int32_t batch = 0; batch < arrow::batch_count(*file); ++batch)
      layout.group_rows.push_back(arrow::batch_rows(*file, batch));
    find_columns(scan, arrow::fields(*file), layout);
  } else {
    const auto file = files.open_parquet(path);
    for (int32_t group = 0; group < parquet::row_group_count(*file); ++group)
      layout.group_rows.push_back(parquet::row_group_rows(*file, group));
    find_columns(scan, parquet::fields(*file, read_options(scan)), layout);
  }
  return layout;
}

}  // namespace quern::cpu
