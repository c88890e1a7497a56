#include "exec/scheduler.hpp"

#include <chrono>
#include <mutex>

#include "exec/harness.hpp"

namespace quern::test {
namespace {

// Long enough that only a schedule that never lets two meet runs into it.
constexpr auto patience = std::chrono::seconds(20);

class EmptyReader : public Reader {
 public:
  bool next(Batch&) override { return false; }
};

// Calls a function at each of its steps.
class CallSource : public Source {
 public:
  CallSource(
      int64_t morsels, std::function<void(int64_t)> open,
      std::function<void(const Parallel&)> prepare = [](const Parallel&) {})
      : morsels_(morsels), open_(std::move(open)), prepare_(std::move(prepare)) {}
  void prepare(const Parallel& parallel) override { prepare_(parallel); }
  int64_t morsels() override { return morsels_; }
  std::unique_ptr<Reader> open(int64_t morsel) override {
    open_(morsel);
    return std::make_unique<EmptyReader>();
  }

 private:
  int64_t morsels_;
  std::function<void(int64_t)> open_;
  std::function<void(const Parallel&)> prepare_;
};

class FinishSink : public Sink {
 public:
  explicit FinishSink(std::function<void(const Parallel&)> finish) : finish_(std::move(finish)) {}
  std::unique_ptr<Local> make_local() override { return std::make_unique<Local>(); }
  void consume(Local&, int64_t, Batch&&) override {}
  void finish(const Parallel& parallel) override { finish_(parallel); }

 private:
  std::function<void(const Parallel&)> finish_;
};

// Two threads that come here go on; one that comes alone fails in the end.
class Meeting {
 public:
  void arrive() {
    std::unique_lock lock(mutex_);
    ++here_;
    changed_.notify_all();
    if (!changed_.wait_for(lock, patience, [&] { return here_ >= 2; })) throw runtime_error("nobody came");
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int here_ = 0;
};

// What happened, in order.
class Log {
 public:
  void add(const std::string& what) {
    std::lock_guard lock(mutex_);
    text_ += text_.empty() ? what : " " + what;
  }
  const std::string& text() const { return text_; }

 private:
  std::mutex mutex_;
  std::string text_;
};

class SchedulerTest : public testing::Test {
 protected:
  void add(std::unique_ptr<Source> source, std::function<void(const Parallel&)> finish,
           std::vector<int32_t> after = {}) {
    Pipeline pipeline;
    pipeline.source = std::move(source);
    pipeline.sink = std::make_shared<FinishSink>(std::move(finish));
    pipeline.after = std::move(after);
    pipelines_.push_back(std::move(pipeline));
  }
  void add(int64_t morsels, std::function<void(int64_t)> open, std::vector<int32_t> after = {}) {
    add(std::make_unique<CallSource>(morsels, std::move(open)), [](const Parallel&) {}, std::move(after));
  }
  // A pipeline of one morsel that logs its steps.
  void add_logged(Log& log, const std::string& name, std::vector<int32_t> after = {}) {
    add(
        std::make_unique<CallSource>(
            1, [&log, name](int64_t) { log.add(name + ".open"); },
            [&log, name](const Parallel&) { log.add(name + ".prepare"); }),
        [&log, name](const Parallel&) { log.add(name + ".finish"); }, std::move(after));
  }
  void run(Harness& harness) {
    metrics_.start(1);
    Scheduler(std::move(pipelines_), harness.context(), harness.pool(), metrics_).run();
  }

