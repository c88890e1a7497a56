// Writes small Parquet files byte by byte, right and wrong ones, from the format specification alone.
#pragma once
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

#include "parquet/codec.hpp"
#include "parquet/metadata.hpp"
#include "parquet/reference_encoder.hpp"

namespace quern::parquet::test {

using reference::Encoded;

// Thrift compact protocol.
class ThriftWriter {
 public:
  Encoded bytes;

  void boolean(int id, bool value) { header(id, value ? 1 : 2); }
  void int8(int id, int8_t value) {
    header(id, 3);
    bytes.push_back(static_cast<uint8_t>(value));
  }
  void int32(int id, int64_t value) {
    header(id, 5);
    reference::append_zigzag(bytes, value);
  }
  void int64(int id, int64_t value) {
    header(id, 6);
    reference::append_zigzag(bytes, value);
  }
  void binary(int id, const std::string& value) {
    header(id, 8);
    raw_binary(value);
  }
  void structure(int id, const std::function<void()>& body) {
    header(id, 12);
    nested(body);
  }
  void list(int id, int element, size_t count) {
    header(id, 9);
    if (count < 15) {
      bytes.push_back(static_cast<uint8_t>(count << 4 | static_cast<size_t>(element)));
    } else {
      bytes.push_back(static_cast<uint8_t>(0xF0 | element));
      reference::append_varint(bytes, count);
    }
  }
  // A struct that is a list element, or the outermost one.
  void nested(const std::function<void()>& body) {
    int outer = last_;
    last_ = 0;
    body();
    bytes.push_back(0);
    last_ = outer;
  }
  void raw_binary(const std::string& value) {
    reference::append_varint(bytes, value.size());
    bytes.insert(bytes.end(), value.begin(), value.end());
  }
  void raw_int(int64_t value) { reference::append_zigzag(bytes, value); }

 private:
  void header(int id, int type) {
    int delta = id - last_;
    if (delta > 0 && delta < 16) {
      bytes.push_back(static_cast<uint8_t>(delta << 4 | type));
    } else {
      bytes.push_back(static_cast<uint8_t>(type));
      reference::append_zigzag(bytes, id);
    }
    last_ = id;
  }
  int last_ = 0;
};

struct BuiltNode {
  std::string name;
  std::optional<PhysicalType> type;
  Repetition repetition = Repetition::required;
  int children = 0;
  int converted = -1;
  int type_length = 0;
  std::function<void(ThriftWriter&)> logical;  // members of the LogicalType union
  int precision = 0, scale = 0;
};

inline BuiltNode leaf(std::string name, PhysicalType type, Repetition repetition = Repetition::required,
                      int converted = -1) {
  BuiltNode node{std::move(name), type, repetition};
  node.converted = converted;
  return node;
}
inline BuiltNode group(std::string name, int children, Repetition repetition = Repetition::required,
                       int converted = -1) {
  BuiltNode node{std::move(name), std::nullopt, repetition, children};
  node.converted = converted;
  return node;
}

// Levels as RLE runs of what they are.
inline Encoded runs(const std::vector<uint8_t>& levels, int max_level) {
  Encoded out;
  int width = 0;
  while ((1 << width) <= max_level) ++width;
  for (size_t i = 0; i < levels.size();) {
    size_t end = i;
    while (end < levels.size() && levels[end] == levels[i]) ++end;
    reference::append_repeated(out, width, end - i, levels[i]);
    i = end;
  }
  return out;
}

template <typename T>
Encoded plain(const std::vector<T>& values) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
  return {bytes, bytes + values.size() * sizeof(T)};
}
inline Encoded plain_strings(const std::vector<std::string>& values) {
  Encoded out;
  for (const std::string& value : values) {
    auto length = static_cast<uint32_t>(value.size());
    const auto* bytes = reinterpret_cast<const uint8_t*>(&length);
    out.insert(out.end(), bytes, bytes + 4);
    out.insert(out.end(), value.begin(), value.end());
  }
  return out;
}

struct BuiltPage {
  int entries = 0;
  Encoded repetition, definition;  // encoded; left out where the maximum is 0
  Encoded values;
  Encoding encoding = Encoding::plain;
  bool v2 = false;
  int rows = 0, nulls = 0;  // v2
  bool dictionary = false;
  int64_t first_row = -1;  // with it, the chunk gets an offset index
};

