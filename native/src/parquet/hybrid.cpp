#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "common/error.hpp"
#include "parquet/encoding.hpp"
#include "parquet/varint.hpp"

namespace quern::parquet {
namespace {

void unpack(Bytes bytes, int bit_width, uint8_t* out, int64_t count) { unpack8(bytes, bit_width, out, count); }
void unpack(Bytes bytes, int bit_width, uint32_t* out, int64_t count) { unpack32(bytes, bit_width, out, count); }

}  // namespace

HybridDecoder::HybridDecoder(Bytes bytes, int bit_width) : bytes_(bytes), bit_width_(bit_width) {
  if (bit_width < 0 || bit_width > 32) {
    throw corrupt_file("runs: bit width " + std::to_string(bit_width) + " exceeds 32");
  }
}

// Reads headers until a run with values is found. Each header takes at least a byte, so empty runs cannot loop.
void HybridDecoder::next_run() {
  while (run_left_ == 0) {
    if (position_ >= bytes_.size()) throw corrupt_file("runs: section ends before its last value");
    const uint64_t header = read_varint(bytes_, position_, "runs");
    if (header > UINT32_MAX) throw corrupt_file("runs: run header exceeds 32 bits");
    const size_t size_left = bytes_.size() - position_;
    const int64_t length = static_cast<int64_t>(header >> 1);
    if (header & 1) {
      // Groups of 8 values of `bit_width_` bytes. Writers may cut the padding of the last group, so what counts is
      // the bytes that are there.
      const uint64_t size = std::min<uint64_t>(static_cast<uint64_t>(length) * bit_width_, size_left);
      repeated_ = false;
      run_left_ = std::min<int64_t>(length * 8, static_cast<int64_t>(size) * 8 / bit_width_);
      packed_start_ = position_;
      packed_index_ = 0;
      position_ += size;
    } else {
      const size_t size = static_cast<size_t>((bit_width_ + 7) / 8);
      if (size > size_left) throw corrupt_file("runs: section ends inside a repeated value");
      value_ = 0;
      for (size_t i = 0; i < size; ++i) value_ |= static_cast<uint32_t>(bytes_[position_ + i]) << (8 * i);
      repeated_ = true;
      run_left_ = length;
      position_ += size;
    }
  }
}

HybridDecoder::Run HybridDecoder::peek(int64_t limit) {
  if (bit_width_ == 0) return {limit, true, 0};
  if (run_left_ == 0) next_run();
  return {std::min(limit, run_left_), repeated_, repeated_ ? value_ : 0};
}

void HybridDecoder::advance(int64_t count) {
  if (bit_width_ == 0) return;
  run_left_ -= count;
  if (!repeated_) packed_index_ += count;
}

// The next `count` values of the current packed run.
template <typename T>
void HybridDecoder::unpack_run(T* out, int64_t count) {
  // Groups of 8 begin on a byte; a cursor inside one first finishes it.
  const int64_t inside = packed_index_ % 8;
  const int64_t group = packed_index_ - inside;
  Bytes packed = bytes_.subspan(packed_start_ + static_cast<size_t>(group / 8 * bit_width_));
  if (inside > 0) {
    T values[8];
    const int64_t part = std::min(count, 8 - inside);
    unpack(packed, bit_width_, values, inside + part);
    std::copy_n(values + inside, part, out);
    out += part;
    count -= part;
    if (count == 0) return;
    packed = packed.subspan(static_cast<size_t>(bit_width_));
  }
  unpack(packed, bit_width_, out, count);
}

template <typename T>
void HybridDecoder::read_as(T* out, int64_t count) {
  while (count > 0) {
    const Run run = peek(count);
    if (run.repeated)
      std::fill_n(out, run.count, static_cast<T>(run.value));
    else
      unpack_run(out, run.count);
    advance(run.count);
    out += run.count;
    count -= run.count;
  }
}

void HybridDecoder::read(uint32_t* out, int64_t count) { read_as(out, count); }

void HybridDecoder::read_u8(uint8_t* out, int64_t count) {
  if (bit_width_ > 8) throw corrupt_file("runs: bit width " + std::to_string(bit_width_) + " exceeds 8");
  read_as(out, count);
}

int64_t HybridDecoder::find_zeros(int64_t count, int64_t wanted, int64_t base, uint32_t* positions,
                                  int64_t& found) const {
  size_t byte = packed_start_ + static_cast<size_t>(packed_index_ / 8);
  int64_t inside = packed_index_ % 8;
  for (int64_t at = 0; at < count;) {
    uint64_t word = 0;
    std::memcpy(&word, bytes_.data() + byte, std::min<size_t>(8, bytes_.size() - byte));
    const int64_t bits = std::min(64 - inside, count - at);
    uint64_t zeros = ~(word >> inside);
    if (bits < 64) zeros &= (1ULL << bits) - 1;
    const bool too_many = found + std::popcount(zeros) > wanted;
    for (; zeros != 0 && found < wanted; zeros &= zeros - 1)
      positions[found++] = static_cast<uint32_t>(base + at + std::countr_zero(zeros));
    if (too_many) return at + std::countr_zero(zeros);
    at += bits;
    byte += 8;
    inside = 0;
  }
  return count;
}

int64_t HybridDecoder::count_repeats(size_t from, int64_t limit) const {
  const size_t size = position_ - from;
  if (size == 0 || size > sizeof(uint64_t)) return 0;
  const auto load = [&](size_t at) {
    uint64_t word;
    std::memcpy(&word, bytes_.data() + at, sizeof word);
    return word << (64 - 8 * size);
  };
  // The last 8 bytes are left to next_run().
  if (bytes_.size() < position_ + sizeof(uint64_t)) return 0;
  const uint64_t pattern = load(from);
  const size_t last = bytes_.size() - sizeof(uint64_t);
  int64_t repeats = 0;
  for (size_t at = position_; repeats < limit && at <= last && load(at) == pattern; at += size) ++repeats;
  return repeats;
}

void HybridDecoder::skip(int64_t count) {
  while (count > 0) {
    const Run run = peek(count);
    advance(run.count);
    count -= run.count;
  }
}

void read_bit_packed_levels(Bytes bytes, int bit_width, uint8_t* out, int64_t count) {
  if (bit_width < 0 || bit_width > 8) {
    throw corrupt_file("bit-packed levels: width " + std::to_string(bit_width) + " exceeds 8");
  }
  if (count <= 0) return;
  if (bit_width == 0) {
    std::fill_n(out, count, uint8_t{0});
    return;
  }
  if (bytes.size() < INT64_MAX / 16 && count > static_cast<int64_t>(bytes.size()) * 8 / bit_width) {
    throw corrupt_file("bit-packed levels: " + std::to_string(count) + " values of " + std::to_string(bit_width) +
                       " bits do not fit in " + std::to_string(bytes.size()) + " bytes");
  }
  uint32_t window = 0;  // the lowest `held` bits are read but not given
  int held = 0;
  size_t position = 0;
  const uint32_t mask = (1U << bit_width) - 1;
  for (int64_t i = 0; i < count; ++i) {
    if (held < bit_width) {
      window = (window << 8) | bytes[position++];
      held += 8;
    }
    held -= bit_width;
    out[i] = static_cast<uint8_t>((window >> held) & mask);
  }
}

}  // namespace quern::parquet
