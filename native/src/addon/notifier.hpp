// From any thread to the JavaScript thread of one environment.
#pragma once
#include <napi.h>

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace quern::addon {

class Notifier {
 public:
  static std::shared_ptr<Notifier> make(Napi::Env env);

  // Any thread: runs `work` on the JavaScript thread soon; drops it when the environment is ending.
  void post(std::function<void(Napi::Env)> work);
  // JavaScript thread: while anything is held, the event loop stays alive.
  void hold(Napi::Env env);
  void release(Napi::Env env);

 private:
  static void call(napi_env env, napi_value, void* context, void*);
  static void finalize(napi_env, void* self, void*);

  std::mutex mutex_;
  napi_threadsafe_function function_ = nullptr;
  bool closed_ = false;
  std::vector<std::function<void(Napi::Env)>> work_;
  int64_t held_ = 0;
};

}  // namespace quern::addon
