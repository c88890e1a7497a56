// How many rows make a row group of a wanted size in the file, which only encoding them tells.
#pragma once
#include <cstdint>
#include <optional>

namespace quern::cpu {

// A number of shreds taken together, and what they came to.
struct GroupAttempt {
  int64_t shreds = 0;
  int64_t plain = 0;    // bytes in plain form
  int64_t encoded = 0;  // bytes in the file
};

// Starts with the proportion of the group before, then closes in from both sides. The same shreds give the same groups.
class GroupSize {
 public:
  explicit GroupSize(int64_t target) : target_(target), goal_(static_cast<double>(target)) {}

  int64_t target() const { return target_; }
  // Whether these many are to be encoded now.
  bool is_due(int64_t shreds, int64_t plain) const;
  // Whether the last one of these many is too much.
  bool is_beyond(int64_t shreds, int64_t plain) const;
  bool has_attempts() const { return tries_ > 0; }
  // Whether the attempt is a group; otherwise another is due, of fewer or of more shreds.
  bool judge(const GroupAttempt& attempt, bool may_grow);

 private:
  bool accept(const GroupAttempt& attempt);
  bool settle(const GroupAttempt& attempt);
  void aim(const GroupAttempt& attempt, const std::optional<GroupAttempt>& before);

  int64_t target_;
  double goal_;  // plain bytes
  int tries_ = 0;
  std::optional<GroupAttempt> low_, high_;  // the nearest ones too small and too large
  std::optional<int64_t> settled_;          // shreds of the group, nothing better being there
};

}  // namespace quern::cpu
