#include "exec/query.hpp"

#include <new>

#include "exec/cut.hpp"
#include "exec/scheduler.hpp"
#include "plan/plan.hpp"

namespace quern {

Error current_error() {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return Error(ErrorSource::resource, ErrorCode::oom, "out of memory: the system has no more to give")
        .with_hint("use fewer threads or a smaller memory limit");
  } catch (const std::length_error& error) {
    return Error(ErrorSource::resource, ErrorCode::oom, std::string("out of memory: ") + error.what());
  } catch (const std::exception& error) {
    return internal_error(error.what());
  } catch (...) {
    return internal_error("unknown error");
  }
}

Query::Query(Memory& memory, const Settings& settings, ThreadPool& pool, cpu::FileCache& files)
    : context_(memory, settings), pool_(pool), files_(files), queue_(context_) {
  context_.on_cancel([this] { queue_.wake(); });
}

Query::~Query() {
  cancel();
  wait();
  context_.on_cancel(nullptr);
}

void Query::start(std::string plan_json) {
  {
    std::lock_guard lock(mutex_);
    running_ = true;
  }
  try {
    pool_.start([this, json = std::move(plan_json)] { drive(json); });
  } catch (...) {
    std::lock_guard lock(mutex_);
    running_ = false;
    throw;
  }
}

void Query::drive(const std::string& plan_json) {
  try {
    const auto plan = plan::decode(plan_json.data(), plan_json.size(), context_.memory());
    writes_ = std::holds_alternative<plan::WriteParquet>(plan->nodes.back().op);
    context_.check_cancelled();
    metrics_.start(plan->nodes.size());
    Scheduler(cut(plan, context_, files_, metrics_, queue_), context_, pool_, metrics_).run();
    if (std::holds_alternative<plan::Limit>(plan->nodes.back().op)) {
      metrics_.node(static_cast<plan::NodeIndex>(plan->nodes.size()) - 1).rows = context_.metrics().rows.load();
    }
    metrics_.end();
    queue_.finish();
  } catch (...) {
    metrics_.end();
    queue_.fail(current_error());
  }
  std::lock_guard lock(mutex_);
  running_ = false;
  ended_.notify_all();
}

void Query::cancel() {
  context_.cancel();
  if (!writes_) queue_.fail(Error(ErrorSource::user, ErrorCode::cancelled, "query cancelled"));
}

void Query::wait() {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [&] { return !running_; });
}

}  // namespace quern
