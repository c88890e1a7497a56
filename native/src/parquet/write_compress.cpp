#include <brotli/encode.h>
#include <lz4.h>
#include <snappy-c.h>
#include <zlib.h>
#include <zstd.h>

#include <memory>

#include "common/error.hpp"
#include "parquet/codec.hpp"

namespace quern::parquet {

namespace {

// Fast levels: a file is written once, but the writer is mostly waited for.
constexpr int zstd_level = 1;
constexpr int gzip_level = 6;
constexpr int brotli_level = 4;

Error refused(const char* codec) { return internal_error(std::string(codec) + ": compression failed"); }

size_t compress_zstd(int level, Bytes in, std::span<uint8_t> out) {
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };
  static thread_local std::unique_ptr<ZSTD_CCtx, Free> context(ZSTD_createCCtx());
  if (!context) throw Error(ErrorSource::resource, ErrorCode::oom, "out of memory: zstd encoder");
  const size_t size = ZSTD_compressCCtx(context.get(), out.data(), out.size(), in.data(), in.size(), level);
  if (ZSTD_isError(size)) throw refused("zstd");
  return size;
}

size_t compress_gzip(int level, Bytes in, std::span<uint8_t> out) {
  struct Deflate {
    z_stream stream{};
    int level;
    explicit Deflate(int of) : level(of) {
      // 15 + 16: the largest window, with a gzip header.
      if (deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        throw Error(ErrorSource::resource, ErrorCode::oom, "out of memory: gzip encoder");
      }
    }
    ~Deflate() { deflateEnd(&stream); }
    Deflate(const Deflate&) = delete;
    Deflate& operator=(const Deflate&) = delete;
  };
  static thread_local std::optional<Deflate> deflater;
  if (!deflater || deflater->level != level) deflater.emplace(level);
  z_stream& stream = deflater->stream;
  if (deflateReset(&stream) != Z_OK) throw refused("gzip");
  stream.next_in = const_cast<uint8_t*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) throw refused("gzip");
  return out.size() - stream.avail_out;
}

size_t compress_brotli(int level, Bytes in, std::span<uint8_t> out) {
  size_t size = out.size();
  if (BrotliEncoderCompress(level, BROTLI_DEFAULT_WINDOW, BROTLI_DEFAULT_MODE, in.size(), in.data(), &size,
                            out.data()) != BROTLI_TRUE) {
    throw refused("brotli");
  }
  return size;
}

}  // namespace

size_t compressed_bound(Codec codec, size_t size) {
  switch (codec) {
    case Codec::uncompressed:
      return size;
    case Codec::snappy:
      return snappy_max_compressed_length(size);
    // deflateBound of the default memory level, with the gzip wrapper.
    case Codec::gzip:
      return size + (size >> 12) + (size >> 14) + (size >> 25) + 13 + 18;
    case Codec::brotli:
      return BrotliEncoderMaxCompressedSize(size);
    case Codec::zstd:
      return ZSTD_compressBound(size);
    case Codec::lz4_raw:
      return static_cast<size_t>(LZ4_compressBound(static_cast<int>(size)));
    default:
      throw unsupported("writing " + codec_name(static_cast<int32_t>(codec)));
  }
}

size_t compress(Codec codec, std::optional<int> level, Bytes in, std::span<uint8_t> out) {
  const auto* input = reinterpret_cast<const char*>(in.data());
  auto* output = reinterpret_cast<char*>(out.data());
  switch (codec) {
    case Codec::snappy: {
      size_t size = out.size();
      if (snappy_compress(input, in.size(), output, &size) != SNAPPY_OK) throw refused("snappy");
      return size;
    }
    case Codec::gzip:
      return compress_gzip(level.value_or(gzip_level), in, out);
    case Codec::brotli:
      return compress_brotli(level.value_or(brotli_level), in, out);
    case Codec::zstd:
      return compress_zstd(level.value_or(zstd_level), in, out);
    case Codec::lz4_raw: {
      const int size = LZ4_compress_default(input, output, static_cast<int>(in.size()), static_cast<int>(out.size()));
      if (size <= 0) throw refused("lz4");
      return static_cast<size_t>(size);
    }
    default:
      throw unsupported("writing " + codec_name(static_cast<int32_t>(codec)));
  }
}

}  // namespace quern::parquet
