// Random damage to small files: any answer or a clear error, never a crash, an internal error, or memory left behind.
// QUERN_FUZZ_FLIPS sets the number of damaged variants (default 2,000); QUERN_FUZZ_SEED the seed.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <unistd.h>

#include "parquet/leaf_digest.hpp"
#include "parquet/scan.hpp"

namespace quern::parquet::test {
namespace {

constexpr int64_t limit = 256LL << 20;
constexpr uintmax_t largest_seed_file = 16 << 10;

int64_t setting(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoll(text, nullptr, 10);
}

std::vector<std::string> seed_files() {
  std::vector<std::string> found;
  const char* corpus = std::getenv("QUERN_CORPUS");
  if (corpus == nullptr) return found;
  for (const auto& item : std::filesystem::recursive_directory_iterator(std::string(corpus) + "/files")) {
    if (item.is_regular_file() && item.file_size() > 0 && item.file_size() <= largest_seed_file)
      found.push_back(item.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Reads everything in every way; true when no error was met.
bool exercise(const std::string& path, uint32_t seed) {
  Memory memory(limit);
  bool clean = true;
  {
    Context context(memory, {});
    try {
      FilePtr file = open(memory, path);
      auto tolerate = [&](auto action) {
        try {
          action();
        } catch (const Error& error) {
          clean = false;
          EXPECT_NE(error.code(), ErrorCode::internal) << path << ": " << error.what();
        }
      };
      ReadOptions options;
      std::vector<FieldInfo> columns = fields(*file, options);
      int32_t groups = std::min(row_group_count(*file), 3);
      for (int32_t group = 0; group < groups; ++group) {
        for (int32_t field = 0; field < static_cast<int32_t>(std::min<size_t>(columns.size(), 20)); ++field) {
          tolerate([&] {
            auto reader = make_field_reader(context, file, group, field, options);
            std::mt19937 random(seed);
            // A damaged row count may ask for endless constant runs: a bounded number of steps.
            for (int64_t left = row_group_rows(*file, group), step = 0; left > 0 && step < 500; ++step) {
              int64_t count = std::min<int64_t>(left, 1 + random() % 100);
              if (random() % 4 == 0) {
                reader->skip(count);
              } else {
                Digest digest;
                digest.add_all("", *reader->read(count));
              }
              left -= count;
            }
          });
          tolerate([&] { read_field(context, *file, group, field, options, nullptr); });
          tolerate([&] { row_group_bounds(*file, group, field, options); });
          tolerate([&] { page_bounds(context, *file, group, field, options); });
          tolerate([&] {
            auto bounds = row_group_bounds(*file, group, field, options);
            if (bounds && bounds->min) bloom_may_contain(context, *file, group, field, bounds->min);
          });
        }
      }
      tolerate([&] { inspect_json(context, *file, seed % 2 == 0); });
    } catch (const Error& error) {
      clean = false;
      EXPECT_NE(error.code(), ErrorCode::internal) << path << ": " << error.what();
    }
  }
  EXPECT_EQ(memory.used(), 0) << path;
  return clean;
}

TEST(Fuzz, DamagedBytesNeverCrash) {
  std::vector<std::string> files = seed_files();
  if (files.empty()) GTEST_SKIP() << "QUERN_CORPUS names no corpus";
  int64_t flips = setting("QUERN_FUZZ_FLIPS", 2000);
  auto seed = static_cast<uint32_t>(setting("QUERN_FUZZ_SEED", 1));
  std::mt19937 random(seed);
  std::string path = std::filesystem::temp_directory_path() / ("quern_fuzz_" + std::to_string(::getpid()) + ".parquet");
  int64_t survivors = 0;
  for (int64_t flip = 0; flip < flips; ++flip) {
    const std::string& source = files[random() % files.size()];
    std::string bytes = contents(source);
    // Mostly one byte; page headers and footers sit near the ends of small files, so any place will do.
    int damage = random() % 8 == 0 ? 1 + random() % 8 : 1;
    for (int i = 0; i < damage; ++i) {
      size_t at = random() % bytes.size();
      switch (random() % 4) {
        case 0:
          bytes[at] = static_cast<char>(random());
          break;
        case 1:
          bytes[at] = static_cast<char>(bytes[at] ^ (1 << (random() % 8)));
          break;
        case 2:
          bytes[at] = static_cast<char>(random() % 2 == 0 ? 0xFF : 0x7F);
          break;
        default:
          bytes[at] = static_cast<char>(bytes[at] + 1);
          break;
      }
    }
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    survivors += exercise(path, static_cast<uint32_t>(flip));
    if (::testing::Test::HasFailure()) {
      std::filesystem::copy_file(path, path + ".failed", std::filesystem::copy_options::overwrite_existing);
      FAIL() << "flip " << flip << " of " << source << ", kept as " << path << ".failed";
    }
  }
  std::filesystem::remove(path);
  // Both outcomes must occur, or nothing was tested.
  EXPECT_GT(survivors, 0);
  EXPECT_LT(survivors, flips);
}

}  // namespace
}  // namespace quern::parquet::test
