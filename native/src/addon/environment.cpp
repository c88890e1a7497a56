#include "addon/environment.hpp"

#include "addon/js_error.hpp"
#include "addon/query_object.hpp"

namespace quern::addon {

std::shared_ptr<Environment> Environment::make(Napi::Env env) {
  auto environment = std::make_shared<Environment>();
  // Hooks run last in, first out: the notifier's own hook, added after this one, closes it before threads are joined.
  auto* hold = new std::shared_ptr<Environment>(environment);
  const auto hook = [](void* data) {
    auto* held = static_cast<std::shared_ptr<Environment>*>(data);
    (*held)->end();
    delete held;
  };
  if (napi_add_env_cleanup_hook(env, hook, hold) != napi_ok) {
    delete hold;
    throw Napi::Error::New(env, "no clean-up hook");
  }
  environment->notifier_ = Notifier::make(env);
  return environment;
}

void Environment::add(const std::shared_ptr<Engine>& engine) {
  std::erase_if(engines_, [](const auto& old) { return old.expired(); });
  engines_.push_back(engine);
}

void Environment::add(const std::shared_ptr<QueryState>& query) {
  std::erase_if(queries_, [](const auto& old) { return old.expired(); });
  queries_.push_back(query);
}

Napi::Value Environment::run(Napi::Env env, const std::shared_ptr<Engine>& engine,
                             std::function<std::string(Engine&)> work) {
  const int64_t id = next_call_++;
  const auto deferred = Napi::Promise::Deferred::New(env);
  calls_.emplace(id, Call{engine, deferred});
  notifier_->hold(env);
  const auto settle = [this, id](Napi::Env js, const std::optional<Error>& error, const std::string& text) {
    const auto call = calls_.find(id);
    if (call == calls_.end()) return;
    if (error)
      call->second.deferred.Reject(to_js(js, *error).Value());
    else
      call->second.deferred.Resolve(Napi::String::New(js, text));
    calls_.erase(call);
    notifier_->release(js);
  };
  try {
    engine->start([target = engine.get(), notifier = notifier_, work = std::move(work), settle] {
      std::string text;
      std::optional<Error> error;
      try {
        text = work(*target);
      } catch (...) {
        error = current_error();
      }
      notifier->post(
          [settle, error = std::move(error), text = std::move(text)](Napi::Env js) { settle(js, error, text); });
    });
  } catch (const Error& error) {
    settle(env, error, "");
  }
  return deferred.Promise();
}

Napi::Value Environment::close(Napi::Env env, const std::shared_ptr<Engine>& engine) {
  const int64_t id = next_call_++;
  const auto deferred = Napi::Promise::Deferred::New(env);
  calls_.emplace(id, Call{engine, deferred});
  notifier_->hold(env);
  closing_.emplace_back([this, id, target = engine.get(), notifier = notifier_] {
    target->close();
    notifier->post([this, id](Napi::Env js) {
      const auto call = calls_.find(id);
      if (call == calls_.end()) return;
      call->second.deferred.Resolve(js.Undefined());
      calls_.erase(call);
      notifier_->release(js);
    });
  });
  return deferred.Promise();
}

void Environment::end() {
  for (const auto& engine : engines_) {
    if (const auto alive = engine.lock()) alive->close();
  }
  for (const auto& query : queries_) {
    if (const auto alive = query.lock()) alive->abandon();
  }
  for (auto& thread : closing_) thread.join();
  calls_.clear();
}

}  // namespace quern::addon
