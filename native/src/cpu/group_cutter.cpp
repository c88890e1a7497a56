#include "cpu/group_cutter.hpp"

namespace quern::cpu {

std::shared_ptr<WriteGroup> GroupCutter::next() {
  while (!is_out_) {
    const auto shreds = static_cast<int64_t>(open_.shreds.size());
    if (shreds > 0 && size_.is_due(shreds, open_.file_bytes)) return close(true);
    const bool is_empty = waiting_.empty();
    if (is_empty && (!ended_ || shreds == 0)) return nullptr;
    if (is_empty || !open_.has_room(waiting_.front(), options_))
      return close(size_.has_attempts() || open_.file_bytes > size_.target());
    open_.add(std::move(waiting_.front()));
    waiting_.pop_front();
  }
  return nullptr;
}

std::shared_ptr<WriteGroup> GroupCutter::close(bool is_trial) {
  auto group = std::make_shared<WriteGroup>(std::move(open_));
  open_ = WriteGroup();
  group->is_trial = is_out_ = is_trial;
  return group;
}

bool GroupCutter::take(WriteGroup& trial) {
  is_out_ = false;
  const bool may_grow = waiting_.empty() ? !ended_ : trial.has_room(waiting_.front(), options_);
  if (size_.judge({static_cast<int64_t>(trial.shreds.size()), trial.file_bytes, trial.encoded_bytes()}, may_grow))
    return true;
  open_ = std::move(trial);
  open_.chunks.clear();
  while (size_.is_beyond(static_cast<int64_t>(open_.shreds.size()), open_.file_bytes))
    waiting_.push_front(open_.remove_last());
  return false;
}

}  // namespace quern::cpu
