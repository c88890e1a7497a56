#include "parquet/chunk_stream.hpp"

#include <algorithm>
#include <cstring>

namespace quern::parquet {

namespace {

// Read-ahead starts small and doubles up to the larger amount, which fits the second-level cache.
constexpr int64_t least_ahead = 64 << 10;
constexpr int64_t most_ahead = 1 << 20;
// Pieces of at least this size are read each on its own, with no more than the look at the next page header behind it:
// what is read ahead beyond that would be copied when the next piece does not fit.
constexpr int64_t large_piece = 256 << 10;
constexpr int64_t header_ahead = 4 << 10;

}  // namespace

ChunkStream::ChunkStream(Context& context, const File& file, int64_t start, int64_t end)
    : context_(context), handle_(file.handle()), start_(start), end_(end), position_(start), ahead_(least_ahead) {}

void ChunkStream::seek(int64_t position) {
  if (position < start_ || position > end_) {
    throw corrupt_file("position " + std::to_string(position) + " lies outside of the column chunk, which ends at " +
                       std::to_string(end_));
  }
  if (position == position_) return;
  if (position < window_start_ || position > window_end_) ahead_ = least_ahead;
  position_ = position;
}

void ChunkStream::fill(int64_t count) {
  context_.check_cancelled();
  int64_t size = std::min(count >= large_piece ? count + header_ahead : std::max(count, ahead_), end_ - position_);
  ahead_ = std::clamp(ahead_ * 2, least_ahead, most_ahead);
  BufferPtr next = context_.memory().allocate(static_cast<size_t>(size));
  int64_t kept = 0;
  if (window_ && position_ >= window_start_ && position_ < window_end_) {
    kept = std::min(window_end_ - position_, size);
    std::memcpy(next->data(), window_->data() + (position_ - window_start_), static_cast<size_t>(kept));
  }
  handle_->read(position_ + kept, {next->data() + kept, static_cast<size_t>(size - kept)});
  context_.metrics().bytes_read.fetch_add(size - kept, std::memory_order_relaxed);
  window_ = std::move(next);
  window_start_ = position_;
  window_end_ = position_ + size;
}

void ChunkStream::read(std::span<uint8_t> out) {
  context_.check_cancelled();
  if (static_cast<int64_t>(out.size()) > left()) throw internal_error("read past the end of a column chunk");
  size_t kept = 0;
  if (window_ && position_ >= window_start_ && position_ < window_end_) {
    kept = std::min(static_cast<size_t>(window_end_ - position_), out.size());
    std::memcpy(out.data(), window_->data() + (position_ - window_start_), kept);
  }
  handle_->read(position_ + static_cast<int64_t>(kept), out.subspan(kept));
  context_.metrics().bytes_read.fetch_add(static_cast<int64_t>(out.size() - kept), std::memory_order_relaxed);
  position_ += static_cast<int64_t>(out.size());
  if (kept < out.size()) ahead_ = header_ahead;
}

Bytes ChunkStream::peek(int64_t count, BufferPtr& owner) {
  if (count > left()) {
    throw corrupt_file(std::to_string(count) + " bytes expected, " + std::to_string(left()) +
                       " left in the column chunk");
  }
  if (!window_ || position_ < window_start_ || position_ + count > window_end_) fill(count);
  owner = window_;
  return {window_->data() + (position_ - window_start_), static_cast<size_t>(count)};
}

Bytes ChunkStream::available(int64_t count) {
  count = std::min(count, left());
  if (!window_ || position_ < window_start_ || position_ + count > window_end_) fill(count);
  return {window_->data() + (position_ - window_start_), static_cast<size_t>(window_end_ - position_)};
}

}  // namespace quern::parquet
