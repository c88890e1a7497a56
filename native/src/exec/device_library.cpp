#include "exec/device_library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>

#include "common/json_text.hpp"
#include "plan/functions.hpp"

namespace quern {

namespace {

namespace fs = std::filesystem;
using Open = decltype(&cuda::quern_cuda_open);

Error no_device(const std::string& reason) {
  return Error(ErrorSource::resource, ErrorCode::no_device, "no GPU to run on: " + reason)
      .with_hint("use --device cpu; quern doctor shows what is missing");
}

fs::path library_path() {
  if (const char* forced = std::getenv("QUERN_CUDA_LIBRARY"); forced != nullptr && *forced != '\0') return forced;
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&library_path), &self) == 0 || self.dli_fname == nullptr)
    throw internal_error("the addon's path is unknown");
  return fs::path(self.dli_fname).parent_path() / "quern_cuda.so";
}

// Never closed again: its threads and device memory live as long as the process.
Open open_library() {
  static std::mutex mutex;
  static Open found = nullptr;
  std::lock_guard lock(mutex);
  if (found != nullptr) return found;
  const fs::path path = library_path();
  std::error_code ignored;
  if (!fs::exists(path, ignored)) throw no_device("quern_cuda.so is not built here");
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw no_device(std::string("quern_cuda.so does not load: ") + dlerror());
  void* symbol = dlsym(library, "quern_cuda_open");
  if (symbol == nullptr) throw no_device("quern_cuda.so has no entry quern_cuda_open: " + path.string());
  return found = reinterpret_cast<Open>(symbol);
}

}  // namespace

cuda::Backend& open_device(int32_t ordinal) {
  static std::mutex mutex;
  static std::map<int32_t, std::unique_ptr<cuda::Backend>>& devices =
      *new std::map<int32_t, std::unique_ptr<cuda::Backend>>;  // the driver may be gone when statics are destroyed
  std::lock_guard lock(mutex);
  if (const auto known = devices.find(ordinal); known != devices.end()) return *known->second;
  const Open open = open_library();
  const std::string functions = plan::function_table_hash();
  const cuda::QuernCudaRequest request{cuda::interface_version, functions.c_str(), ordinal, 0};
  cuda::QuernCudaReply reply{};
  if (open(&request, &reply) != cuda::quern_cuda_ok) throw no_device(reply.message);
  return *(devices[ordinal] = std::unique_ptr<cuda::Backend>(reply.backend));
}

std::string device_status_json(int32_t ordinal) {
  std::error_code ignored;
  const fs::path path = library_path();
  JsonList out('{');
  out.member("library", fs::exists(path, ignored) ? json_string(path.string()) : "null");
  try {
    const auto& info = open_device(ordinal).info();
    out.member("device",
               JsonList('{')
                   .member("ordinal", std::to_string(info.ordinal))
                   .member("name", json_string(info.name))
                   .member("capability", json_string(std::to_string(info.major) + "." + std::to_string(info.minor)))
                   .member("memory", std::to_string(info.memory_bytes))
                   .member("multiprocessors", std::to_string(info.multiprocessors))
                   .member("driver", std::to_string(info.driver))
                   .text());
    out.member("reason", "null");
  } catch (const Error& error) {
    if (error.code() != ErrorCode::no_device) throw;
    out.member("device", "null");
    out.member("reason", json_string(error.message()));
  }
  return out.text();
}

}  // namespace quern
