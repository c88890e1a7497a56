#include "arrow/source.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>

#include "common/error.hpp"
#include "render.hpp"

namespace quern::arrow {
namespace {

namespace fs = std::filesystem;

const fs::path fixtures = fs::path(__FILE__).parent_path() / "../../../test/fixtures/arrow";

std::string read_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

void write_bytes(const fs::path& path, const std::string& bytes) {
  // A new file each time: some file systems write an overwritten one through to the disk.
  if (fs::is_regular_file(path)) fs::remove(path);
  std::ofstream(path, std::ios::binary) << bytes;
}

// Everything an open file holds, as the .expected files write it.
std::string render_all(Context& context, const File& file) {
  std::string out;
  const std::vector<FieldInfo> infos = fields(file);
  for (size_t field = 0; field < infos.size(); ++field) {
    const FieldInfo& info = infos[field];
    if (!info.type) {
      out += info.name + " unsupported: " + info.reason + "\n";
      continue;
    }
    out += info.name + " " + type_name(*info.type) + "\n";
    for (int32_t batch = 0; batch < batch_count(file); ++batch) {
      const ColumnPtr column = read_field(context, file, batch, static_cast<int32_t>(field));
      EXPECT_EQ(column->length, batch_rows(file, batch)) << info.name;
      EXPECT_TRUE(same_type(*column->type, *info.type)) << info.name << ": " << type_name(*column->type);
      EXPECT_EQ(broken_invariant(*column), "") << info.name;
      for (int64_t row = 0; row < column->length; ++row) out += render(*column, row) + "\n";
    }
  }
  return out;
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const fs::path extension = entry.path().extension();
    if (extension == ".arrow" || extension == ".arrows") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  EXPECT_GT(paths.size(), 5u);
  return paths;
}

fs::path expected_of(fs::path path) { return path.replace_extension(".expected"); }

class ArrowSource : public testing::Test {
 protected:
  void SetUp() override {
    scratch = fs::temp_directory_path() / ("quern_arrow_test_" + std::to_string(::getpid()));
    fs::create_directories(scratch);
  }
  void TearDown() override { fs::remove_all(scratch); }

  std::string error_of(const fs::path& path, ErrorCode code) {
    try {
      render_all(context, *open(memory, path));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.message();
      return error.message();
    }
    ADD_FAILURE() << "no error: " << path;
    return "";
  }

  // Reads all of `path`; any Error will do, anything worse will not.
  bool reads(const fs::path& path) {
    try {
      const FilePtr file = open(memory, path);
      for (size_t field = 0; field < fields(*file).size(); ++field) {
        for (int32_t batch = 0; batch < batch_count(*file); ++batch) {
          try {
            const ColumnPtr column = read_field(context, *file, batch, static_cast<int32_t>(field));
            EXPECT_EQ(broken_invariant(*column), "") << path;
          } catch (const Error& error) {
            EXPECT_NE(error.code(), ErrorCode::internal) << error.message();
          }
        }
      }
      return true;
    } catch (const Error& error) {
      EXPECT_NE(error.code(), ErrorCode::internal) << error.message();
      return false;
    }
  }

