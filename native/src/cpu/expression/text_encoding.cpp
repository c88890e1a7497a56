// Text from bytes and back: UTF-8, URLs, binary digits, digits to a base.
#include "common/utf8.hpp"
#include "cpu/expression/text.hpp"
#include "ops/parse.hpp"

namespace quern::cpu {

namespace {

// Text is UTF-8 already: the bytes are shared.
KernelPtr make_encode(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts text(call, 0);
    each_slice(call, [&](int64_t row) { return text[row]; });
  });
}

enum class OnBadBytes { raise, replace, leave_out };

OnBadBytes on_bad_bytes(ops::Text word) {
  if (ops::equals_word(word, "strict")) return OnBadBytes::raise;
  if (ops::equals_word(word, "replace")) return OnBadBytes::replace;
  if (ops::equals_word(word, "ignore")) return OnBadBytes::leave_out;
  throw runtime_error("decode takes strict, replace or ignore, not: " + quoted(string_of(word)));
}

// Bytes of the well-formed code point at the start; 0 when there is none.
size_t good_bytes(std::string_view rest) {
  const auto length = static_cast<size_t>(ops::code_point_bytes(rest[0]));
  return length <= rest.size() && valid_utf8(rest.data(), length) ? length : 0;
}

void append_decoded(std::string_view bytes, OnBadBytes on_bad, std::string& out) {
  for (size_t at = 0; at < bytes.size();) {
    const size_t good = good_bytes(bytes.substr(at));
    out.append(bytes, at, good);
    if (good == 0 && on_bad == OnBadBytes::replace) out += '?';
    at += good > 0 ? good : 1;
  }
}

KernelPtr make_decode(const Signature& signature) {
  return strict_kernel([with_word = signature.arguments.size() == 2](Call& call) {
    const Texts bytes(call, 0);
    each_text(call, [&](int64_t row, std::string& out) {
      const std::string_view in = string_of(bytes[row]);
      const OnBadBytes on_bad = with_word ? on_bad_bytes(Texts(call, 1)[row]) : OnBadBytes::raise;
      if (valid_utf8(in.data(), in.size())) {
        out += in;
      } else if (on_bad == OnBadBytes::raise) {
        throw runtime_error("not UTF-8: decode(bytes, 'replace') or 'ignore' goes on without the bad bytes");
      } else {
        append_decoded(in, on_bad, out);
      }
    });
  });
}

// Characters that stand for themselves in a URL (RFC 3986, unreserved).
bool plain_in_url(char c) {
  return ops::is_digit(c) || (ops::ascii_lower(c) >= 'a' && ops::ascii_lower(c) <= 'z') || c == '-' || c == '_' ||
         c == '.' || c == '~';
}

void append_url_encoded(std::string_view in, std::string& out) {
  static constexpr char digits[] = "0123456789ABCDEF";
  for (const char c : in) {
    if (plain_in_url(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', digits[byte >> 4], digits[byte & 15]};
  }
}

// A % that no two hexadecimal digits follow stands for itself.
void append_url_decoded(std::string_view in, std::string& out) {
  for (size_t i = 0; i < in.size(); ++i) {
    const int high = i + 2 < in.size() ? ops::hex_digit(in[i + 1]) : -1;
    const int low = i + 2 < in.size() ? ops::hex_digit(in[i + 2]) : -1;
    if (in[i] == '%' && high >= 0 && low >= 0) {
      out += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      out += in[i];
    }
  }
}

template <void (*append)(std::string_view, std::string&)>
KernelPtr make_mapped_text(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts text(call, 0);
    each_text(call, [&](int64_t row, std::string& out) {
      append(string_of(text[row]), out);
      if (!valid_utf8(out.data(), out.size())) throw runtime_error("not UTF-8: " + quoted(string_of(text[row])));
    });
  });
}

// Eight digits a byte; the first byte may have fewer.
KernelPtr make_unbin(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts text(call, 0);
    each_text(call, [&](int64_t row, std::string& out) {
      const std::string_view digits = string_of(text[row]);
      for (size_t i = 0, byte = 0; i < digits.size(); ++i) {
        if (digits[i] != '0' && digits[i] != '1') throw runtime_error("not binary digits: " + quoted(digits));
        byte = byte << 1 | static_cast<size_t>(digits[i] == '1');
        if ((digits.size() - i - 1) % 8 != 0) continue;
        out += static_cast<char>(byte);
        byte = 0;
      }
    });
  });
}

// Digits of a number to a base, filled with zeros to a least width.
KernelPtr make_to_base(const Signature& signature) {
  return strict_kernel([padded = signature.arguments.size() == 3](Call& call) {
    const Numbers<int64_t> number(call, 0);
    const Numbers<int32_t> base(call, 1);
    constexpr int32_t most_width = 64;
    each_text(call, [&](int64_t row, std::string& out) {
      const int32_t width = padded ? Numbers<int32_t>(call, 2)[row] : 0;
      if (number[row] < 0) throw runtime_error("to_base of a negative number: " + number_text(number[row]));
      if (base[row] < 2 || base[row] > 36) {
        throw runtime_error("the base of to_base is from 2 to 36, not: " + number_text(base[row]));
      }
      if (width < 0 || width > most_width) {
        throw runtime_error("the width of to_base is from 0 to 64, not: " + number_text(width));
      }
      static constexpr char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
      char text[most_width];
      int32_t at = most_width;
      for (int64_t rest = number[row]; rest > 0 || at == most_width; rest /= base[row])
        text[--at] = digits[rest % base[row]];
      while (most_width - at < width) text[--at] = '0';
      out.append(text + at, static_cast<size_t>(most_width - at));
    });
  });
}

}  // namespace

void add_text_encoding(KernelTable& table) {
  table.add("encode", make_encode);
  table.add("decode", make_decode);
  table.add("url_encode", make_mapped_text<append_url_encoded>);
  table.add("url_decode", make_mapped_text<append_url_decoded>);
  table.add("unbin", make_unbin);
  table.add("to_base", make_to_base);
}

}  // namespace quern::cpu
