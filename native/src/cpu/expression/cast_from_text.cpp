// Casts of text to values that are not nested, and between text and bytes.
#include "cpu/expression/cast.hpp"
#include "cpu/expression/real_text.hpp"
#include "ops/parse.hpp"

namespace quern::cpu {

namespace {

// `parse(Text, R&)` → bool.
template <typename R, typename F>
KernelPtr parsed(const CastTypes& types, F parse) {
  return strict_kernel([types, parse](Call& call) {
    convert_valid<R, StringView>(
        call, types.try_cast, [parse](const StringView& v, R& out) { return parse(ops::text_of(v), out); },
        [&](const StringView& v) { return convert_message(*types.to, {v.data(), v.length}); });
  });
}

// `parse(Text, R&)` → Parsed: text that has the form of a moment but does not exist has a message of its own.
template <typename R, typename F>
KernelPtr parsed_moment(const CastTypes& types, F parse) {
  return strict_kernel([types, parse](Call& call) {
    convert_valid<R, StringView>(
        call, types.try_cast,
        [parse](const StringView& v, R& out) { return parse(ops::text_of(v), out) == ops::Parsed::ok; },
        [&](const StringView& v) {
          R ignored;
          const std::string_view text(v.data(), v.length);
          if (parse(ops::text_of(v), ignored) == ops::Parsed::range) return range_message(*types.to, quoted(text));
          return convert_message(*types.to, text);
        });
  });
}

// A time with zone is held as one of UTC: what is written for another zone would not be shown as it was written.
KernelPtr to_time_with_zone(const CastTypes& types) {
  return parsed_moment<int64_t>(types, [](ops::Text text, int64_t& out) {
    int64_t offset;
    const ops::Parsed parsed = ops::parse_time_with_zone(text, out, offset);
    if (parsed == ops::Parsed::ok && offset != 0)
      throw unsupported("TIME WITH TIME ZONE of another zone than UTC")
          .with_hint("cast to TIMESTAMPTZ, or leave out the offset");
    return parsed;
  });
}

KernelPtr to_decimal(const CastTypes& types) {
  const int32_t scale = types.to->scale;
  const int128_t limit = ops::power_of_ten(types.to->precision);
  if (!narrow_decimal(*types.to)) {
    return parsed<int128_t>(types,
                            [=](ops::Text text, int128_t& out) { return ops::parse_decimal(text, scale, limit, out); });
  }
  return parsed<int64_t>(types, [=](ops::Text text, int64_t& out) {
    int128_t wide = 0;
    const bool fits = ops::parse_decimal(text, scale, limit, wide);
    out = static_cast<int64_t>(wide);
    return fits;
  });
}

// \xHH stands for a byte; other bytes must be ASCII and no backslash.
bool unescape_bytes(std::string_view text, std::string& out) {
  out.clear();
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\') {
      if (i + 3 >= text.size() || text[i + 1] != 'x') return false;
      const int high = ops::hex_digit(text[i + 2]), low = ops::hex_digit(text[i + 3]);
      if (high < 0 || low < 0) return false;
      out += static_cast<char>(high * 16 + low);
      i += 3;
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      return false;
    } else {
      out += c;
    }
  }
  return true;
}

KernelPtr to_binary(const CastTypes& types) {
  return strict_kernel([types](Call& call) {
    StringHeap heap(call.memory());
    std::string bytes;
    convert_valid<StringView, StringView>(
        call, types.try_cast,
        [&](const StringView& v, StringView& out) {
          if (!unescape_bytes({v.data(), v.length}, bytes)) return false;
          out = heap.append(bytes.data(), bytes.size());
          return true;
        },
        [&](const StringView& v) { return convert_message(*types.to, {v.data(), v.length}); });
    call.result.keep(heap.owners());
  });
}

}  // namespace

KernelPtr cast_from_text(const CastTypes& types) {
  if (types.from->kind != TypeKind::string || types.from->tag != TypeTag::none || types.to->tag != TypeTag::none)
    return nullptr;
  if (KernelPtr kernel = with_integer(*types.to, [&]<typename T>() {
        return parsed<T>(types, [](ops::Text text, T& out) { return ops::parse_integer(text, out); });
      })) {
    return kernel;
  }
  if (KernelPtr kernel = with_float(*types.to, [&]<typename T>() {
        return parsed<T>(types, [](ops::Text text, T& out) {
          return parse_real({text.data, static_cast<size_t>(text.length)}, out);
        });
      })) {
    return kernel;
  }
  const int64_t second_units = units_per_second(types.to->unit);
  const bool zone = types.to->zone;
  switch (types.to->kind) {
    case TypeKind::boolean:
      return parsed<uint8_t>(types, ops::parse_bool);
    case TypeKind::decimal:
      return to_decimal(types);
    case TypeKind::uuid:
      return parsed<int128_t>(types, ops::parse_uuid);
    case TypeKind::interval:
      return parsed<Interval>(types, ops::parse_interval);
    case TypeKind::date:
      return parsed_moment<int32_t>(types, ops::parse_date);
    case TypeKind::time:
      if (zone) return to_time_with_zone(types);
      return parsed_moment<int64_t>(
          types, [=](ops::Text text, int64_t& out) { return ops::parse_time(text, second_units, out); });
    case TypeKind::timestamp:
      return parsed_moment<int64_t>(
          types, [=](ops::Text text, int64_t& out) { return ops::parse_timestamp(text, second_units, zone, out); });
    case TypeKind::binary:
      return to_binary(types);
    default:
      return nullptr;
  }
}

}  // namespace quern::cpu
