// Every header of ops compiles under NVRTC with the options that device code is built with: no system header, no
// runtime.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

// NVRTC's C interface, declared here because its header comes only with a CUDA toolkit.
struct Nvrtc {
  using Program = void*;
  int (*create)(Program*, const char* source, const char* name, int headers, const char* const* texts,
                const char* const* names);
  int (*compile)(Program, int count, const char* const* options);
  int (*log_size)(Program, size_t*);
  int (*log)(Program, char*);
  int (*destroy)(Program*);
  bool loaded = false;
};

std::vector<fs::path> library_folders() {
  std::vector<fs::path> folders;
  if (const char* path = std::getenv("QUERN_NVRTC")) folders.push_back(fs::path(path).parent_path());
  if (const char* path = std::getenv("CUDA_PATH")) folders.push_back(fs::path(path) / "lib64");
  folders.push_back("/usr/local/cuda/lib64");
  // Python's nvidia wheels
  const char* find =
      "python3 -c \"import importlib.util as u; s = u.find_spec('nvidia'); "
      "print('\\n'.join(s.submodule_search_locations) if s else '')\" 2>/dev/null";
  if (FILE* pipe = popen(find, "r")) {
    char line[4096];
    while (std::fgets(line, sizeof line, pipe) != nullptr) {
      const std::string folder(line, std::string(line).find_last_not_of("\n") + 1);
      std::error_code ignored;
      for (const auto& entry : fs::directory_iterator(folder, ignored)) folders.push_back(entry.path() / "lib");
    }
    pclose(pipe);
  }
  return folders;
}

void* open_library() {
  for (const auto& folder : library_folders()) {
    std::error_code ignored;
    fs::path builtins, compiler;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
      const std::string name = entry.path().filename();
      if (name.find(".alt.") != std::string::npos) continue;
      if (name.starts_with("libnvrtc-builtins.so")) builtins = entry.path();
      if (name.starts_with("libnvrtc.so")) compiler = entry.path();
    }
    // A wheel has no RUNPATH: the builtins must be in the process before the compiler looks for them.
    if (!compiler.empty() && !builtins.empty() && dlopen(builtins.c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr) {
      if (void* library = dlopen(compiler.c_str(), RTLD_NOW)) return library;
    }
  }
  return dlopen("libnvrtc.so", RTLD_NOW);
}

const Nvrtc& nvrtc() {
  static const Nvrtc loaded = [] {
    Nvrtc n;
    void* library = open_library();
    if (library == nullptr) return n;
    n.create = reinterpret_cast<decltype(n.create)>(dlsym(library, "nvrtcCreateProgram"));
    n.compile = reinterpret_cast<decltype(n.compile)>(dlsym(library, "nvrtcCompileProgram"));
    n.log_size = reinterpret_cast<decltype(n.log_size)>(dlsym(library, "nvrtcGetProgramLogSize"));
    n.log = reinterpret_cast<decltype(n.log)>(dlsym(library, "nvrtcGetProgramLog"));
    n.destroy = reinterpret_cast<decltype(n.destroy)>(dlsym(library, "nvrtcDestroyProgram"));
    n.loaded = n.create != nullptr && n.compile != nullptr && n.log_size != nullptr && n.log != nullptr &&
               n.destroy != nullptr;
    return n;
  }();
  return loaded;
}

struct Headers {
  std::vector<std::string> names, texts;
};

const Headers& ops_headers() {
  static const Headers headers = [] {
    Headers found;
    for (const auto& entry : fs::directory_iterator(fs::path(__FILE__).parent_path() / "../../src/ops")) {
      if (entry.path().extension() != ".hpp") continue;
      std::stringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      found.names.push_back("ops/" + entry.path().filename().string());
      found.texts.push_back(text.str());
    }
    return found;
  }();
  return headers;
}

// Empty when it compiles, else the compiler's log.
std::string compile(const std::string& source) {
  std::vector<const char*> names, texts;
  for (const auto& name : ops_headers().names) names.push_back(name.c_str());
  for (const auto& text : ops_headers().texts) texts.push_back(text.c_str());
  Nvrtc::Program program = nullptr;
  if (nvrtc().create(&program, source.c_str(), "ops.cu", static_cast<int>(names.size()), texts.data(), names.data()) !=
      0)
    return "no program";
  const char* options[] = {"-arch=sm_90", "--std=c++20", "--fmad=false", "--minimal", "--device-int128"};
  const int status = nvrtc().compile(program, 5, options);
  size_t size = 0;
  nvrtc().log_size(program, &size);
  std::string log(size, '\0');
  nvrtc().log(program, log.data());
  nvrtc().destroy(&program);
  return status == 0 ? "" : "failed: " + log;
}

