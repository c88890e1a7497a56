#include "cpu/union_all.hpp"

#include <deque>
#include <mutex>

namespace quern::cpu {

namespace {

// Steps of one input for one reader at a time; kept for the next morsel.
using Forks = std::vector<std::unique_ptr<Step>>;

struct Input {
  UnionInput parts;
  int64_t first_morsel = 0;
  std::mutex mutex;
  std::vector<Forks> idle;

  Forks take() {
    {
      std::lock_guard lock(mutex);
      if (!idle.empty()) {
        Forks forks = std::move(idle.back());
        idle.pop_back();
        return forks;
      }
    }
    Forks forks;
    for (const auto& placed : parts.steps) forks.push_back(placed.step->fork());
    return forks;
  }
  void give_back(Forks forks) {
    std::lock_guard lock(mutex);
    idle.push_back(std::move(forks));
  }
};

// Pulls batches through push steps.
class SteppedReader : public Reader {
 public:
  SteppedReader(Input& input, std::unique_ptr<Reader> reader, const CountRows& count)
      : input_(input), reader_(std::move(reader)), forks_(input.take()), count_(count) {
    for (size_t i = 0; i < forks_.size(); ++i) {
      emits_.push_back([this, i](Batch&& batch) { push(i + 1, std::move(batch)); });
    }
  }
  ~SteppedReader() override { input_.give_back(std::move(forks_)); }

  bool next(Batch& batch) override {
    while (ready_.empty()) {
      Batch read;
      if (!reader_->next(read)) return false;
      push(0, std::move(read));
    }
    batch = std::move(ready_.front());
    ready_.pop_front();
    return true;
  }

 private:
  // A batch given by the source (0) or by step `from` - 1.
  void push(size_t from, Batch&& batch) {
    if (batch.rows == 0) return;
    count_(from == 0 ? input_.parts.source_node : input_.parts.steps[from - 1].node, batch.rows);
    if (from == forks_.size())
      ready_.push_back(std::move(batch));
    else
      forks_[from]->process(std::move(batch), emits_[from]);
  }

  Input& input_;
  std::unique_ptr<Reader> reader_;
  Forks forks_;
  const CountRows& count_;
  std::vector<Emit> emits_;
  std::deque<Batch> ready_;
};

class UnionSource : public Source {
 public:
  UnionSource(std::vector<UnionInput> inputs, CountRows count) : count_(std::move(count)) {
    for (auto& input : inputs) {
      inputs_.push_back(std::make_unique<Input>());
      inputs_.back()->parts = std::move(input);
    }
  }

  void prepare(const Parallel& parallel) override {
    morsels_ = 0;
    for (auto& input : inputs_) {
      input->parts.source->prepare(parallel);
      input->first_morsel = morsels_;
      morsels_ += input->parts.source->morsels();
    }
  }

  int64_t morsels() override { return morsels_; }

  std::unique_ptr<Reader> open(int64_t morsel) override {
    size_t at = 0;
    while (at + 1 < inputs_.size() && inputs_[at + 1]->first_morsel <= morsel) ++at;
    auto& input = *inputs_[at];
    return std::make_unique<SteppedReader>(input, input.parts.source->open(morsel - input.first_morsel), count_);
  }

 private:
  std::vector<std::unique_ptr<Input>> inputs_;
  CountRows count_;
  int64_t morsels_ = 0;
};

}  // namespace

std::unique_ptr<Source> make_union_all(std::vector<UnionInput> inputs, CountRows count) {
  return std::make_unique<UnionSource>(std::move(inputs), std::move(count));
}

}  // namespace quern::cpu
