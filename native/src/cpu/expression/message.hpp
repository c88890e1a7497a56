// Values as error messages show them.
#pragma once
#include <string>
#include <string_view>

#include "columnar/column.hpp"

namespace quern::cpu {

// Quoted, cut after 100 bytes.
std::string quoted(std::string_view text);
std::string number_text(int64_t v);
std::string number_text(uint64_t v);
std::string number_text(double v);
std::string number_text(float v);
inline std::string number_text(int8_t v) { return number_text(static_cast<int64_t>(v)); }
inline std::string number_text(int16_t v) { return number_text(static_cast<int64_t>(v)); }
inline std::string number_text(int32_t v) { return number_text(static_cast<int64_t>(v)); }
inline std::string number_text(uint8_t v) { return number_text(static_cast<uint64_t>(v)); }
inline std::string number_text(uint16_t v) { return number_text(static_cast<uint64_t>(v)); }
inline std::string number_text(uint32_t v) { return number_text(static_cast<uint64_t>(v)); }
std::string decimal_text(int128_t unscaled, const DataType& type);
std::string interval_text(Interval v);
std::string date_text(int32_t days);
std::string timestamp_text(int64_t v, const DataType& type);

// "overflow in addition of INTEGER: 2147483647 + 1"
std::string overflow_message(std::string_view operation, const DataType& type, std::string_view values);
// "value out of range for INTEGER: 3000000000"
std::string range_message(const DataType& target, std::string_view value);
// "cannot convert text to INTEGER: 'abc'"
std::string convert_message(const DataType& target, std::string_view text);

}  // namespace quern::cpu