struct BuiltChunk {
  std::vector<std::string> path;
  PhysicalType type = PhysicalType::int32;
  int64_t entries = 0;
  std::vector<BuiltPage> pages;
  std::function<void(ThriftWriter&)> statistics;    // fields of Statistics
  std::function<void(ThriftWriter&)> column_index;  // fields of ColumnIndex
  bool has_repetition = false, has_definition = false;
  Encoded bloom;                      // header and bits
  Codec codec = Codec::uncompressed;  // of pages of version 1
};

// A file in the temporary folder, removed with the builder.
class FileBuilder {
 public:
  std::vector<BuiltNode> nodes;  // without the root
  int root_children = 1;
  struct Group {
    int64_t rows;
    std::vector<BuiltChunk> chunks;
  };
  std::vector<Group> groups;
  bool has_column_orders = true;
  std::string path;

  ~FileBuilder() {
    if (!path.empty()) std::filesystem::remove(path);
  }

  const std::string& write() {
    static int counter = 0;
    path = std::filesystem::temp_directory_path() /
           ("quern_built_" + std::to_string(::getpid()) + "_" + std::to_string(counter++) + ".parquet");
    Encoded file = bytes();
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
    return path;
  }

  Encoded bytes() {
    Encoded file;
    append_magic(file);
    ThriftWriter footer;
    int64_t rows = 0;
    for (const Group& group : groups) rows += group.rows;
    // Pages first: the footer needs their places.
    struct Place {
      int64_t data = 0, dictionary = 0, size = 0, index = 0, index_size = 0, column_index = 0, column_index_size = 0,
              bloom = 0;
    };
    std::vector<std::vector<Place>> places;
    for (Group& group : groups) {
      places.emplace_back();
      for (BuiltChunk& chunk : group.chunks) {
        Place place;
        auto start = static_cast<int64_t>(file.size());
        ThriftWriter index;
        std::vector<std::array<int64_t, 3>> locations;
        for (const BuiltPage& page : chunk.pages) {
          auto at = static_cast<int64_t>(file.size());
          if (page.dictionary && place.dictionary == 0 && place.data == 0) place.dictionary = at;
          if (!page.dictionary && place.data == 0) place.data = at;
          append_page(file, page, chunk);
          if (page.first_row >= 0) locations.push_back({at, static_cast<int64_t>(file.size()) - at, page.first_row});
        }
        place.size = static_cast<int64_t>(file.size()) - start;
        if (!locations.empty()) {
          index.nested([&] {
            index.list(1, 12, locations.size());
            for (const auto& location : locations) {
              index.nested([&] {
                index.int64(1, location[0]);
                index.int32(2, location[1]);
                index.int64(3, location[2]);
              });
            }
          });
          place.index = static_cast<int64_t>(file.size());
          place.index_size = static_cast<int64_t>(index.bytes.size());
          reference::append(file, index.bytes);
        }
        if (chunk.column_index) {
          ThriftWriter column_index;
          column_index.nested([&] { chunk.column_index(column_index); });
          place.column_index = static_cast<int64_t>(file.size());
          place.column_index_size = static_cast<int64_t>(column_index.bytes.size());
          reference::append(file, column_index.bytes);
        }
        if (!chunk.bloom.empty()) {
          place.bloom = static_cast<int64_t>(file.size());
          reference::append(file, chunk.bloom);
        }
        places.back().push_back(place);
      }
    }
    footer.nested([&] {
      footer.int32(1, 2);
      footer.list(2, 12, nodes.size() + 1);
      footer.nested([&] {
        footer.binary(4, "root");
        footer.int32(5, root_children);
      });
      size_t leaves = 0;
      for (const BuiltNode& node : nodes) {
        leaves += node.type.has_value();
        footer.nested([&] {
          if (node.type) footer.int32(1, static_cast<int>(*node.type));
          if (node.type_length != 0) footer.int32(2, node.type_length);
          footer.int32(3, static_cast<int>(node.repetition));
          footer.binary(4, node.name);
          if (!node.type) footer.int32(5, node.children);
          if (node.converted >= 0) footer.int32(6, node.converted);
          if (node.precision > 0) {
            footer.int32(7, node.scale);
            footer.int32(8, node.precision);
          }
          if (node.logical) footer.structure(10, [&] { node.logical(footer); });
        });
      }
      footer.int64(3, rows);
      footer.list(4, 12, groups.size());
      for (size_t g = 0; g < groups.size(); ++g) {
        footer.nested([&] {
          footer.list(1, 12, groups[g].chunks.size());
          for (size_t c = 0; c < groups[g].chunks.size(); ++c) {
            const BuiltChunk& chunk = groups[g].chunks[c];
            const Place& place = places[g][c];
            footer.nested([&] {
              footer.int64(2, 0);
              footer.structure(3, [&] {
                footer.int32(1, static_cast<int>(chunk.type));
                footer.list(2, 5, 0);
                footer.list(3, 8, chunk.path.size());
                for (const std::string& part : chunk.path) footer.raw_binary(part);
                footer.int32(4, static_cast<int>(chunk.codec));
                footer.int64(5, chunk.entries);
                footer.int64(6, place.size);
                footer.int64(7, place.size);
                footer.int64(9, place.data);
                if (place.dictionary > 0) footer.int64(11, place.dictionary);
                if (chunk.statistics) footer.structure(12, [&] { chunk.statistics(footer); });
                if (place.bloom > 0) footer.int64(14, place.bloom);
              });
              if (place.index > 0) {
                footer.int64(4, place.index);
                footer.int32(5, place.index_size);
              }
              if (place.column_index > 0) {
                footer.int64(6, place.column_index);
                footer.int32(7, place.column_index_size);
              }
            });
          }
          footer.int64(2, 0);
          footer.int64(3, groups[g].rows);
        });
      }
      if (has_column_orders) {
        footer.list(7, 12, leaves);
        for (size_t i = 0; i < leaves; ++i) footer.nested([&] { footer.structure(1, [] {}); });
      }
    });
    reference::append(file, footer.bytes);
    auto length = static_cast<uint32_t>(footer.bytes.size());
    const auto* length_bytes = reinterpret_cast<const uint8_t*>(&length);
    file.insert(file.end(), length_bytes, length_bytes + 4);
    append_magic(file);
    return file;
  }