  std::vector<Pipeline> pipelines_;
  QueryMetrics metrics_;
};

TEST_F(SchedulerTest, NothingToRunEnds) {
  Harness harness(2);
  run(harness);
}

TEST_F(SchedulerTest, SmallPipelinesRunSideBySide) {
  Harness harness(2);
  Meeting meeting;
  for (int i = 0; i < 2; ++i) add(1, [&](int64_t) { meeting.arrive(); });
  run(harness);
}

TEST_F(SchedulerTest, ThreadsShareTheMorselsOfOnePipeline) {
  Harness harness(2);
  Meeting meeting;
  add(2, [&](int64_t) { meeting.arrive(); });
  run(harness);
}

TEST_F(SchedulerTest, AThreadWithoutMorselsGoesOn) {
  Harness harness(2);
  Meeting meeting;
  // The last morsel of the first pipeline waits for the second pipeline.
  add(5, [&](int64_t morsel) {
    if (morsel == 4) meeting.arrive();
  });
  add(3, [&](int64_t morsel) {
    if (morsel == 2) meeting.arrive();
  });
  run(harness);
}

TEST_F(SchedulerTest, IdleThreadsTakeTasksOfSourcesAndSinks) {
  Harness harness(2);
  Meeting preparing, finishing;
  add(std::make_unique<CallSource>(
          0, [](int64_t) {}, [&](const Parallel& parallel) { parallel(2, [&](int64_t) { preparing.arrive(); }); }),
      [&](const Parallel& parallel) { parallel(2, [&](int64_t) { finishing.arrive(); }); });
  run(harness);
}

TEST_F(SchedulerTest, TasksMayHaveTasks) {
  for (const int32_t threads : {1, 2, 5}) {
    Harness harness(threads);
    std::atomic<int64_t> sum{0};
    add(std::make_unique<CallSource>(1, [](int64_t) {}), [&](const Parallel& parallel) {
      parallel(10, [&](int64_t outer) { parallel(10, [&](int64_t inner) { sum += outer * 10 + inner; }); });
    });
    run(harness);
    EXPECT_EQ(sum, 4950);
    pipelines_.clear();
  }
}

TEST_F(SchedulerTest, OneThreadKeepsThePlansOrder) {
  Harness harness(1);
  Log log;
  add_logged(log, "a");
  add_logged(log, "b");
  add_logged(log, "c", {0});
  run(harness);
  EXPECT_EQ(log.text(), "a.prepare a.open a.finish b.prepare b.open b.finish c.prepare c.open c.finish");
}

TEST_F(SchedulerTest, InputsAreCompleteBeforeAPipelineStarts) {
  Harness harness(4);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::atomic<bool>> ended(6);
    const std::vector<std::vector<int32_t>> after = {{}, {}, {0, 1, 1}, {}, {2, 3}, {0, 4}};
    std::atomic<int> early{0};
    for (size_t i = 0; i < after.size(); ++i) {
      add(
          std::make_unique<CallSource>(
              static_cast<int64_t>(i % 3), [](int64_t) {},
              [&, i](const Parallel&) {
                for (const int32_t input : after[i]) early += !ended[static_cast<size_t>(input)];
              }),
          [&, i](const Parallel&) { ended[i] = true; }, after[i]);
    }
    run(harness);
    EXPECT_EQ(early, 0);
    for (auto& end : ended) EXPECT_TRUE(end);
    pipelines_.clear();
  }
}

TEST_F(SchedulerTest, MorselsAreTakenInOrderAndOnce) {
  Harness harness(4);
  std::mutex mutex;
  std::vector<int64_t> taken;
  add(1000, [&](int64_t morsel) {
    std::lock_guard lock(mutex);
    taken.push_back(morsel);
  });
  run(harness);
  std::sort(taken.begin(), taken.end());
  for (int64_t i = 0; i < 1000; ++i) EXPECT_EQ(taken[static_cast<size_t>(i)], i);
  EXPECT_EQ(taken.size(), 1000u);
}

TEST_F(SchedulerTest, AnErrorEndsThePipelinesBesideIt) {
  Harness harness(2);
  Meeting meeting;
  Log log;
  add(1, [&](int64_t) {
    meeting.arrive();
    throw runtime_error("this one fails");
  });
  add(1000000, [&](int64_t morsel) {
    if (morsel == 0) meeting.arrive();
  });
  add_logged(log, "later", {0, 1});
  try {
    run(harness);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "this one fails");
  }
  EXPECT_EQ(log.text(), "");
  EXPECT_TRUE(harness.context().cancelled());
}

TEST_F(SchedulerTest, AnErrorOfATaskIsTheQuerys) {
  for (const int32_t threads : {1, 3}) {
    Harness harness(threads);
    add(std::make_unique<CallSource>(1, [](int64_t) {}), [&](const Parallel& parallel) {
      parallel(100, [&](int64_t task) {
        if (task == 3) throw runtime_error("task 3");
      });
      ADD_FAILURE() << "went on";
    });
    try {
      run(harness);
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.message(), "task 3");
    }
    pipelines_.clear();
  }
}

TEST_F(SchedulerTest, APipelineCannotWaitForALaterOne) {
  Harness harness(2);
  add(1, [](int64_t) {}, {1});
  add(1, [](int64_t) {});
  EXPECT_THROW(run(harness), Error);
}

}  // namespace
}  // namespace quern::test
