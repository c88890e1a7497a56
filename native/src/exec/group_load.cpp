#include "exec/group_load.hpp"

#include <algorithm>

#include "cpu/field_stream.hpp"
#include "parquet/file.hpp"

namespace quern {

namespace {

using parquet::Bytes;

// Bytes of one piece of work, about.
constexpr int64_t piece_bytes = 4 << 20;

int64_t aligned(int64_t at) { return (at + 15) / 16 * 16; }

// Whether an error is about the file's content: the host then decodes the chunk and says what is wrong, and where.
bool is_of_content(const Error& error) {
  return error.code() == ErrorCode::corrupt_file || error.code() == ErrorCode::unsupported;
}

}  // namespace

GroupLoad::GroupLoad(Context& context, cpu::FileCache& files, Place place)
    : context_(context),
      place_(std::move(place)),
      file_(cpu::open_scan_file(files, *place_.scan, place_.layout->path)),
      rows_(place_.layout->group_rows[static_cast<size_t>(place_.group)]) {}

void GroupLoad::plan(cuda::Run& run) {
  handle_ = file_->parquet()->handle();
  const size_t count = place_.scan->columns.size();
  loads_.resize(count);
  decoded_.resize(count);
  cached_.resize(count);
  for (size_t i = 0; i < count; ++i) {
    if (place_.layout->fields[i] >= 0) plan_column(i, run);
  }
  // A group without fields has rows all the same.
  if (pieces_.empty()) pieces_.push_back({count, 0, 0});
}

void GroupLoad::plan_column(size_t i, cuda::Run& run) {
  const auto& scan = *place_.scan;
  try {
    if (!same_type(*place_.layout->types[i], *scan.columns[i].type))
      throw unsupported("column " + scan.columns[i].name + " that is cast while it is read on the GPU");
    auto load = std::make_unique<ColumnLoad>();
    load->field = device_field(*file_->parquet(), place_.layout->fields[i], cpu::read_options(scan));
    if ((cached_[i] = run.cached(key_of(load->field)))) return;
    load->chunk = parquet::read_page_headers(context_, *file_->parquet(), place_.group, load->field.leaf_index);
    for (const auto& site : load->chunk.pages) {
      load->pages.push_back({});
      load->pages.back().encoding = page_encoding(load->field, site.header.encoding);
    }
    require_dictionary(*load);
    lay_out(*load);
    cut_pieces(i, *load);
    loads_[i] = std::move(load);
  } catch (const Error& error) {
    if (!is_of_content(error)) throw;
    host_chunks_.push_back(error.message());
    pieces_.push_back({i, 0, 0});
  }
}

std::string GroupLoad::key_of(const DeviceField& field) const {
  const auto& identity = handle_->identity();
  std::string key;
  for (const auto part :
       {static_cast<int64_t>(identity.device), static_cast<int64_t>(identity.inode), identity.size, identity.mtime_ns,
        static_cast<int64_t>(place_.group), static_cast<int64_t>(field.leaf_index)})
    key += std::to_string(part) + ":";
  return key + type_name(*field.type);
}

void GroupLoad::require_dictionary(const ColumnLoad& column) {
  const auto& dictionary = column.chunk.dictionary;
  if (!dictionary) return;
  const auto& leaf = column.field.leaf;
  if (leaf.physical == parquet::PhysicalType::boolean) throw corrupt_file("dictionary of BOOLEAN values");
  const int64_t least = leaf.physical == parquet::PhysicalType::byte_array ? 4 : leaf.stored_width;
  if (static_cast<int64_t>(dictionary->bytes.size()) / least < dictionary->count)
    throw corrupt_file("dictionary of fewer values than it says");
}

// Uncompressed chunks are taken as they are, headers and all; else bodies follow one another.
void GroupLoad::lay_out(ColumnLoad& column) {
  const auto& [chunk, pages, dictionary] = column.chunk;
  column.is_plain = !pages.empty() && chunk.codec == static_cast<int32_t>(parquet::Codec::uncompressed);
  int64_t at = 0;
  for (const auto& site : pages) {
    if (column.is_plain) at = site.body - pages.front().body;
    column.page_at.push_back(at);
    at += column.is_plain ? site.header.compressed_size : aligned(parquet::body_size(chunk.codec, site.header));
  }
  column.dictionary_at = aligned(at);
  column.size = column.dictionary_at + (dictionary ? static_cast<int64_t>(dictionary->bytes.size()) : 0);
}

void GroupLoad::cut_pieces(size_t i, const ColumnLoad& column) {
  if (column.is_plain) {
    for (int64_t at = 0; at < column.dictionary_at; at += piece_bytes)
      pieces_.push_back({i, at, std::min(at + piece_bytes, column.dictionary_at)});
    return;
  }
  const auto count = static_cast<int64_t>(column.page_at.size());
  for (int64_t first = 0; first < count;) {
    int64_t last = first + 1;
    while (last < count &&
           column.page_at[static_cast<size_t>(last)] - column.page_at[static_cast<size_t>(first)] < piece_bytes)
      ++last;
    pieces_.push_back({i, first, last});
    first = last;
  }
  if (count == 0) pieces_.push_back({i, 0, 0});
}

int64_t GroupLoad::bytes() const {
  int64_t bytes = 0;
  for (const auto& load : loads_) bytes += load ? load->size : 0;
  return bytes;
}

int64_t GroupLoad::device_chunks() const {
  int64_t chunks = 0;
  for (const auto& load : loads_) chunks += load && load->refused.empty();
  return chunks;
}

int64_t GroupLoad::cached_chunks() const {
  int64_t chunks = 0;
  for (const auto& column : cached_) chunks += column != nullptr;
  return chunks;
}

void GroupLoad::load(int64_t number, cuda::Run& run) {
  const Piece& piece = pieces_[static_cast<size_t>(number)];
  if (piece.column == loads_.size()) return;
  if (!loads_[piece.column]) {
    decoded_[piece.column] = read_on_host(piece.column);
    return;
  }
  auto& column = *loads_[piece.column];
  std::call_once(column.made, [&] {
    column.upload = run.make_upload(column.size);
    const auto& dictionary = column.chunk.dictionary;
    if (!dictionary) return;
    column.upload->write(column.dictionary_at, static_cast<int64_t>(dictionary->bytes.size()),
                         [&](int64_t offset, std::span<uint8_t> out) {
                           std::copy_n(dictionary->bytes.data() + offset, out.size(), out.data());
                         });
  });
  try {
    if (column.is_plain)
      load_plain(column, piece);
    else
      load_pages(column, piece);
  } catch (const Error& error) {
    if (!is_of_content(error)) throw;
    const std::lock_guard lock(column.refusing);
    column.refused = error.message();
  }
}

void GroupLoad::load_plain(ColumnLoad& column, const Piece& piece) {
  const auto& pages = column.chunk.pages;
  const int64_t start = pages.front().body;
  const int64_t end = pages.back().body + pages.back().header.compressed_size - start;
  const int64_t last = std::min(piece.last, end);
  column.upload->write(piece.first, last - piece.first, [&](int64_t offset, std::span<uint8_t> out) {
    handle_->read(start + piece.first + offset, out);
    context_.metrics().bytes_read.fetch_add(static_cast<int64_t>(out.size()), std::memory_order_relaxed);
  });
  // Levels of the pages that begin here.
  const auto from = std::lower_bound(column.page_at.begin(), column.page_at.end(), piece.first);
  BufferPtr seen;
  for (auto page = static_cast<size_t>(from - column.page_at.begin());
       page < pages.size() && column.page_at[page] < piece.last; ++page) {
    look_at(column, page, pages[page].header.compressed_size, [&](int64_t at, int64_t count) {
      if (!seen || seen->size() < static_cast<size_t>(count))
        seen = context_.memory().allocate(static_cast<size_t>(count));
      const std::span<uint8_t> out{seen->data(), static_cast<size_t>(count)};
      handle_->read(pages[page].body + at, out);
      return Bytes(out);
    });
  }
}

void GroupLoad::load_pages(ColumnLoad& column, const Piece& piece) {
  const int32_t codec = column.chunk.chunk.codec;
  for (int64_t page = piece.first; page < piece.last; ++page) {
    context_.check_cancelled();
    const auto& site = column.chunk.pages[static_cast<size_t>(page)];
    const auto stored = context_.memory().allocate(static_cast<size_t>(site.header.compressed_size));
    handle_->read(site.body, {stored->data(), static_cast<size_t>(site.header.compressed_size)});
    context_.metrics().bytes_read.fetch_add(site.header.compressed_size, std::memory_order_relaxed);
    const int64_t size = parquet::body_size(codec, site.header);
    BufferPtr expanded;
    Bytes body{stored->data(), static_cast<size_t>(site.header.compressed_size)};
    if (!parquet::is_stored_plainly(codec, site.header)) {
      if (size < 0) throw corrupt_file("page of " + std::to_string(size) + " bytes");
      parquet::check_expansion(codec, site.header.compressed_size, size);
      expanded = context_.memory().allocate(static_cast<size_t>(size));
      const std::span<uint8_t> out{expanded->data(), static_cast<size_t>(size)};
      parquet::expand_page(codec, site.header, body, out);
      body = out;
    }
    column.upload->write(column.page_at[static_cast<size_t>(page)], size, [&](int64_t offset, std::span<uint8_t> out) {
      std::copy_n(body.data() + offset, out.size(), out.data());
    });
    look_at(column, static_cast<size_t>(page), size, [&](int64_t at, int64_t count) {
      return body.subspan(static_cast<size_t>(at), static_cast<size_t>(count));
    });
  }
}

void GroupLoad::look_at(ColumnLoad& column, size_t page, int64_t size,
                        const std::function<Bytes(int64_t at, int64_t count)>& body) {
  context_.metrics().pages_read.fetch_add(1, std::memory_order_relaxed);
  const auto& header = column.chunk.pages[page].header;
  const auto& field = column.field;
  LoadedPage& loaded = column.pages[page];
  loaded.sections = parquet::cut_page(header, size, field.max_repetition, field.max_definition, body);
  const auto& sections = loaded.sections;
  if (loaded.encoding == cuda::PageEncoding::codes && !column.chunk.dictionary)
    throw corrupt_file("codes without a dictionary page");
  loaded.no_nulls =
      field.max_definition == 0 || parquet::holds_no_nulls(body(sections.definition_at, sections.definition_bytes),
                                                           field.max_definition, header.value_count);
  if (field.max_repetition == 1 && loaded.no_nulls) {
    loaded.starts = parquet::find_row_starts(context_.memory(), body(sections.repetition_at, sections.repetition_bytes),
                                             header.value_count);
  }
}

std::shared_ptr<const cuda::EncodedColumn> GroupLoad::encoded(ColumnLoad& column) const {
  auto out = std::make_shared<cuda::EncodedColumn>();
  out->type = column.field.type;
  out->leaf = column.field.leaf;
  out->max_definition = column.field.max_definition;
  out->max_repetition = column.field.max_repetition;
  out->lists = column.field.lists;
  out->no_nulls = true;
  for (size_t page = 0; page < column.pages.size(); ++page) {
    const auto& loaded = column.pages[page];
    const int64_t at = column.page_at[page];
    const auto& sections = loaded.sections;
    out->pages.push_back({column.chunk.pages[page].header.value_count, at + sections.repetition_at,
                          sections.repetition_bytes, at + sections.definition_at, sections.definition_bytes,
                          at + sections.values_at, sections.values_bytes, loaded.encoding});
    out->entries += out->pages.back().entries;
    out->no_nulls &= loaded.no_nulls;
  }
  if (const auto& dictionary = column.chunk.dictionary) {
    out->dictionary_at = column.dictionary_at;
    out->dictionary_bytes = static_cast<int64_t>(dictionary->bytes.size());
    out->dictionary_count = dictionary->count;
  }
  out->bytes = column.upload;
  find_list_length(column, *out);
  return out;
}

// Lists of one length: rows start at even distances over all pages.
void GroupLoad::find_list_length(const ColumnLoad& column, cuda::EncodedColumn& out) const {
  if (out.max_repetition != 1 || !out.no_nulls || rows_ == 0 || out.entries % rows_ != 0) return;
  const int64_t length = out.entries / rows_;
  int64_t at = 0, row = 0;
  for (size_t page = 0; page < column.pages.size(); ++page) {
    const auto& starts = column.pages[page].starts;
    if (!starts.is_even || (starts.count > 1 && starts.distance != length)) return;
    if (starts.count > 0 && at + starts.first != row * length) return;
    row += starts.count;
    at += out.pages[page].entries;
  }
  if (row == rows_) out.list_length = length;
}

ColumnPtr GroupLoad::read_on_host(size_t i) {
  cpu::FieldStream stream(context_, *file_, place_.group, place_.layout->fields[i], place_.layout->types[i],
                          place_.scan->columns[i].type);
  return stream.read(0, rows_);
}

ColumnPtr GroupLoad::on_host(size_t i) {
  auto column = read_on_host(i);
  auto& reason = loads_[i]->refused;
  if (reason.empty()) reason = "column " + place_.scan->columns[i].name + ": refused by the GPU";
  host_chunks_.push_back(reason);
  return column;
}

// A column that is not stored.
ColumnPtr GroupLoad::made_column(size_t i) const {
  if (place_.constants[i]) return make_constant(place_.constants[i], 0, rows_);
  const bool of_all = place_.scan->columns[i].source == plan::ColumnSource::row_number;
  const int64_t first = place_.first_row + (of_all ? place_.layout->first_row : 0);
  ColumnBuilder numbers(context_.memory(), make_type(TypeKind::int64), rows_);
  for (int64_t row = 0; row < rows_; ++row) numbers.data<int64_t>()[row] = first + row;
  return numbers.finish();
}

cuda::EncodedGroup GroupLoad::finish() {
  cuda::EncodedGroup out;
  out.rows = rows_;
  const bool all = place_.ranges.size() == 1 && place_.ranges[0].start == 0 && place_.ranges[0].end == rows_;
  if (!all) out.ranges = place_.ranges;
  for (size_t i = 0; i < loads_.size(); ++i) {
    out.encoded.emplace_back();
    out.keys.emplace_back();
    out.decoded.push_back(std::move(decoded_[i]));
    if (loads_[i] && loads_[i]->refused.empty()) {
      out.encoded.back() = encoded(*loads_[i]);
      out.keys.back() = key_of(loads_[i]->field);
    } else if (loads_[i]) {
      out.decoded.back() = on_host(i);
    } else if (place_.layout->fields[i] < 0) {
      out.decoded.back() = made_column(i);
    }
  }
  out.cached = cached_;
  out.decode_on_host = [this](size_t column) { return on_host(column); };
  return out;
}

}  // namespace quern
