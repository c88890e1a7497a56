#include <algorithm>
#include <string>
#include <type_traits>

#include "common/error.hpp"
#include "parquet/encoding.hpp"
#include "parquet/varint.hpp"

namespace quern::parquet {

DeltaDecoder::DeltaDecoder(Bytes bytes) : bytes_(bytes) {
  if (bytes.empty()) return;  // some writers give a page without values no bytes at all
  const uint64_t block = read_varint(bytes_, position_, "delta");
  const uint64_t minis = read_varint(bytes_, position_, "delta");
  const uint64_t total = read_varint(bytes_, position_, "delta");
  last_ = zigzag(read_varint(bytes_, position_, "delta"));
  if (block == 0 || block % 128 != 0 || block > INT32_MAX) {
    throw corrupt_file("delta: block size " + std::to_string(block) + " is not a multiple of 128");
  }
  if (minis == 0 || block % minis != 0 || block / minis % 32 != 0) {
    throw corrupt_file("delta: " + std::to_string(minis) + " miniblocks in a block of " + std::to_string(block));
  }
  if (total > INT64_MAX) throw corrupt_file("delta: " + std::to_string(total) + " values");
  total_ = left_ = static_cast<int64_t>(total);
  minis_ = static_cast<int64_t>(minis);
  mini_values_ = static_cast<int64_t>(block / minis);
}

// Reads the header of the block at the cursor: minimum and one width a miniblock.
void DeltaDecoder::next_block() {
  min_delta_ = zigzag(read_varint(bytes_, position_, "delta"));
  if (bytes_.size() - position_ < static_cast<size_t>(minis_)) throw corrupt_file("delta: ends inside a block header");
  width_at_ = position_;
  position_ += static_cast<size_t>(minis_);
  minis_left_ = minis_;
}

// Makes the next miniblock with values current; `left_` values are still to come, all of them deltas.
void DeltaDecoder::next_mini() {
  if (minis_left_ == 0) next_block();
  mini_width_ = bytes_[width_at_++];
  --minis_left_;
  if (mini_width_ > 64) {
    throw corrupt_file("delta: miniblock width " + std::to_string(mini_width_) + " exceeds 64");
  }
  mini_left_ = std::min(mini_values_, left_);
  mini_index_ = 0;
  mini_start_ = position_;
  // mini_values_ < 2^31 and is a multiple of 32. The last one may lack its padding, never a value.
  const uint64_t full = static_cast<uint64_t>(mini_values_) / 8 * static_cast<uint64_t>(mini_width_);
  const uint64_t needed = (static_cast<uint64_t>(mini_left_) * static_cast<uint64_t>(mini_width_) + 7) / 8;
  if (needed > bytes_.size() - position_) throw corrupt_file("delta: ends inside a miniblock");
  position_ += static_cast<size_t>(std::min<uint64_t>(full, bytes_.size() - position_));
}

template <typename T>
void DeltaDecoder::read_as(T* out, int64_t count) {
  using Unsigned = std::make_unsigned_t<T>;
  if (count <= 0) return;
  if (count > left_) {
    throw corrupt_file("delta: " + std::to_string(total_) + " values are fewer than the page needs");
  }
  if (first_) {
    first_ = false;
    *out++ = static_cast<T>(static_cast<Unsigned>(last_));
    --left_;
    --count;
  }
  while (count > 0) {
    if (mini_left_ == 0) next_mini();
    const int64_t part = std::min(count, mini_left_);
    if (mini_width_ == 0) {
      uint64_t value = last_;
      for (int64_t i = 0; i < part; ++i) out[i] = static_cast<T>(static_cast<Unsigned>(value += min_delta_));
      last_ = value;
    } else {
      // Chunks end at multiples of 32 deltas, where packed values begin on a byte.
      uint64_t deltas[256];
      uint64_t value = last_;
      for (int64_t done = 0; done < part;) {
        const int64_t inside = mini_index_ % 32;
        const int64_t chunk = std::min<int64_t>(part - done, 256 - inside);
        // next_mini saw that the deltas are there; the span goes on past them so that fast kernels may read ahead.
        const size_t start = mini_start_ + static_cast<size_t>((mini_index_ - inside) / 8 * mini_width_);
        unpack64(bytes_.subspan(start), mini_width_, deltas, inside + chunk);
        const uint64_t* from = deltas + inside;
        const uint64_t least = min_delta_;
        for (int64_t i = 0; i < chunk; ++i) {
          value += from[i] + least;
          out[done + i] = static_cast<T>(static_cast<Unsigned>(value));
        }
        done += chunk;
        mini_index_ += chunk;
      }
      last_ = value;
    }
    mini_left_ -= part;
    left_ -= part;
    out += part;
    count -= part;
  }
}

void DeltaDecoder::read(int64_t* out, int64_t count) { read_as(out, count); }
void DeltaDecoder::read(int32_t* out, int64_t count) { read_as(out, count); }

void DeltaDecoder::skip(int64_t count) {
  int64_t values[256];
  while (count > 0) {
    if (!first_ && mini_left_ == 0 && left_ > 0) next_mini();
    if (!first_ && mini_left_ > 0 && mini_width_ == 0) {
      // A run of equal steps: no need to walk it.
      const int64_t part = std::min(count, mini_left_);
      last_ += min_delta_ * static_cast<uint64_t>(part);
      mini_left_ -= part;
      left_ -= part;
      count -= part;
      continue;
    }
    const int64_t part = std::min<int64_t>(count, 256);
    read(values, part);
    count -= part;
  }
}

size_t DeltaDecoder::bytes_consumed() {
  if (first_ && left_ > 0) {
    first_ = false;
    --left_;
  }
  left_ -= mini_left_;
  mini_left_ = 0;
  while (left_ > 0) {
    next_mini();
    left_ -= mini_left_;
    mini_left_ = 0;
  }
  return position_;
}

}  // namespace quern::parquet
