#include "parquet/levels.hpp"

#include <algorithm>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "columnar/column.hpp"
#include "common/error.hpp"

namespace quern::parquet {

namespace {

int level_width(int max_level) {
  int width = 0;
  while ((1 << width) <= max_level) ++width;
  return width;
}

// Bit i = byte i of 16 is not zero.
inline uint32_t nonzero_mask(const uint8_t* bytes) {
#if defined(__SSE2__)
  __m128i values = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
  return static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(values, _mm_setzero_si128()))) ^ 0xFFFFU;
#else
  uint32_t mask = 0;
  for (int i = 0; i < 16; ++i) mask |= static_cast<uint32_t>(bytes[i] != 0) << i;
  return mask;
#endif
}

inline int64_t count_zeros_64(const uint8_t* bytes) {
#if defined(__SSE2__)
  __m128i zeros = _mm_setzero_si128();
  for (int i = 0; i < 64; i += 16) {
    __m128i values = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + i));
    zeros = _mm_sub_epi8(zeros, _mm_cmpeq_epi8(values, _mm_setzero_si128()));
  }
  __m128i sums = _mm_sad_epu8(zeros, _mm_setzero_si128());
  return _mm_cvtsi128_si64(sums) + _mm_cvtsi128_si64(_mm_srli_si128(sums, 8));
#else
  int64_t zeros = 0;
  for (int i = 0; i < 64; ++i) zeros += bytes[i] == 0;
  return zeros;
#endif
}

inline uint64_t nonzero_word(const uint8_t* bytes) {
  return static_cast<uint64_t>(nonzero_mask(bytes)) | static_cast<uint64_t>(nonzero_mask(bytes + 16)) << 16 |
         static_cast<uint64_t>(nonzero_mask(bytes + 32)) << 32 | static_cast<uint64_t>(nonzero_mask(bytes + 48)) << 48;
}

}  // namespace

LevelCursor::LevelCursor(Memory& memory, const PageStream::Section& section, int max_level, int64_t entries)
    : max_level_(max_level), entries_(entries) {
  if (max_level == 0) return;
  int width = level_width(max_level);
  if (section.bit_packed) {
    unpacked_ = memory.allocate(static_cast<size_t>(entries));
    if (section.from_low)
      unpack8(section.bytes, width, unpacked_->data(), entries);
    else
      read_bit_packed_levels(section.bytes, width, unpacked_->data(), entries);
  } else {
    runs_ = HybridDecoder(section.bytes, width);
  }
}

HybridDecoder::Run LevelCursor::peek(int64_t limit) {
  if (max_level_ == 0) return {limit, true, 0};
  if (unpacked_) return {std::min(limit, entries_ - position_), false, 0};
  HybridDecoder::Run run = runs_.peek(limit);
  if (run.repeated && run.value > static_cast<uint32_t>(max_level_)) {
    throw corrupt_file("level " + std::to_string(run.value) + " exceeds " + std::to_string(max_level_));
  }
  return run;
}

void LevelCursor::advance(int64_t count) {
  if (max_level_ == 0) return;
  if (unpacked_)
    position_ += count;
  else
    runs_.advance(count);
}

void LevelCursor::read(uint8_t* out, int64_t count) {
  if (count == 0) return;
  if (max_level_ == 0) {
    std::memset(out, 0, static_cast<size_t>(count));
    return;
  }
  if (unpacked_) {
    std::memcpy(out, unpacked_->data() + position_, static_cast<size_t>(count));
    position_ += count;
  } else {
    runs_.read_u8(out, count);
  }
  uint8_t largest = 0;
  for (int64_t i = 0; i < count; ++i) largest = std::max(largest, out[i]);
  if (largest > max_level_)
    throw corrupt_file("level " + std::to_string(largest) + " exceeds " + std::to_string(max_level_));
}

// Where the two runs since `from` are followed by the same two again, as for lists of one length: their starts, as long
// as all fit. Returns the levels taken.
int64_t LevelCursor::repeat_starts(const Boundary& from, int64_t taken, int64_t limit, int64_t wanted,
                                   uint32_t* positions, int64_t& found) {
  const int64_t levels = taken - from.taken;
  const int64_t zeros = found - from.found;
  if (levels <= 0 || zeros <= 0) return 0;
  const size_t size = runs_.boundary() - from.byte;
  const int64_t most = std::min((limit - taken) / levels, (wanted - found) / zeros);
  const int64_t repeats = runs_.count_repeats(from.byte, most);
  for (int64_t i = repeats * zeros; i > 0; --i, ++found)
    positions[found] = positions[found - zeros] + static_cast<uint32_t>(levels);
  runs_.jump(repeats, size);
  return repeats * levels;
}

int64_t LevelCursor::take_starts(int64_t limit, int64_t wanted, uint32_t* positions, int64_t& found) {
  found = 0;
  int64_t taken = 0;
  Boundary two_ago, last;
  while (taken < limit) {
    if (runs_.boundary() > 0) {
      const int64_t repeated = two_ago.byte == 0 ? 0 : repeat_starts(two_ago, taken, limit, wanted, positions, found);
      taken += repeated;
      two_ago = repeated > 0 ? Boundary() : last;
      last = {runs_.boundary(), taken, found};
      if (taken == limit) break;
    }
    const HybridDecoder::Run run = peek(limit - taken);
    int64_t count = run.count;
    if (run.repeated && run.value == 0) {
      count = std::min(count, wanted - found);
      for (int64_t i = 0; i < count; ++i) positions[found++] = static_cast<uint32_t>(taken + i);
    } else if (!run.repeated && unpacked_) {
      const uint8_t* levels = unpacked_->data() + position_;
      const int64_t before = found;
      int64_t zeros = 0;
      count = find_zero(levels, count, wanted - before, zeros);
      for (int64_t i = 0; i < count; ++i) {
        if (levels[i] == 0) positions[found++] = static_cast<uint32_t>(taken + i);
      }
    } else if (!run.repeated) {
      count = runs_.find_zeros(count, wanted, taken, positions, found);
    }
    advance(count);
    taken += count;
    if (count < run.count) break;
  }
  return taken;
}

