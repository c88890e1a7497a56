#include "parquet/codec.hpp"

#include <brotli/decode.h>
#include <lz4.h>
#include <lz4frame.h>
#include <snappy-c.h>
#include <snappy-sinksource.h>
#include <snappy.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>

#include "common/error.hpp"

namespace quern::parquet {
namespace {

using Output = std::span<uint8_t>;

Error damaged(const char* codec, const std::string& what) { return corrupt_file(std::string(codec) + ": " + what); }

Error wrong_size(const char* codec, uint64_t actual, size_t expected) {
  return damaged(codec,
                 "data of " + std::to_string(actual) + " bytes where the page header says " + std::to_string(expected));
}

template <auto Free>
struct FreeBy {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};

void decompress_snappy(Bytes in, Output out) {
  const char* data = reinterpret_cast<const char*>(in.data());
  size_t size = 0;
  if (snappy_uncompressed_length(data, in.size(), &size) != SNAPPY_OK) throw damaged("snappy", "damaged header");
  if (size != out.size()) throw wrong_size("snappy", size, out.size());
  if (snappy_uncompress(data, in.size(), reinterpret_cast<char*>(out.data()), &size) != SNAPPY_OK) {
    throw damaged("snappy", "damaged data");
  }
}

// A PieceSource as the library reads it. An exception must not pass through the library: it waits here.
class SnappyPieces : public snappy::Source {
 public:
  explicit SnappyPieces(PieceSource& in) : in_(in) {}
  size_t Available() const override { return in_.left(); }
  const char* Peek(size_t* length) override {
    Bytes piece;
    try {
      if (!error_ && in_.left() > 0) piece = in_.piece();
    } catch (...) {
      error_ = std::current_exception();
    }
    *length = piece.size();
    return reinterpret_cast<const char*>(piece.data());
  }
  void Skip(size_t count) override {
    if (!error_) in_.skip(count);
  }
  void raise() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  PieceSource& in_;
  std::exception_ptr error_;
};

void decompress_snappy_pieces(PieceSource& in, Output out) {
  const Bytes first = in.left() > 0 ? in.piece() : Bytes();
  size_t size = 0;
  if (snappy_uncompressed_length(reinterpret_cast<const char*>(first.data()), first.size(), &size) != SNAPPY_OK)
    throw damaged("snappy", "damaged header");
  if (size != out.size()) throw wrong_size("snappy", size, out.size());
  SnappyPieces pieces(in);
  const bool whole = snappy::RawUncompress(&pieces, reinterpret_cast<char*>(out.data()));
  pieces.raise();
  if (!whole) throw damaged("snappy", "damaged data");
}

// ---- gzip ----

struct Inflate {
  z_stream stream{};
  Inflate() {
    // 15 + 32: the largest window, zlib or gzip header found out by itself.
    if (inflateInit2(&stream, 15 + 32) != Z_OK) throw internal_error("zlib does not start");
  }
  ~Inflate() { inflateEnd(&stream); }
};

void decompress_gzip(Bytes in, Output out) {
  static thread_local Inflate inflater;
  z_stream& stream = inflater.stream;
  uint8_t beyond = 0;  // where a byte too many would go
  size_t read = 0, written = 0;
  // One member after another; each call of inflate takes at most 2^32 - 1 bytes of either side.
  do {
    if (inflateReset(&stream) != Z_OK) throw internal_error("zlib does not restart");
    int status = Z_OK;
    while (status != Z_STREAM_END) {
      const size_t in_part = std::min<size_t>(in.size() - read, UINT32_MAX);
      const bool full = written == out.size();
      const size_t out_part = full ? 1 : std::min<size_t>(out.size() - written, UINT32_MAX);
      stream.next_in = const_cast<uint8_t*>(in.data() + read);
      stream.avail_in = static_cast<uInt>(in_part);
      stream.next_out = full ? &beyond : out.data() + written;
      stream.avail_out = static_cast<uInt>(out_part);
      status = inflate(&stream, Z_NO_FLUSH);
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) throw damaged("gzip", "damaged data");
      const size_t taken = in_part - stream.avail_in, given = out_part - stream.avail_out;
      if (full && given > 0)
        throw damaged("gzip", "more data than the page header says, " + std::to_string(out.size()));
      if (status != Z_STREAM_END && taken == 0 && given == 0) throw damaged("gzip", "data ends early");
      read += taken;
      written += given;
    }
  } while (read < in.size());
  if (written != out.size()) throw wrong_size("gzip", written, out.size());
}

void decompress_brotli(Bytes in, Output out) {
  std::unique_ptr<BrotliDecoderState, FreeBy<BrotliDecoderDestroyInstance>> state(
      BrotliDecoderCreateInstance(nullptr, nullptr, nullptr));
  if (!state) throw Error(ErrorSource::resource, ErrorCode::oom, "out of memory: brotli decoder");
  const uint8_t* next_in = in.data();
  uint8_t* next_out = out.data();
  size_t in_left = in.size(), out_left = out.size();
  const BrotliDecoderResult result =
      BrotliDecoderDecompressStream(state.get(), &in_left, &next_in, &out_left, &next_out, nullptr);
  if (result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT) {
    throw damaged("brotli", "more data than the page header says, " + std::to_string(out.size()));
  }
  if (result == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT) throw damaged("brotli", "data ends early");
  if (result != BROTLI_DECODER_RESULT_SUCCESS) throw damaged("brotli", "damaged data");
  if (out_left != 0) throw wrong_size("brotli", out.size() - out_left, out.size());
  if (in_left != 0) throw damaged("brotli", std::to_string(in_left) + " bytes after the end");
}

ZSTD_DCtx* zstd_context() {
  static thread_local std::unique_ptr<ZSTD_DCtx, FreeBy<ZSTD_freeDCtx>> context(ZSTD_createDCtx());
  if (!context) throw Error(ErrorSource::resource, ErrorCode::oom, "out of memory: zstd decoder");
  return context.get();
}

void decompress_zstd(Bytes in, Output out) {
  ZSTD_DCtx* context = zstd_context();
  // Decodes all frames, one after another.
  const size_t size = ZSTD_decompressDCtx(context, out.data(), out.size(), in.data(), in.size());
  if (ZSTD_isError(size)) throw damaged("zstd", ZSTD_getErrorName(size));
  if (size != out.size()) throw wrong_size("zstd", size, out.size());
}

// ---- lz4 ----

// Bytes written, or -1 when damaged or larger than `out`.
int64_t lz4_block(Bytes in, Output out) {
  if (in.size() > INT32_MAX) return -1;
  const int capacity = static_cast<int>(std::min<size_t>(out.size(), INT32_MAX));
  return LZ4_decompress_safe(reinterpret_cast<const char*>(in.data()), reinterpret_cast<char*>(out.data()),
                             static_cast<int>(in.size()), capacity);
}

void decompress_lz4_raw(Bytes in, Output out) {
  const int64_t size = lz4_block(in, out);
  if (size < 0) throw damaged("lz4", "damaged data");
  if (static_cast<size_t>(size) != out.size()) throw wrong_size("lz4", static_cast<uint64_t>(size), out.size());
}

uint32_t big_endian(const uint8_t* in) {
  return static_cast<uint32_t>(in[0]) << 24 | static_cast<uint32_t>(in[1]) << 16 | static_cast<uint32_t>(in[2]) << 8 |
         in[3];
}

// Hadoop: blocks of [size of its data][size of a chunk][chunk]...; chunks go on until they make up the block.
bool try_lz4_hadoop(Bytes in, Output out) {
  while (!in.empty()) {
    if (in.size() < 4) return false;
    size_t block_left = big_endian(in.data());
    in = in.subspan(4);
    if (block_left > out.size()) return false;
    while (block_left > 0) {
      if (in.size() < 4) return false;
      const size_t chunk = big_endian(in.data());
      in = in.subspan(4);
      if (chunk > in.size()) return false;
      const int64_t size = lz4_block(in.first(chunk), out.first(block_left));
      if (size <= 0) return false;
      in = in.subspan(chunk);
      out = out.subspan(static_cast<size_t>(size));
      block_left -= static_cast<size_t>(size);
    }
  }
  return out.empty();
}

constexpr uint8_t lz4_frame_magic[4] = {0x04, 0x22, 0x4D, 0x18};

bool starts_lz4_frame(Bytes in) {
  return in.size() >= 4 && std::equal(lz4_frame_magic, lz4_frame_magic + 4, in.data());
}

void decompress_lz4_frame(Bytes in, Output out) {
  static thread_local std::unique_ptr<LZ4F_dctx, FreeBy<LZ4F_freeDecompressionContext>> context([] {
    LZ4F_dctx* made = nullptr;
    LZ4F_createDecompressionContext(&made, LZ4F_VERSION);
    return made;
  }());
  if (!context) throw Error(ErrorSource::resource, ErrorCode::oom, "out of memory: lz4 decoder");
  LZ4F_resetDecompressionContext(context.get());
  uint8_t beyond = 0;
  size_t hint = 1, written = 0;
  // The hint is 0 at the end of each frame; there may be several.
  while (!in.empty() || hint != 0) {
    const bool full = written == out.size();
    size_t out_part = full ? 1 : out.size() - written;
    size_t in_part = in.size();
    hint =
        LZ4F_decompress(context.get(), full ? &beyond : out.data() + written, &out_part, in.data(), &in_part, nullptr);
    if (LZ4F_isError(hint)) throw damaged("lz4", LZ4F_getErrorName(hint));
    if (full && out_part > 0)
      throw damaged("lz4", "more data than the page header says, " + std::to_string(out.size()));
    if (in_part == 0 && out_part == 0 && hint != 0) throw damaged("lz4", "data ends early");
    in = in.subspan(in_part);
    written += out_part;
  }
  if (written != out.size()) throw wrong_size("lz4", written, out.size());
}

void decompress_lz4(Bytes in, Output out) {
  if (try_lz4_hadoop(in, out)) return;
  if (starts_lz4_frame(in))
    decompress_lz4_frame(in, out);
  else
    decompress_lz4_raw(in, out);
}

}  // namespace

