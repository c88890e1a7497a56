// Random tables of any types, nesting and column form are written and read back; bounds hold their values.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <random>

#include "columnar/compare.hpp"
#include "columnar/variant_builder.hpp"
#include "parquet/scan.hpp"
#include "parquet/write.hpp"

namespace quern::parquet::test {
namespace {

using Random = std::mt19937_64;

int64_t below(Random& random, int64_t limit) { return static_cast<int64_t>(random() % static_cast<uint64_t>(limit)); }

TypePtr random_type(Random& random, int depth) {
  if (depth < 3 && below(random, 3) == 0) {
    switch (below(random, 3)) {
      case 0:
        return make_list(random_type(random, depth + 1));
      case 1:
        return make_map(make_type(TypeKind::string), random_type(random, depth + 1));
      default:
        return make_structure({"p", "q"}, {random_type(random, depth + 1), random_type(random, depth + 1)});
    }
  }
  const TypePtr scalars[] = {make_type(TypeKind::boolean),
                             make_type(TypeKind::int8),
                             make_type(TypeKind::int16),
                             make_type(TypeKind::int32),
                             make_type(TypeKind::int64),
                             make_type(TypeKind::uint8),
                             make_type(TypeKind::uint16),
                             make_type(TypeKind::uint32),
                             make_type(TypeKind::uint64),
                             make_type(TypeKind::float16),
                             make_type(TypeKind::bfloat16),
                             make_type(TypeKind::float32),
                             make_type(TypeKind::float64),
                             make_decimal(5, 2),
                             make_decimal(18, 4),
                             make_decimal(21, 0),
                             make_decimal(38, 10),
                             make_type(TypeKind::date),
                             make_time(TimeUnit::us),
                             make_timestamp(TimeUnit::us, false),
                             make_timestamp(TimeUnit::us, true),
                             make_timestamp(TimeUnit::ns, false),
                             make_type(TypeKind::interval),
                             make_type(TypeKind::string),
                             make_type(TypeKind::binary),
                             make_tagged(TypeTag::variant),
                             make_type(TypeKind::uuid)};
  return scalars[below(random, static_cast<int64_t>(std::size(scalars)))];
}

int128_t decimal_limit(int precision) {
  int128_t limit = 1;
  for (int i = 0; i < precision; ++i) limit *= 10;
  return limit;
}

class Maker {
 public:
  Maker(Memory& memory, Random& random, int64_t distinct) : memory_(memory), random_(random), distinct_(distinct) {}

  ColumnPtr column(const TypePtr& type, int64_t rows, bool nullable = true) {
    const bool is_structure = type->kind == TypeKind::structure;
    if (rows > 0 && below(random_, 8) == 0) return make_constant(flat(type, 1, nullable), 0, rows);
    if (rows > 0 && !is_structure && below(random_, 4) == 0) return dictionary(type, rows, nullable);
    return flat(type, rows, nullable);
  }

 private:
  ColumnPtr dictionary(const TypePtr& type, int64_t rows, bool nullable) {
    const int64_t entries = 1 + below(random_, 5);
    ColumnPtr values = flat(type, entries, false);
    auto out = std::make_shared<Column>();
    auto codes = memory_.allocate(static_cast<size_t>(rows) * 4);
    for (int64_t i = 0; i < rows; ++i) codes->as<uint32_t>()[i] = static_cast<uint32_t>(below(random_, entries));
    out->type = type;
    out->form = Form::dictionary;
    out->length = rows;
    out->data = codes->data();
    out->children = {values};
    out->owners.push_back(codes);
    if (nullable) nulls(*out);
    return out;
  }

  void nulls(Column& column) {
    const int64_t share = below(random_, 4);
    if (share == 0) return;
    auto words = memory_.allocate(static_cast<size_t>(validity_words(column.length)) * 8);
    std::memset(words->data(), 0xff, words->size());
    for (int64_t i = 0; i < column.length; ++i) {
      if (below(random_, share * 2) == 0) {
        clear_bit(words->as<uint64_t>(), i);
        ++column.null_count;
      }
    }
    if (column.null_count > 0) column.validity = words->as<const uint64_t>();
    column.owners.push_back(words);
  }

