#include "parquet/values.hpp"

#include <algorithm>
#include <cstring>

namespace quern::parquet {

namespace {

constexpr int64_t scratch_values = 1024;

// Copies dictionary values by code.
template <typename T>
void gather_values(const void* from, const uint32_t* codes, int64_t count, void* out) {
  const auto* values = static_cast<const T*>(from);
  auto* target = static_cast<T*>(out);
  for (int64_t i = 0; i < count; ++i) target[i] = values[codes[i]];
}

void gather_by_width(int32_t width, const void* from, const uint32_t* codes, int64_t count, void* out) {
  struct Pair {
    uint64_t first, second;
  };
  switch (width) {
    case 1:
      return gather_values<uint8_t>(from, codes, count, out);
    case 2:
      return gather_values<uint16_t>(from, codes, count, out);
    case 4:
      return gather_values<uint32_t>(from, codes, count, out);
    case 8:
      return gather_values<uint64_t>(from, codes, count, out);
    default:
      return gather_values<Pair>(from, codes, count, out);
  }
}

bool is_text(Bytes value) {
  const uint8_t* at = value.data();
  size_t left = value.size();
  uint64_t high = 0;
  for (; left >= 8; left -= 8, at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, at, 8);
    high |= word;
  }
  for (; left > 0; --left, ++at) high |= *at;
  if ((high & 0x8080808080808080ULL) == 0) return true;
  return valid_utf8(reinterpret_cast<const char*>(value.data()), value.size());
}

StringView checked_view(const uint8_t* data, uint32_t length, size_t readable, bool check_utf8) {
  uint64_t high = 0;
  StringView view = view_of(data, length, readable, high);
  if (check_utf8 && (length > 12 || high != 0) && !is_text({data, length}))
    throw corrupt_file("string is not valid UTF-8");
  return view;
}

}  // namespace

PageValues::PageValues(Memory& memory, const LeafType& leaf, int32_t encoding, Bytes bytes, BufferPtr owner,
                       int64_t max_values, std::shared_ptr<const Dictionary> dictionary)
    : memory_(memory),
      leaf_(leaf),
      out_width_(width(*leaf.type)),
      owner_(std::move(owner)),
      bytes_(bytes),
      dictionary_(std::move(dictionary)) {
  PhysicalType type = leaf.physical;
  bool is_integer = type == PhysicalType::int32 || type == PhysicalType::int64;
  auto refuse = [&] {
    throw corrupt_file(std::string(physical_type_name(type)) + " values in " + encoding_name(encoding));
  };
  switch (static_cast<Encoding>(encoding)) {
    case Encoding::plain:
      if (type == PhysicalType::boolean)
        kind_ = Kind::bits;
      else if (type == PhysicalType::byte_array)
        kind_ = Kind::strings;
      else
        kind_ = Kind::fixed;
      return;
    case Encoding::plain_dictionary:
    case Encoding::rle_dictionary: {
      if (type == PhysicalType::boolean) refuse();
      if (!dictionary_) throw corrupt_file("page in " + encoding_name(encoding) + " without a dictionary page");
      kind_ = Kind::codes;
      // A page of nulls only may have no section at all; a decoder of width 1 then fails at the first value.
      runs_ = HybridDecoder({}, 1);
      if (bytes.empty()) return;
      int bit_width = bytes[0];
      if (bit_width > 32) throw corrupt_file("dictionary codes of " + std::to_string(bit_width) + " bits");
      runs_ = HybridDecoder(bytes.subspan(1), bit_width);
      return;
    }
    case Encoding::rle: {
      if (type != PhysicalType::boolean) refuse();
      kind_ = Kind::bit_runs;
      runs_ = HybridDecoder({}, 1);
      if (bytes.empty()) return;
      uint32_t length = 0;
      if (bytes.size() < 4) throw corrupt_file("boolean runs: no length");
      std::memcpy(&length, bytes.data(), 4);
      if (length > bytes.size() - 4) {
        throw corrupt_file("boolean runs of " + std::to_string(length) + " bytes, " + std::to_string(bytes.size() - 4) +
                           " left");
      }
      runs_ = HybridDecoder(bytes.subspan(4, length), 1);
      return;
    }
    case Encoding::delta_binary_packed:
      if (!is_integer) refuse();
      kind_ = Kind::deltas;
      if (!bytes.empty()) deltas_ = DeltaDecoder(bytes);
      return;
    case Encoding::delta_length_byte_array:
      if (type != PhysicalType::byte_array) refuse();
      open_byte_arrays(bytes.empty() ? ByteArrays() : read_delta_length_byte_array(memory, bytes, max_values));
      return;
    case Encoding::delta_byte_array:
      if (type != PhysicalType::byte_array && type != PhysicalType::fixed) refuse();
      open_byte_arrays(bytes.empty() ? ByteArrays() : read_delta_byte_array(memory, bytes, max_values));
      return;
    case Encoding::byte_stream_split: {
      if (type == PhysicalType::boolean || type == PhysicalType::byte_array || type == PhysicalType::int96) refuse();
      // Values are joined once a page, which then reads like a plain one.
      auto value_width = static_cast<size_t>(leaf.stored_width);
      if (bytes.size() % value_width != 0) {
        throw corrupt_file("byte stream split: " + std::to_string(bytes.size()) + " bytes for values of " +
                           std::to_string(value_width));
      }
      auto total = static_cast<int64_t>(bytes.size() / value_width);
      BufferPtr joined = memory.allocate(bytes.size());
      read_byte_stream_split(bytes, leaf.stored_width, total, 0, total, joined->data());
      bytes_ = {joined->data(), bytes.size()};
      owner_ = std::move(joined);
      kind_ = Kind::fixed;
      return;
    }
    default:
      throw corrupt_file("values in " + encoding_name(encoding));
  }
}

