// Parquet files through the scan on the device, against the host's decoder.
#include <unistd.h>

#include <filesystem>

#include "cuda/column_cache.hpp"
#include "cuda/device_fixture.hpp"
#include "cuda/random_columns.hpp"
#include "cuda/run.hpp"
#include "exec/group_load.hpp"
#include "parquet/file_builder.hpp"
#include "parquet/write.hpp"

namespace quern {
namespace {

using parquet::Encoding;
using parquet::PhysicalType;
using parquet::Repetition;
using test::Nulls;

std::string temporary_path() {
  static int counter = 0;
  return std::filesystem::temp_directory_path() /
         ("quern_device_scan_" + std::to_string(::getpid()) + "_" + std::to_string(counter++) + ".parquet");
}

struct WriteShape {
  int64_t page_rows = 20000;
  parquet::Codec codec = parquet::Codec::uncompressed;
};

// One row group.
void write_file(Memory& memory, const std::string& path, const std::vector<ColumnPtr>& columns, WriteShape shape) {
  std::vector<parquet::WriteField> fields;
  Batch batch;
  for (const auto& column : columns) {
    fields.push_back({"c" + std::to_string(fields.size()), column->type});
    batch.rows = column->length;
    batch.columns.push_back(column);
  }
  parquet::FileWriter writer(path, parquet::make_write_schema(fields));
  parquet::WriteOptions options;
  options.codec = shape.codec;
  options.page_rows = shape.page_rows;
  parquet::EncodedGroup group;
  group.rows = batch.rows;
  const auto shred = parquet::shred(memory, writer.schema(), batch);
  for (size_t leaf = 0; leaf < writer.schema().leaves.size(); ++leaf) {
    const parquet::LeafPiece* piece = &shred.leaves[leaf];
    group.chunks.push_back(parquet::encode_chunk(memory, writer.schema().leaves[leaf], {&piece, 1}, options));
  }
  writer.append(std::move(group));
  writer.finish();
}

// A scan of all columns of a file, alone on the device.
std::shared_ptr<const plan::Plan> scan_plan(Memory& memory, const std::string& path) {
  auto out = std::make_shared<plan::Plan>();
  plan::Scan scan;
  scan.files = {path};
  plan::Node node;
  node.device = plan::Device::gpu;
  for (const auto& field : parquet::fields(*parquet::open(memory, path), {})) {
    scan.columns.push_back({field.name, field.type, plan::ColumnSource::field, field.name, 0});
    node.output.push_back({field.name, field.type});
  }
  node.op = scan;
  out->nodes.push_back(std::move(node));
  return out;
}

struct Scanned {
  std::vector<std::vector<std::string>> columns;  // rows as text
  int64_t device_chunks = 0, cached_chunks = 0;
  std::vector<std::string> host_chunks;
};

Scanned scan(cuda::Device& device, Context& context, const std::string& path,
             const std::vector<parquet::RowRange>& ranges = {}) {
  const auto plan = scan_plan(context.memory(), path);
  const auto& scan = std::get<plan::Scan>(plan->nodes[0].op);
  cpu::FileCache files(context.memory());
  const auto layout = cpu::read_layout(files, scan, path);
  const auto run = cuda::make_run(device, context, plan, {0});
  Scanned out;
  out.columns.resize(scan.columns.size());
  for (size_t group = 0; group < layout.group_rows.size(); ++group) {
    const int64_t rows = layout.group_rows[group];
    if (rows == 0) continue;
    GroupLoad::Place place{&scan,
                           &layout,
                           static_cast<int32_t>(group),
                           0,
                           ranges.empty() ? std::vector<parquet::RowRange>{{0, rows}} : ranges,
                           std::vector<ColumnPtr>(scan.columns.size())};
    GroupLoad load(context, files, std::move(place));
    load.plan(*run);
    for (int64_t piece = 0; piece < load.pieces(); ++piece) load.load(piece, *run);
    run->consume(load.finish());
    out.device_chunks += load.device_chunks();
    out.cached_chunks += load.cached_chunks();
    out.host_chunks.insert(out.host_chunks.end(), load.host_chunks().begin(), load.host_chunks().end());
  }
  for (const auto& batch : run->finish()) {
    for (size_t i = 0; i < batch.columns.size(); ++i) {
      for (auto& row : test::rows_of(*batch.columns[i])) out.columns[i].push_back(std::move(row));
    }
  }
  return out;
}

std::vector<std::vector<std::string>> decoded_on_host(Context& context, const std::string& path,
                                                      const std::vector<parquet::RowRange>* ranges = nullptr) {
  const auto file = parquet::open(context.memory(), path);
  const auto fields = parquet::fields(*file, {});
  std::vector<std::vector<std::string>> out(fields.size());
  for (size_t i = 0; i < fields.size(); ++i) {
    for (int32_t group = 0; group < parquet::row_group_count(*file); ++group) {
      const auto column = parquet::read_field(context, *file, group, static_cast<int32_t>(i), {}, ranges);
      for (auto& row : test::rows_of(*flatten(context.memory(), column))) out[i].push_back(std::move(row));
    }
  }
  return out;
}

void check_file(cuda::Device& device, Memory& memory, const std::string& path, int64_t offset_limit = INT32_MAX) {
  Settings settings;
  settings.list_offset_limit = offset_limit;
  Context context(memory, settings);
  const auto found = scan(device, context, path);
  EXPECT_TRUE(found.host_chunks.empty()) << found.host_chunks[0];
  const auto expected = decoded_on_host(context, path);
  ASSERT_EQ(found.columns.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(found.columns[i].size(), expected[i].size()) << "column " << i;
    for (size_t row = 0; row < expected[i].size(); ++row)
      ASSERT_EQ(found.columns[i][row], expected[i][row]) << "column " << i << " row " << row;
  }
}

TEST(DeviceScan, ReadsWhatTheHostReads) {
  REQUIRE_DEVICE();
  Memory memory(8LL << 30);
  const std::string path = temporary_path();
  for (const int64_t rows : test::sizes) {
    if (rows == 0) continue;
    for (const Nulls nulls : {Nulls::none, Nulls::some, Nulls::all}) {
      for (const auto& shape :
           {WriteShape{}, WriteShape{33, parquet::Codec::snappy}, WriteShape{1000, parquet::Codec::zstd}}) {
        if (rows > 10000 && shape.page_rows < 100) continue;
        SCOPED_TRACE("rows " + std::to_string(rows) + ", nulls " + std::to_string(static_cast<int>(nulls)) +
                     ", page rows " + std::to_string(shape.page_rows));
        write_file(memory, path, test::columns(memory, rows, nulls), shape);
        check_file(device, memory, path, shape.page_rows == 33 ? 16 : INT32_MAX);
        if (HasFailure()) return;
      }
    }
  }
  std::filesystem::remove(path);
}

// Few distinct values: dictionaries, and runs of equal codes.
TEST(DeviceScan, ReadsDictionaries) {
  REQUIRE_DEVICE();
  Memory memory(1LL << 30);
  const std::string path = temporary_path();
  std::mt19937_64 random(5);
  for (const int64_t rows : {1, 32, 33, 5000, 70001}) {
    std::vector<ColumnPtr> columns;
    for (const uint64_t distinct : {1, 2, 300, 5000}) {
      ColumnBuilder numbers(memory, make_type(TypeKind::int64), rows, true),
          texts(memory, make_type(TypeKind::string), rows, true);
      StringHeap heap(memory);
      for (int64_t i = 0; i < rows; ++i) {
        const uint64_t value = i % 700 < 100 ? 0 : random() % distinct;
        if (random() % 9 == 0) {
          numbers.set_null(i);
          texts.set_null(i);
          continue;
        }
        numbers.data<int64_t>()[i] = static_cast<int64_t>(value * 1000003);
        const std::string text = std::string(value % 40, 'x') + "é" + std::to_string(value);
        texts.data<StringView>()[i] = heap.append(text.data(), text.size());
      }
      texts.keep(heap.owners());
      columns.push_back(numbers.finish());
      columns.push_back(texts.finish());
    }
    SCOPED_TRACE(rows);
    write_file(memory, path, columns, {3000, parquet::Codec::snappy});
    check_file(device, memory, path);
    if (HasFailure()) return;
  }
  std::filesystem::remove(path);
}

// Lists of one length keep their levels on the host.
TEST(DeviceScan, ReadsListsOfOneLength) {
  REQUIRE_DEVICE();
  Memory memory(1LL << 30);
  const std::string path = temporary_path();
  for (const int64_t length : {1, 7, 8, 96, 768}) {
    for (const int64_t rows : {1, 2, 33, 1000}) {
      ColumnBuilder lists(memory, make_list(make_type(TypeKind::float32)), rows);
      for (int64_t i = 0; i < rows; ++i) lists.data<ListEntry>()[i] = {i * length, length};
      lists.add_child(test::numbers(memory, make_type(TypeKind::float32), rows * length, Nulls::none, 7));
      SCOPED_TRACE("length " + std::to_string(length) + ", rows " + std::to_string(rows));
      write_file(memory, path, {lists.finish()}, {100, parquet::Codec::uncompressed});
      check_file(device, memory, path);
      check_file(device, memory, path, 16);
      if (HasFailure()) return;
    }
  }
  std::filesystem::remove(path);
}

TEST(DeviceScan, TakesRanges) {
  REQUIRE_DEVICE();
  Memory memory(1LL << 30);
  Context context(memory, Settings{});
  const std::string path = temporary_path();
  write_file(memory, path, test::columns(memory, 1000, Nulls::some), {});
  const std::vector<parquet::RowRange> ranges = {{3, 4}, {31, 65}, {900, 1000}};
  EXPECT_EQ(scan(device, context, path, ranges).columns, decoded_on_host(context, path, &ranges));
  std::filesystem::remove(path);
}

// A page of `values` in an encoding that the writer does not choose.
parquet::test::FileBuilder number_file(PhysicalType type, Encoding encoding, size_t values,
                                       const parquet::test::Encoded& bytes) {
  parquet::test::FileBuilder file;
  file.nodes = {parquet::test::leaf("x", type)};
  parquet::test::BuiltChunk chunk;
  chunk.path = {"x"};
  chunk.type = type;
  chunk.entries = static_cast<int64_t>(values);
  parquet::test::BuiltPage page;
  page.entries = static_cast<int>(values);
  page.encoding = encoding;
  page.values = bytes;
  chunk.pages = {page};
  file.groups = {{static_cast<int64_t>(values), {chunk}}};
  return file;
}

TEST(DeviceScan, ReadsDeltas) {
  REQUIRE_DEVICE();
  Memory memory(1LL << 30);
  for (const size_t count : {1, 2, 32, 33, 128, 129, 130, 257, 5003}) {
    for (const int width : {0, 1, 13, 31, 63, 64}) {
      std::vector<int64_t> values;
      for (const uint64_t value : parquet::reference::random_values(count, width))
        values.push_back(static_cast<int64_t>(value));
      for (const auto& [block, minis] : {std::pair{128, 4}, std::pair{256, 1}, std::pair{1024, 32}}) {
        SCOPED_TRACE("count " + std::to_string(count) + ", width " + std::to_string(width));
        auto file =
            number_file(PhysicalType::int64, Encoding::delta_binary_packed, count,
                        parquet::reference::delta(values, static_cast<uint64_t>(block), static_cast<uint64_t>(minis)));
        check_file(device, memory, file.write());
        if (HasFailure()) return;
      }
    }
  }
}

TEST(DeviceScan, ReadsDeltaLengths) {
  REQUIRE_DEVICE();
  Memory memory(1LL << 30);
  std::mt19937_64 random(1);
  for (const size_t count : {1, 2, 31, 32, 33, 128, 129, 130, 257, 5003}) {
    for (const size_t longest : {0, 1, 20, 700}) {
      std::vector<std::string> values;
      for (size_t i = 0; i < count; ++i)
        values.emplace_back(random() % (longest + 1), static_cast<char>('a' + random() % 26));
      SCOPED_TRACE("count " + std::to_string(count) + ", up to " + std::to_string(longest));
      auto file = number_file(PhysicalType::byte_array, Encoding::delta_length_byte_array, count,
                              parquet::reference::delta_length(values));
      // A second page, whose bytes are its own; and one of plain values.
      auto& pages = file.groups[0].chunks[0].pages;
      pages.push_back(pages[0]);
      parquet::test::BuiltPage plain = pages[0];
      plain.encoding = Encoding::plain;
      plain.values.clear();
      for (const auto& value : values) {
        for (int byte = 0; byte < 4; ++byte) plain.values.push_back(static_cast<uint8_t>(value.size() >> (8 * byte)));
        plain.values.insert(plain.values.end(), value.begin(), value.end());
      }
      pages.push_back(plain);
      file.groups[0].chunks[0].entries = file.groups[0].rows = static_cast<int64_t>(3 * count);
      check_file(device, memory, file.write());
      check_file(device, memory, file.write(), 16);
      if (HasFailure()) return;
    }
  }
}

TEST(DeviceScan, ReadsSplitStreams) {
  REQUIRE_DEVICE();
  Memory memory(1LL << 30);
  for (const size_t count : {1, 31, 32, 33, 5003}) {
    const auto values = parquet::reference::random_values(count, 64);
    parquet::test::Encoded bytes;
    for (int byte = 0; byte < 8; ++byte) {
      for (const uint64_t value : values) bytes.push_back(static_cast<uint8_t>(value >> (8 * byte)));
    }
    auto file = number_file(PhysicalType::int64, Encoding::byte_stream_split, count, bytes);
    check_file(device, memory, file.write());
    if (HasFailure()) return;
  }
}

// A second scan finds the columns there, another file of the same name does not.
TEST(DeviceScan, KeepsColumns) {
  REQUIRE_DEVICE();
  Memory memory(1LL << 30);
  Context context(memory, Settings{});
  const std::string path = temporary_path();
  const auto columns = test::columns(memory, 1000, Nulls::some);
  write_file(memory, path, columns, {});
  const auto first = scan(device, context, path);
  EXPECT_EQ(first.device_chunks, static_cast<int64_t>(columns.size()));
  const auto second = scan(device, context, path);
  EXPECT_EQ(second.cached_chunks, static_cast<int64_t>(columns.size()));
  EXPECT_EQ(second.device_chunks, 0);
  EXPECT_EQ(second.columns, first.columns);
  write_file(memory, path, test::columns(memory, 999, Nulls::some), {});
  const auto other = scan(device, context, path);
  EXPECT_EQ(other.cached_chunks, 0);
  EXPECT_EQ(other.columns, decoded_on_host(context, path));
  device.columns->release(INT64_MAX);
  EXPECT_EQ(scan(device, context, path).cached_chunks, 0);
  std::filesystem::remove(path);
}

// What the device refuses the host explains, in its own words.
TEST(DeviceScan, LeavesErrorsToTheHost) {
  REQUIRE_DEVICE();
  Memory memory(1LL << 30);
  Context context(memory, Settings{});
  const auto message = [&](const auto& read) -> std::string {
    try {
      read();
    } catch (const Error& error) {
      return error.message();
    }
    return "no error";
  };
  const auto check_same_error = [&](parquet::test::FileBuilder file) {
    const auto path = file.write();
    const auto expected = message([&] { decoded_on_host(context, path); });
    EXPECT_NE(expected, "no error");
    EXPECT_EQ(message([&] { scan(device, context, path); }), expected);
  };
  const std::vector<int64_t> values(100, 5);
  auto cut = parquet::reference::delta(values);
  cut.resize(4);
  check_same_error(number_file(PhysicalType::int64, Encoding::delta_binary_packed, 100, cut));
  auto short_bytes = parquet::reference::delta_length(std::vector<std::string>(100, "abc"));
  short_bytes.resize(short_bytes.size() - 1);
  check_same_error(number_file(PhysicalType::byte_array, Encoding::delta_length_byte_array, 100, short_bytes));
  const auto negative = parquet::reference::delta(std::vector<int64_t>(100, -1));
  check_same_error(number_file(PhysicalType::byte_array, Encoding::delta_length_byte_array, 100, negative));
  check_same_error(number_file(PhysicalType::int64, Encoding::plain, 100, parquet::test::Encoded(799, 1)));
  check_same_error(number_file(PhysicalType::int64, Encoding::rle_dictionary, 100, {1, 2, 3}));
}

}  // namespace
}  // namespace quern