  ColumnPtr flat(const TypePtr& type, int64_t rows, bool nullable) {
    ColumnBuilder builder(memory_, type, rows, true);
    std::vector<bool> null(static_cast<size_t>(rows), false);
    const int64_t share = nullable ? below(random_, 4) : 0;
    for (int64_t i = 0; i < rows; ++i) {
      if (share > 0 && below(random_, share * 2) == 0) {
        builder.set_null(i);
        null[static_cast<size_t>(i)] = true;
      }
    }
    StringHeap heap(memory_);
    int64_t elements = 0;
    for (int64_t i = 0; i < rows; ++i) {
      if (!null[static_cast<size_t>(i)]) value(*type, builder, i, heap, elements);
    }
    builder.keep(heap.owners());
    if (type->kind == TypeKind::list) builder.add_child(column(type->children[0], elements));
    if (type->kind == TypeKind::map) {
      ColumnBuilder entries(memory_, map_entry_type(*type), elements);
      entries.add_child(column(type->children[0], elements, false));
      entries.add_child(column(type->children[1], elements));
      builder.add_child(entries.finish());
    }
    if (type->kind == TypeKind::structure) {
      for (const TypePtr& field : type->children) builder.add_child(column(field, rows));
    }
    return builder.finish();
  }

  int64_t number() {
    return distinct_ > 0 ? below(random_, distinct_) - distinct_ / 2 : static_cast<int64_t>(random_());
  }

  // The text, or an object that holds it in an array.
  std::string variant(const std::string& text) {
    ColumnBuilder column(memory_, make_type(TypeKind::string), 1, true);
    column.data<StringView>()[0] = make_string_view(text.data(), static_cast<uint32_t>(text.size()));
    const ColumnPtr leaf = column.finish();
    VariantBuilder builder;
    builder.start();
    if (below(random_, 2) == 0) {
      builder.leaf(*leaf, 0);
    } else {
      VariantBuilder::Open object = builder.open();
      for (const char* name : {"a", "b"}) {
        builder.name(object, name);
        VariantBuilder::Open array = builder.open();
        for (int64_t i = below(random_, 3); i > 0; --i) {
          i == 2 ? builder.null() : builder.leaf(*leaf, 0);
          builder.part(array);
        }
        builder.close_array(array);
        builder.part(object);
      }
      builder.close_object(object);
    }
    std::string row;
    builder.take(row);
    return row;
  }

  void value(const DataType& type, ColumnBuilder& builder, int64_t row, StringHeap& heap, int64_t& elements) {
    switch (physical(type)) {
      case Physical::boolean:
        builder.data<uint8_t>()[row] = static_cast<uint8_t>(number() & 1);
        break;
      case Physical::int8:
      case Physical::uint8:
        builder.data<uint8_t>()[row] = static_cast<uint8_t>(number());
        break;
      case Physical::int16:
      case Physical::uint16:
      case Physical::half:
        builder.data<uint16_t>()[row] = static_cast<uint16_t>(number());
        break;
      case Physical::int32:
      case Physical::uint32:
        builder.data<uint32_t>()[row] = static_cast<uint32_t>(number());
        break;
      case Physical::uint64:
        builder.data<uint64_t>()[row] = static_cast<uint64_t>(number());
        break;
      case Physical::float32:
        builder.data<float>()[row] = below(random_, 50) == 0 ? NAN : static_cast<float>(number()) / 3;
        break;
      case Physical::float64:
        builder.data<double>()[row] = below(random_, 50) == 0 ? -0.0 : static_cast<double>(number()) / 3;
        break;
      case Physical::int64: {
        const int64_t limit = type.kind == TypeKind::decimal ? static_cast<int64_t>(decimal_limit(type.precision))
                              : type.kind == TypeKind::time  ? 86400000000
                                                             : 0;
        builder.data<int64_t>()[row] = limit == 0                    ? number()
                                       : type.kind == TypeKind::time ? std::abs(number() % limit)
                                                                     : number() % limit;
        break;
      }
      case Physical::int128:
        builder.data<int128_t>()[row] =
            type.kind == TypeKind::uuid
                ? (static_cast<int128_t>(number()) << 64 | number())
                : number() * static_cast<int128_t>(number() % 1000) % decimal_limit(type.precision);
        break;
      case Physical::interval:
        builder.data<Interval>()[row] = {static_cast<int32_t>(below(random_, 100)),
                                         static_cast<int32_t>(below(random_, 100)), below(random_, 1000) * 1000};
        break;
      case Physical::string: {
        const std::string text =
            std::string(static_cast<size_t>(below(random_, 90)), static_cast<char>('a' + below(random_, 26))) +
            std::to_string(number());
        const std::string value = type.tag == TypeTag::variant ? variant(text) : text;
        builder.data<StringView>()[row] = heap.append(value.data(), value.size());
        break;
      }
      case Physical::list: {
        const int64_t length = below(random_, 4);
        builder.data<ListEntry>()[row] = {elements, length};
        elements += length;
        // Some elements that no row refers to.
        if (below(random_, 10) == 0) ++elements;
        break;
      }
      default:
        break;
    }
  }

