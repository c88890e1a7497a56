#include "jit/aggregate_text.hpp"

#include <map>

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
  const std::string pair_copied = "plain_pair(" + word(0) + ", to + " + std::to_string(place.word) + "); ";
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
      return {row + "add_sum(" + word(0) + ", static_cast<int64_t>(" + value + "));", "merge_sum(" + sum + ");",
              "plain_sum(" + word(0) + ", to + " + std::to_string(place.word) + ");"};
    case AggregateKind::mean_exact:
      return {row + "{ add_sum(" + word(0) + ", static_cast<int64_t>(" + value + ")); " + counted(2) + " }",
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
    case AggregateKind::least_wide:
    case AggregateKind::greatest_wide: {
      const std::string order =
          std::string(place.kind == AggregateKind::least_wide ? "~" : "") + "order_pair(" + value + ")";
      const std::string flag = " mark(" + word(2) + ");";
      return {row + "{ raise_pair(" + word(0) + ", " + order + ");" + flag + " }",
              if_any(2, "raise_pair(" + word(0) + ", pair_of(from + " + std::to_string(place.word) + "));" + flag),
              pair_copied + copied(2)};
    }
    case AggregateKind::first:
    case AggregateKind::last:
      return {row + "raise_pair(" + word(0) + ", " + value + ");",
              "raise_pair(" + word(0) + ", pair_of(from + " + std::to_string(place.word) + "));", pair_copied};
    case AggregateKind::set_bits:
    case AggregateKind::kept_bits:
    case AggregateKind::turned_bits: {
      const auto fold = [&](const std::string& what) {
        return (place.kind == AggregateKind::turned_bits ? "turn_bits(" : "set_bits(") + word(0) + ", " + what +
               "); mark(" + word(1) + ");";
      };
      const std::string bits =
          (place.kind == AggregateKind::kept_bits ? "~" : "") + ("static_cast<uint64_t>(" + value) + ")";
      return {row + "{ " + fold(bits) + " }", if_any(1, fold(from(0))), copied(0)};
    }
    case AggregateKind::moments:
      return {row + "add_moments(" + word(0) + ", " + value + ");", "merge_moments(" + sum + ");", copied(0)};
    case AggregateKind::pair_moments:
    case AggregateKind::pair_squares: {
      const std::string squares = place.kind == AggregateKind::pair_squares ? "_pair<true>(" : "_pair<false>(";
      return {row + "add" + squares + word(0) + ", " + value + ", r.b" + id + ");", "merge" + squares + sum + ");",
              copied(0)};
    }
  }
  throw internal_error("an aggregate without a row");
}

namespace {

std::string variance(const AggregatePlace& place) {
  const bool sample = place.fn == "var_samp" || place.fn == "stddev_samp";
  std::string value =
      "n < 2 ? 0.0 : squares_about_mean(w + " + std::to_string(place.word) + ") / (n - " + (sample ? "1" : "0") + ")";
  if (place.fn != "var_samp" && place.fn != "var_pop") value = "sqrt(" + value + ")";
  if (place.fn == "sem") value += " / sqrt(n)";
  return value;
}

// Value over the moments m of pairs, and a further reason for NULL.
std::pair<std::string, std::string> pair_statistic(const std::string& fn) {
  static const std::map<std::string, std::pair<std::string, std::string>> statistics = {
      {"covar_samp", {"m.products / (m.count - 1)", "m.count < 2"}},
      {"covar_pop", {"m.products / m.count", "false"}},
      {"corr", {"m.products / sqrt(m.squares_y * m.squares_x)", "false"}},
      {"regr_avgx", {"m.mean_x", "false"}},
      {"regr_avgy", {"m.mean_y", "false"}},
      {"regr_sxx", {"m.squares_x", "false"}},
      {"regr_syy", {"m.squares_y", "false"}},
      {"regr_sxy", {"m.products", "false"}},
      {"regr_slope", {"m.products / m.squares_x", "false"}},
      {"regr_intercept", {"m.mean_y - m.products / m.squares_x * m.mean_x", "m.squares_x == 0"}},
      {"regr_r2",
       {"m.squares_y == 0 ? 1.0 : m.products / m.squares_x * (m.products / m.squares_y)", "m.squares_x == 0"}}};
  return statistics.at(fn);
}

}  // namespace

bool may_run_over(const AggregatePlace& place) {
  return place.kind == AggregateKind::sum_exact || place.kind == AggregateKind::sum_wide ||
         place.kind == AggregateKind::moments || place.fn == "regr_sxx" || place.fn == "regr_syy" ||
         place.fn == "regr_sxy";
}

std::string finish_aggregate(const AggregatePlace& place, size_t index, const std::string& put) {
  const auto word = [&](int32_t i) { return "w[" + std::to_string(place.word + i) + "]"; };
  const bool wide = place.kind == AggregateKind::sum_wide || place.kind == AggregateKind::mean_wide;
  const std::string sum = "const int128_t sum = " + (wide ? "static_cast<int128_t>((static_cast<uint128_t>(" + word(1) +
                                                                ") << 64) | " + word(0) + ");"
                                                          : "sum_of(w + " + std::to_string(place.word) + ");");
  const std::string failed = "atomicMin(failure, " + std::to_string(index) + "ULL); ";
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
             "ops::in_precision(sum, ops::decimal_limit);" + " if (live && !fits) " + failed +
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
    case AggregateKind::least_wide:
    case AggregateKind::greatest_wide:
      return result("from_order_pair<" + device_type(*place.argument) + ">(" +
                        (place.kind == AggregateKind::least_wide ? "~" : "") + "pair_of(w + " +
                        std::to_string(place.word) + "))",
                    word(2) + " == 0");
    case AggregateKind::first:
    case AggregateKind::last:
      return result("from_key_word<" + device_type(*place.argument) + ">(" + word(0) + ")",
                    "(" + word(1) + " & 1) == 0");
    case AggregateKind::set_bits:
    case AggregateKind::kept_bits:
    case AggregateKind::turned_bits:
      return result("static_cast<" + device_type(*place.result) + ">(" +
                        (place.kind == AggregateKind::kept_bits ? "~" : "") + word(0) + ")",
                    word(1) + " == 0");
    case AggregateKind::moments:
    case AggregateKind::pair_moments:
    case AggregateKind::pair_squares: {
      const bool pair = place.kind != AggregateKind::moments,
                 sample = place.fn == "var_samp" || place.fn == "stddev_samp";
      const std::string least = sample ? "n < 2" : "n < 1";
      const auto [value, null] = pair ? pair_statistic(place.fn) : std::pair(variance(place), std::string("false"));
      const std::string moments = pair ? "const PairMoments m = pair_moments<" +
                                             std::string(place.kind == AggregateKind::pair_squares ? "true" : "false") +
                                             ">(w + " + std::to_string(place.word) + "); "
                                       : "";
      const std::string check = may_run_over(place) ? "if (live && !null && !isfinite(value)) " + failed : "";
      return "{ const auto n = static_cast<double>(" + word(0) + "); " + moments + "const double value = " + value +
             "; const bool null = " + least + " || " + null + "; " + check + result("value", "null") + " }";
    }
  }
  throw internal_error("an aggregate without an end");
}

}  // namespace quern::jit
