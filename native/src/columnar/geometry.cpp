#include "columnar/geometry.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>

#include "common/error.hpp"
#include "common/real_text.hpp"

namespace quern {

namespace {

enum Shape : uint32_t {
  point = 1,
  line = 2,
  polygon = 3,
  multi_point = 4,
  multi_line = 5,
  multi_polygon = 6,
  collection = 7
};

const char* shape_name(uint32_t shape) {
  static const char* names[] = {"POINT",           "LINESTRING",   "POLYGON",           "MULTIPOINT",
                                "MULTILINESTRING", "MULTIPOLYGON", "GEOMETRYCOLLECTION"};
  return names[shape - 1];
}

// What every part of a geometry begins with.
struct Header {
  bool little = true;
  uint32_t shape = 0;
  bool z = false, m = false;
  int dimensions() const { return 2 + (z ? 1 : 0) + (m ? 1 : 0); }
  uint32_t code() const { return shape + (z ? 1000 : 0) + (m ? 2000 : 0); }
};

// Bytes of the smallest part: byte order, type, count.
constexpr size_t smallest_part = 9;

class WkbReader {
 public:
  explicit WkbReader(std::string_view bytes) : bytes_(bytes) {}

  Header header() {
    Header out;
    const uint8_t order = static_cast<uint8_t>(*take(1));
    if (order > 1) throw corrupt_file("geometry of byte order " + std::to_string(order));
    out.little = order == 1;
    const uint32_t code = number(out.little);
    constexpr uint32_t z_flag = 0x80000000, m_flag = 0x40000000, reference_flag = 0x20000000;
    const uint32_t plain = code & 0x1FFFFFFF;
    out.shape = plain % 1000;
    if (plain / 1000 > 3 || out.shape < point || out.shape > collection)
      throw corrupt_file("geometry of unknown type " + std::to_string(code));
    out.z = (code & z_flag) != 0 || plain / 1000 == 1 || plain / 1000 == 3;
    out.m = (code & m_flag) != 0 || plain / 1000 >= 2;
    is_normal = is_normal && out.little && code == plain;
    if ((code & reference_flag) != 0) number(out.little);
    return out;
  }

  uint32_t number(bool little) {
    uint32_t value;
    std::memcpy(&value, take(4), 4);
    return little ? value : __builtin_bswap32(value);
  }

  double real(bool little) {
    uint64_t bits;
    std::memcpy(&bits, take(8), 8);
    if (!little) bits = __builtin_bswap64(bits);
    double value;
    std::memcpy(&value, &bits, 8);
    return value;
  }

  // A number of things of at least `bytes` each.
  uint32_t count(bool little, size_t bytes) {
    const uint32_t count = number(little);
    if (count > left() / bytes)
      throw corrupt_file("geometry of " + std::to_string(count) + " parts in " + std::to_string(left()) + " bytes");
    return count;
  }

  const char* take(size_t size) {
    if (left() < size) throw corrupt_file("geometry ends at byte " + std::to_string(bytes_.size()));
    const char* at = bytes_.data() + at_;
    at_ += size;
    return at;
  }
  size_t left() const { return bytes_.size() - at_; }

  // Whether all that was read so far had the one form.
  bool is_normal = true;

 private:
  std::string_view bytes_;
  size_t at_ = 0;
};

// Walks a geometry, telling `sink` of each part.
template <typename Sink>
class WkbWalk {
 public:
  WkbWalk(WkbReader& reader, Sink& sink) : reader_(reader), sink_(sink) {}

  void whole() {
    const Header header = reader_.header();
    sink_.begin(header, true);
    body(header, 1);
    if (reader_.left() > 0) throw corrupt_file("geometry with " + std::to_string(reader_.left()) + " bytes too many");
  }

 private:
  void body(const Header& header, int depth) {
    switch (header.shape) {
      case point:
        return sink_.point(header, reader_);
      case line:
        return vertices(header);
      case polygon: {
        const uint32_t rings = reader_.count(header.little, 4);
        sink_.open(rings);
        for (uint32_t i = 0; i < rings; ++i) {
          sink_.next(i);
          vertices(header);
        }
        return sink_.close(rings);
      }
      default:
        return parts(header, depth);
    }
  }

  void vertices(const Header& header) {
    const uint32_t count = reader_.count(header.little, 8 * static_cast<size_t>(header.dimensions()));
    sink_.open(count);
    for (uint32_t i = 0; i < count; ++i) {
      sink_.next(i);
      sink_.vertex(header, reader_);
    }
    sink_.close(count);
  }

