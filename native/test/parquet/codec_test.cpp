#include "parquet/codec.hpp"

#include <lz4.h>
#include <lz4frame.h>
#include <snappy-c.h>
#include <zlib.h>
#include <zstd.h>

#include <thread>

#include "reference_encoder.hpp"

namespace quern::parquet {
namespace {

using namespace reference;

Encoded sample(size_t size) {
  std::mt19937 random(static_cast<uint32_t>(size));
  Encoded out(size);
  for (size_t i = 0; i < size; ++i) out[i] = static_cast<uint8_t>(i % 64 < 40 ? i / 64 : random());
  return out;
}

Encoded snappy(const Encoded& in) {
  size_t size = snappy_max_compressed_length(in.size());
  Encoded out(size);
  snappy_compress(reinterpret_cast<const char*>(in.data()), in.size(), reinterpret_cast<char*>(out.data()), &size);
  out.resize(size);
  return out;
}

Encoded gzip(const Encoded& in, int window) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY);
  Encoded out(deflateBound(&stream, in.size()) + 64);
  stream.next_in = const_cast<uint8_t*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}
Encoded gzip(const Encoded& in) { return gzip(in, 15 + 16); }

Encoded zstd(const Encoded& in) {
  Encoded out(ZSTD_compressBound(in.size()));
  out.resize(ZSTD_compress(out.data(), out.size(), in.data(), in.size(), 3));
  return out;
}

Encoded lz4_raw(const Encoded& in) {
  Encoded out(static_cast<size_t>(LZ4_compressBound(static_cast<int>(in.size()))));
  out.resize(static_cast<size_t>(LZ4_compress_default(reinterpret_cast<const char*>(in.data()),
                                                      reinterpret_cast<char*>(out.data()), static_cast<int>(in.size()),
                                                      static_cast<int>(out.size()))));
  return out;
}

Encoded lz4_frame(const Encoded& in) {
  Encoded out(LZ4F_compressFrameBound(in.size(), nullptr));
  out.resize(LZ4F_compressFrame(out.data(), out.size(), in.data(), in.size(), nullptr));
  return out;
}

void append_big_endian(Encoded& out, size_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<uint8_t>(value >> shift));
}

// Blocks of `block` bytes, each in chunks of `chunk` bytes.
Encoded lz4_hadoop(const Encoded& in, size_t block, size_t chunk) {
  Encoded out;
  for (size_t at = 0; at < in.size(); at += block) {
    const size_t end = std::min(in.size(), at + block);
    append_big_endian(out, end - at);
    for (size_t part = at; part < end; part += chunk) {
      const size_t part_end = std::min(end, part + chunk);
      const Encoded packed =
          lz4_raw(Encoded(in.begin() + static_cast<ptrdiff_t>(part), in.begin() + static_cast<ptrdiff_t>(part_end)));
      append_big_endian(out, packed.size());
      append(out, packed);
    }
  }
  return out;
}

// Literal bytes as uncompressed meta-blocks (RFC 7932, 9.2): window of 16 bits, then blocks of up to 65,536 bytes.
Encoded brotli(const Encoded& in) {
  std::vector<uint64_t> bits = {0};  // WBITS = 16
  const auto push = [&](uint64_t value, int width) {
    for (int i = 0; i < width; ++i) bits.push_back(value >> i & 1);
  };
  for (size_t at = 0; at < in.size(); at += 65536) {
    const size_t size = std::min<size_t>(65536, in.size() - at);
    push(0, 1);          // ISLAST
    push(0, 2);          // MNIBBLES = 4
    push(size - 1, 16);  // MLEN - 1
    push(1, 1);          // ISUNCOMPRESSED
    while (bits.size() % 8 != 0) bits.push_back(0);
    for (size_t i = 0; i < size; ++i) push(in[at + i], 8);
  }
  push(3, 2);  // ISLAST, ISLASTEMPTY
  return pack(bits, 1);
}

Encoded unpacked(Codec codec, const Encoded& in, size_t size) {
  const Exact bytes(in);
  const std::unique_ptr<uint8_t[]> exact(new uint8_t[size]);
  decompress(static_cast<int32_t>(codec), bytes, {exact.get(), size});
  return Encoded(exact.get(), exact.get() + size);
}

struct Form {
  const char* name;
  Codec codec;
  Encoded (*compress)(const Encoded&);
};

const Form forms[] = {
    {"uncompressed", Codec::uncompressed, [](const Encoded& in) { return in; }},
    {"snappy", Codec::snappy, snappy},
    {"gzip", Codec::gzip, gzip},
    {"zlib", Codec::gzip, [](const Encoded& in) { return gzip(in, 15); }},
    {"brotli", Codec::brotli, brotli},
    {"zstd", Codec::zstd, zstd},
    {"lz4_raw", Codec::lz4_raw, lz4_raw},
    {"lz4 raw block", Codec::lz4, lz4_raw},
    {"lz4 frame", Codec::lz4, lz4_frame},
    {"lz4 hadoop", Codec::lz4, [](const Encoded& in) { return lz4_hadoop(in, 1 << 30, 1 << 30); }},
    {"lz4 hadoop blocks", Codec::lz4, [](const Encoded& in) { return lz4_hadoop(in, 1000, 300); }},
};

