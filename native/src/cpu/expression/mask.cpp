#include "cpu/expression/mask.hpp"

#include <array>
#include <cstring>

namespace quern::cpu {

namespace {

// Eight bytes of 0 or 1 → eight bits, first byte lowest: the product moves byte i's bit to bit 56 + i.
inline uint64_t bits_of_bytes(const uint8_t* bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, 8);
  return (word * 0x0102040810204080ULL) >> 56;
}

constexpr std::array<uint64_t, 256> byte_patterns = [] {
  std::array<uint64_t, 256> patterns{};
  for (uint64_t bits = 0; bits < 256; ++bits) {
    for (int i = 0; i < 8; ++i) patterns[bits] |= (bits >> i & 1) << (8 * i);
  }
  return patterns;
}();

}  // namespace

void Mask::clear_tail() {
  if (rows_ % 64 != 0) words_.back() &= (1ULL << (rows_ % 64)) - 1;
}

void Mask::reset(int64_t rows, bool value) {
  rows_ = rows;
  words_.assign(static_cast<size_t>(validity_words(rows)), value ? ~0ULL : 0);
  clear_tail();
}

void Mask::assign_true(const Column& column) {
  const int64_t rows = column.length;
  if (column.type->kind == TypeKind::null) return reset(rows, false);
  if (column.form == Form::constant) return reset(rows, column.null_count == 0 && column.values<uint8_t>()[0] != 0);
  reset(rows, false);
  if (column.form == Form::dictionary) {
    const auto* codes = column.values<uint32_t>();
    const auto* values = column.children[0]->values<uint8_t>();
    for (int64_t i = 0; i < rows; ++i) words_[i >> 6] |= static_cast<uint64_t>(values[codes[i]]) << (i & 63);
  } else {
    const auto* bytes = column.values<uint8_t>();
    const int64_t whole = rows / 8;
    for (int64_t i = 0; i < whole; ++i) words_[i >> 3] |= bits_of_bytes(bytes + i * 8) << (i % 8 * 8);
    for (int64_t i = whole * 8; i < rows; ++i) words_[i >> 6] |= static_cast<uint64_t>(bytes[i]) << (i & 63);
  }
  if (column.validity != nullptr) {
    for (size_t w = 0; w < words_.size(); ++w) words_[w] &= column.validity[w];
  }
}

void Mask::assign_valid(const Column& column) {
  if (column.type->kind == TypeKind::null) return reset(column.length, false);
  if (column.form == Form::constant || column.validity == nullptr) return reset(column.length, column.null_count == 0);
  rows_ = column.length;
  words_.assign(column.validity, column.validity + validity_words(rows_));
  clear_tail();
}

void Mask::and_with(const Mask& other) {
  for (size_t w = 0; w < words_.size(); ++w) words_[w] &= other.words_[w];
}
void Mask::or_with(const Mask& other) {
  for (size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
}
void Mask::and_not(const Mask& other) {
  for (size_t w = 0; w < words_.size(); ++w) words_[w] &= ~other.words_[w];
}
void Mask::invert() {
  for (auto& word : words_) word = ~word;
  clear_tail();
}

void Mask::keep_ranks(const Mask& keep) {
  int64_t rank = 0;
  for (auto& word : words_) {
    for (uint64_t bits = word; bits != 0; bits &= bits - 1, ++rank) {
      if (!keep.at(rank)) word &= ~(bits & -bits);
    }
  }
}

void Mask::set_rows(const std::vector<uint32_t>& rows, const Mask& values) {
  for (size_t w = 0; w < values.words_.size(); ++w) {
    for (uint64_t bits = values.words_[w]; bits != 0; bits &= bits - 1) {
      set_bit(words_.data(), rows[w * 64 + static_cast<size_t>(__builtin_ctzll(bits))]);
    }
  }
}

int64_t Mask::write_rows(uint32_t* rows) const {
  uint32_t* out = rows;
  for (size_t w = 0; w < words_.size(); ++w) {
    const auto base = static_cast<uint32_t>(w * 64);
    uint64_t bits = words_[w];
    if (bits == ~0ULL) {
      for (uint32_t i = 0; i < 64; ++i) out[i] = base + i;
      out += 64;
    } else {
      for (; bits != 0; bits &= bits - 1) *out++ = base + static_cast<uint32_t>(__builtin_ctzll(bits));
    }
  }
  return out - rows;
}

void Mask::write_rows(std::vector<uint32_t>& rows) const {
  rows.resize(static_cast<size_t>(count()));
  write_rows(rows.data());
}

void Mask::write_bytes(uint8_t* bytes) const {
  const int64_t whole = rows_ / 8;
  for (int64_t i = 0; i < whole; ++i)
    std::memcpy(bytes + i * 8, &byte_patterns[words_[i >> 3] >> (i % 8 * 8) & 255], 8);
  for (int64_t i = whole * 8; i < rows_; ++i) bytes[i] = at(i) ? 1 : 0;
}

}  // namespace quern::cpu
