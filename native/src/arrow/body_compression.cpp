#include "arrow/body_compression.hpp"

#include <lz4frame.h>
#include <zstd.h>

#include <memory>
#include <string>

namespace quern::arrow {
namespace {

template <auto Free>
struct FreeBy {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};

void check_size(size_t actual, size_t expected) {
  if (actual != expected) {
    throw corrupt_file("buffer of " + std::to_string(actual) + " bytes where its head says " +
                       std::to_string(expected));
  }
}

void decompress_zstd(Bytes in, std::span<uint8_t> out) {
  static thread_local std::unique_ptr<ZSTD_DCtx, FreeBy<ZSTD_freeDCtx>> context(ZSTD_createDCtx());
  if (!context) throw Error(ErrorSource::resource, ErrorCode::oom, "out of memory: zstd decoder");
  const size_t size = ZSTD_decompressDCtx(context.get(), out.data(), out.size(), in.data(), in.size());
  if (ZSTD_isError(size)) throw corrupt_file(std::string("zstd: ") + ZSTD_getErrorName(size));
  check_size(size, out.size());
}

void decompress_lz4_frame(Bytes in, std::span<uint8_t> out) {
  static thread_local std::unique_ptr<LZ4F_dctx, FreeBy<LZ4F_freeDecompressionContext>> context([] {
    LZ4F_dctx* made = nullptr;
    LZ4F_createDecompressionContext(&made, LZ4F_VERSION);
    return made;
  }());
  if (!context) throw Error(ErrorSource::resource, ErrorCode::oom, "out of memory: lz4 decoder");
  LZ4F_resetDecompressionContext(context.get());
  size_t written = 0, hint = 1;
  while (hint != 0) {
    size_t out_part = out.size() - written, in_part = in.size();
    hint = LZ4F_decompress(context.get(), out.data() + written, &out_part, in.data(), &in_part, nullptr);
    if (LZ4F_isError(hint)) throw corrupt_file(std::string("lz4: ") + LZ4F_getErrorName(hint));
    if (hint != 0 && in_part == 0 && out_part == 0) {
      throw corrupt_file(in.empty() ? "lz4: data ends early" : "lz4: more data than the buffer's head says");
    }
    in = in.subspan(in_part);
    written += out_part;
  }
  check_size(written, out.size());
}

}  // namespace

void decompress(Compression compression, Bytes in, std::span<uint8_t> out) {
  if (compression == Compression::zstd)
    decompress_zstd(in, out);
  else
    decompress_lz4_frame(in, out);
}

}  // namespace quern::arrow
