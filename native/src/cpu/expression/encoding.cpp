// Text forms of bytes and numbers: hexadecimal, binary, base64.
#include "cpu/expression/text.hpp"
#include "ops/parse.hpp"

namespace quern::cpu {

namespace {

constexpr char hex_digits[] = "0123456789ABCDEF";
constexpr char base64_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Digits of an unsigned number in base 2^bits without leading zeros.
void append_digits(uint64_t v, int bits, std::string& out) {
  int shift = 0;
  while (shift + bits < 64 && (v >> (shift + bits)) != 0) shift += bits;
  for (; shift >= 0; shift -= bits) out += hex_digits[(v >> shift) & ((1u << bits) - 1)];
}

template <int bits>
KernelPtr make_number_digits(const Signature& signature) {
  if (!is_integer(*signature.arguments[0])) return nullptr;
  return strict_kernel([](Call& call) {
    const Numbers<uint64_t> number(call, 0);
    each_text(call, [&](int64_t row, std::string& out) { append_digits(number[row], bits, out); });
  });
}

KernelPtr make_hex_bytes(const Signature& signature) {
  if (is_integer(*signature.arguments[0])) return nullptr;
  return strict_kernel([](Call& call) {
    const Texts bytes(call, 0);
    each_text(call, [&](int64_t row, std::string& out) {
      for (const char c : string_of(bytes[row])) {
        out += hex_digits[static_cast<unsigned char>(c) >> 4];
        out += hex_digits[static_cast<unsigned char>(c) & 15];
      }
    });
  });
}

// An odd number of digits begins with half a byte.
KernelPtr make_unhex(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts text(call, 0);
    each_text(call, [&](int64_t row, std::string& out) {
      const ops::Text digits = text[row];
      for (int64_t i = -(digits.length % 2); i < digits.length; i += 2) {
        const int high = i < 0 ? 0 : ops::hex_digit(digits.data[i]), low = ops::hex_digit(digits.data[i + 1]);
        if (high < 0 || low < 0) throw runtime_error("not hexadecimal: " + quoted(string_of(digits)));
        out += static_cast<char>(high * 16 + low);
      }
    });
  });
}

KernelPtr make_to_base64(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts bytes(call, 0);
    each_text(call, [&](int64_t row, std::string& out) {
      const std::string_view in = string_of(bytes[row]);
      for (size_t i = 0; i < in.size(); i += 3) {
        uint32_t group = 0;
        for (size_t k = 0; k < 3; ++k)
          group = group << 8 | (i + k < in.size() ? static_cast<unsigned char>(in[i + k]) : 0u);
        for (int k = 3; k >= 0; --k) out += base64_digits[group >> (6 * k) & 63];
      }
      for (size_t missing = (3 - in.size() % 3) % 3, at = out.size(); missing > 0; --missing) out[--at] = '=';
    });
  });
}

int base64_value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool decode_base64(std::string_view in, std::string& out) {
  if (in.size() % 4 != 0) return false;
  size_t padding = 0;
  while (padding < 2 && padding < in.size() && in[in.size() - 1 - padding] == '=') ++padding;
  for (size_t i = 0; i < in.size(); i += 4) {
    uint32_t group = 0;
    for (size_t k = 0; k < 4; ++k) {
      const int value = i + k >= in.size() - padding ? 0 : base64_value(in[i + k]);
      if (value < 0) return false;
      group = group << 6 | static_cast<uint32_t>(value);
    }
    for (int k = 2; k >= 0; --k) out += static_cast<char>(group >> (8 * k) & 255);
  }
  out.resize(out.size() - padding);
  return true;
}

KernelPtr make_from_base64(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts text(call, 0);
    each_text(call, [&](int64_t row, std::string& out) {
      if (!decode_base64(string_of(text[row]), out)) throw runtime_error("not base64: " + quoted(string_of(text[row])));
    });
  });
}

}  // namespace

void add_encoding(KernelTable& table) {
  table.add("hex", make_number_digits<4>);
  table.add("hex", make_hex_bytes);
  table.add("bin", make_number_digits<1>);
  table.add("unhex", make_unhex);
  table.add("to_base64", make_to_base64);
  table.add("from_base64", make_from_base64);
}

}  // namespace quern::cpu
