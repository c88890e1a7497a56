// A running query as a JavaScript object: next(), cancel(), metrics().
#pragma once
#include <napi.h>

#include <deque>

#include "addon/environment.hpp"

namespace quern::addon {

// Lives on the JavaScript thread; while somebody waits it holds itself.
struct QueryState : std::enable_shared_from_this<QueryState> {
  std::shared_ptr<Environment> environment;
  std::shared_ptr<Engine> engine;  // before query: ends after it
  std::shared_ptr<Query> query;
  std::deque<Napi::Promise::Deferred> waiting;
  std::shared_ptr<QueryState> self;

  // Settles waiting promises as far as there are results.
  void pump(Napi::Env env);
  // Nothing more is settled: the environment ends.
  void abandon();
};

Napi::Object make_query_object(Napi::Env env, const std::shared_ptr<Environment>& environment,
                               const std::shared_ptr<Engine>& engine, std::string plan_json);

}  // namespace quern::addon