  Memory memory{256 << 20};
  Context context{memory, Settings{}};
  fs::path scratch;
};

TEST_F(ArrowSource, FixturesHoldWhatPyarrowWrote) {
  for (const fs::path& path : files_in(fixtures)) {
    SCOPED_TRACE(path);
    EXPECT_EQ(render_all(context, *open(memory, path)), read_bytes(expected_of(path)));
  }
  EXPECT_GT(context.metrics().bytes_read.load(), 10000);
}

TEST_F(ArrowSource, BadFixturesNameFileFieldAndCause) {
  for (const fs::path& path : files_in(fixtures / "bad")) {
    SCOPED_TRACE(path);
    EXPECT_EQ(error_of(path, ErrorCode::corrupt_file) + "\n", path.string() + ": " + read_bytes(expected_of(path)));
  }
}

TEST_F(ArrowSource, UnsupportedFieldsAreNamed) {
  const fs::path path = fixtures / "unsupported.arrow";
  const FilePtr file = open(memory, path);
  try {
    read_field(context, *file, 0, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
    EXPECT_EQ(error.message(), path.string() + ": record batch 0, field sparse: unsupported: Arrow union");
  }
}

TEST_F(ArrowSource, ReadsOnlyTheFieldAskedFor) {
  const FilePtr file = open(memory, fixtures / "text.arrow");
  const int64_t before = context.metrics().bytes_read.load();
  read_field(context, *file, 0, 8);  // 8 short strings and 9 offsets
  EXPECT_LT(context.metrics().bytes_read.load() - before, 300);
}

TEST_F(ArrowSource, StandardInputAndPipes) {
  for (const char* name : {"nested.arrows", "scalars.arrow"}) {
    const std::string bytes = read_bytes(fixtures / name);
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const int saved = dup(STDIN_FILENO);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    std::thread writer([&] {
      for (size_t at = 0; at < bytes.size();) {
        const ssize_t wrote = ::write(ends[1], bytes.data() + at, std::min<size_t>(bytes.size() - at, 999));
        if (wrote <= 0) break;
        at += static_cast<size_t>(wrote);
      }
      close(ends[1]);
    });
    const FilePtr file = open(memory, "-");
    writer.join();
    dup2(saved, STDIN_FILENO);
    close(saved);
    EXPECT_EQ(render_all(context, *file), read_bytes(expected_of(fixtures / name)));
  }
}

TEST_F(ArrowSource, LargeStreamsCrossTheChunksOfAPipe) {
  // One batch of 3 MiB, written by hand from a sound stream: the body of a fixture cannot be that long.
  std::string zeros(3 << 20, '\0');
  const fs::path path = scratch / "fifo";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const std::string stream = read_bytes(fixtures / "legacy.arrows");
  std::thread writer([&] { write_bytes(path, stream + zeros); });
  const FilePtr file = open(memory, path);
  writer.join();
  EXPECT_EQ(render_all(context, *file), read_bytes(fixtures / "legacy.expected"));
}

TEST_F(ArrowSource, OtherFilesAreRefused) {
  const fs::path path = scratch / "x";
  for (const std::string& bytes : {std::string(), std::string("a"), std::string("a,b,c\n1,2,3\n"),
                                   std::string(100, '\0'), std::string("PAR1....PAR1")}) {
    write_bytes(path, bytes);
    EXPECT_EQ(error_of(path, ErrorCode::corrupt_file), path.string() + ": not an Arrow file or stream") << bytes;
  }
  write_bytes(path, "FEA1....FEA1");
  EXPECT_EQ(error_of(path, ErrorCode::unsupported), path.string() + ": unsupported: Feather version 1");
  EXPECT_EQ(error_of(scratch / "absent", ErrorCode::io),
            "open failed: " + (scratch / "absent").string() + ": No such file or directory");
}

TEST_F(ArrowSource, EveryTruncationIsAnErrorOrShorter) {
  const fs::path path = scratch / "cut";
  for (const char* name : {"scalars.arrow", "nested.arrows", "dictionaries.arrows", "delta_dictionaries.arrows",
                           "zstd.arrow", "text.arrow", "run_ends.arrows"}) {
    const std::string bytes = read_bytes(fixtures / name);
    const bool is_file = fs::path(name).extension() == ".arrow";
    for (size_t size = 0; size < bytes.size(); size += size < 700 || size + 700 > bytes.size() ? 3 : 97) {
      write_bytes(path, bytes.substr(0, size));
      const bool read = reads(path);
      // A file without its footer is never read; a stream may end between messages.
      if (is_file) {
        EXPECT_FALSE(read) << name << " " << size;
      }
    }
  }
}

TEST_F(ArrowSource, RandomChangesGiveColumnsOrErrors) {
  const fs::path path = scratch / "changed";
  std::mt19937 random(29);
  int errors = 0, successes = 0;
  for (const fs::path& fixture : files_in(fixtures)) {
    const std::string bytes = read_bytes(fixture);
    for (int round = 0; round < 150; ++round) {
      std::string changed = bytes;
      for (uint32_t i = 1 + random() % 3; i > 0; --i) {
        // Half of the changes near the ends, where schema and footer lie.
        const size_t edge = std::min<size_t>(changed.size(), 3000);
        const size_t at = random() % 4 == 0 ? random() % changed.size()
                          : random() % 2    ? random() % edge
                                            : changed.size() - 1 - random() % edge;
        changed[at] = static_cast<char>(random() % 3 == 0 ? 0xFF : random() % 3 == 0 ? 0 : random());
      }
      write_bytes(path, changed);
      reads(path) ? ++successes : ++errors;
    }
  }
  EXPECT_GT(errors, 200);
  EXPECT_GT(successes, 200);
}

TEST_F(ArrowSource, MemoryIsGivenBack) {
  for (const fs::path& path : files_in(fixtures)) render_all(context, *open(memory, path));
  EXPECT_EQ(memory.used(), 0);
}

TEST_F(ArrowSource, ThreadsShareAFile) {
  const FilePtr file = open(memory, fixtures / "dictionaries.arrow");
  const std::string expected = read_bytes(fixtures / "dictionaries.expected");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) EXPECT_EQ(render_all(context, *file), expected);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(ArrowSource, Cancels) {
  const FilePtr file = open(memory, fixtures / "scalars.arrow");
  context.cancel();
  try {
    read_field(context, *file, 0, 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::cancelled);
  }
}

}  // namespace
}  // namespace quern::arrow