  Memory& memory_;
  Random& random_;
  int64_t distinct_;
};

struct Table {
  std::vector<WriteField> fields;
  std::vector<Batch> batches;
  int64_t rows = 0;
};

// The rows of each batch are one shred; groups of up to three shreds.
void write(Memory& memory, const Table& table, const std::string& path, const WriteOptions& options) {
  FileWriter writer(path, make_write_schema(table.fields));
  for (size_t start = 0; start < table.batches.size(); start += 3) {
    std::vector<Shred> shreds;
    EncodedGroup group;
    for (size_t i = start; i < std::min(start + 3, table.batches.size()); ++i) {
      shreds.push_back(shred(memory, writer.schema(), table.batches[i]));
      group.rows += table.batches[i].rows;
    }
    for (size_t leaf = 0; leaf < writer.schema().leaves.size(); ++leaf) {
      std::vector<const LeafPiece*> pieces;
      for (const Shred& part : shreds) pieces.push_back(&part.leaves[leaf]);
      group.chunks.push_back(encode_chunk(memory, writer.schema().leaves[leaf], pieces, options));
    }
    writer.append(std::move(group));
  }
  writer.finish();
}

bool within(const Bounds& bounds, const Column& column, int64_t row) {
  return (!bounds.min || compare_values(*bounds.min, 0, column, row) <= 0) &&
         (!bounds.max || compare_values(*bounds.max, 0, column, row) >= 0);
}

void check_bounds(Context& context, const File& file, int32_t group, int32_t field, const ReadOptions& options,
                  const Column& column) {
  if (const auto bounds = row_group_bounds(file, group, field, options)) {
    int64_t nulls = 0;
    const bool constant = column.form == Form::constant;
    for (int64_t row = 0; row < column.length; ++row) {
      const bool valid = column.is_valid(constant ? 0 : row);
      nulls += !valid;
      ASSERT_TRUE(!valid || within(*bounds, column, row)) << "group " << group << " row " << row;
    }
    ASSERT_EQ(bounds->null_count.value_or(-1), nulls);
  }
  for (const PageBounds& page : page_bounds(context, file, group, field, options)) {
    for (int64_t row = page.rows.start; row < page.rows.end; ++row) {
      const bool valid = column.is_valid(column.form == Form::constant ? 0 : row);
      ASSERT_TRUE(!valid || (!page.all_null && within(page.bounds, column, row))) << "page, row " << row;
    }
  }
}

void check(Memory& memory, const Table& table, const std::string& path) {
  Context context(memory, {});
  const FilePtr file = open(memory, path);
  ASSERT_EQ(row_count(*file), table.rows);
  ReadOptions options;
  for (const WriteField& field : table.fields) options.bfloat16.push_back(field.name);
  size_t batch = 0;
  for (int32_t group = 0; group < row_group_count(*file); ++group) {
    const size_t end = std::min(batch + 3, table.batches.size());
    for (size_t field = 0; field < table.fields.size(); ++field) {
      // Only columns that hold 16-bit values may be named so.
      ReadOptions own;
      if (type_name(*table.fields[field].type).find("BFLOAT16") != std::string::npos)
        own.bfloat16 = {table.fields[field].name};
      const auto index = static_cast<int32_t>(field);
      const ColumnPtr column = read_field(context, *file, group, index, own, nullptr);
      ASSERT_EQ(type_name(*column->type), type_name(*table.fields[field].type));
      int64_t at = 0;
      for (size_t i = batch; i < end; ++i) {
        const Column& wanted = *table.batches[i].columns[field];
        for (int64_t row = 0; row < wanted.length; ++row, ++at) {
          ASSERT_EQ(compare_values(*column, at, wanted, row), 0) << type_name(*column->type) << " row " << at;
        }
      }
      ASSERT_EQ(at, column->length);
      check_bounds(context, *file, group, index, own, *column);
    }
    batch = end;
  }
  ASSERT_EQ(batch, table.batches.size());
}

TEST(Write, RandomTablesComeBackEqual) {
  const std::string path =
      std::filesystem::temp_directory_path() / ("quern_write_" + std::to_string(::getpid()) + ".parquet");
  const Codec codecs[] = {Codec::uncompressed, Codec::snappy, Codec::gzip, Codec::zstd, Codec::lz4_raw};
  for (uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    Memory memory(1 << 28);
    Table table;
    const int64_t columns = 1 + below(random, 4), batches = below(random, 6);
    for (int64_t i = 0; i < columns; ++i) {
      TypePtr type = random_type(random, 0);
      // The option that makes 16 bits bfloat16 holds for a whole column: no float16 beside them.
      if (type_name(*type).find("BFLOAT16") != std::string::npos) type = make_type(TypeKind::bfloat16);
      table.fields.push_back({"c" + std::to_string(i), type});
    }
    Maker maker(memory, random, below(random, 2) * 20);
    for (int64_t i = 0; i < batches; ++i) {
      Batch batch;
      batch.rows = 1 + below(random, 200);
      for (const WriteField& field : table.fields) batch.columns.push_back(maker.column(field.type, batch.rows));
      table.rows += batch.rows;
      table.batches.push_back(std::move(batch));
    }
    WriteOptions options;
    options.codec = codecs[below(random, 5)];
    options.page_rows = 1 + below(random, 100);
    options.page_bytes = 1 + below(random, 1000);
    write(memory, table, path, options);
    check(memory, table, path);
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
  std::filesystem::remove(path);
}

TEST(Write, NothingStaysWithoutFinish) {
  const std::string folder =
      std::filesystem::temp_directory_path() / ("quern_unfinished_" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  {
    FileWriter writer(folder + "/x.parquet", make_write_schema({{"a", make_type(TypeKind::int32)}}));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove(folder);
}

TEST(Write, BoundsOfLongTextAreCutSafely) {
  WriteLeaf leaf;
  leaf.order = BoundOrder::bytes;
  leaf.is_text = true;
  const auto plain = [](const std::string& text) {
    const auto length = static_cast<uint32_t>(text.size());
    return std::string(reinterpret_cast<const char*>(&length), 4) + text;
  };
  const auto bounds_of = [&](const std::string& text) {
    WriteBounds bounds(leaf);
    const std::string value = plain(text);
    bounds.add(reinterpret_cast<const uint8_t*>(value.data()), 1, static_cast<int64_t>(value.size()));
    return bounds;
  };
  const std::string same(70, 'a');
  EXPECT_EQ(bounds_of(same).min().value, std::string(64, 'a'));
  EXPECT_EQ(bounds_of(same).max().value, std::string(63, 'a') + "b");
  EXPECT_FALSE(bounds_of(same).max().exact);
  // The 64th byte is inside a character of two bytes.
  const std::string split = std::string(63, 'a') + "ü" + std::string(9, 'a');
  EXPECT_EQ(bounds_of(split).min().value, std::string(63, 'a'));
  EXPECT_EQ(bounds_of(split).max().value, std::string(62, 'a') + "b");
  // Nothing can be raised: the whole value is the bound.
  std::string high;
  for (int i = 0; i < 40; ++i) high += "ü";
  EXPECT_EQ(bounds_of(high).max().value, high);
  EXPECT_TRUE(bounds_of(high).max().exact);
}

}  // namespace
}  // namespace quern::parquet::test