PageValues::PageValues(Memory& memory, const LeafType& leaf, std::shared_ptr<ValueStream> stream)
    : memory_(memory), leaf_(leaf), out_width_(width(*leaf.type)), kind_(Kind::stream), stream_(std::move(stream)) {}

bool PageValues::can_stream(const LeafType& leaf) {
  return leaf.physical != PhysicalType::boolean && leaf.physical != PhysicalType::byte_array &&
         leaf.conversion != Conversion::view;
}

void PageValues::open_byte_arrays(ByteArrays arrays) {
  kind_ = Kind::byte_arrays;
  arrays_ = std::move(arrays);
  if (arrays_.owned) owner_ = arrays_.owned;
  if (leaf_.physical != PhysicalType::fixed) return;
  // Values of a fixed length lie back to back: read them as plain ones.
  for (int64_t i = 1; i <= arrays_.count; ++i) {
    int64_t length = arrays_.offsets[i] - arrays_.offsets[i - 1];
    if (length != leaf_.stored_width) {
      throw corrupt_file("value of " + std::to_string(length) + " bytes, expected " +
                         std::to_string(leaf_.stored_width));
    }
  }
  kind_ = Kind::fixed;
  bytes_ = {};
  if (arrays_.count > 0)
    bytes_ = {arrays_.bytes + arrays_.offsets[0],
              static_cast<size_t>(arrays_.count) * static_cast<size_t>(leaf_.stored_width)};
}

void PageValues::read(int64_t count, void* out) {
  if (count == 0) return;
  switch (kind_) {
    case Kind::fixed:
      return read_fixed(count, out);
    case Kind::stream:
      return read_stream(count, out);
    case Kind::bits:
      return read_bits(count, static_cast<uint8_t*>(out));
    case Kind::bit_runs:
      return runs_.read_u8(static_cast<uint8_t*>(out), count);
    case Kind::deltas:
      return read_deltas(count, out);
    case Kind::strings:
      return read_strings(count, out);
    case Kind::byte_arrays:
      return read_byte_arrays(count, out);
    case Kind::codes:
      return gather(count, out);
  }
}

void PageValues::read_fixed(int64_t count, void* out) {
  auto value_width = static_cast<size_t>(leaf_.stored_width);
  check_left(count, bytes_.size() - position_);
  const uint8_t* from = bytes_.data() + position_;
  position_ += static_cast<size_t>(count) * value_width;
  if (leaf_.conversion != Conversion::view) return convert(leaf_, from, count, out);
  auto* views = static_cast<StringView*>(out);
  const uint8_t* end = bytes_.data() + bytes_.size();
  for (int64_t i = 0; i < count; ++i, from += value_width) {
    views[i] =
        checked_view(from, static_cast<uint32_t>(value_width), static_cast<size_t>(end - from), leaf_.check_utf8);
  }
}