std::string codec_name(int32_t codec) {
  switch (static_cast<Codec>(codec)) {
    case Codec::uncompressed:
      return "UNCOMPRESSED";
    case Codec::snappy:
      return "SNAPPY";
    case Codec::gzip:
      return "GZIP";
    case Codec::lzo:
      return "LZO";
    case Codec::brotli:
      return "BROTLI";
    case Codec::lz4:
      return "LZ4";
    case Codec::zstd:
      return "ZSTD";
    case Codec::lz4_raw:
      return "LZ4_RAW";
  }
  return "codec " + std::to_string(codec);
}

void decompress(int32_t codec, Bytes in, std::span<uint8_t> out) {
  const Codec known = static_cast<Codec>(codec);
  if (codec < 0 || known > Codec::lz4_raw || known == Codec::lzo) throw unsupported("compression " + codec_name(codec));
  if (in.empty() && out.empty()) return;
  // Libraries want a pointer even for an empty result.
  uint8_t nothing = 0;
  if (out.empty()) out = {&nothing, 0};
  switch (known) {
    case Codec::uncompressed:
      if (in.size() != out.size()) throw wrong_size("page", in.size(), out.size());
      std::memcpy(out.data(), in.data(), in.size());
      return;
    case Codec::snappy:
      return decompress_snappy(in, out);
    case Codec::gzip:
      return decompress_gzip(in, out);
    case Codec::brotli:
      return decompress_brotli(in, out);
    case Codec::lz4:
      return decompress_lz4(in, out);
    case Codec::zstd:
      return decompress_zstd(in, out);
    case Codec::lz4_raw:
      return decompress_lz4_raw(in, out);
    case Codec::lzo:
      break;
  }
}

bool decompress_head(int32_t codec, Bytes in, std::span<uint8_t> out) {
  if (codec != static_cast<int32_t>(Codec::zstd)) return false;
  ZSTD_DCtx* context = zstd_context();
  ZSTD_DCtx_reset(context, ZSTD_reset_session_only);
  ZSTD_inBuffer from{in.data(), in.size(), 0};
  ZSTD_outBuffer to{out.data(), out.size(), 0};
  while (to.pos < to.size) {
    const size_t before = from.pos + to.pos;
    const size_t left = ZSTD_decompressStream(context, &to, &from);
    if (ZSTD_isError(left) || left == 0 || from.pos + to.pos == before) break;
  }
  ZSTD_DCtx_reset(context, ZSTD_reset_session_only);
  return to.pos == to.size;
}

bool can_decompress_pieces(int32_t codec) { return codec == static_cast<int32_t>(Codec::snappy); }

void decompress_pieces(int32_t codec, PieceSource& in, std::span<uint8_t> out) {
  if (!can_decompress_pieces(codec)) throw internal_error("pieces of " + codec_name(codec));
  decompress_snappy_pieces(in, out);
}

}  // namespace quern::parquet
