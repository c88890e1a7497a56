// DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY.
#include <algorithm>
#include <cstring>
#include <string>

#include "common/error.hpp"
#include "parquet/encoding.hpp"

namespace quern::parquet {
namespace {

// The lengths as they stand, and where the bytes after them begin.
struct Lengths {
  int64_t count;
  BufferPtr owner;
  int64_t* values;
  size_t end;
};

Lengths read_lengths(Memory& memory, Bytes bytes, int64_t max_values, const char* what) {
  DeltaDecoder decoder(bytes);
  Lengths lengths;
  lengths.count = std::min(decoder.total(), std::max<int64_t>(max_values, 0));
  // One place more, for the offset that follows the last length.
  lengths.owner = memory.allocate((static_cast<size_t>(lengths.count) + 1) * sizeof(int64_t));
  lengths.values = lengths.owner->as<int64_t>();
  decoder.read(lengths.values, lengths.count);
  lengths.end = decoder.bytes_consumed();
  for (int64_t i = 0; i < lengths.count; ++i) {
    if (lengths.values[i] < 0 || lengths.values[i] > INT32_MAX) {
      throw corrupt_file(std::string(what) + ": length " + std::to_string(lengths.values[i]));
    }
  }
  return lengths;
}

// Turns lengths (each < 2^31, so fewer than 2^32 of them cannot overflow the sum) into offsets; returns the sum.
int64_t lengths_to_offsets(Lengths& lengths, const char* what) {
  int64_t offset = 0;
  for (int64_t i = 0; i < lengths.count; ++i) {
    const int64_t length = lengths.values[i];
    lengths.values[i] = offset;
    if (__builtin_add_overflow(offset, length, &offset)) throw corrupt_file(std::string(what) + ": lengths overflow");
  }
  lengths.values[lengths.count] = offset;
  return offset;
}

// Copies `length` bytes, most often few: then 16 at once, which must be readable and, past the end, free to overwrite.
inline void copy_bytes(uint8_t* out, const uint8_t* from, size_t length, bool may_copy_16) {
  if (length <= 16 && may_copy_16) {
    uint64_t words[2];
    std::memcpy(words, from, 16);
    std::memcpy(out, words, 16);
  } else {
    std::memcpy(out, from, length);
  }
}

}  // namespace

ByteArrays read_delta_length_byte_array(Memory& memory, Bytes bytes, int64_t max_values) {
  constexpr const char* what = "delta length byte array";
  Lengths lengths = read_lengths(memory, bytes, max_values, what);
  const int64_t size = lengths_to_offsets(lengths, what);
  const Bytes data = bytes.subspan(lengths.end);
  if (static_cast<uint64_t>(size) > data.size()) {
    throw corrupt_file(std::string(what) + ": lengths sum to " + std::to_string(size) + ", bytes left " +
                       std::to_string(data.size()));
  }
  ByteArrays result;
  result.count = lengths.count;
  result.offsets = lengths.values;
  result.offsets_owner = std::move(lengths.owner);
  result.bytes = data.data();
  return result;
}

ByteArrays read_delta_byte_array(Memory& memory, Bytes bytes, int64_t max_values) {
  constexpr const char* what = "delta byte array";
  Lengths prefixes = read_lengths(memory, bytes, max_values, what);
  const ByteArrays suffixes = read_delta_length_byte_array(memory, bytes.subspan(prefixes.end), max_values);
  if (suffixes.count != prefixes.count) {
    throw corrupt_file(std::string(what) + ": " + std::to_string(prefixes.count) + " prefixes, " +
                       std::to_string(suffixes.count) + " suffixes");
  }

  // Sizes first: short pages can describe long values, so the total is charged before anything is built.
  int64_t previous = 0, total = 0;
  for (int64_t i = 0; i < prefixes.count; ++i) {
    const int64_t prefix = prefixes.values[i];
    if (prefix > previous) {
      throw corrupt_file(std::string(what) + ": prefix " + std::to_string(prefix) +
                         " is longer than the value before it, " + std::to_string(previous));
    }
    previous = prefix + (suffixes.offsets[i + 1] - suffixes.offsets[i]);
    if (__builtin_add_overflow(total, previous, &total)) throw corrupt_file(std::string(what) + ": lengths overflow");
  }

  ByteArrays result;
  result.count = prefixes.count;
  result.owned = memory.allocate(static_cast<size_t>(total));
  uint8_t* const built = result.owned->data();
  uint8_t* out = built;
  const uint8_t* before = out;
  // Buffers have 64 bytes past their size, so what is built may be read and written there; the page may not.
  const int64_t suffix_bytes = static_cast<int64_t>(bytes.data() + bytes.size() - suffixes.bytes);
  int64_t* offsets = prefixes.values;  // prefix i is read before offset i takes its place
  for (int64_t i = 0; i < result.count; ++i) {
    const size_t prefix = static_cast<size_t>(prefixes.values[i]);
    const int64_t from = suffixes.offsets[i];
    const size_t suffix = static_cast<size_t>(suffixes.offsets[i + 1] - from);
    offsets[i] = out - built;
    copy_bytes(out, before, prefix, true);
    copy_bytes(out + prefix, suffixes.bytes + from, suffix, from + 16 <= suffix_bytes);
    before = out;
    out += prefix + suffix;
  }
  offsets[result.count] = total;
  result.offsets = offsets;
  result.offsets_owner = std::move(prefixes.owner);
  result.bytes = built;
  return result;
}

}  // namespace quern::parquet