void PageValues::check_left(int64_t count, size_t left) const {
  const auto value_width = static_cast<size_t>(leaf_.stored_width);
  if (left / value_width >= static_cast<size_t>(count)) return;
  throw corrupt_file(std::to_string(count) + " values of " + std::to_string(value_width) + " bytes expected, " +
                     std::to_string(left) + " bytes left");
}

void PageValues::read_stream(int64_t count, void* out) {
  check_left(count, stream_->left());
  const auto value_width = static_cast<size_t>(leaf_.stored_width);
  auto* to = static_cast<uint8_t*>(out);
  if (leaf_.conversion == Conversion::copy) return stream_->read(to, static_cast<size_t>(count) * value_width);
  while (count > 0) {
    const Bytes bytes = stream_->look(value_width);
    const int64_t part = std::min(count, static_cast<int64_t>(bytes.size() / value_width));
    convert(leaf_, bytes.data(), part, to);
    stream_->skip(static_cast<size_t>(part) * value_width);
    to += part * out_width_;
    count -= part;
  }
}

void PageValues::read_bits(int64_t count, uint8_t* out) {
  size_t left = bytes_.size() * 8 - position_;
  if (left < static_cast<size_t>(count)) {
    throw corrupt_file(std::to_string(count) + " booleans expected, " + std::to_string(left) + " bits left");
  }
  const uint8_t* bytes = bytes_.data();
  size_t at = position_;
  position_ += static_cast<size_t>(count);
  int64_t i = 0;
  for (; i < count && at % 8 != 0; ++i, ++at) out[i] = (bytes[at >> 3] >> (at & 7)) & 1;
  for (; i + 8 <= count; i += 8, at += 8) {
    // Spreads 8 bits over 8 bytes.
    uint64_t spread = bytes[at >> 3];
    spread = (spread | (spread << 28)) & 0x0000000F0000000FULL;
    spread = (spread | (spread << 14)) & 0x0003000300030003ULL;
    spread = (spread | (spread << 7)) & 0x0101010101010101ULL;
    std::memcpy(out + i, &spread, 8);
  }
  for (; i < count; ++i, ++at) out[i] = (bytes[at >> 3] >> (at & 7)) & 1;
}

void PageValues::read_deltas(int64_t count, void* out) {
  bool wide = leaf_.physical == PhysicalType::int64;
  if (leaf_.conversion == Conversion::copy) {
    if (wide)
      deltas_.read(static_cast<int64_t*>(out), count);
    else
      deltas_.read(static_cast<int32_t*>(out), count);
    return;
  }
  union {
    int64_t wide[scratch_values];
    int32_t narrow[scratch_values];
  } decoded;
  for (int64_t done = 0; done < count;) {
    int64_t part = std::min(count - done, scratch_values);
    if (wide)
      deltas_.read(decoded.wide, part);
    else
      deltas_.read(decoded.narrow, part);
    convert(leaf_, reinterpret_cast<const uint8_t*>(&decoded), part, static_cast<uint8_t*>(out) + done * out_width_);
    done += part;
  }
}

void PageValues::put(const uint8_t* data, uint32_t length, size_t readable, void* out, int64_t i) {
  if (leaf_.conversion == Conversion::view) {
    static_cast<StringView*>(out)[i] = checked_view(data, length, readable, leaf_.check_utf8);
  } else {
    convert_bytes(leaf_, {data, length}, static_cast<uint8_t*>(out) + i * out_width_);
  }
}

void PageValues::read_strings(int64_t count, void* out) {
  const uint8_t* at = bytes_.data() + position_;
  const uint8_t* end = bytes_.data() + bytes_.size();
  for (int64_t i = 0; i < count; ++i) {
    auto left = static_cast<size_t>(end - at);
    if (left < 4) throw corrupt_file("value expected, " + std::to_string(left) + " bytes left");
    uint32_t length = 0;
    std::memcpy(&length, at, 4);
    at += 4;
    left -= 4;
    if (length > left)
      throw corrupt_file("value of " + std::to_string(length) + " bytes, " + std::to_string(left) + " left");
    put(at, length, left, out, i);
    at += length;
  }
  position_ = static_cast<size_t>(at - bytes_.data());
}

void PageValues::read_byte_arrays(int64_t count, void* out) {
  int64_t left = arrays_.count - next_array_;
  if (count > left) throw corrupt_file(std::to_string(count) + " values expected, " + std::to_string(left) + " left");
  int64_t end = arrays_.offsets[arrays_.count];
  for (int64_t i = 0; i < count; ++i) {
    int64_t start = arrays_.offsets[next_array_ + i];
    int64_t length = arrays_.offsets[next_array_ + i + 1] - start;
    if (length > INT32_MAX) throw corrupt_file("value of " + std::to_string(length) + " bytes");
    put(arrays_.bytes + start, static_cast<uint32_t>(length), static_cast<size_t>(end - start), out, i);
  }
  next_array_ += count;
}

