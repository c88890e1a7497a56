// What one JavaScript environment (the main thread, a worker) has open; ended with it.
#pragma once
#include <napi.h>

#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "addon/notifier.hpp"
#include "exec/engine.hpp"

namespace quern::addon {

struct QueryState;

class Environment {
 public:
  // Registers the clean-up that cancels and joins everything when the environment ends, process.exit included.
  static std::shared_ptr<Environment> make(Napi::Env env);

  Notifier& notifier() { return *notifier_; }
  std::shared_ptr<Notifier> notifier_ptr() { return notifier_; }
  void add(const std::shared_ptr<Engine>& engine);
  void add(const std::shared_ptr<QueryState>& query);

  // Runs `work` on a thread of the engine and settles the promise with the text it gives.
  Napi::Value run(Napi::Env env, const std::shared_ptr<Engine>& engine, std::function<std::string(Engine&)> work);
  // Closes the engine on a thread of its own, since running work may take a while to stop, and resolves the promise.
  Napi::Value close(Napi::Env env, const std::shared_ptr<Engine>& engine);

 private:
  // The engine must not end on one of its own threads, so the JavaScript thread holds it until the call has come back.
  struct Call {
    std::shared_ptr<Engine> engine;
    Napi::Promise::Deferred deferred;
  };

  void end();

  std::shared_ptr<Notifier> notifier_;
  std::vector<std::weak_ptr<Engine>> engines_;
  std::vector<std::weak_ptr<QueryState>> queries_;
  std::map<int64_t, Call> calls_;
  int64_t next_call_ = 0;
  std::vector<std::thread> closing_;
};

}  // namespace quern::addon
