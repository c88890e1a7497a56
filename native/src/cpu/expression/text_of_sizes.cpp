// Numbers as a reader likes them: bars, and bytes with units.
#include <array>
#include <cmath>

#include "cpu/expression/text.hpp"

namespace quern::cpu {

namespace {

// bar(x, min, max[, width]): eighths of a character from min to max, filled with blanks to the width.
KernelPtr make_bar(const Signature& signature) {
  return strict_kernel([with_width = signature.arguments.size() == 4](Call& call) {
    const Numbers<double> value(call, 0), low(call, 1), high(call, 2);
    static constexpr std::array<const char*, 8> eighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    constexpr double usual_width = 80, most_width = 1000;
    each_text(call, [&](int64_t row, std::string& out) {
      const double width = with_width ? Numbers<double>(call, 3)[row] : usual_width;
      if (!(width >= 1 && width <= most_width))
        throw runtime_error("the width of bar is from 1 to 1000, not: " + number_text(width));
      const double x = value[row];
      double filled = x >= high[row] ? width : width * (x - low[row]) / (high[row] - low[row]);
      if (!(filled > 0) || x < low[row]) filled = 0;
      const auto parts = static_cast<int64_t>(filled * 8);
      for (int64_t i = 0; i < parts / 8; ++i) out += "█";
      out += eighths[static_cast<size_t>(parts % 8)];
      const int64_t shown = (parts + 7) / 8, places = static_cast<int64_t>(width);
      if (shown < places) out.append(static_cast<size_t>(places - shown), ' ');
    });
  });
}

using Units = std::array<const char*, 6>;
constexpr Units binary_units = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
constexpr Units decimal_units = {"bytes", "kB", "MB", "GB", "TB", "PB"};

// One digit after the point, cut off.
void append_size(int64_t bytes, const Units& units, uint64_t step, std::string& out) {
  const uint64_t size = bytes < 0 ? 0 - static_cast<uint64_t>(bytes) : static_cast<uint64_t>(bytes);
  if (bytes < 0) out += '-';
  if (size < step) {
    out += std::to_string(size) + (size == 1 ? " byte" : " bytes");
    return;
  }
  uint64_t unit = step;
  size_t at = 1;
  while (at + 1 < units.size() && size / unit >= step) {
    unit *= step;
    ++at;
  }
  const auto tenths = static_cast<uint64_t>(static_cast<uint128_t>(size) * 10 / unit);
  out += std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + ' ' + units[at];
}

template <const Units& units, uint64_t step>
KernelPtr make_size(const Signature&) {
  return strict_kernel([](Call& call) {
    const Numbers<int64_t> bytes(call, 0);
    each_text(call, [&](int64_t row, std::string& out) { append_size(bytes[row], units, step, out); });
  });
}

// Bytes of a unit; 0 for another word.
double unit_bytes(std::string_view unit) {
  const auto is = [&](const char* word) {
    return ops::equals_word({unit.data(), static_cast<int64_t>(unit.size())}, word);
  };
  if (is("b") || is("byte") || is("bytes")) return 1;
  static constexpr std::array<const char*, 4> letters = {"k", "m", "g", "t"}, decimal = {"kb", "mb", "gb", "tb"},
                                              binary = {"kib", "mib", "gib", "tib"};
  for (size_t i = 0; i < decimal.size(); ++i) {
    if (is(letters[i]) || is(decimal[i])) return std::pow(1000.0, static_cast<double>(i + 1));
    if (is(binary[i])) return std::pow(1024.0, static_cast<double>(i + 1));
  }
  return 0;
}

// Digits with at most one point, blanks, a unit.
bool parse_size(ops::Text source, uint64_t& out) {
  const ops::Text text = ops::trim_spaces(source);
  double number = 0, place = 0;
  int64_t at = 0, digits = 0;
  for (; at < text.length && (ops::is_digit(text.data[at]) || (text.data[at] == '.' && place == 0)); ++at) {
    if (text.data[at] == '.') {
      place = 1;
      continue;
    }
    ++digits;
    number = number * 10 + (text.data[at] - '0');
    place *= 10;
  }
  if (digits == 0) return false;
  if (place > 1) number /= place;
  while (at < text.length && ops::is_space(text.data[at])) ++at;
  const double bytes = number * unit_bytes({text.data + at, static_cast<size_t>(text.length - at)});
  if (!(bytes < 18446744073709551616.0) || (bytes == 0 && number != 0)) return false;
  out = static_cast<uint64_t>(bytes);
  return true;
}

KernelPtr make_parsed_size(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts text(call, 0);
    each_value<uint64_t>(call, [&](int64_t row) {
      uint64_t bytes = 0;
      if (!parse_size(text[row], bytes)) {
        throw runtime_error("not a number of bytes, such as 1.5 GB or 16 KiB: " + quoted(string_of(text[row])));
      }
      return bytes;
    });
  });
}

}  // namespace

void add_text_of_sizes(KernelTable& table) {
  table.add("bar", make_bar);
  table.add("format_bytes", make_size<binary_units, 1024>);
  table.add("format_bytes_decimal", make_size<decimal_units, 1000>);
  table.add("parse_formatted_bytes", make_parsed_size);
}

}  // namespace quern::cpu
