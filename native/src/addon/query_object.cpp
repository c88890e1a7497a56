#include "addon/query_object.hpp"

#include <cstring>

#include "addon/js_error.hpp"

namespace quern::addon {

namespace {

// Below this a copy is cheaper than a finalizer.
constexpr int64_t copied_bytes = 64 * 1024;

Napi::ArrayBuffer to_buffer(Napi::Env env, ResultBlock& block) {
  const auto size = static_cast<size_t>(block.size);
  // A single huge row: an external buffer over 4 GiB would abort the process.
  if (block.size > (4LL << 30) - 1) throw unsupported("a result row of more than 4 GiB");
  if (block.size <= copied_bytes) {
    auto buffer = Napi::ArrayBuffer::New(env, size);
    if (size > 0) std::memcpy(buffer.Data(), block.bytes.get(), size);
    return buffer;
  }
  return Napi::ArrayBuffer::New(env, block.bytes.release(), size, [](Napi::Env, void* data) { std::free(data); });
}

// {rows, buffer, layout}: see ResultBlock.
Napi::Value block_to_js(Napi::Env env, ResultBlock block) {
  auto out = Napi::Object::New(env);
  out.Set("rows", Napi::Number::New(env, static_cast<double>(block.rows)));
  auto layout = Napi::Float64Array::New(env, block.layout.size());
  if (!block.layout.empty()) std::memcpy(layout.Data(), block.layout.data(), block.layout.size() * sizeof(double));
  out.Set("layout", layout);
  out.Set("buffer", to_buffer(env, block));
  return out;
}

void settle(Napi::Env env, Napi::Promise::Deferred deferred, Taken taken) {
  try {
    if (auto* error = std::get_if<Error>(&taken))
      deferred.Reject(to_js(env, *error).Value());
    else if (auto* block = std::get_if<ResultBlock>(&taken))
      deferred.Resolve(block_to_js(env, std::move(*block)));
    else
      deferred.Resolve(env.Null());
  } catch (const Napi::Error& error) {
    deferred.Reject(error.Value());
  } catch (...) {
    deferred.Reject(to_js(env, current_error()).Value());
  }
}

}  // namespace

void QueryState::pump(Napi::Env env) {
  const auto keep = shared_from_this();
  while (!waiting.empty()) {
    Taken taken = query->try_take();
    if (std::holds_alternative<NotReady>(taken)) {
      self = keep;
      return;
    }
    const auto deferred = waiting.front();
    waiting.pop_front();
    settle(env, deferred, std::move(taken));
    if (waiting.empty()) environment->notifier().release(env);
  }
  self.reset();
}

void QueryState::abandon() {
  waiting.clear();
  self.reset();
}

Napi::Object make_query_object(Napi::Env env, const std::shared_ptr<Environment>& environment,
                               const std::shared_ptr<Engine>& engine, std::string plan_json) {
  auto state = std::make_shared<QueryState>();
  state->environment = environment;
  state->engine = engine;
  state->query = engine->make_query();
  state->query->set_on_ready([notifier = environment->notifier_ptr(), weak = std::weak_ptr<QueryState>(state)] {
    notifier->post([weak](Napi::Env js) {
      if (const auto alive = weak.lock()) alive->pump(js);
    });
  });
  environment->add(state);
  state->query->start(std::move(plan_json));

  auto out = Napi::Object::New(env);
  out.Set("next", Napi::Function::New(env, [state](const Napi::CallbackInfo& info) -> Napi::Value {
            const auto deferred = Napi::Promise::Deferred::New(info.Env());
            if (state->waiting.empty()) state->environment->notifier().hold(info.Env());
            state->waiting.push_back(deferred);
            if (state->waiting.size() == 1) state->pump(info.Env());
            return deferred.Promise();
          }));
  out.Set("cancel", Napi::Function::New(env, [state](const Napi::CallbackInfo&) { state->query->cancel(); }));
  out.Set("metrics", Napi::Function::New(env, [state](const Napi::CallbackInfo& info) -> Napi::Value {
            return guarded(info.Env(), [&] { return Napi::String::New(info.Env(), state->query->metrics_json()); });
          }));
  return out;
}

}  // namespace quern::addon
