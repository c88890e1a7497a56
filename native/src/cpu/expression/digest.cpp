// Digests as hexadecimal text: MD5 (RFC 1321), SHA-1 and SHA-256 (FIPS 180-4).
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "cpu/expression/text.hpp"

namespace quern::cpu {

namespace {

// The table is floor(2^32 · |sin(i + 1)|).
struct Md5 {
  static constexpr bool big_endian = false;
  std::array<uint32_t, 4> state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};

  void block(const uint32_t* words) {
    static const std::array<uint32_t, 64> table = [] {
      std::array<uint32_t, 64> t{};
      for (int i = 0; i < 64; ++i)
        t[i] = static_cast<uint32_t>(std::floor(std::ldexp(std::fabs(std::sin(i + 1.0)), 32)));
      return t;
    }();
    static constexpr int shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    auto [a, b, c, d] = state;
    for (int i = 0; i < 64; ++i) {
      uint32_t f;
      int word;
      switch (i / 16) {
        case 0:
          f = (b & c) | (~b & d);
          word = i;
          break;
        case 1:
          f = (d & b) | (~d & c);
          word = (5 * i + 1) % 16;
          break;
        case 2:
          f = b ^ c ^ d;
          word = (3 * i + 5) % 16;
          break;
        default:
          f = c ^ (b | ~d);
          word = 7 * i % 16;
          break;
      }
      const uint32_t rotated = std::rotl(a + f + table[i] + words[word], shifts[i / 16][i % 4]);
      a = d;
      d = c;
      c = b;
      b += rotated;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
  }
};

struct Sha1 {
  static constexpr bool big_endian = true;
  std::array<uint32_t, 5> state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};

  void block(const uint32_t* words) {
    uint32_t w[80];
    std::memcpy(w, words, 64);
    for (int i = 16; i < 80; ++i) w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    auto [a, b, c, d, e] = state;
    for (int i = 0; i < 80; ++i) {
      const auto [f, k] = round(i / 20, b, c, d);
      const uint32_t next = std::rotl(a, 5) + f + e + k + w[i];
      e = d;
      d = c;
      c = std::rotl(b, 30);
      b = a;
      a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
  }

 private:
  // Function value and constant of a group of 20 steps.
  static std::pair<uint32_t, uint32_t> round(int group, uint32_t b, uint32_t c, uint32_t d) {
    switch (group) {
      case 0:
        return {(b & c) | (~b & d), 0x5a827999};
      case 1:
        return {b ^ c ^ d, 0x6ed9eba1};
      case 2:
        return {(b & c) | (b & d) | (c & d), 0x8f1bbcdc};
      default:
        return {b ^ c ^ d, 0xca62c1d6};
    }
  }
};

// The first 32 bits of the fraction of a root.
uint32_t fraction_bits(long double root) {
  return static_cast<uint32_t>(std::floor((root - std::floor(root)) * 4294967296.0L));
}

constexpr std::array<int, 64> first_primes = [] {
  std::array<int, 64> primes{};
  size_t found = 0;
  for (int n = 2; found < primes.size(); ++n) {
    bool prime = true;
    for (int d = 2; d * d <= n; ++d) prime &= n % d != 0;
    if (prime) primes[found++] = n;
  }
  return primes;
}();

// The start values are fractions of the square roots of the first 8 primes, the table those of the cube roots of 64.
struct Sha256 {
  static constexpr bool big_endian = true;
  std::array<uint32_t, 8> state = start();

  void block(const uint32_t* words) {
    static const std::array<uint32_t, 64> table = [] {
      std::array<uint32_t, 64> t{};
      for (size_t i = 0; i < t.size(); ++i) t[i] = fraction_bits(std::cbrt(static_cast<long double>(first_primes[i])));
      return t;
    }();
    uint32_t w[64];
    std::memcpy(w, words, 64);
    for (int i = 16; i < 64; ++i) {
      const uint32_t low = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
      const uint32_t high = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
      w[i] = w[i - 16] + low + w[i - 7] + high;
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (int i = 0; i < 64; ++i) {
      const uint32_t mixed = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
      const uint32_t first = h + mixed + ((e & f) ^ (~e & g)) + table[i] + w[i];
      const uint32_t second = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = d + first;
      d = c;
      c = b;
      b = a;
      a = first + second;
    }
    const uint32_t sums[] = {a, b, c, d, e, f, g, h};
    for (size_t i = 0; i < state.size(); ++i) state[i] += sums[i];
  }

 private:
  static std::array<uint32_t, 8> start() {
    std::array<uint32_t, 8> values{};
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = fraction_bits(std::sqrt(static_cast<long double>(first_primes[i])));
    }
    return values;
  }
};

uint32_t in_order(uint32_t word, bool big_endian) { return big_endian ? __builtin_bswap32(word) : word; }

template <typename Digest>
void add_blocks(Digest& digest, const char* bytes, size_t size) {
  uint32_t words[16];
  for (size_t at = 0; at < size; at += 64) {
    std::memcpy(words, bytes + at, 64);
    for (uint32_t& word : words) word = in_order(word, Digest::big_endian);
    digest.block(words);
  }
}

template <typename Digest>
void append_digest(std::string_view in, std::string& out) {
  Digest digest;
  const size_t whole = in.size() / 64 * 64, rest = in.size() - whole;
  add_blocks(digest, in.data(), whole);
  char tail[128] = {};
  std::memcpy(tail, in.data() + whole, rest);
  tail[rest] = static_cast<char>(0x80);
  const size_t size = rest < 56 ? 64 : 128;
  const uint64_t bits = static_cast<uint64_t>(in.size()) * 8;
  const uint64_t length = Digest::big_endian ? __builtin_bswap64(bits) : bits;
  std::memcpy(tail + size - 8, &length, 8);
  add_blocks(digest, tail, size);
  static constexpr char digits[] = "0123456789abcdef";
  for (const uint32_t word : digest.state) {
    const uint32_t first_byte_high = in_order(word, !Digest::big_endian);
    for (int shift = 28; shift >= 0; shift -= 4) out += digits[first_byte_high >> shift & 15];
  }
}

template <typename Digest>
KernelPtr make_digest(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts bytes(call, 0);
    each_text(call, [&](int64_t row, std::string& out) { append_digest<Digest>(string_of(bytes[row]), out); });
  });
}

}  // namespace

void add_digest(KernelTable& table) {
  table.add("md5", make_digest<Md5>);
  table.add("sha1", make_digest<Sha1>);
  table.add("sha256", make_digest<Sha256>);
}

}  // namespace quern::cpu
