// Values of pages into a column, a block a part of a page, a thread an entry: finds the value by the rank of its entry,
// loads it as it is stored (PLAIN, BYTE_STREAM_SPLIT, unpacked deltas or booleans, or through the dictionary), converts
// it. Moves stored bytes in and out_width bytes a slot out; slots without a value become zero. Plain values of the
// right form without nulls are copied in 16-byte pieces. Test: test/cuda/scan_kernels_test.cpp, WriteValues.
#include "cuda/copy_bytes.cuh"
#include "cuda/load_bytes.cuh"
#include "cuda/page_parts.cuh"
#include "cuda/ranked_mask.cuh"

namespace quern::cuda {

namespace {

using parquet::Conversion;

constexpr int64_t micros_per_day = 86400000000;
constexpr int64_t julian_day_of_epoch = 2440588;

// Up to 16 bytes, little-endian.
struct Word {
  uint64_t low = 0, high = 0;
};

__device__ Word word_of(__int128 value) {
  const auto bits = static_cast<unsigned __int128>(value);
  return {static_cast<uint64_t>(bits), static_cast<uint64_t>(bits >> 64)};
}

// `width` bytes at `at`; what is read beyond them is the conversion's to drop.
__device__ Word load_plain(const uint8_t* bytes, int64_t at, int32_t width) {
  Word out;
  out.low = width <= 4 ? load_32(bytes, at) : load_64(bytes, at);
  if (width > 8) out.high = load_64(bytes, at + 8);
  return out;
}

__device__ Word load_split(const uint8_t* bytes, int64_t at, int64_t total, int64_t index, int32_t width) {
  Word out;
  for (int i = 0; i < width; ++i) {
    const uint64_t byte = bytes[at + i * total + index];
    if (i < 8)
      out.low |= byte << (8 * i);
    else
      out.high |= byte << (8 * (i - 8));
  }
  return out;
}

__device__ uint64_t swap_bytes(uint64_t value) {
  const auto low = static_cast<uint32_t>(value), high = static_cast<uint32_t>(value >> 32);
  return static_cast<uint64_t>(__byte_perm(low, 0, 0x0123)) << 32 | __byte_perm(high, 0, 0x0123);
}

// Big-endian two's complement of `width` (1 … 16) bytes.
__device__ __int128 big_endian(Word stored, int32_t width) {
  const auto bits = static_cast<unsigned __int128>(swap_bytes(stored.low)) << 64 | swap_bytes(stored.high);
  return static_cast<__int128>(bits) >> (8 * (16 - width));
}

__device__ int64_t wrap_into_day(int64_t time, int64_t day) {
  if (time >= 0 && time <= day) return time;
  const int64_t rest = time % day;
  return rest < 0 ? rest + day : rest;
}

__device__ bool is_int64(__int128 value) { return value == static_cast<int64_t>(value); }

// The twin of parquet/convert.cpp. False when the value does not fit.
__device__ bool convert(const StoredValues& stored, Word in, Word& out) {
  const auto narrow = static_cast<int32_t>(in.low);
  const auto wide = static_cast<int64_t>(in.low);
  switch (stored.conversion) {
    case Conversion::copy:
    case Conversion::boolean:
      out = in;
      return true;
    case Conversion::int32_to_int8:
      out.low = static_cast<uint64_t>(narrow);
      return narrow == static_cast<int8_t>(narrow);
    case Conversion::int32_to_int16:
      out.low = static_cast<uint64_t>(narrow);
      return narrow == static_cast<int16_t>(narrow);
    case Conversion::int32_to_uint8:
      out.low = static_cast<uint64_t>(narrow);
      return narrow == static_cast<uint8_t>(narrow);
    case Conversion::int32_to_uint16:
      out.low = static_cast<uint64_t>(narrow);
      return narrow == static_cast<uint16_t>(narrow);
    case Conversion::int32_to_int64:
      out.low = static_cast<uint64_t>(static_cast<int64_t>(narrow));
      return true;
    case Conversion::int32_to_int128:
      out = word_of(narrow);
      return true;
    case Conversion::int64_to_int128:
      out = word_of(wide);
      return true;
    case Conversion::scale_int32:
      out.low = static_cast<uint64_t>(narrow * stored.factor);
      return true;
    case Conversion::scale_int64: {
      const __int128 product = static_cast<__int128>(wide) * stored.factor;
      out = word_of(product);
      return is_int64(product);
    }
    case Conversion::divide_int64:
      out.low = static_cast<uint64_t>(wide / stored.factor);
      return true;
    case Conversion::int32_to_utc_time:
      out.low = static_cast<uint64_t>(wrap_into_day(narrow, micros_per_day / 1000) * 1000);
      return true;
    case Conversion::int64_to_utc_time:
      out.low = static_cast<uint64_t>(wrap_into_day(wide, micros_per_day * stored.factor) / stored.factor);
      return true;
    case Conversion::int96_to_timestamp: {
      const auto day = static_cast<int32_t>(in.high);
      const __int128 start = static_cast<__int128>(day - julian_day_of_epoch) * micros_per_day;
      const __int128 micros = start + wide / 1000;
      out = word_of(micros);
      return is_int64(start) && is_int64(micros);
    }
    case Conversion::big_endian_to_int64: {
      const __int128 value = big_endian(in, stored.width);
      out = word_of(value);
      return is_int64(value);
    }
    case Conversion::big_endian_to_int128:
      out = word_of(big_endian(in, stored.width));
      return true;
    case Conversion::uuid:
      out = {swap_bytes(in.high), swap_bytes(in.low)};
      return true;
    case Conversion::interval:
      out = {in.low, (in.high & 0xffffffffULL) * 1000};
      return true;
    default:
      return false;  // those that the host decodes
  }
}

template <typename T>
__device__ T store_form(Word word) {
  if constexpr (sizeof(T) == 16) {
    return make_uint4(static_cast<uint32_t>(word.low), static_cast<uint32_t>(word.low >> 32),
                      static_cast<uint32_t>(word.high), static_cast<uint32_t>(word.high >> 32));
  } else {
    return static_cast<T>(word.low);
  }
}

// Value number `index` of a page, as it is stored. False when the page holds fewer.
__device__ bool load_stored(const ValuePlaces& places, const EncodedPage& page, int64_t first_value, int64_t index,
                            int32_t width, Word& out) {
  switch (page.encoding) {
    case PageEncoding::plain:
      if (width == 0) {
        if (index >= page.values_bytes * 8) return false;
        out.low = (places.bytes[page.values_at + (index >> 3)] >> (index & 7)) & 1;
        return true;
      }
      if ((index + 1) * width > page.values_bytes) return false;
      out = load_plain(places.bytes, page.values_at + index * width, width);
      return true;
    case PageEncoding::split: {
      const int64_t total = page.values_bytes / width;
      if (index >= total) return false;
      out = load_split(places.bytes, page.values_at, total, index, width);
      return true;
    }
    case PageEncoding::runs:
      out.low = places.codes[first_value + index];
      return true;
    case PageEncoding::deltas:
      out.low = static_cast<uint64_t>(places.deltas[first_value + index]);
      return true;
    default:
      return false;
  }
}

template <typename T>
__global__ void write_values_kernel(ValuePlaces places, StoredValues stored, PageParts parts, const T* dictionary,
                                    T* out, uint32_t* status) {
  each_part(parts, [&](int64_t p, int64_t begin, int64_t step) {
    const EncodedPage& page = places.pages[p];
    const int64_t first = places.first_entry[p], first_value = places.first_value[p];
    for (int64_t i = begin; i < page.entries; i += step) {
      const int64_t entry = first + i;
      if (!is_set(places.slots, entry)) continue;
      T value{};
      if (is_set(places.valid, entry)) {
        const int64_t index = rank_of(places.valid, entry) - first_value;
        if (page.encoding == PageEncoding::codes) {
          const uint32_t code = places.codes[first_value + index];
          if (code < places.dictionary_count)
            value = dictionary[code];
          else
            atomicOr(status, status_code);
        } else {
          Word in, converted;
          if (!load_stored(places, page, first_value, index, stored.width, in))
            atomicOr(status, status_values);
          else if (!convert(stored, in, converted))
            atomicOr(status, status_fit);
          else
            value = store_form<T>(converted);
        }
      }
      out[rank_of(places.slots, entry)] = value;
    }
  });
}

template <typename T>
__global__ void write_dictionary_kernel(const uint8_t* bytes, int64_t at, int64_t count, StoredValues stored, T* out,
                                        uint32_t* status) {
  for (int64_t i = thread_index(); i < count; i += thread_count()) {
    Word converted;
    if (!convert(stored, load_plain(bytes, at + i * stored.width, stored.width), converted))
      atomicOr(status, status_fit);
    out[i] = store_form<T>(converted);
  }
}

__global__ void copy_pages_kernel(const uint8_t* bytes, const EncodedPage* pages, PageParts parts,
                                  const int64_t* first_entry, int32_t width, uint8_t* out) {
  each_part(parts, [&](int64_t p, int64_t begin, int64_t step) {
    const EncodedPage& page = pages[p];
    copy_bytes(bytes + page.values_at, out + first_entry[p] * width, page.entries * width, begin, step);
  });
}

// Calls launch<T>() for the storage of `width` bytes.
template <typename Launch>
void by_width(int32_t width, Launch launch) {
  switch (width) {
    case 1:
      return launch.template operator()<uint8_t>();
    case 2:
      return launch.template operator()<uint16_t>();
    case 4:
      return launch.template operator()<uint32_t>();
    case 8:
      return launch.template operator()<uint64_t>();
    case 16:
      return launch.template operator()<uint4>();
    default:
      throw internal_error("no storage of width " + std::to_string(width));
  }
}

}  // namespace

void write_values(Device& device, const ValuePlaces& places, const StoredValues& stored, const void* dictionary,
                  int32_t out_width, void* out, uint32_t* status) {
  if (places.page_count == 0) return;
  const PageParts parts = page_parts(places.page_count, places.entries);
  by_width(out_width, [&]<typename T>() {
    QUERN_LAUNCH(write_values_kernel<T>, parts.count(), 1, places, stored, parts, static_cast<const T*>(dictionary),
                 static_cast<T*>(out), status);
  });
}

void write_dictionary(Device& device, const uint8_t* bytes, int64_t at, int64_t count, const StoredValues& stored,
                      int32_t out_width, void* out, uint32_t* status) {
  if (count == 0) return;
  by_width(out_width, [&]<typename T>() {
    QUERN_LAUNCH(write_dictionary_kernel<T>, count, block_threads, bytes, at, count, stored, static_cast<T*>(out),
                 status);
  });
}

void copy_pages(Device& device, const uint8_t* bytes, const EncodedPage* pages, int64_t page_count, int64_t entries,
                const int64_t* first_entry, int32_t width, void* out) {
  if (page_count == 0) return;
  const PageParts parts = page_parts(page_count, entries * width / 16);
  QUERN_LAUNCH(copy_pages_kernel, parts.count(), 1, bytes, pages, parts, first_entry, width,
               static_cast<uint8_t*>(out));
}

}  // namespace quern::cuda