  void parts(const Header& header, int depth) {
    if (depth > max_geometry_depth)
      throw unsupported("geometry nested deeper than " + std::to_string(max_geometry_depth) + " levels");
    const uint32_t count = reader_.count(header.little, smallest_part);
    sink_.open(count);
    for (uint32_t i = 0; i < count; ++i) {
      sink_.next(i);
      const Header part = reader_.header();
      if (header.shape != collection && part.shape != header.shape - 3) {
        throw corrupt_file(std::string(shape_name(header.shape)) + " that holds a " + shape_name(part.shape));
      }
      if (part.z != header.z || part.m != header.m) throw corrupt_file("geometry whose parts differ in dimensions");
      sink_.begin(part, header.shape == collection);
      body(part, depth + 1);
    }
    sink_.close(count);
  }

  WkbReader& reader_;
  Sink& sink_;
};

// Looks only.
struct Check {
  void begin(const Header&, bool) {}
  void open(uint32_t) {}
  void next(uint32_t) {}
  void close(uint32_t) {}
  void vertex(const Header& header, WkbReader& reader) { reader.take(8 * static_cast<size_t>(header.dimensions())); }
  void point(const Header& header, WkbReader& reader) { vertex(header, reader); }
};

// Writes the one form.
struct Normal {
  std::string& out;
  void number(uint32_t value) { out.append(reinterpret_cast<const char*>(&value), 4); }
  void begin(const Header& header, bool) {
    out += '\1';
    number(header.code());
  }
  void open(uint32_t count) { number(count); }
  void next(uint32_t) {}
  void close(uint32_t) {}
  void vertex(const Header& header, WkbReader& reader) {
    for (int i = 0; i < header.dimensions(); ++i) {
      const double value = reader.real(header.little);
      out.append(reinterpret_cast<const char*>(&value), 8);
    }
  }
  void point(const Header& header, WkbReader& reader) { vertex(header, reader); }
};

// Writes well-known text.
struct Text {
  std::string& out;
  bool spaced = false;  // the part's name has been written: a blank before what follows

  void begin(const Header& header, bool named) {
    if (!named) return;
    out += shape_name(header.shape);
    if (header.z || header.m) out += ' ';
    if (header.z) out += 'Z';
    if (header.m) out += 'M';
    spaced = true;
  }
  void blank() {
    if (spaced) out += ' ';
    spaced = false;
  }
  void open(uint32_t count) {
    blank();
    out += count == 0 ? "EMPTY" : "(";
  }
  void next(uint32_t index) {
    if (index > 0) out += ", ";
  }
  void close(uint32_t count) {
    if (count > 0) out += ')';
  }
  void real(double value) {
    char text[32];
    int length = write_real(value, text);
    if (length > 2 && text[length - 1] == '0' && text[length - 2] == '.') length -= 2;
    out.append(text, static_cast<size_t>(length));
  }
  void coordinates(const double* values, int count) {
    for (int i = 0; i < count; ++i) {
      if (i > 0) out += ' ';
      real(values[i]);
    }
  }
  void vertex(const Header& header, WkbReader& reader) {
    double values[4];
    for (int i = 0; i < header.dimensions(); ++i) values[i] = reader.real(header.little);
    coordinates(values, header.dimensions());
  }
  // In brackets only behind its name: inside a MULTIPOINT it is like a vertex.
  void point(const Header& header, WkbReader& reader) {
    double values[4];
    bool is_empty = true;
    for (int i = 0; i < header.dimensions(); ++i) {
      values[i] = reader.real(header.little);
      is_empty = is_empty && std::isnan(values[i]);
    }
    const bool named = spaced;
    blank();
    if (is_empty) {
      out += "EMPTY";
      return;
    }
    if (named) out += '(';
    coordinates(values, header.dimensions());
    if (named) out += ')';
  }
};

template <typename Sink>
bool walk(std::string_view wkb, Sink sink) {
  WkbReader reader(wkb);
  WkbWalk<Sink>(reader, sink).whole();
  return reader.is_normal;
}

}  // namespace

bool normalize_wkb(std::string_view wkb, std::string& out) {
  if (walk(wkb, Check{})) return true;
  walk(wkb, Normal{out});
  return false;
}

void append_wkt(std::string_view wkb, std::string& out) { walk(wkb, Text{out}); }

}  // namespace quern
