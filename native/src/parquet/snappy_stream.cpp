#include "parquet/snappy_stream.hpp"

#include <algorithm>
#include <cstring>

#include "common/error.hpp"

namespace quern::parquet {

namespace {

// Compressors look for copies within blocks of 64 KiB, so that nearly all data needs no more of what came before.
constexpr size_t history = 64 << 10;
// Fits the second-level cache together with what is read from it and written.
constexpr size_t window_bytes = 256 << 10;

Error damaged() { return corrupt_file("snappy: damaged data"); }

}  // namespace

SnappyStream::SnappyStream(Memory& memory, Open open, size_t size)
    : memory_(memory), open_(std::move(open)), in_(open_()), size_(size) {
  uint64_t declared = 0;
  for (int shift = 0;; shift += 7) {
    if (shift > 28 || !has_input()) throw corrupt_file("snappy: damaged header");
    const uint8_t byte = next_byte();
    declared |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) break;
  }
  if (declared != size) {
    throw corrupt_file("snappy: data of " + std::to_string(declared) + " bytes where the page header says " +
                       std::to_string(size));
  }
  window_ = memory_.allocate(window_bytes);
}

Bytes SnappyStream::look(size_t count) {
  if (whole_) return {whole_->data() + taken_, left()};
  if (end_ - begin_ < std::min(count, left())) fill();
  if (whole_) return {whole_->data() + taken_, left()};
  return {window_->data() + begin_, end_ - begin_};
}

void SnappyStream::skip(size_t count) {
  if (count > left()) throw internal_error("skip past the end of a page");
  while (count > 0) {
    const size_t part = std::min(count, look(1).size());
    begin_ += part;
    taken_ += part;
    count -= part;
  }
}

// Moves what is still needed to the front of the window and decompresses until it is full.
void SnappyStream::fill() {
  const size_t kept = std::max(end_ - begin_, std::min(end_, history));
  const size_t from = end_ - kept;
  if (from > 0) {
    std::memmove(window_->data(), window_->data() + from, kept);
    begin_ -= from;
    end_ -= from;
  }
  while (produced_ < size_ && end_ < window_bytes) {
    if (!decode_part()) return expand_whole();
  }
  if (produced_ == size_ && (literal_ > 0 || copy_ > 0 || has_input())) throw damaged();
}

// A part of the element at hand that fits the window; false where it reaches back too far.
bool SnappyStream::decode_part() {
  if (literal_ == 0 && copy_ == 0) {
    start_element();
    if (copy_ > 0 && (offset_ == 0 || offset_ > produced_)) throw damaged();
    if (literal_ + copy_ > size_ - produced_) throw damaged();
  }
  if (copy_ > 0) {
    if (offset_ > end_) return false;
    copy_back();
    return true;
  }
  if (!has_input()) throw damaged();
  const size_t part = std::min({literal_, piece_.size(), window_bytes - end_});
  std::memcpy(window_->data() + end_, piece_.data(), part);
  piece_ = piece_.subspan(part);
  literal_ -= part;
  end_ += part;
  produced_ += part;
  return true;
}

// The tag's two low bits: a literal, or a copy with an offset of 1 (and 3 bits), 2 or 4 bytes.
void SnappyStream::start_element() {
  const uint8_t tag = next_byte();
  const auto number = [&](int bytes) {
    size_t value = 0;
    for (int i = 0; i < bytes; ++i) value |= static_cast<size_t>(next_byte()) << (8 * i);
    return value;
  };
  const size_t high = tag >> 2;
  switch (tag & 3) {
    case 0:
      literal_ = (high < 60 ? high : number(static_cast<int>(high) - 59)) + 1;
      return;
    case 1:
      copy_ = (high & 7) + 4;
      offset_ = (high >> 3) << 8 | next_byte();
      return;
    default:
      copy_ = high + 1;
      offset_ = number((tag & 3) == 2 ? 2 : 4);
  }
}

// A copy may overlap what it writes: bytes repeat with the period of the offset.
void SnappyStream::copy_back() {
  const size_t part = std::min(copy_, window_bytes - end_);
  uint8_t* to = window_->data() + end_;
  const uint8_t* from = to - offset_;
  if (offset_ >= part) {
    std::memcpy(to, from, part);
  } else {
    for (size_t i = 0; i < part; ++i) to[i] = from[i];
  }
  copy_ -= part;
  end_ += part;
  produced_ += part;
}

bool SnappyStream::has_input() {
  if (!piece_.empty()) return true;
  in_->skip(piece_size_);
  piece_ = in_->left() > 0 ? in_->piece() : Bytes();
  piece_size_ = piece_.size();
  return !piece_.empty();
}

uint8_t SnappyStream::next_byte() {
  if (!has_input()) throw damaged();
  const uint8_t byte = piece_[0];
  piece_ = piece_.subspan(1);
  return byte;
}

void SnappyStream::expand_whole() {
  whole_ = memory_.allocate(size_);
  in_ = open_();
  decompress_pieces(static_cast<int32_t>(Codec::snappy), *in_, {whole_->data(), size_});
  window_.reset();
  in_.reset();
}

}  // namespace quern::parquet
