#include "cpu/expression/time_zone.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>

#include "common/error.hpp"
#include "cpu/expression/message.hpp"
#include "ops/calendar.hpp"
#include "ops/text.hpp"

namespace quern::cpu {

namespace {

constexpr const char* database = "/usr/share/zoneinfo";
constexpr size_t most_bytes = 1 << 20;  // of one file: the largest have some 4 KiB

// Reads numbers of a file; throws at its end.
class Bytes {
 public:
  Bytes(std::string_view name, std::string_view rest) : name_(name), rest_(rest) {}
  std::string_view take(size_t count) {
    if (count > rest_.size()) throw corrupt_file("time zone file ends too early: " + std::string(name_));
    const std::string_view out = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return out;
  }
  uint64_t number(size_t bytes) {
    uint64_t out = 0;
    for (const char c : take(bytes)) out = out << 8 | static_cast<unsigned char>(c);
    return out;
  }
  uint8_t byte() { return static_cast<uint8_t>(number(1)); }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view name_, rest_;
};

struct Header {
  char version;
  size_t ut_flags, standard_flags, leaps, transitions, types, characters;
  // Of what follows, with instants of so many bytes.
  size_t bytes(size_t instant) const {
    return transitions * (instant + 1) + types * 6 + characters + leaps * (instant + 4) + standard_flags + ut_flags;
  }
};

Header read_header(Bytes& bytes, std::string_view name) {
  if (bytes.take(4) != "TZif") throw corrupt_file("not a time zone file: " + std::string(name));
  Header header{};
  header.version = bytes.take(1)[0];
  bytes.take(15);
  for (size_t* field : {&header.ut_flags, &header.standard_flags, &header.leaps, &header.transitions, &header.types,
                        &header.characters}) {
    *field = bytes.number(4);
  }
  return header;
}

// The rule behind the data: "CET-1CEST,M3.5.0,M10.5.0/3" (POSIX, with hours up to 167).
class RuleReader {
 public:
  explicit RuleReader(std::string_view text) : text_(text) {}
  // False for text that is no rule.
  bool read(ZoneRule& rule) {
    if (!name() || !time(rule.standard)) return false;
    rule.standard = -rule.standard;
    if (text_.empty()) return true;
    rule.daylight = rule.standard + 3600;
    if (!name()) return false;
    if (!text_.empty() && text_[0] != ',') {
      int64_t west;
      if (!time(west)) return false;
      rule.daylight = -west;
    }
    return take(',') && change(rule.start) && take(',') && change(rule.end) && text_.empty();
  }

 private:
  bool take(char c) {
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool name() {
    size_t length = 0;
    if (take('<')) {
      length = text_.find('>');
      if (length == text_.npos) return false;
      text_.remove_prefix(length + 1);
      return true;
    }
    while (length < text_.size() && ops::ascii_lower(text_[length]) >= 'a' && ops::ascii_lower(text_[length]) <= 'z')
      ++length;
    text_.remove_prefix(length);
    return length > 0;
  }
  bool number(int64_t& out) {
    size_t digits = 0;
    for (out = 0; digits < text_.size() && digits < 4 && ops::is_digit(text_[digits]); ++digits)
      out = out * 10 + (text_[digits] - '0');
    text_.remove_prefix(digits);
    return digits > 0;
  }
  // [+-]hours[:minutes[:seconds]] in seconds
  bool time(int64_t& out) {
    const bool negative = take('-');
    if (!negative) take('+');
    if (!number(out)) return false;
    out *= 3600;
    int64_t part;
    for (const int64_t unit : {60, 1}) {
      if (!take(':')) break;
      if (!number(part)) return false;
      out += part * unit;
    }
    if (negative) out = -out;
    return true;
  }
  bool change(ZoneChange& out) {
    int64_t month = 0, week = 0, day = 0;
    if (take('M')) {
      if (!number(month) || !take('.') || !number(week) || !take('.') || !number(day)) return false;
      if (month < 1 || month > 12 || week < 1 || week > 5 || day > 6) return false;
    } else {
      out.kind = take('J') ? ZoneChange::Kind::day_without_leap : ZoneChange::Kind::day_of_year;
      if (!number(day) || day > 365) return false;
    }
    out.month = static_cast<int32_t>(month);
    out.week = static_cast<int32_t>(week);
    out.day = static_cast<int32_t>(day);
    return !take('/') || time(out.seconds);
  }
  std::string_view text_;
};

// Clock seconds since the epoch of a change in a year, by the clock before it.
int64_t change_in(const ZoneChange& change, int64_t year) {
  int64_t days = ops::days_of_civil(year, 1, 1);
  switch (change.kind) {
    case ZoneChange::Kind::day_of_year:  // from 0, 29 February counts
      days += change.day;
      break;
    case ZoneChange::Kind::day_without_leap:  // from 1, 29 February does not count
      days += change.day - 1 + (ops::leap_year(year) && change.day >= 60 ? 1 : 0);
      break;
    case ZoneChange::Kind::month_week_day: {  // week 5 is the last one, day 0 is Sunday
      const int64_t first = ops::days_of_civil(year, change.month, 1);
      const int64_t day = first + ops::floor_mod(change.day - ops::iso_weekday(first) % 7, 7) + (change.week - 1) * 7;
      const int64_t last = first + ops::month_days(year, change.month) - 1;
      days = day > last ? day - 7 : day;
      break;
    }
  }
  return days * ops::day_seconds + change.seconds;
}

int64_t offset_by_rule(const ZoneRule& rule, int64_t instant) {
  if (!rule.daylight) return rule.standard;
  const int64_t year = ops::civil_of_days(ops::floor_div(instant + rule.standard, ops::day_seconds)).year;
  const int64_t start = change_in(rule.start, year) - rule.standard;
  const int64_t end = change_in(rule.end, year) - *rule.daylight;
  const bool saving = start < end ? instant >= start && instant < end : instant >= start || instant < end;
  return saving ? *rule.daylight : rule.standard;
}

bool plain_name(std::string_view name) {
  const auto allowed = [](char c) {
    const char lower = ops::ascii_lower(c);
    return (lower >= 'a' && lower <= 'z') || ops::is_digit(c) || c == '/' || c == '_' || c == '-' || c == '+';
  };
  return !name.empty() && name.size() < 100 && std::all_of(name.begin(), name.end(), allowed);
}

std::string lower(std::string_view name) {
  std::string out(name);
  for (char& c : out) c = ops::ascii_lower(c);
  return out;
}

bool same_name(std::string_view a, std::string_view b) { return lower(a) == lower(b); }

// The file of a name in any case, found folder by folder; empty when there is none.
std::filesystem::path zone_file(std::string_view name) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path at = database;
  for (size_t from = 0; from <= name.size();) {
    const size_t to = std::min(name.find('/', from), name.size());
    const std::string_view part = name.substr(from, to - from);
    if (part.empty()) return {};
    fs::path next = at / part;
    if (!fs::exists(next, error)) {
      next.clear();
      for (const auto& entry : fs::directory_iterator(at, error)) {
        if (same_name(entry.path().filename().string(), part)) next = entry.path();
      }
      if (next.empty()) return {};
    }
    at = next;
    from = to + 1;
  }
  return fs::is_regular_file(at, error) ? at : fs::path();
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes(most_bytes, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<size_t>(in.gcount()));
  return bytes;
}

}  // namespace

std::shared_ptr<const TimeZone> TimeZone::find(std::string_view name) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const TimeZone>, std::less<>> known;
  const std::string key = lower(name);
  const std::lock_guard lock(mutex);
  if (const auto found = known.find(key); found != known.end()) return found->second;
  std::shared_ptr<const TimeZone> zone;
  if (key == "utc" || key == "gmt") {
    zone = std::make_shared<TimeZone>();
  } else {
    const auto path = plain_name(name) ? zone_file(name) : std::filesystem::path();
    if (path.empty())
      throw runtime_error("no such time zone: " + quoted(name))
          .with_hint("names are those of the system's database, e.g. 'Europe/Berlin'");
    zone = std::make_shared<TimeZone>(parse(name, read_file(path)));
  }
  known.emplace(key, zone);
  return zone;
}

