#include "exec/scheduler.hpp"

#include <algorithm>

#include "common/error.hpp"
#include "exec/pipeline_worker.hpp"

namespace quern {

namespace {

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Scheduler::Scheduler(std::vector<Pipeline> pipelines, Context& context, ThreadPool& pool, QueryMetrics& metrics)
    : runs_(pipelines.size()),
      context_(context),
      pool_(pool),
      metrics_(metrics),
      parallel_([this](int64_t count, const std::function<void(int64_t)>& task) { share(count, task); }) {
  for (size_t i = 0; i < runs_.size(); ++i) {
    runs_[i].pipeline = std::move(pipelines[i]);
    auto& after = runs_[i].pipeline.after;
    std::sort(after.begin(), after.end());
    after.erase(std::unique(after.begin(), after.end()), after.end());
    runs_[i].inputs = after.size();
    runs_[i].state = after.empty() ? State::ready : State::waiting;
    for (const int32_t input : after) {
      if (input < 0 || static_cast<size_t>(input) >= i)
        throw internal_error("pipeline " + std::to_string(i) + " waits for pipeline " + std::to_string(input));
      runs_[static_cast<size_t>(input)].readers.push_back(i);
    }
  }
}

void Scheduler::run() {
  {
    Lock lock(mutex_);
    try {
      invite(std::count_if(runs_.begin(), runs_.end(), [](const Run& run) { return run.state == State::ready; }) - 1);
    } catch (...) {
      fail();
    }
  }
  work();
  Lock lock(mutex_);
  changed_.wait(lock, [&] { return workers_ == 0; });
  report();
  if (error_) error_.rethrow();
}

void Scheduler::work() {
  Lock lock(mutex_);
  while (!failed_ && ended_ < runs_.size()) {
    try {
      if (Tasks* tasks = open_tasks())
        help(*tasks, lock);
      else if (Run* run = open_run())
        take_part(*run, lock);
      else
        wait_for_work(lock);
    } catch (...) {
      if (!lock.owns_lock()) lock.lock();
      fail();
    }
  }
  --workers_;
  changed_.notify_all();
}

void Scheduler::wait_for_work(Lock& lock) {
  ++idle_;
  changed_.wait(lock);
  --idle_;
}

Scheduler::Tasks* Scheduler::open_tasks() {
  const auto open =
      std::find_if(shared_.begin(), shared_.end(), [](Tasks* tasks) { return tasks->next < tasks->count; });
  return open == shared_.end() ? nullptr : *open;
}

Scheduler::Run* Scheduler::open_run() {
  const auto open = std::find_if(runs_.begin(), runs_.end(), [](const Run& run) {
    return run.state == State::ready ||
           (run.state == State::open && run.next < run.morsels && !run.pipeline.sink->done());
  });
  return open == runs_.end() ? nullptr : &*open;
}

// Takes tasks until none is left; leaves with the lock held, also by an error.
void Scheduler::help(Tasks& tasks, Lock& lock) {
  ++tasks.active;
  std::exception_ptr error;
  try {
    invite(tasks.count - tasks.next - 1);
    lock.unlock();
    for (int64_t at = tasks.next++; at < tasks.count; at = tasks.next++) {
      context_.check_cancelled();
      tasks.task(at);
    }
  } catch (...) {
    error = std::current_exception();
  }
  if (!lock.owns_lock()) lock.lock();
  if (--tasks.active == 0) changed_.notify_all();
  if (error) std::rethrow_exception(error);
}

// The caller has no lock. It works on its tasks too, and leaves when the last one has ended.
void Scheduler::share(int64_t count, const std::function<void(int64_t)>& task) {
  Tasks tasks{count, task};
  Lock lock(mutex_);
  shared_.push_back(&tasks);
  std::exception_ptr error;
  try {
    help(tasks, lock);
  } catch (...) {
    error = std::current_exception();
    tasks.next = count;
  }
  changed_.wait(lock, [&] { return tasks.active == 0; });
  std::erase(shared_, &tasks);
  if (error) std::rethrow_exception(error);
  // A thread that helped has failed, and said so.
  if (failed_) throw Error(ErrorSource::user, ErrorCode::cancelled, "query cancelled");
}

void Scheduler::prepare(Run& run, Lock& lock) {
  run.state = State::preparing;
  run.started = Clock::now();
  lock.unlock();
  run.pipeline.source->prepare(parallel_);
  const int64_t morsels = run.pipeline.source->morsels();
  lock.lock();
  run.morsels = morsels;
  run.state = State::open;
}

void Scheduler::take_part(Run& run, Lock& lock) {
  if (run.state == State::ready) prepare(run, lock);
  ++run.active;
  ++run.threads;
  invite(run.morsels - run.next - 1);
  lock.unlock();
  {
    PipelineWorker worker(run.pipeline, context_);
    while (!run.pipeline.sink->done()) {
      const int64_t morsel = run.next++;
      if (morsel >= run.morsels) break;
      context_.check_cancelled();
      worker.run_morsel(morsel);
    }
    worker.end(metrics_);
  }
  lock.lock();
  if (--run.active == 0) finish(run, lock);
}

void Scheduler::finish(Run& run, Lock& lock) {
  run.state = State::finishing;
  lock.unlock();
  const auto start = Clock::now();
  run.pipeline.sink->finish(parallel_);
  metrics_.node(run.pipeline.node).nanoseconds +=
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
  run.pipeline.steps.clear();  // with the source: what only this pipeline needed
  run.pipeline.source.reset();
  run.pipeline.sink.reset();
  lock.lock();
  run.milliseconds = milliseconds_since(run.started);
  run.state = State::ended;
  ++ended_;
  int64_t ready = 0;
  for (const size_t reader : run.readers) {
    if (--runs_[reader].inputs > 0) continue;
    runs_[reader].state = State::ready;
    ++ready;
  }
  // This thread takes one of them.
  invite(ready - 1);
  if (ended_ == runs_.size()) changed_.notify_all();
}

void Scheduler::invite(int64_t places) {
  if (places <= 0) return;
  if (idle_ > 0) changed_.notify_all();
  for (int64_t place = idle_; place < places && workers_ < context_.settings().threads; ++place) {
    pool_.start([this] { work(); });
    ++workers_;
  }
}

// Called in a handler, with the lock.
void Scheduler::fail() {
  error_.keep(std::current_exception());
  failed_ = true;
  context_.cancel();
  changed_.notify_all();
}

void Scheduler::report() {
  for (const Run& run : runs_) {
    if (run.state == State::ended)
      metrics_.add({run.pipeline.source_node, run.pipeline.node, run.morsels, run.threads, run.milliseconds});
  }
}

}  // namespace quern
