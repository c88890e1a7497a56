// format('{:>5}', …) and printf('%5d', …): the arguments of a row in the places that the format names.
#include "cpu/expression/format_value.hpp"
#include "cpu/expression/text.hpp"

namespace quern::cpu {

namespace {

constexpr int32_t most_places = 65536;  // width and precision beyond that are a mistake

// Argument i of the call, for one row. Types: BOOLEAN, whole numbers (DECIMAL without digits after the point counts as
// one), DOUBLE, text.
FormatValue value_at(const Call& call, size_t i, int64_t row) {
  FormatValue value;
  const DataType& type = *call.args[i]->type;
  const auto integer = [&]<typename T>() {
    const auto v = static_cast<int128_t>(Numbers<T>(call, i)[row]);
    value.kind = FormatValue::Kind::integer;
    value.negative = v < 0;
    value.magnitude = v < 0 ? 0 - static_cast<uint128_t>(v) : static_cast<uint128_t>(v);
  };
  switch (type.kind) {
    case TypeKind::boolean:
      value.kind = FormatValue::Kind::boolean;
      value.magnitude = Numbers<uint8_t>(call, i)[row];
      return value;
    case TypeKind::int64:
      integer.template operator()<int64_t>();
      return value;
    case TypeKind::uint64:
      integer.template operator()<uint64_t>();
      return value;
    case TypeKind::float64:
      value.kind = FormatValue::Kind::real;
      value.real = Numbers<double>(call, i)[row];
      return value;
    case TypeKind::string:
      value.text = string_at(call.values<StringView>(i), row * call.step(i));
      return value;
    case TypeKind::decimal:
      if (!narrow_decimal(type) && type.scale == 0) {
        integer.template operator()<int128_t>();
        return value;
      }
      [[fallthrough]];
    default:
      throw internal_error("format over an argument of another type: " + type_name(type));
  }
}

// Reads one format from left to right and takes arguments in order, or by number; never both.
class Reader {
 public:
  Reader(const Call& call, int64_t row) : call_(call), row_(row), text_(string_of(Texts(call, 0)[row])) {}

 protected:
  bool done() const { return at_ == text_.size(); }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (peek() != c || done()) return false;
    ++at_;
    return true;
  }
  // Digits at the cursor; false when there are none.
  bool number(int32_t& out) {
    if (!ops::is_digit(peek())) return false;
    for (out = 0; ops::is_digit(peek()); ++at_) {
      out = out * 10 + (peek() - '0');
      if (out > most_places) bad("a number above 65536");
    }
    return true;
  }
  [[noreturn]] void bad(const std::string& what) const {
    throw runtime_error("bad format, " + what + ": " + quoted(text_));
  }
  FormatValue next() {
    if (numbered_) bad("numbered arguments beside others");
    ordered_ = true;
    return argument(taken_++);
  }
  // Counted from 0.
  FormatValue numbered(int32_t index) {
    if (ordered_) bad("numbered arguments beside others");
    numbered_ = true;
    return argument(index);
  }
  // A width or precision that an argument gives.
  int32_t places(const FormatValue& value) const {
    if (value.kind != FormatValue::Kind::integer) bad("a width that is no whole number");
    if (value.negative || value.magnitude > most_places) bad("a width out of range");
    return static_cast<int32_t>(value.magnitude);
  }

  const Call& call_;
  int64_t row_;
  std::string_view text_;
  size_t at_ = 0;

 private:
  FormatValue argument(int32_t index) const {
    if (static_cast<size_t>(index) + 1 >= call_.args.size()) bad("no argument " + std::to_string(index + 1));
    return value_at(call_, static_cast<size_t>(index) + 1, row_);
  }
  int32_t taken_ = 0;
  bool numbered_ = false, ordered_ = false;
};

// {[number][:[[fill]align][sign][#][0][separator][width][.precision][type]]}; {{ and }} stand for braces.
class BraceReader : Reader {
 public:
  using Reader::Reader;
  void append(std::string& out) {
    while (!done()) {
      const char c = text_[at_++];
      if (c == '{' && !take('{')) {
        field(out);
      } else if (c == '}' && !take('}')) {
        bad("a } without {");
      } else {
        out += c;
      }
    }
  }

