// Named time zones of the system's database (TZif files, RFC 8536).
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quern::cpu {

// When daylight saving starts or ends, the same rule every year.
struct ZoneChange {
  enum class Kind { month_week_day, day_of_year, day_without_leap };
  Kind kind = Kind::month_week_day;
  int32_t month = 0, week = 0, day = 0;
  int64_t seconds = 7200;  // after midnight of that day, by the clock before the change
};

// The rule for all times after the last transition of a file. Offsets are seconds east of UTC.
struct ZoneRule {
  int64_t standard = 0;
  std::optional<int64_t> daylight;
  ZoneChange start, end;
};

class TimeZone {
 public:
  // The zone of a name in any case; kept for the life of the process. Throws for a name that the system does not know.
  static std::shared_ptr<const TimeZone> find(std::string_view name);
  // The content of a TZif file; throws when it is none.
  static TimeZone parse(std::string_view name, std::string_view bytes);

  // Seconds east of UTC at an instant (seconds since the epoch).
  int64_t offset_at(int64_t instant) const;
  // The offset of a clock time: of two instants the later; within a gap the offset before it.
  int64_t offset_of_local(int64_t local) const;

 private:
  std::vector<int64_t> transitions_;  // instants, ascending
  std::vector<int64_t> offsets_;      // from each transition on
  int64_t first_offset_ = 0;          // before all of them
  std::optional<ZoneRule> rule_;
};

}  // namespace quern::cpu