#define REQUIRE_NVRTC() \
  if (!nvrtc().loaded)  \
  GTEST_SKIP() << "NVRTC not found (QUERN_NVRTC, CUDA_PATH, /usr/local/cuda, python's nvidia wheels)"

TEST(Nvrtc, EachHeaderAlone) {
  REQUIRE_NVRTC();
  ASSERT_GE(ops_headers().names.size(), 10u);
  for (const auto& name : ops_headers().names) {
    EXPECT_EQ(compile("#include \"" + name + "\"\nextern \"C\" __global__ void none() {}\n"), "") << name;
  }
}

// Templates are only checked when used.
TEST(Nvrtc, CallsOfEveryGroup) {
  REQUIRE_NVRTC();
  std::string source;
  for (const auto& name : ops_headers().names) source += "#include \"" + name + "\"\n";
  source += R"(
using namespace quern;
using namespace quern::ops;
template <typename T>
__device__ bool integers(T a, T b) {
  T out;
  bool ok = add(a, b, out) & subtract(a, b, out) & multiply(a, b, out) & negate(a, out) & absolute(a, out) & shift_left(a, b, out);
  if (b != 0) ok &= divide(a, b, out) & (remainder(a, b) == out);
  ok &= shift_right(a, b) == out;
  ok &= sign(a) == bit_count(b);
  ok &= less(a, b) & equal(a, b);
  int32_t narrow;
  ok &= integer_to_integer(a, narrow) & real_to_integer(1.5, out) & real_to_integer(1.5f, out);
  return ok;
}
extern "C" __global__ void all(StringView* s, Interval* i, int64_t* v, double* d, char* text) {
  bool ok = integers<int8_t>(v[0], v[1]) & integers<int16_t>(v[0], v[1]) & integers<int32_t>(v[0], v[1]) & integers<int64_t>(v[0], v[1]);
  ok &= integers<uint8_t>(v[0], v[1]) & integers<uint16_t>(v[0], v[1]) & integers<uint32_t>(v[0], v[1]) & integers<uint64_t>(v[0], v[1]);
  int128_t wide;
  ok &= factorial((int32_t)v[0], wide) & scale_up(wide, wide, wide, wide) & multiply(wide, wide, wide);
  d[1] = decimal_to_double(wide, 3) + round_digits(d[0], 2) + trunc_digits((float)d[0], 1) + even(d[0]);
  ok &= square_root(d[0], d[1]) & log_base(d[0], d[1], d[2]) & sine(d[0], d[1]) & cotangent(d[0], d[2]) & arc_cosine(d[0], d[2]);
  v[2] = float_to_half(half_to_float((uint16_t)v[0])) + float_to_bfloat(bfloat_to_float((uint16_t)v[1]));
  ok &= add_to_timestamp(v[0], i[0], 1000000, v[3]) & between(v[0], v[1], i[1]) & multiply(i[0], d[0], i[2]);
  v[4] = part_of_days(DatePart::yearweek, v[0]) + boundaries_between(DatePart::month, v[0], v[1], 1000) + whole_months(v[0], v[1]);
  v[5] = compare(s[0], s[1]) + less(d[0], d[1]) + less(i[0], i[1]) + equal(s[0], s[1]);
  Text t = substring(text_of(s[0]), v[0], v[1]);
  v[6] = find(t, text_of(s[1]), 0) + like(t, text_of(s[1]), 0) + code_points(t) + split_part(t, t, 2).length;
  int32_t date;
  ok &= parse_date(t, date) == Parsed::ok && parse_timestamp(t, 1000, true, v[7]) == Parsed::ok && parse_interval(t, i[3]);
  ok &= parse_integer<int64_t>(t, v[8]) & parse_decimal(t, 2, wide, wide) & parse_uuid(t, wide);
  v[9] = write_timestamp(v[0], 1000000, true, text) + write_interval(i[0], text) + write_decimal(wide, 38, 3, text) + write_uuid(wide, text);
  d[3] = fold_pairs<SquaredDifference>(d, (const float*)text, v[0]) + fold_pairs<AbsoluteDifference>((const Half*)text, (const BrainFloat*)text, v[0]);
  d[4] = fold_pairs<Product>(d, v, v[0]) + distance_of(d[3]);
  ok &= cosine_of(d[0], d[1], d[2], d[5]);
  v[10] = ok;
}
)";
  EXPECT_EQ(compile(source), "");
}

}  // namespace