 private:
  FormatValue argument() {
    int32_t index = 0;
    return number(index) ? numbered(index) : next();
  }
  void field(std::string& out) {
    const FormatValue value = argument();
    FormatSpec spec;
    if (take(':')) read(spec);
    if (!take('}')) bad("a { without }");
    append_formatted(value, spec, out);
  }
  static bool is_align(char c) { return c == '<' || c == '>' || c == '^'; }
  void read(FormatSpec& spec) {
    const ops::Text rest{text_.data() + at_, static_cast<int64_t>(text_.size() - at_)};
    const auto fill = static_cast<size_t>(rest.length > 0 ? ops::next_code_point(rest, 0) : 0);
    if (fill > 0 && at_ + fill < text_.size() && is_align(text_[at_ + fill]) && peek() != '}') {
      spec.fill = text_.substr(at_, fill);
      at_ += fill;
    }
    if (is_align(peek())) spec.align = text_[at_++];
    if (peek() == '+' || peek() == '-' || peek() == ' ') spec.sign = text_[at_++];
    spec.alternate = take('#');
    spec.zeros = take('0');
    if (peek() == ',' || peek() == '_' || peek() == '\'') {
      spec.thousands = text_[at_++];
    } else if (peek() == 't' && at_ + 1 < text_.size()) {
      spec.thousands = text_[at_ + 1];
      at_ += 2;
    }
    spec.width = size();
    if (take('.')) spec.precision = size();
    if (peek() != '}' && !done()) spec.type = text_[at_++];
  }
  // Digits, or an argument in braces; 0 when there is neither.
  int32_t size() {
    int32_t out = 0;
    if (!take('{')) return number(out), out;
    out = places(argument());
    if (!take('}')) bad("a { without }");
    return out;
  }
};

// %[number$][flags][width][.precision][length]type; %% stands for a percent sign.
class PercentReader : Reader {
 public:
  using Reader::Reader;
  void append(std::string& out) {
    while (!done()) {
      const char c = text_[at_++];
      if (c == '%' && !take('%')) {
        field(out);
      } else {
        out += c;
      }
    }
  }

 private:
  void field(std::string& out) {
    if (done()) bad("nothing after %");
    FormatSpec spec;
    const int32_t index = position();
    flags(spec);
    if (take('*')) {
      spec.width = places(next());
    } else {
      number(spec.width);
    }
    if (take('.')) {
      spec.precision = 0;
      if (take('*')) {
        spec.precision = places(next());
      } else {
        number(spec.precision);
      }
    }
    FormatValue value = index >= 0 ? numbered(index) : next();
    const int bits = length_bits();
    if (done()) bad("no type after %");
    convert(text_[at_++], bits, value, spec, out);
  }
  // The argument of `%2$d`, from 0; -1 when it is not said.
  int32_t position() {
    const size_t start = at_;
    int32_t index = 0;
    if (number(index) && index > 0 && take('$')) return index - 1;
    at_ = start;
    return -1;
  }
  void flags(FormatSpec& spec) {
    for (;; ++at_) {
      switch (const char c = peek()) {
        case '-':
          spec.align = '<';
          break;
        case '+':
          spec.sign = '+';
          break;
        case ' ':
          if (spec.sign != '+') spec.sign = ' ';
          break;
        case '#':
          spec.alternate = true;
          break;
        case '0':
          spec.zeros = true;
          break;
        case ',':
        case '_':
        case '\'':
          spec.thousands = c;
          break;
        default:
          return;
      }
    }
  }
  // Bits that hh and h keep; the other lengths mean nothing.
  int length_bits() {
    int bits = 64;
    for (char c = peek(); c == 'h' || c == 'l' || c == 'j' || c == 'z' || c == 't' || c == 'L'; c = peek()) {
      if (c == 'h') bits = bits == 16 ? 8 : 16;
      ++at_;
    }
    return bits;
  }
  void convert(char type, int bits, FormatValue& value, FormatSpec& spec, std::string& out) const {
    const bool whole = value.kind == FormatValue::Kind::integer;
    spec.type = type == 'i' || type == 'u' ? 'd' : type;
    if (whole && type == 'c') return append_character(value, spec, out);
    if (whole && bits < 64) narrow(value, bits);
    if (whole && value.negative && (type == 'u' || type == 'x' || type == 'X' || type == 'o')) {
      value.negative = false;
      value.magnitude = static_cast<uint64_t>(0 - static_cast<uint64_t>(value.magnitude));
    }
    if (value.kind == FormatValue::Kind::text) spec.zeros = false;
    if (spec.align == 0 && !spec.zeros && value.kind != FormatValue::Kind::integer) spec.align = '>';
    if (value.kind == FormatValue::Kind::boolean && type == 's') spec.type = 0;
    append_formatted(value, spec, out);
  }
  static void append_character(const FormatValue& value, FormatSpec spec, std::string& out) {
    char bytes[4];
    const bool fits = !value.negative && value.magnitude <= 0x10ffff;
    const int32_t length = fits ? ops::encode_code_point(static_cast<int32_t>(value.magnitude), bytes) : 0;
    if (length == 0) throw runtime_error("no such Unicode code point in printf");
    FormatValue character;
    character.text = {bytes, static_cast<size_t>(length)};
    spec.type = 0;
    append_formatted(character, spec, out);
  }
  static void narrow(FormatValue& value, int bits) {
    const auto low = static_cast<uint64_t>(value.negative ? 0 - value.magnitude : value.magnitude);
    const int64_t kept = bits == 8 ? static_cast<int64_t>(static_cast<int8_t>(low)) : static_cast<int16_t>(low);
    value.negative = kept < 0;
    value.magnitude = static_cast<uint128_t>(kept < 0 ? -kept : kept);
  }
};

template <typename Format>
KernelPtr make_format(const Signature&) {
  return strict_kernel(
      [](Call& call) { each_text(call, [&](int64_t row, std::string& out) { Format(call, row).append(out); }); });
}

}  // namespace

void add_format(KernelTable& table) {
  table.add("format", make_format<BraceReader>);
  table.add("printf", make_format<PercentReader>);
}

}  // namespace quern::cpu