TimeZone TimeZone::parse(std::string_view name, std::string_view file) {
  Bytes bytes(name, file);
  Header header = read_header(bytes, name);
  size_t instant = 4;
  if (header.version != '\0') {  // the data again, with instants of 64 bits
    bytes.take(header.bytes(instant));
    header = read_header(bytes, name);
    instant = 8;
  }
  TimeZone zone;
  for (size_t i = 0; i < header.transitions; ++i) {
    const uint64_t bits = bytes.number(instant);
    zone.transitions_.push_back(instant == 8 ? static_cast<int64_t>(bits) : static_cast<int32_t>(bits));
  }
  std::vector<uint8_t> types;
  for (size_t i = 0; i < header.transitions; ++i) types.push_back(bytes.byte());
  std::vector<int64_t> offsets;
  for (size_t i = 0; i < header.types; ++i) {
    offsets.push_back(static_cast<int32_t>(bytes.number(4)));
    bytes.take(2);
  }
  if (offsets.empty() || !std::is_sorted(zone.transitions_.begin(), zone.transitions_.end()))
    throw corrupt_file("time zone file without order: " + std::string(name));
  zone.first_offset_ = offsets[0];
  for (const uint8_t type : types) {
    if (type >= offsets.size())
      throw corrupt_file("time zone file with a type that is not there: " + std::string(name));
    zone.offsets_.push_back(offsets[type]);
  }
  bytes.take(header.characters + header.leaps * (instant + 4) + header.standard_flags + header.ut_flags);
  std::string_view footer = bytes.rest();
  if (instant == 8 && footer.size() > 2 && footer[0] == '\n') {
    footer = footer.substr(1, footer.find('\n', 1) - 1);
    ZoneRule rule;
    if (!footer.empty()) {
      if (!RuleReader(footer).read(rule)) throw corrupt_file("time zone file with a bad rule: " + std::string(name));
      zone.rule_ = rule;
    }
  }
  return zone;
}

int64_t TimeZone::offset_at(int64_t instant) const {
  const auto after = std::upper_bound(transitions_.begin(), transitions_.end(), instant);
  if (after == transitions_.end() && rule_) return offset_by_rule(*rule_, instant);
  if (after == transitions_.begin()) return first_offset_;
  return offsets_[static_cast<size_t>(after - transitions_.begin()) - 1];
}

int64_t TimeZone::offset_of_local(int64_t local) const {
  // No offset reaches 24 hours, so both sides of a change of the clock are seen.
  const int64_t before = offset_at(local - ops::day_seconds), after = offset_at(local + ops::day_seconds);
  const bool after_fits = offset_at(local - after) == after;
  const bool before_fits = offset_at(local - before) == before;
  if (after_fits && before_fits) return std::min(before, after);
  return after_fits ? after : before;
}

}  // namespace quern::cpu