void LevelArray::append_starts(const uint32_t* positions, int64_t zeros, int64_t count) {
  starts_.reserve(static_cast<size_t>(start_count_ + zeros) * sizeof(int64_t));
  auto* starts = reinterpret_cast<int64_t*>(starts_.data()) + start_count_;
  for (int64_t i = 0; i < zeros; ++i) starts[i] = size_ + positions[i];
  start_count_ += zeros;
  size_ += count;
}

void LevelArray::spread(int64_t room) {
  uint8_t* data = data_.reserve(static_cast<size_t>(std::max(room, size_)));
  if (!constant_) return;
  if (size_ > 0) std::memset(data, level_, static_cast<size_t>(size_));
  constant_ = false;
}

void LevelArray::append(const uint8_t* levels, int64_t count) {
  if (count == 0) return;
  spread(size_ + count);
  std::memcpy(data_.data() + size_, levels, static_cast<size_t>(count));
  size_ += count;
}

void LevelArray::append_run(uint8_t level, int64_t count) {
  if (count == 0) return;
  if (constant_ && (size_ == 0 || level_ == level)) {
    level_ = level;
    size_ += count;
    return;
  }
  spread(size_ + count);
  std::memset(data_.data() + size_, level, static_cast<size_t>(count));
  size_ += count;
}

const uint8_t* LevelArray::data() {
  if (starts() != nullptr && constant_) {
    level_ = 1;
    spread(size_);
    for (int64_t i = 0; i < start_count_; ++i) data_.data()[starts()[i]] = 0;
  }
  if (constant_) spread(size_);
  return data_.data();
}

uint64_t* ValidityBuilder::room(int64_t bits) {
  auto bytes = static_cast<size_t>(validity_words(bits)) * 8;
  size_t before = words_.buffer() ? words_.buffer()->size() : 0;
  auto* words = reinterpret_cast<uint64_t*>(words_.reserve(bytes));
  // New words are clear; bits are or-ed in.
  if (words_.buffer()->size() > before) std::memset(words_.data() + before, 0, words_.buffer()->size() - before);
  if (!written_) {
    written_ = true;
    for (int64_t bit = 0; bit < size_;) {
      if (bit + 64 <= size_) {
        words[bit >> 6] = ~0ULL;
        bit += 64;
      } else {
        words[bit >> 6] |= (1ULL << (size_ - bit)) - 1;
        bit = size_;
      }
    }
  }
  return words;
}

void ValidityBuilder::append_run(bool valid, int64_t count) {
  if (count == 0) return;
  if (valid && !written_) {
    size_ += count;
    return;
  }
  uint64_t* words = room(size_ + count);
  if (!valid) {
    null_count_ += count;
    size_ += count;
    return;
  }
  int64_t end = size_ + count;
  while (size_ < end) {
    int64_t bit = size_ & 63;
    int64_t part = std::min(end - size_, 64 - bit);
    uint64_t ones = part == 64 ? ~0ULL : ((1ULL << part) - 1) << bit;
    words[size_ >> 6] |= ones;
    size_ += part;
  }
}

void ValidityBuilder::append(const uint8_t* valid, int64_t count, int64_t set) {
  uint64_t* words = room(size_ + count);
  int64_t i = 0;
  for (; i + 64 <= count; i += 64) {
    uint64_t word = nonzero_word(valid + i);
    int64_t bit = size_ & 63;
    words[size_ >> 6] |= word << bit;
    if (bit != 0) words[(size_ >> 6) + 1] |= word >> (64 - bit);
    size_ += 64;
  }
  for (; i < count; ++i, ++size_) words[size_ >> 6] |= static_cast<uint64_t>(valid[i] != 0) << (size_ & 63);
  null_count_ += count - set;
}

int64_t compare_levels(const uint8_t* levels, int64_t count, uint8_t threshold, uint8_t* out) {
  int64_t set = 0;
  for (int64_t i = 0; i < count; ++i) {
    out[i] = levels[i] >= threshold;
    set += out[i];
  }
  return set;
}

int64_t count_zeros(const uint8_t* levels, int64_t count) {
  int64_t zeros = 0;
  for (int64_t i = 0; i < count; ++i) zeros += levels[i] == 0;
  return zeros;
}

int64_t find_zero(const uint8_t* levels, int64_t count, int64_t number, int64_t& found) {
  found = 0;
  int64_t i = 0;
  for (; i + 64 <= count; i += 64) {
    int64_t here = count_zeros_64(levels + i);
    if (found + here > number) break;
    found += here;
  }
  for (; i < count; ++i) {
    if (levels[i] != 0) continue;
    if (found == number) return i;
    ++found;
  }
  return count;
}

void each_zero(const uint8_t* levels, int64_t count, int64_t* positions) {
  int64_t i = 0;
  for (; i + 64 <= count; i += 64) {
    for (uint64_t zeros = ~nonzero_word(levels + i); zeros != 0; zeros &= zeros - 1)
      *positions++ = i + __builtin_ctzll(zeros);
  }
  for (; i < count; ++i) {
    if (levels[i] == 0) *positions++ = i;
  }
}

}  // namespace quern::parquet
