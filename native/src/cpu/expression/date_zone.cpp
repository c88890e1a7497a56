// Clock times of a named zone ↔ instants; timestamps with zone from their parts.
#include <cmath>

#include "cpu/expression/date_part.hpp"
#include "cpu/expression/time_zone.hpp"
#include "ops/interval.hpp"

namespace quern::cpu {

namespace {

constexpr int64_t micros_a_second = 1000000;

// The zone of a row; the last one is kept.
class Zones {
 public:
  explicit Zones(const Call& call, size_t at) : names_(call, at) {}
  const TimeZone& at(int64_t row) {
    const std::string_view name = string_of(names_[row]);
    if (!zone_ || name != name_) {
      zone_ = TimeZone::find(name);
      name_ = name;
    }
    return *zone_;
  }

 private:
  Texts names_;
  std::shared_ptr<const TimeZone> zone_;
  std::string name_;
};

int64_t shifted(int64_t micros, int64_t seconds, const DataType& type) {
  int64_t out;
  if (!ops::add(micros, seconds * micros_a_second, out) || !ops::finite_timestamp(out))
    throw runtime_error(range_message(type, timestamp_text(micros, type)));
  return out;
}

// timezone(zone, timestamp): a clock time of the zone becomes an instant, an instant a clock time.
template <bool to_instant>
KernelPtr make_time_zone(const Signature& signature) {
  if (signature.arguments[1]->unit != TimeUnit::us)
    throw unsupported("time zone of " + type_name(*signature.arguments[1]));
  if (signature.arguments[1]->zone == to_instant) throw internal_error("timezone over the wrong kind of timestamp");
  return strict_kernel([type = signature.result](Call& call) {
    Zones zones(call, 0);
    const Numbers<int64_t> moments(call, 1);
    each_value<int64_t>(call, [&](int64_t row) {
      const TimeZone& zone = zones.at(row);
      const int64_t moment = moments[row];
      if (!ops::finite_timestamp(moment)) return moment;
      const int64_t seconds = ops::floor_div(moment, micros_a_second);
      return to_instant ? shifted(moment, -zone.offset_of_local(seconds), *type)
                        : shifted(moment, zone.offset_at(seconds), *type);
    });
  });
}

}  // namespace

void add_date_zone(KernelTable& table) {
  table.add("local_to_instant", make_time_zone<true>);
  table.add("instant_to_local", make_time_zone<false>);
}

}  // namespace quern::cpu