HybridDecoder::Run PageValues::peek_codes(int64_t limit) {
  HybridDecoder::Run run = runs_.peek(limit);
  if (run.repeated && run.value >= dictionary_->count) {
    throw corrupt_file("dictionary code " + std::to_string(run.value) + ", the dictionary has " +
                       std::to_string(dictionary_->count));
  }
  return run;
}

void PageValues::read_codes(int64_t count, uint32_t* out) {
  runs_.read(out, count);
  uint32_t largest = 0;
  for (int64_t i = 0; i < count; ++i) largest = std::max(largest, out[i]);
  if (count > 0 && largest >= dictionary_->count) {
    throw corrupt_file("dictionary code " + std::to_string(largest) + ", the dictionary has " +
                       std::to_string(dictionary_->count));
  }
}

void PageValues::gather(int64_t count, void* out) {
  uint32_t codes[scratch_values];
  for (int64_t done = 0; done < count;) {
    int64_t part = std::min(count - done, scratch_values);
    read_codes(part, codes);
    gather_by_width(out_width_, dictionary_->values->data, codes, part, static_cast<uint8_t*>(out) + done * out_width_);
    done += part;
  }
}

void PageValues::skip(int64_t count) {
  if (count == 0) return;
  switch (kind_) {
    case Kind::fixed:
      check_left(count, bytes_.size() - position_);
      position_ += static_cast<size_t>(count) * static_cast<size_t>(leaf_.stored_width);
      return;
    case Kind::stream:
      check_left(count, stream_->left());
      return stream_->skip(static_cast<size_t>(count) * static_cast<size_t>(leaf_.stored_width));
    case Kind::bits: {
      size_t left = bytes_.size() * 8 - position_;
      if (left < static_cast<size_t>(count)) {
        throw corrupt_file(std::to_string(count) + " booleans expected, " + std::to_string(left) + " bits left");
      }
      position_ += static_cast<size_t>(count);
      return;
    }
    case Kind::bit_runs:
    case Kind::codes:
      return runs_.skip(count);
    case Kind::deltas:
      return deltas_.skip(count);
    case Kind::strings:
      for (; count > 0; --count) {
        size_t left = bytes_.size() - position_;
        if (left < 4) throw corrupt_file("value expected, " + std::to_string(left) + " bytes left");
        uint32_t length = 0;
        std::memcpy(&length, bytes_.data() + position_, 4);
        if (length > left - 4)
          throw corrupt_file("value of " + std::to_string(length) + " bytes, " + std::to_string(left - 4) + " left");
        position_ += 4 + length;
      }
      return;
    case Kind::byte_arrays: {
      int64_t left = arrays_.count - next_array_;
      if (count > left)
        throw corrupt_file(std::to_string(count) + " values expected, " + std::to_string(left) + " left");
      next_array_ += count;
      return;
    }
  }
}

std::shared_ptr<const Dictionary> read_dictionary(Memory& memory, const LeafType& leaf,
                                                  const PageStream::DictionaryPage& page) {
  if (leaf.physical == PhysicalType::boolean) throw corrupt_file("dictionary of BOOLEAN values");
  // Each value takes bytes, so that the count is bounded before anything is allocated by it.
  size_t least = leaf.physical == PhysicalType::byte_array ? 4 : static_cast<size_t>(leaf.stored_width);
  if (page.bytes.size() / least < static_cast<size_t>(page.count)) {
    throw corrupt_file("dictionary of " + std::to_string(page.count) + " values in " +
                       std::to_string(page.bytes.size()) + " bytes");
  }
  PageValues values(memory, leaf, static_cast<int32_t>(Encoding::plain), page.bytes, page.owner, page.count, nullptr);
  ColumnBuilder builder(memory, leaf.type, page.count);
  values.read(page.count, builder.data<uint8_t>());
  if (leaf.conversion == Conversion::view) builder.keep(page.owner);
  auto dictionary = std::make_shared<Dictionary>();
  dictionary->values = builder.finish();
  dictionary->count = page.count;
  return dictionary;
}

}  // namespace quern::parquet
