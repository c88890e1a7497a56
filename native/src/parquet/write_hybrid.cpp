#include "parquet/write_hybrid.hpp"

#include <bit>

namespace quern::parquet {

int bits_for(uint32_t largest) { return static_cast<int>(std::bit_width(largest)); }

void HybridEncoder::varint(uint64_t value) {
  while (value >= 0x80) {
    *out_.extend(1) = static_cast<uint8_t>(value | 0x80);
    value >>= 7;
  }
  *out_.extend(1) = static_cast<uint8_t>(value);
}

void HybridEncoder::close_run() {
  // Literals come in groups of eight: a run first fills the group that is open.
  while (run_ > 0 && literal_count_ % 8 != 0) {
    literals_[literal_count_++] = value_;
    --run_;
  }
  if (run_ >= 8) {
    flush_literals();
    varint(static_cast<uint64_t>(run_) << 1);
    uint8_t* bytes = out_.extend(static_cast<size_t>((width_ + 7) / 8));
    for (int i = 0; i < (width_ + 7) / 8; ++i) bytes[i] = static_cast<uint8_t>(value_ >> (8 * i));
    run_ = 0;
  }
  if (literal_count_ == most_literals) flush_literals();
  for (; run_ > 0; --run_) literals_[literal_count_++] = value_;
}

void HybridEncoder::flush_literals() {
  if (literal_count_ == 0) return;
  const int groups = literal_count_ / 8;
  varint(static_cast<uint64_t>(groups) << 1 | 1);
  uint8_t* out = out_.extend(static_cast<size_t>(groups) * static_cast<size_t>(width_));
  uint64_t bits = 0;
  int held = 0;
  for (int i = 0; i < literal_count_; ++i) {
    bits |= static_cast<uint64_t>(literals_[i]) << held;
    held += width_;
    while (held >= 8) {
      *out++ = static_cast<uint8_t>(bits);
      bits >>= 8;
      held -= 8;
    }
  }
  literal_count_ = 0;
}

void HybridEncoder::finish() {
  close_run();
  while (literal_count_ % 8 != 0) literals_[literal_count_++] = 0;
  flush_literals();
}

}  // namespace quern::parquet