 private:
  static void append_magic(Encoded& out) {
    for (char letter : {'P', 'A', 'R', '1'}) out.push_back(static_cast<uint8_t>(letter));
  }

  static void append_prefixed(Encoded& out, const Encoded& section) {
    auto length = static_cast<uint32_t>(section.size());
    const auto* bytes = reinterpret_cast<const uint8_t*>(&length);
    out.insert(out.end(), bytes, bytes + 4);
    reference::append(out, section);
  }

  static void append_page(Encoded& file, const BuiltPage& page, const BuiltChunk& chunk) {
    Encoded body;
    if (!page.dictionary && page.v2) {
      reference::append(body, page.repetition);
      reference::append(body, page.definition);
    } else if (!page.dictionary) {
      if (chunk.has_repetition) append_prefixed(body, page.repetition);
      if (chunk.has_definition) append_prefixed(body, page.definition);
    }
    reference::append(body, page.values);
    const size_t whole = body.size();
    if (chunk.codec != Codec::uncompressed) {
      Encoded packed(compressed_bound(chunk.codec, whole));
      packed.resize(compress(chunk.codec, {}, body, packed));
      body = std::move(packed);
    }
    ThriftWriter header;
    header.nested([&] {
      header.int32(1, page.dictionary ? 2 : page.v2 ? 3 : 0);
      header.int32(2, static_cast<int64_t>(whole));
      header.int32(3, static_cast<int64_t>(body.size()));
      header.structure(page.dictionary ? 7
                       : page.v2       ? 8
                                       : 5,
                       [&] {
                         header.int32(1, page.entries);
                         if (page.v2 && !page.dictionary) {
                           header.int32(2, page.nulls);
                           header.int32(3, page.rows);
                           header.int32(4, static_cast<int>(page.encoding));
                           header.int32(5, static_cast<int64_t>(page.definition.size()));
                           header.int32(6, static_cast<int64_t>(page.repetition.size()));
                         } else {
                           header.int32(2, static_cast<int>(page.encoding));
                           if (!page.dictionary) {
                             header.int32(3, 3);
                             header.int32(4, 3);
                           }
                         }
                       });
    });
    reference::append(file, header.bytes);
    reference::append(file, body);
  }
};

// One INT32 column "x" of required values.
inline FileBuilder int_file(const std::vector<std::vector<int32_t>>& pages, bool with_index = false) {
  FileBuilder builder;
  builder.nodes = {leaf("x", PhysicalType::int32)};
  BuiltChunk chunk;
  chunk.path = {"x"};
  for (const auto& values : pages) {
    BuiltPage page;
    page.entries = static_cast<int>(values.size());
    page.values = plain(values);
    if (with_index) page.first_row = chunk.entries;
    chunk.pages.push_back(page);
    chunk.entries += page.entries;
  }
  builder.groups.push_back({chunk.entries, {chunk}});
  return builder;
}

}  // namespace quern::parquet::test
