#include "addon/notifier.hpp"

namespace quern::addon {

std::shared_ptr<Notifier> Notifier::make(Napi::Env env) {
  auto notifier = std::make_shared<Notifier>();
  // The thread-safe function keeps the notifier alive until it is finalized itself.
  auto* self = new std::shared_ptr<Notifier>(notifier);
  const napi_status status =
      napi_create_threadsafe_function(env, nullptr, nullptr, Napi::String::New(env, "quern"), 0, 1, self, finalize,
                                      notifier.get(), call, &notifier->function_);
  if (status != napi_ok) {
    delete self;
    throw Napi::Error::New(env, "no thread-safe function");
  }
  napi_unref_threadsafe_function(env, notifier->function_);
  return notifier;
}

void Notifier::post(std::function<void(Napi::Env)> work) {
  std::lock_guard lock(mutex_);
  if (closed_) return;
  work_.push_back(std::move(work));
  // After napi_closing the function may be gone: it is never touched again.
  if (napi_call_threadsafe_function(function_, nullptr, napi_tsfn_nonblocking) == napi_closing) closed_ = true;
}

void Notifier::hold(Napi::Env env) {
  if (held_++ == 0) napi_ref_threadsafe_function(env, function_);
}

void Notifier::release(Napi::Env env) {
  if (--held_ == 0) napi_unref_threadsafe_function(env, function_);
}

void Notifier::call(napi_env env, napi_value, void* context, void*) {
  if (env == nullptr) return;
  auto& self = *static_cast<Notifier*>(context);
  std::vector<std::function<void(Napi::Env)>> work;
  {
    std::lock_guard lock(self.mutex_);
    work.swap(self.work_);
  }
  const Napi::Env js(env);
  for (auto& piece : work) {
    const Napi::HandleScope scope(js);
    piece(js);
  }
}

void Notifier::finalize(napi_env, void* self, void*) {
  auto* notifier = static_cast<std::shared_ptr<Notifier>*>(self);
  {
    std::lock_guard lock((*notifier)->mutex_);
    (*notifier)->closed_ = true;
  }
  delete notifier;
}

}  // namespace quern::addon
