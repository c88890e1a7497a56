#include "exec/engine.hpp"

#include <algorithm>

#include "common/json_text.hpp"
#include "cpu/generate.hpp"
#include "exec/unify.hpp"
#include "parquet/unfinished.hpp"

namespace quern {

namespace {

// Registers a context so that close() can cancel it.
class Registered {
 public:
  Registered(std::mutex& mutex, std::set<Context*>& contexts, const bool& closed, Context& context)
      : mutex_(mutex), contexts_(contexts), context_(context) {
    std::lock_guard lock(mutex_);
    if (closed) throw Error(ErrorSource::user, ErrorCode::cancelled, "engine closed");
    contexts_.insert(&context_);
  }
  ~Registered() {
    std::lock_guard lock(mutex_);
    contexts_.erase(&context_);
  }

 private:
  std::mutex& mutex_;
  std::set<Context*>& contexts_;
  Context& context_;
};

}  // namespace

Engine::Engine(int64_t memory_limit, Settings settings)
    : memory_(memory_limit), settings_(std::move(settings)), files_(memory_) {}

Engine::~Engine() { close(); }

std::shared_ptr<Query> Engine::make_query() {
  auto query = std::make_shared<Query>(memory_, settings_, pool_, files_);
  std::lock_guard lock(mutex_);
  if (closed_) throw Error(ErrorSource::user, ErrorCode::cancelled, "engine closed");
  std::erase_if(queries_, [](const auto& old) { return old.expired(); });
  if (queries_.empty()) memory_.reset_peak();
  queries_.push_back(query);
  return query;
}

void Engine::close() {
  std::lock_guard closing(closing_);
  std::vector<std::shared_ptr<Query>> queries;
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    for (const auto& query : queries_) {
      if (auto alive = query.lock()) queries.push_back(std::move(alive));
    }
    for (auto* context : contexts_) context->cancel();
  }
  for (const auto& query : queries) query->cancel();
  for (const auto& query : queries) query->wait();
  pool_.close();
}

void Engine::discard_unfinished_files() { parquet::discard_unfinished_files(); }

std::string Engine::describe(const DescribeRequest& request) {
  Context context(memory_, settings_);
  const Registered registered(mutex_, contexts_, closed_, context);
  return describe_json(context, files_, request, make_parallel(pool_, context));
}

std::string Engine::inspect(const std::string& path, bool scan_levels) {
  Context context(memory_, settings_);
  const Registered registered(mutex_, contexts_, closed_, context);
  return parquet::inspect_json(context, *files_.open_parquet(path), scan_levels);
}

std::string capabilities_json() {
  JsonList operators('[');
  for (const char* name :
       {"scan_parquet", "scan_arrow", "filter", "project", "hash_group_by", "sort", "top_k", "limit", "union_all",
        "values", "range", "unnest", "hash_join", "conditional_join", "generate", "exchange", "write_parquet"}) {
    operators.item(json_string(name));
  }
  JsonList generators('[');
  for (const auto& name : cpu::generator_names()) {
    JsonList columns('[');
    for (const auto& field : cpu::make_generator(name, 1, 0)->fields()) {
      columns.item(JsonList('{').member("name", json_string(field.name)).member("type", type_json(*field.type)).text());
    }
    generators.item(JsonList('{').member("name", json_string(name)).member("columns", columns.text()).text());
  }
  return JsonList('{')
      .member("devices", "[\"cpu\"]")
      .member("operators", operators.text())
      .member("generators", generators.text())
      .text();
}

}  // namespace quern