TEST(Codec, RoundTrip) {
  for (const Form& form : forms) {
    for (size_t size : {0, 1, 31, 1000, 65536, 300000}) {
      const Encoded data = sample(size);
      EXPECT_EQ(unpacked(form.codec, form.compress(data), size), data) << form.name << ' ' << size;
    }
  }
}

TEST(Codec, SizeMustBeExact) {
  for (const Form& form : forms) {
    for (size_t size : {1, 1000, 100000}) {
      const Encoded packed = form.compress(sample(size));
      for (size_t wrong : {size - 1, size + 1, size * 2, size_t{0}}) {
        if (wrong == size) continue;
        EXPECT_NE(corrupt_message([&] { unpacked(form.codec, packed, wrong); }), "") << form.name << ' ' << wrong;
      }
    }
  }
}

TEST(Codec, CutDataIsAnError) {
  for (const Form& form : forms) {
    const Encoded data = sample(5000);
    const Encoded packed = form.compress(data);
    for (size_t keep = 0; keep < packed.size(); keep += 1 + packed.size() / 200) {
      const Encoded cut(packed.begin(), packed.begin() + static_cast<ptrdiff_t>(keep));
      EXPECT_NE(corrupt_message([&] { unpacked(form.codec, cut, data.size()); }), "") << form.name << ' ' << keep;
    }
  }
}

TEST(Codec, RandomChangesGiveDataOrErrors) {
  std::mt19937 random(23);
  for (const Form& form : forms) {
    const Encoded packed = form.compress(sample(3000));
    for (int round = 0; round < 1000; ++round) {
      Encoded damaged = packed;
      for (uint32_t i = 1 + random() % 3; i > 0; --i) {
        const size_t at = random() % 2 ? random() % damaged.size() : random() % std::min<size_t>(damaged.size(), 24);
        damaged[at] = static_cast<uint8_t>(random());
      }
      try {
        unpacked(form.codec, damaged, 3000);
      } catch (const Error& error) {
        ASSERT_EQ(error.code(), ErrorCode::corrupt_file) << form.name;
      }
    }
  }
}

TEST(Codec, SeveralMembersAndFrames) {
  const Encoded first = sample(1000), second = sample(777);
  Encoded both = first;
  append(both, second);
  const auto joined = [&](auto compress) {
    Encoded out = compress(first);
    append(out, compress(Encoded()));
    append(out, compress(second));
    return out;
  };
  EXPECT_EQ(unpacked(Codec::gzip, joined([](const Encoded& in) { return gzip(in); }), both.size()), both);
  EXPECT_EQ(unpacked(Codec::zstd, joined(zstd), both.size()), both);
  EXPECT_EQ(unpacked(Codec::lz4, joined(lz4_frame), both.size()), both);
}

TEST(Codec, ReusedStateForgetsErrors) {
  const Encoded data = sample(2000);
  for (const Form& form : forms) {
    const Encoded packed = form.compress(data);
    const Encoded cut(packed.begin(), packed.begin() + static_cast<ptrdiff_t>(packed.size() / 2));
    corrupt_message([&] { unpacked(form.codec, cut, data.size()); });
    EXPECT_EQ(unpacked(form.codec, packed, data.size()), data) << form.name;
  }
}

TEST(Codec, ThreadsHaveTheirOwnState) {
  const Encoded data = sample(20000);
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        for (const Form& form : forms) right += unpacked(form.codec, form.compress(data), data.size()) == data;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right.load(), 4 * 20 * static_cast<int>(std::size(forms)));
}

TEST(Codec, EmptyPagesNeedNoBytes) {
  for (const Form& form : forms) EXPECT_EQ(unpacked(form.codec, {}, 0), Encoded()) << form.name;
}

TEST(Codec, HadoopBlocksMayBeEmpty) {
  EXPECT_EQ(unpacked(Codec::lz4, {0, 0, 0, 0}, 0), Encoded());
  const Encoded data = sample(100);
  Encoded packed = {0, 0, 0, 0};
  append(packed, lz4_hadoop(data, 1000, 1000));
  append(packed, {0, 0, 0, 0});
  EXPECT_EQ(unpacked(Codec::lz4, packed, data.size()), data);
}

TEST(Codec, UnknownCodecsAreUnsupported) {
  for (int32_t codec : {3, 8, 99, -1}) {
    const Exact bytes(Encoded(10));
    uint8_t out[10];
    try {
      decompress(codec, bytes, out);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::unsupported);
      EXPECT_EQ(error.message(), "unsupported: compression " + codec_name(codec));
    }
  }
  EXPECT_EQ(codec_name(3), "LZO");
  EXPECT_EQ(codec_name(99), "codec 99");
  EXPECT_EQ(codec_name(7), "LZ4_RAW");
}

}  // namespace
}  // namespace quern::parquet
