// Arrays of values of one width: adopted as they are, or converted one by one.
#include <cstring>

#include "arrow/batch_reader.hpp"

namespace quern::arrow {
namespace {

constexpr int64_t ms_per_day = 86'400'000;

int64_t floor_divide(int64_t value, int64_t by) { return value / by - (value % by < 0 ? 1 : 0); }

int64_t checked_multiply(int64_t value, int64_t by) {
  int64_t product;
  if (__builtin_mul_overflow(value, by, &product)) {
    throw corrupt_file("time " + std::to_string(value) + " exceeds 64 bits of microseconds");
  }
  return product;
}

// Microseconds of one unit; nanoseconds are divided.
int64_t micros_of_unit(int unit) { return unit == 0 ? 1'000'000 : unit == 1 ? 1'000 : 1; }

struct Int256 {
  uint64_t words[4];
};

int128_t narrow(const Int256& value) {
  const uint128_t low = static_cast<uint128_t>(value.words[1]) << 64 | value.words[0];
  const uint64_t sign = static_cast<int128_t>(low) < 0 ? ~0ULL : 0;
  if (value.words[2] != sign || value.words[3] != sign) throw corrupt_file("decimal exceeds 38 digits");
  return static_cast<int128_t>(low);
}
int128_t narrow(int128_t value) { return value; }
int128_t narrow(int64_t value) { return value; }
int128_t narrow(int32_t value) { return value; }

int128_t power_of_ten(int exponent) {
  int128_t power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

template <typename From, typename To, typename Convert>
ColumnPtr converted(Memory& memory, const Field& field, int64_t length, const Mask& mask, const BufferPtr& stored,
                    Convert convert) {
  const From* from = stored->as<const From>();
  BufferPtr data = memory.allocate(static_cast<size_t>(length) * sizeof(To));
  To* to = data->as<To>();
  for (int64_t row = 0; row < length; ++row) to[row] = mask.valid(row) ? convert(from[row]) : To{};
  return flat_column(field.type, length, mask, std::move(data));
}

template <typename From>
ColumnPtr decimals(Memory& memory, const Field& field, int64_t length, const Mask& mask, const BufferPtr& stored) {
  const int128_t bound = power_of_ten(field.precision);
  const auto checked = [bound, &field](const From& stored_value) {
    const int128_t value = narrow(stored_value);
    if (value >= bound || value <= -bound) {
      throw corrupt_file("decimal exceeds " + std::to_string(field.precision) + " digits");
    }
    return value;
  };
  if (field.precision > 18) return converted<From, int128_t>(memory, field, length, mask, stored, checked);
  return converted<From, int64_t>(memory, field, length, mask, stored,
                                  [&](const From& value) { return static_cast<int64_t>(checked(value)); });
}

int64_t stored_width(const Field& field) {
  switch (field.kind) {
    case Kind::timestamp:
    case Kind::duration:
      return 8;
    case Kind::interval:
      return field.unit == 0 ? 4 : field.unit == 1 ? 8 : 16;
    default:
      return field.bits / 8;
  }
}

struct DayTime {
  int32_t days;
  int32_t milliseconds;
};

struct MonthDayNano {
  int32_t months;
  int32_t days;
  int64_t nanoseconds;
};

}  // namespace

ColumnPtr BatchReader::read_fixed(const Field& field, int64_t length, const Mask& mask) {
  BufferPtr stored = next_buffer(length * stored_width(field));
  const int64_t factor = micros_of_unit(field.unit);
  switch (field.kind) {
    case Kind::date:
      if (field.bits == 32) break;
      return converted<int64_t, int32_t>(memory_, field, length, mask, stored, [](int64_t ms) {
        const int64_t days = floor_divide(ms, ms_per_day);
        if (days < INT32_MIN || days > INT32_MAX) throw corrupt_file("date exceeds 32 bits of days");
        return static_cast<int32_t>(days);
      });
    case Kind::time:
      if (field.bits == 64) break;
      return converted<int32_t, int64_t>(memory_, field, length, mask, stored,
                                         [factor](int32_t value) { return value * factor; });
    case Kind::timestamp:
      if (!field.zone || field.unit == 2) break;
      if (field.unit == 3) {
        return converted<int64_t, int64_t>(memory_, field, length, mask, stored,
                                           [](int64_t nanos) { return floor_divide(nanos, 1000); });
      }
      return converted<int64_t, int64_t>(memory_, field, length, mask, stored,
                                         [factor](int64_t value) { return checked_multiply(value, factor); });
    case Kind::duration:
      return converted<int64_t, Interval>(memory_, field, length, mask, stored, [&](int64_t value) {
        return Interval{0, 0, field.unit == 3 ? value / 1000 : checked_multiply(value, factor)};
      });
    case Kind::interval:
      if (field.unit == 0) {
        return converted<int32_t, Interval>(memory_, field, length, mask, stored,
                                            [](int32_t months) { return Interval{months, 0, 0}; });
      }
      if (field.unit == 1) {
        return converted<DayTime, Interval>(memory_, field, length, mask, stored, [](const DayTime& value) {
          return Interval{0, value.days, value.milliseconds * int64_t{1000}};
        });
      }
      return converted<MonthDayNano, Interval>(memory_, field, length, mask, stored, [](const MonthDayNano& value) {
        return Interval{value.months, value.days, value.nanoseconds / 1000};
      });
    case Kind::decimal:
      switch (field.bits) {
        case 32:
          return decimals<int32_t>(memory_, field, length, mask, stored);
        case 64:
          return decimals<int64_t>(memory_, field, length, mask, stored);
        case 128:
          return decimals<int128_t>(memory_, field, length, mask, stored);
        default:
          return decimals<Int256>(memory_, field, length, mask, stored);
      }
    default:
      break;
  }
  return flat_column(field.type, length, mask, std::move(stored));
}

ColumnPtr BatchReader::read_boolean(const Field& field, int64_t length, const Mask& mask) {
  const BufferPtr bits = next_buffer((length + 7) / 8);
  // Whole groups of 8 are written: buffers have room past their size.
  BufferPtr data = memory_.allocate(static_cast<size_t>(length));
  for (int64_t group = 0; group < (length + 7) / 8; ++group) {
    // Each byte keeps its own bit of the eight, then any bit becomes 1.
    const uint64_t spread = bits->data()[group] * 0x0101010101010101ULL & 0x8040201008040201ULL;
    const uint64_t ones = (spread + 0x7F7F7F7F7F7F7F7FULL) >> 7 & 0x0101010101010101ULL;
    std::memcpy(data->data() + group * 8, &ones, 8);
  }
  return flat_column(field.type, length, mask, std::move(data));
}

}  // namespace quern::arrow
