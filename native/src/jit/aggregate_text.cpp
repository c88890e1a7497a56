#include "jit/aggregate_text.hpp"

#include "jit/device_type.hpp"

namespace quern::jit {

AggregateText aggregate_text(const AggregatePlace& place) {
  const auto word = [&](int32_t i) { return "w + " + std::to_string(place.word + i); };
  const auto from = [&](int32_t i) { return "from[" + std::to_string(place.word + i) + "]"; };
  const std::string id = std::to_string(place.reads), value = "r.a" + id,
                    sum = word(0) + ", from + " + std::to_string(place.word);
  const auto counted = [&](int32_t i) { return "add_word(" + word(i) + ", 1);"; };
  const auto merged = [&](int32_t i) { return "add_word(" + word(i) + ", " + from(i) + ");"; };
  const auto copied = [&](int32_t first) {
    std::string out;
    for (int32_t i = first; i < place.words; ++i)
      out += "to[" + std::to_string(place.word + i) + "] = *word_of(" + word(i) + "); ";
    return out;
  };
  // Only NULL or not depends on whether rows came.
  const auto marked = [&](const std::string& first, int32_t flag) {
    return "if (" + first + ") mark(" + word(flag) + ");";
  };
  const auto if_any = [&](int32_t flag, const std::string& then) {
    return "if (" + from(flag) + " != 0) { " + then + " }";
  };
  const std::string row = "if (r.p" + id + ") ";
  switch (place.kind) {
    case AggregateKind::count_rows:
    case AggregateKind::count:
      return {row + counted(0), merged(0), copied(0)};
    case AggregateKind::sum_narrow: {
      const auto add = [&](const std::string& what) { return marked("add_word(" + word(0) + ", " + what + ")", 1); };
      return {row + "{ " + add("static_cast<uint64_t>(static_cast<int64_t>(" + value + ")), settled") + " }",
              if_any(1, add(from(0))), copied(0)};
    }
    case AggregateKind::sum_exact:
      return {row + "add_sum(" + word(0) + ", static_cast<int64_t>(" + value + "), settled);", "merge_sum(" + sum + ");",
              "plain_sum(" + word(0) + ", to + " + std::to_string(place.word) + ");"};
    case AggregateKind::mean_exact:
      return {row + "{ add_sum(" + word(0) + ", static_cast<int64_t>(" + value + "), settled); " + counted(2) + " }",
              "merge_sum(" + sum + "); " + merged(2),
              "plain_sum(" + word(0) + ", to + " + std::to_string(place.word) + "); " + copied(2)};
    case AggregateKind::sum_wide:
      return {row + "{ add_wide(" + word(0) + ", static_cast<int128_t>(" + value + ")); mark(" + word(3) + "); }",
              if_any(3, "merge_wide(" + sum + "); mark(" + word(3) + ");"), copied(0)};
    case AggregateKind::mean_wide:
      return {row + "{ add_wide(" + word(0) + ", static_cast<int128_t>(" + value + ")); " + counted(3) + " }",
              if_any(3, "merge_wide(" + sum + "); " + merged(3)), copied(0)};
    case AggregateKind::sum_real: {
      const auto add = [&](const std::string& what) { return marked("add_real(" + word(0) + ", " + what + ")", 1); };
      return {row + "{ " + add("static_cast<double>(" + value + "), settled") + " }",
              if_any(1, add("ops::bit_cast<double>(" + from(0) + ")")), copied(0)};
    }
    case AggregateKind::mean_real:
      return {row + "{ add_real(" + word(0) + ", static_cast<double>(" + value + "), settled); " + counted(1) + " }",
              if_any(1, "add_real(" + word(0) + ", ops::bit_cast<double>(" + from(0) + ")); " + merged(1)), copied(0)};
    case AggregateKind::least:
    case AggregateKind::greatest: {
      const std::string order = "order_word<" + device_type(*place.argument) + ">(" + value + ")";
      return {row + "raise(" + word(0) + ", " + (place.kind == AggregateKind::least ? "~" : "") + order + ");",
              if_any(1, "raise(" + word(0) + ", " + from(0) + ");"), copied(0)};
    }
  }
  throw internal_error("an aggregate without a row");
}

std::string finish_aggregate(const AggregatePlace& place, const std::string& put) {
  const auto word = [&](int32_t i) { return "w[" + std::to_string(place.word + i) + "]"; };
  const bool wide = place.kind == AggregateKind::sum_wide || place.kind == AggregateKind::mean_wide;
  const std::string sum = "const int128_t sum = " + (wide ? "static_cast<int128_t>((static_cast<uint128_t>(" + word(1) +
                                                                ") << 64) | " + word(0) + ");"
                                                          : "sum_of(w + " + std::to_string(place.word) + ");");
  const auto result = [&](const std::string& value, const std::string& null) {
    return put + "live, " + value + ", " + null + ");";
  };
  switch (place.kind) {
    case AggregateKind::count_rows:
    case AggregateKind::count:
      return result("static_cast<int64_t>(" + word(0) + ")", "false");
    case AggregateKind::sum_narrow:
      return result("static_cast<int64_t>(" + word(0) + ")", word(1) + " == 0");
    case AggregateKind::sum_real:
      return result("ops::bit_cast<double>(" + word(0) + ")", word(1) + " == 0");
    case AggregateKind::mean_real:
      return result(
          "ops::bit_cast<double>(" + word(0) + ") / static_cast<double>(static_cast<int64_t>(" + word(1) + "))",
          word(1) + " == 0");
    case AggregateKind::sum_exact:
    case AggregateKind::sum_wide: {
      const bool two = place.kind == AggregateKind::sum_exact;
      // The third word holds the sign of a sum that fits 128 bits.
      return "{ " + sum + " const bool fits = " + (two ? "" : word(2) + " == (sum < 0 ? ~0ULL : 0ULL) && ") +
             "ops::in_precision(sum, ops::decimal_limit);" +
             " if (live && !fits) atomicMin(failure, static_cast<unsigned long long>(i)); " +
             result("sum", two ? "(" + word(1) + " & 1) == 0" : word(3) + " == 0") + " }";
    }
    case AggregateKind::mean_exact:
    case AggregateKind::mean_wide: {
      const int scale = place.argument->kind == TypeKind::decimal ? place.argument->scale : 0;
      return "{ " + sum + " const int64_t n = static_cast<int64_t>(" + word(place.words - 1) + "); " +
             result("n == 0 ? 0.0 : ops::exact_mean(sum, ops::power_of_ten(" + std::to_string(scale) + "), n)",
                    "n == 0") +
             " }";
    }
    case AggregateKind::least:
    case AggregateKind::greatest:
      return result("from_order_word<" + device_type(*place.argument) + ">(" +
                        (place.kind == AggregateKind::least ? "~" : "") + word(0) + ")",
                    word(1) + " == 0");
  }
  throw internal_error("an aggregate without an end");
}

}  // namespace quern::jit
