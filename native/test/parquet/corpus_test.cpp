// Decodes every file of a conformance corpus (folder in QUERN_CORPUS, with *_expected.jsonl) and compares leaf
// checksums; damaged files must give errors. QUERN_CORPUS_FILE limits the run to files whose path contains it.
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>

#include "parquet/leaf_digest.hpp"
#include "parquet/scan.hpp"

namespace quern::parquet::test {
namespace {

using nlohmann::json;

struct Entry {
  std::string path, name;
  json object;
};

std::vector<Entry> entries(const std::vector<std::string>& classes) {
  std::vector<Entry> found;
  const char* corpus = std::getenv("QUERN_CORPUS");
  if (corpus == nullptr) return found;
  const char* only = std::getenv("QUERN_CORPUS_FILE");
  for (const auto& item : std::filesystem::directory_iterator(corpus)) {
    std::string name = item.path().filename();
    if (!name.ends_with("_expected.jsonl")) continue;
    std::ifstream lines(item.path());
    for (std::string line; std::getline(lines, line);) {
      json object = json::parse(line);
      std::string file = object["file"];
      if (std::find(classes.begin(), classes.end(), object["expect"]) == classes.end()) continue;
      if (only != nullptr && file.find(only) == std::string::npos) continue;
      found.push_back({std::string(corpus) + "/" + file, file, std::move(object)});
    }
  }
  return found;
}

std::vector<int64_t> iota(int64_t start, int64_t count) {
  std::vector<int64_t> rows(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) rows[static_cast<size_t>(i)] = start + i;
  return rows;
}

// The whole file. `formats`: expectation formats by path.
struct Decoded {
  int64_t rows = 0;
  Digest digest;
};

Decoded decode(Context& context, const std::string& path, const std::map<std::string, std::string>& formats,
               int64_t piece) {
  Decoded decoded;
  decoded.digest.formats = formats;
  FilePtr file = open(context.memory(), path);
  decoded.rows = row_count(*file);
  std::vector<FieldInfo> columns = fields(*file, {});
  for (int32_t field = 0; field < static_cast<int32_t>(columns.size()); ++field) {
    // Without row groups an unsupported column would go unnoticed.
    if (!columns[field].type) make_field_reader(context, file, 0, field, {});
    for (int32_t group = 0; group < row_group_count(*file); ++group) {
      auto reader = make_field_reader(context, file, group, field, {});
      int64_t rows = row_group_rows(*file, group);
      int64_t each = piece == 0 ? std::max<int64_t>(rows, 1) : piece;
      for (int64_t at = 0; at < rows || (at == 0 && rows == 0);) {
        ColumnPtr column = reader->read(each);
        if (column->length != std::min(each, rows - at)) throw internal_error("read gave another number of rows");
        decoded.digest.add_all(columns[field].name, *column);
        at += std::max<int64_t>(column->length, 1);
      }
    }
  }
  return decoded;
}

// Reads and skips stretches of random length, and compares with the same rows of one whole read.
void check_skips(Context& context, const std::string& path, uint32_t seed) {
  FilePtr file = open(context.memory(), path);
  std::vector<FieldInfo> columns = fields(*file, {});
  std::mt19937 random(seed);
  for (int32_t field = 0; field < static_cast<int32_t>(columns.size()); ++field) {
    for (int32_t group = 0; group < row_group_count(*file); ++group) {
      int64_t rows = row_group_rows(*file, group);
      if (rows == 0) continue;
      ColumnPtr whole = read_field(context, *file, group, field, {}, nullptr);
      auto reader = make_field_reader(context, file, group, field, {});
      Digest expected, actual;
      int64_t longest = std::max<int64_t>(1, rows / (1 + random() % 8));
      for (int64_t at = 0; at < rows;) {
        int64_t count = std::min<int64_t>(rows - at, 1 + random() % longest);
        if (random() % 2 == 0) {
          reader->skip(count);
        } else {
          ColumnPtr column = reader->read(count);
          ASSERT_EQ(column->length, count);
          actual.add_all("", *column);
          expected.add("", *whole, iota(at, count));
        }
        at += count;
      }
      EXPECT_TRUE(expected == actual) << path << " column " << columns[field].name << " row group " << group << " seed "
                                      << seed;
    }
  }
}

std::map<std::string, std::string> formats_of(const json& object) {
  std::map<std::string, std::string> formats;
  if (object.contains("leaf") && object["leaf"].is_array()) {
    for (const json& leaf : object["leaf"]) {
      if (leaf.contains("fmt")) formats[leaf["path"]] = leaf["fmt"];
    }
  }
  return formats;
}

std::string hex(uint32_t value) {
  char text[9];
  std::snprintf(text, sizeof text, "%08x", value);
  return text;
}

// A group that is read as one value, a VARIANT, has no columns of its own.
bool is_inside_variant(const Digest& digest, std::string path) {
  while (path.find_last_of(".[") != std::string::npos) {
    path.resize(path.find_last_of(".["));
    auto above = digest.nodes.find(path);
    if (above != digest.nodes.end()) return above->second.type->tag == TypeTag::variant;
  }
  return false;
}

std::string compare(const json& object, const Decoded& decoded) {
  if (object.contains("rows") && object["rows"] != decoded.rows) {
    return "rows " + std::to_string(decoded.rows) + ", expected " + object["rows"].dump();
  }
  if (!object.contains("leaf") || !object["leaf"].is_array()) return "";
  std::map<std::string, int> named;
  for (const json& leaf : object["leaf"]) ++named[leaf["path"]];
  for (const json& leaf : object["leaf"]) {
    std::string path = leaf["path"];
    // Nothing is decoded of a file without row groups; columns of one name cannot be told apart here.
    if (decoded.digest.nodes.empty() || named[path] > 1) continue;
    auto found = decoded.digest.nodes.find(path);
    if (found == decoded.digest.nodes.end() && is_inside_variant(decoded.digest, path)) continue;
    if (found == decoded.digest.nodes.end()) return "no column " + path;
    const NodeDigest& node = found->second;
    if (leaf.contains("lists")) {
      if (!node.is_list) return path + " is no list";
      if (leaf["lists"] != node.lists || leaf["null"] != node.nulls || leaf["empty"] != node.empty ||
          leaf["sum"] != node.sum) {
        return path + ": lists " + std::to_string(node.lists) + " null " + std::to_string(node.nulls) + " empty " +
               std::to_string(node.empty) + " sum " + std::to_string(node.sum) + ", expected " + leaf.dump();
      }
      if (leaf["lens_crc32"] != hex(node.crc)) return path + ": other list lengths";
      continue;
    }
    if (leaf["entries"] != node.entries || leaf["nonnull"] != node.nonnull) {
      return path + ": entries " + std::to_string(node.entries) + " nonnull " + std::to_string(node.nonnull) +
             ", expected " + leaf.dump();
    }
    std::string format = leaf["fmt"];
    // Values that the SQL type holds in another unit or form.
    bool lossy = node.type->tag == TypeTag::geometry || node.type->tag == TypeTag::variant ||
                 (format == "int64 LE ns" && node.type->unit != TimeUnit::ns) ||
                 (format == "int256 LE unscaled" && node.type->kind == TypeKind::float64);
    if (!lossy && leaf["crc32"] != hex(node.crc))
      return path + " (" + type_name(*node.type) + ", " + format + "): other values";
  }
  return "";
}

constexpr int64_t limit = 2LL << 30;

// Of the processor: other work on the machine must not fail a test.
double seconds_since(std::clock_t start) { return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC; }

TEST(Corpus, MatchingFilesDecode) {
  auto files = entries({"match"});
  if (files.empty()) GTEST_SKIP() << "QUERN_CORPUS names no corpus";
  for (const Entry& entry : files) {
    std::clock_t start = std::clock();
    Memory memory(limit);
    Context context(memory, {});
    try {
      auto formats = formats_of(entry.object);
      Decoded whole = decode(context, entry.path, formats, 0);
      std::string difference = compare(entry.object, whole);
      EXPECT_EQ(difference, "") << entry.name;
      Decoded pieces = decode(context, entry.path, formats, 7);
      EXPECT_TRUE(whole.digest == pieces.digest) << entry.name << " read by 7 rows";
      for (uint32_t seed = 1; seed <= 3; ++seed) check_skips(context, entry.path, seed);
    } catch (const std::exception& error) {
      ADD_FAILURE() << entry.name << ": " << error.what();
    }
    EXPECT_LT(seconds_since(start), 10) << entry.name;
    EXPECT_EQ(memory.used(), 0) << entry.name;
  }
}

TEST(Corpus, OptionalFilesDecodeOrFailClearly) {
  auto files = entries({"error_or_match", "no_crash"});
  if (files.empty()) GTEST_SKIP() << "QUERN_CORPUS names no corpus";
  for (const Entry& entry : files) {
    Memory memory(limit);
    Context context(memory, {});
    try {
      Decoded whole = decode(context, entry.path, formats_of(entry.object), 0);
      if (entry.object["expect"] == "error_or_match") {
        EXPECT_EQ(compare(entry.object, whole), "") << entry.name;
      }
    } catch (const Error& error) {
      EXPECT_NE(error.code(), ErrorCode::internal) << entry.name << ": " << error.what();
      std::printf("  %s: %s\n", entry.name.c_str(), error.what());
    }
    EXPECT_EQ(memory.used(), 0) << entry.name;
  }
}

TEST(Corpus, DamagedFilesFail) {
  auto files = entries({"error"});
  if (files.empty()) GTEST_SKIP() << "QUERN_CORPUS names no corpus";
  for (const Entry& entry : files) {
    for (int64_t piece : {0, 7}) {
      std::clock_t start = std::clock();
      Memory memory(limit);
      Context context(memory, {});
      try {
        decode(context, entry.path, {}, piece);
        ADD_FAILURE() << entry.name << " was read";
      } catch (const Error& error) {
        EXPECT_NE(error.code(), ErrorCode::internal) << entry.name << ": " << error.what();
        EXPECT_NE(std::string(error.what()).find(std::filesystem::path(entry.name).filename().string()),
                  std::string::npos)
            << error.what();
        if (std::getenv("QUERN_CORPUS_VERBOSE") != nullptr && piece == 0) std::printf("  %s\n", error.what());
      }
      EXPECT_EQ(memory.used(), 0) << entry.name;
      EXPECT_LT(seconds_since(start), 10) << entry.name;
    }
  }
}

// Small files of huge content, read as a scan does: vectors that are dropped at once.
TEST(Corpus, BombsStreamWithinMemory) {
  auto files = entries({"bomb"});
  if (files.empty()) GTEST_SKIP() << "QUERN_CORPUS names no corpus";
  for (const Entry& entry : files) {
    std::clock_t start = std::clock();
    Memory memory(200LL << 20);
    Context context(memory, {});
    try {
      FilePtr file = open(memory, entry.path);
      EXPECT_EQ(entry.object["rows"], row_count(*file)) << entry.name;
      int64_t sum = 0, rows = 0;
      for (int32_t group = 0; group < row_group_count(*file); ++group) {
        auto reader = make_field_reader(context, file, group, 0, {});
        int64_t left = row_group_rows(*file, group);
        int64_t vector =
            fields(*file, {})[0].type->kind == TypeKind::int32 || fields(*file, {})[0].type->kind == TypeKind::int64
                ? 2048
                : 1;
        while (left > 0) {
          ColumnPtr column = reader->read(vector);
          left -= column->length;
          rows += column->length;
          if (column->type->kind == TypeKind::int32 && column->form == Form::constant && column->null_count == 0) {
            sum += column->values<int32_t>()[0] * column->length;
          } else if (column->type->kind == TypeKind::int64 && column->form == Form::constant &&
                     column->null_count == 0) {
            sum += column->values<int64_t>()[0] * column->length;
          }
        }
      }
      EXPECT_EQ(rows, row_count(*file));
      if (entry.object["checks"].contains("sum(x)")) {
        EXPECT_EQ(entry.object["checks"]["sum(x)"], sum) << entry.name;
      }
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::oom) << entry.name << ": " << error.what();
      std::printf("  %s: %s\n", entry.name.c_str(), error.what());
    }
    std::printf("  %s: %.3f s, peak %lld KiB\n", entry.name.c_str(), seconds_since(start),
                static_cast<long long>(memory.peak() >> 10));
    EXPECT_EQ(memory.used(), 0) << entry.name;
  }
}

}  // namespace
}  // namespace quern::parquet::test
