#include "cpu/expression/message.hpp"

#include "cpu/expression/loops.hpp"
#include "cpu/expression/real_text.hpp"
#include "ops/format.hpp"

namespace quern::cpu {

std::string quoted(std::string_view text) {
  constexpr size_t most = 100;
  std::string out(1, '\'');
  if (text.size() <= most) return out.append(text).append("'");
  size_t cut = most;
  while (cut > 0 && ops::continues(text[cut])) --cut;
  return out.append(text.substr(0, cut)).append("…'");
}

std::string number_text(int64_t v) { return std::to_string(v); }
std::string number_text(uint64_t v) { return std::to_string(v); }
std::string number_text(double v) {
  char text[40];
  return {text, static_cast<size_t>(write_real(v, text))};
}
std::string number_text(float v) {
  char text[40];
  return {text, static_cast<size_t>(write_real(v, text))};
}

std::string decimal_text(int128_t unscaled, const DataType& type) {
  char text[64];
  return {text, static_cast<size_t>(ops::write_decimal(unscaled, type.precision, type.scale, text))};
}

std::string interval_text(Interval v) {
  char text[128];
  return {text, static_cast<size_t>(ops::write_interval(v, text))};
}

std::string date_text(int32_t days) {
  char text[64];
  return {text, static_cast<size_t>(ops::write_date(days, text))};
}

std::string timestamp_text(int64_t v, const DataType& type) {
  char text[64];
  return {text, static_cast<size_t>(ops::write_timestamp(v, units_per_second(type.unit), type.zone, text))};
}

std::string overflow_message(std::string_view operation, const DataType& type, std::string_view values) {
  return "overflow in " + std::string(operation) + " of " + type_name(type) + ": " + std::string(values);
}

std::string range_message(const DataType& target, std::string_view value) {
  return "value out of range for " + type_name(target) + ": " + std::string(value);
}

std::string convert_message(const DataType& target, std::string_view text) {
  return "cannot convert text to " + type_name(target) + ": " + quoted(text);
}

}  // namespace quern::cpu
