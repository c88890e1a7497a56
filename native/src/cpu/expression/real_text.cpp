#include "cpu/expression/real_text.hpp"

#include <charconv>
#include <limits>

#include "ops/text.hpp"

namespace quern::cpu {

namespace {

template <typename T>
bool parse(std::string_view view, T& out) {
  ops::Text text = ops::trim_spaces({view.data(), static_cast<int64_t>(view.size())});
  if (text.length == 0) return false;
  bool negative = false;
  if (text.data[0] == '+' || text.data[0] == '-') {
    negative = text.data[0] == '-';
    ++text.data;
    --text.length;
  }
  if (ops::equals_word(text, "inf") || ops::equals_word(text, "infinity")) {
    out = std::numeric_limits<T>::infinity();
  } else if (ops::equals_word(text, "nan")) {
    out = std::numeric_limits<T>::quiet_NaN();
  } else {
    std::string_view digits(text.data, static_cast<size_t>(text.length));
    std::string plain;
    if (digits.find('_') != std::string_view::npos) {
      for (size_t i = 0; i < digits.size(); ++i) {
        if (digits[i] != '_')
          plain += digits[i];
        else if (i == 0 || i + 1 == digits.size() || !ops::is_digit(digits[i - 1]) || !ops::is_digit(digits[i + 1]))
          return false;
      }
      digits = plain;
    }
    // from_chars takes more words and signs than are meant here
    if (digits.empty() || (!ops::is_digit(digits[0]) && digits[0] != '.')) return false;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    if (end != digits.data() + digits.size()) return false;
    if (error == std::errc::result_out_of_range) {
      const size_t power = digits.find_first_of("eE");
      ops::Text mantissa{digits.data(), static_cast<int64_t>(power == std::string_view::npos ? digits.size() : power)};
      bool small = power != std::string_view::npos && digits[power + 1] == '-';
      if (power == std::string_view::npos) small = mantissa.data[0] == '0' || mantissa.data[0] == '.';
      out = small ? static_cast<T>(0) : std::numeric_limits<T>::infinity();
    } else if (error != std::errc()) {
      return false;
    }
  }
  if (negative) out = -out;
  return true;
}

}  // namespace

bool parse_real(std::string_view text, double& out) { return parse(text, out); }
bool parse_real(std::string_view text, float& out) { return parse(text, out); }

}  // namespace quern::cpu
