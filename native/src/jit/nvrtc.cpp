#include "jit/nvrtc.hpp"

#include <dlfcn.h>
#include <glob.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "jit/cubin_cache.hpp"
#include "jit/embedded_headers.hpp"
#include "common/error.hpp"

namespace quern::jit {

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
  int (*cubin_size)(Program, size_t*);
  int (*cubin)(Program, char*);
  int (*destroy)(Program*);
  int (*version)(int* major, int* minor);
  std::string missing;  // why it cannot be used
};

std::vector<fs::path> matches(const std::string& pattern) {
  std::vector<fs::path> out;
  glob_t found{};
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0) out.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  return out;
}

// Folders that may hold the library: where QUERN_NVRTC says, toolkits, Python's nvidia wheels.
std::vector<fs::path> folders() {
  std::vector<fs::path> out;
  const auto variable = [](const char* name) { return std::string(std::getenv(name) ? std::getenv(name) : ""); };
  if (const auto path = variable("QUERN_NVRTC"); !path.empty())
    out.push_back(fs::is_directory(path) ? fs::path(path) : fs::path(path).parent_path());
  if (const auto path = variable("CUDA_PATH"); !path.empty()) out.push_back(fs::path(path) / "lib64");
  out.emplace_back("/usr/local/cuda/lib64");
  const std::string wheel = "/lib/python3*/*-packages/nvidia/*/lib";
  for (const auto& root :
       {variable("VIRTUAL_ENV"), variable("HOME") + "/.local", std::string("/usr/local"), std::string("/usr")}) {
    if (root.empty() || root == "/.local") continue;
    for (const auto& folder : matches(root + wheel)) out.push_back(folder);
  }
  return out;
}

void* open_in(const fs::path& folder, const char* pattern) {
  for (const auto& path : matches((folder / pattern).string())) {
    if (path.string().find(".alt.") != std::string::npos) continue;
    if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) return library;
  }
  return nullptr;
}

void* open_library() {
  for (const auto& folder : folders()) {
    // A wheel has no RUNPATH: the builtins must be in the process before the compiler looks for them.
    if (open_in(folder, "libnvrtc-builtins.so*") == nullptr) continue;
    if (void* library = open_in(folder, "libnvrtc.so*")) return library;
  }
  for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}) {
    if (void* library = dlopen(name, RTLD_NOW)) return library;
  }
  return nullptr;
}

template <typename F>
bool find(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

const Nvrtc& nvrtc() {
  static const Nvrtc loaded = [] {
    Nvrtc n{};
    void* library = open_library();
    if (library == nullptr) {
      n.missing = "NVRTC not found (QUERN_NVRTC, CUDA_PATH, /usr/local/cuda, Python's nvidia-cuda-nvrtc)";
    } else if (!find(library, "nvrtcCreateProgram", n.create) || !find(library, "nvrtcCompileProgram", n.compile) ||
               !find(library, "nvrtcGetProgramLogSize", n.log_size) || !find(library, "nvrtcGetProgramLog", n.log) ||
               !find(library, "nvrtcGetCUBINSize", n.cubin_size) || !find(library, "nvrtcGetCUBIN", n.cubin) ||
               !find(library, "nvrtcDestroyProgram", n.destroy) || !find(library, "nvrtcVersion", n.version)) {
      n.missing = "the NVRTC that was found lacks a function";
    }
    return n;
  }();
  return loaded;
}

// One program; destroyed on every way out.
class Program {
 public:
  Program(const KernelText& text) {
    std::vector<const char*> names, texts;
    for (const auto& header : embedded_headers()) {
      names.push_back(header.name);
      texts.push_back(header.text);
    }
    if (nvrtc().create(&program_, text.source.c_str(), text.name.c_str(), static_cast<int>(names.size()), texts.data(),
                       names.data()) != 0)
      throw internal_error("NVRTC refuses a program");
  }
  ~Program() { nvrtc().destroy(&program_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  std::string compile(const std::vector<std::string>& options) {
    std::vector<const char*> texts;
    for (const auto& option : options) texts.push_back(option.c_str());
    if (nvrtc().compile(program_, static_cast<int>(texts.size()), texts.data()) != 0)
      throw internal_error("a kernel does not compile: " + log());
    size_t size = 0;
    nvrtc().cubin_size(program_, &size);
    std::string bytes(size, '\0');
    nvrtc().cubin(program_, bytes.data());
    return bytes;
  }

 private:
  std::string log() const {
    size_t size = 0;
    nvrtc().log_size(program_, &size);
    std::string text(size, '\0');
    nvrtc().log(program_, text.data());
    return text;
  }
  Nvrtc::Program program_ = nullptr;
};

}  // namespace

std::string nvrtc_missing() { return nvrtc().missing; }

Cubin compile(const KernelText& text, int32_t major, int32_t minor) {
  if (!nvrtc().missing.empty()) throw Error(ErrorSource::resource, ErrorCode::no_device, nvrtc().missing);
  const std::vector<std::string> options = {"-arch=sm_" + std::to_string(major) + std::to_string(minor), "--std=c++20",
                                            "--fmad=false", "--minimal", "--device-int128"};
  int version_major = 0, version_minor = 0;
  nvrtc().version(&version_major, &version_minor);
  std::string key = "nvrtc " + std::to_string(version_major) + "." + std::to_string(version_minor) + "\n";
  for (const auto& option : options) key += option + "\n";
  for (const auto& header : embedded_headers()) key += std::string(header.name) + "\n" + header.text + "\n";
  const CubinFile file(key + text.source);
  if (auto bytes = file.read()) return {std::move(*bytes), 0};
  const auto start = std::chrono::steady_clock::now();
  Cubin out{Program(text).compile(options), 0};
  out.compile_ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
  file.write(out.bytes);
  return out;
}

}  // namespace quern::jit
