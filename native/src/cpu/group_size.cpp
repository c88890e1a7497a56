#include "cpu/group_size.hpp"

#include <algorithm>
#include <cmath>

namespace quern::cpu {

namespace {

// Parts of the target between which a group is taken, and the one that is aimed at.
constexpr double least = 0.94, most = 1.04, aimed = 0.99;
// A group grows by so much at most from one attempt to the next: proportions change with size.
constexpr double most_growth = 8;
// So many attempts follow proportions, further ones halve what is between too small and too large.
constexpr int proportional_tries = 5;
constexpr int most_tries = 40;

}  // namespace

bool GroupSize::is_due(int64_t shreds, int64_t plain) const {
  if (settled_) return shreds >= *settled_;
  if (low_ && shreds <= low_->shreds) return false;
  return static_cast<double>(plain) >= goal_ || (high_ && shreds + 1 >= high_->shreds);
}

bool GroupSize::is_beyond(int64_t shreds, int64_t plain) const {
  if (settled_) return shreds > *settled_;
  if (!high_ || shreds <= (low_ ? low_->shreds : 0) + 1) return false;
  return shreds >= high_->shreds || static_cast<double>(plain) > goal_;
}

bool GroupSize::judge(const GroupAttempt& attempt, bool may_grow) {
  ++tries_;
  const double part = static_cast<double>(attempt.encoded) / static_cast<double>(target_);
  if (settled_ || tries_ == most_tries || (part >= least && part <= most)) return accept(attempt);
  if (part < least ? !may_grow : attempt.shreds == 1) return accept(attempt);
  const std::optional<GroupAttempt> before = low_;
  (part < least ? low_ : high_) = attempt;
  if (low_ && high_ && high_->shreds - low_->shreds <= 1) return settle(attempt);
  aim(attempt, before);
  return false;
}

bool GroupSize::accept(const GroupAttempt& attempt) {
  const double plain = static_cast<double>(std::max<int64_t>(1, attempt.plain));
  const double encoded = static_cast<double>(std::max<int64_t>(1, attempt.encoded));
  goal_ = std::min(plain * aimed * static_cast<double>(target_) / encoded, plain * most_growth);
  tries_ = 0;
  low_.reset();
  high_.reset();
  settled_.reset();
  return true;
}

// One shred more or less is all the choice there is.
bool GroupSize::settle(const GroupAttempt& attempt) {
  const GroupAttempt& nearer = target_ - low_->encoded < high_->encoded - target_ ? *low_ : *high_;
  if (nearer.shreds == attempt.shreds) return accept(attempt);
  settled_ = nearer.shreds;
  return false;
}

void GroupSize::aim(const GroupAttempt& attempt, const std::optional<GroupAttempt>& before) {
  const double wanted = aimed * static_cast<double>(target_);
  if (high_) {
    const GroupAttempt low = low_.value_or(GroupAttempt());
    const double part = tries_ > proportional_tries ? 0.5
                                                    : (wanted - static_cast<double>(low.encoded)) /
                                                          static_cast<double>(high_->encoded - low.encoded);
    goal_ = static_cast<double>(low.plain) + part * static_cast<double>(high_->plain - low.plain);
    return;
  }
  const GroupAttempt from = before.value_or(GroupAttempt());
  const double slope = static_cast<double>(attempt.encoded - from.encoded) /
                       static_cast<double>(std::max<int64_t>(1, attempt.plain - from.plain));
  const double plain = static_cast<double>(std::max<int64_t>(1, attempt.plain));
  goal_ = plain * most_growth;
  if (slope > 0) goal_ = std::min(goal_, plain + (wanted - static_cast<double>(attempt.encoded)) / slope);
}

}  // namespace quern::cpu
