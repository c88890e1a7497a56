#include "jit/group_layout.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "jit/device_type.hpp"
#include "jit/string_key.hpp"

namespace quern::jit {

namespace {

// Null bits in the head of a slot at most: the tags of tables in shared memory keep 18 bits of the hash.
constexpr int32_t most_mark_bits = 12;

// Packs small values into words, the first that has room.
class Packer {
 public:
  // Word and shift of `bits` bits.
  std::pair<int32_t, int32_t> place(int32_t bits) {
    for (size_t i = 0; i < used_.size(); ++i) {
      if (used_[i] + bits > 64) continue;
      used_[i] += bits;
      return {static_cast<int32_t>(i), used_[i] - bits};
    }
    used_.push_back(bits);
    return {static_cast<int32_t>(used_.size()) - 1, 0};
  }
  // Whether a bit has room in the words there are.
  bool has_room() const {
    return std::any_of(used_.begin(), used_.end(), [](int32_t used) { return used < 64; });
  }
  int32_t words() const { return static_cast<int32_t>(used_.size()); }

 private:
  std::vector<int32_t> used_;
};

void place_keys(const plan::Plan& plan, const plan::HashGroupBy& group, GroupLayout& out) {
  Packer packer;
  for (const auto key : group.keys) {
    const TypePtr type = key_type(plan.exprs[static_cast<size_t>(key)].type);
    if (!fixed_width(*type)) throw unsupported("GROUP BY " + type_name(*type) + " on the GPU");
    KeyPlace place;
    place.type = type;
    const int32_t bytes = width(*type);
    std::tie(place.word, place.shift) = packer.place(bytes >= 8 ? 64 : bytes * 8);
    if (bytes == 16) {
      place.words = 2;
      packer.place(64);  // the next word: no full word has room before it
    }
    out.keys.push_back(place);
  }
  for (auto& key : out.keys) {
    if (packer.has_room() || out.mark_bits == most_mark_bits)
      std::tie(key.null_word, key.null_shift) = packer.place(1);
    else
      std::tie(key.null_word, key.null_shift) = std::pair(KeyPlace::in_marks, out.mark_bits++);
  }
  out.key_words = std::max(packer.words(), 1);
}

using Kind = AggregateKind;

const std::set<std::string> variances = {"var_samp", "var_pop", "stddev_samp", "stddev_pop", "sem"};
const std::map<std::string, Kind> pairings = {
    {"covar_samp", Kind::pair_moments}, {"covar_pop", Kind::pair_moments},      {"regr_avgx", Kind::pair_moments},
    {"regr_avgy", Kind::pair_moments},  {"regr_sxy", Kind::pair_moments},       {"corr", Kind::pair_squares},
    {"regr_sxx", Kind::pair_squares},   {"regr_syy", Kind::pair_squares},       {"regr_slope", Kind::pair_squares},
    {"regr_r2", Kind::pair_squares},    {"regr_intercept", Kind::pair_squares}, {"regr_count", Kind::count}};
const std::map<std::string, Kind> bit_folds = {{"bit_or", Kind::set_bits},
                                               {"bool_or", Kind::set_bits},
                                               {"bit_and", Kind::kept_bits},
                                               {"bool_and", Kind::kept_bits},
                                               {"bit_xor", Kind::turned_bits}};

// Kind and number of words of an aggregate over values of a type; none where device code has it not.
std::optional<std::pair<Kind, int32_t>> shape_of(const plan::Aggregate& aggregate, const DataType& type) {
  const std::string& fn = aggregate.fn;
  const bool number = is_integer(type) || is_decimal(type) || type.kind == TypeKind::boolean;
  const bool fixed = fixed_width(type) && type.kind != TypeKind::interval, wide = fixed && width(type) == 16;
  using Shape = std::pair<Kind, int32_t>;
  if (fn == "count") return Shape(Kind::count, 1);
  if (fn == "sum" && is_float(type)) return Shape(Kind::sum_real, 2);
  if (fn == "sum" && number && physical(*aggregate.type) == Physical::int64) return Shape(Kind::sum_narrow, 2);
  if (fn == "sum" && number) return wide ? Shape(Kind::sum_wide, 4) : Shape(Kind::sum_exact, 2);
  if (fn == "avg" && is_float(type)) return Shape(Kind::mean_real, 2);
  if (fn == "avg" && number) return wide ? Shape(Kind::mean_wide, 4) : Shape(Kind::mean_exact, 3);
  if (fn == "min" && fixed) return wide ? Shape(Kind::least_wide, 3) : Shape(Kind::least, 2);
  if (fn == "max" && fixed) return wide ? Shape(Kind::greatest_wide, 3) : Shape(Kind::greatest, 2);
  if ((fn == "first" || fn == "any_value") && fixed && !wide) return Shape(Kind::first, 2);
  if (fn == "last" && fixed && !wide) return Shape(Kind::last, 2);
  if (variances.contains(fn) && type.kind == TypeKind::float64) return Shape(Kind::moments, 6);
  if (const auto bits = bit_folds.find(fn); bits != bit_folds.end() && number && !wide) return Shape(bits->second, 2);
  if (const auto pair = pairings.find(fn); pair != pairings.end())
    return Shape(pair->second, pair->second == Kind::count ? 1 : pair->second == Kind::pair_moments ? 9 : 13);
  return std::nullopt;
}

// Why device code has not an aggregate.
std::string refusal(const plan::Aggregate& aggregate, const DataType& type) {
  static const std::set<std::string> all_values = {
      "list", "collect_list", "string_agg",      "median",  "quantile_cont", "quantile_disc", "mad", "approx_quantile",
      "mode", "histogram",    "histogram_exact", "entropy", "product"};
  const std::string& fn = aggregate.fn;
  if (all_values.contains(fn)) return "it takes all values of a group, in their order";
  if (!fixed_width(type) || type.kind == TypeKind::interval) return "values without a fixed width";
  if (width(type) == 16) return "values of 128 bits";
  return "not one that slots of words hold";
}

AggregatePlace place_aggregate(const plan::Plan& plan, const plan::Aggregate& aggregate) {
  const auto refuse = [&](const std::string& what, const std::string& why) -> Error {
    return unsupported(what + " on the GPU (" + why + ")");
  };
  AggregatePlace out;
  out.fn = aggregate.fn;
  out.result = aggregate.type;
  const bool repeats = aggregate.fn != "min" && aggregate.fn != "max";
  if (aggregate.distinct && repeats) throw refuse(aggregate.fn + "(DISTINCT)", "it keeps the values of a group");
  if (!aggregate.order.empty()) throw refuse(aggregate.fn + " with ORDER BY", "rows come in no order");
  if (aggregate.fn == "count_star") return out;
  if (aggregate.args.empty()) throw refuse("aggregate " + aggregate.fn, "no arguments");
  std::vector<TypePtr> types;
  for (const auto arg : aggregate.args) types.push_back(plan.exprs[static_cast<size_t>(arg)].type);
  out.argument = types[0];
  const bool pair = pairings.contains(aggregate.fn);
  const auto name = "aggregate " + aggregate.fn + "(" + type_name(*types[0]) + (types.size() > 1 ? ", …)" : ")");
  if (types.size() != (pair ? 2 : 1)) throw refuse(name, "so many arguments");
  for (const auto& type : types)
    if (pair && type->kind != TypeKind::float64) throw refuse(name, "not of DOUBLE");
  const auto shape = shape_of(aggregate, *types[0]);
  if (!shape) throw refuse(name, refusal(aggregate, *types[0]));
  std::tie(out.kind, out.words) = *shape;
  if (out.kind == Kind::count) device_type(*types[0]);
  return out;
}

bool same_expr(const plan::Plan& plan, plan::ExprIndex a, plan::ExprIndex b) {
  const auto &left = plan.exprs[static_cast<size_t>(a)], &right = plan.exprs[static_cast<size_t>(b)];
  return a == b ||
         (left.kind == plan::ExprKind::column && right.kind == plan::ExprKind::column && left.column == right.column);
}

// The first aggregate that takes the same of a row.
int32_t reads_of(const plan::Plan& plan, const std::vector<plan::Aggregate>& aggregates,
                 const std::vector<AggregatePlace>& places, size_t i) {
  const auto same = [&](const plan::Aggregate& a, const plan::Aggregate& b) {
    return a.args.size() == b.args.size() && a.filter.has_value() == b.filter.has_value() &&
           std::equal(a.args.begin(), a.args.end(), b.args.begin(),
                      [&](auto left, auto right) { return same_expr(plan, left, right); }) &&
           (!a.filter || same_expr(plan, *a.filter, *b.filter));
  };
  for (size_t j = 0; j < i; ++j) {
    const auto &mine = places[i], &other = places[j];
    const bool alike = mine.picks() || other.picks()         ? aggregates[j].fn == aggregates[i].fn
                       : mine.of_pairs() || other.of_pairs() ? other.of_pairs()
                                                             : other.takes_value() || !mine.takes_value();
    if (alike && same(aggregates[j], aggregates[i])) return places[j].reads;
  }
  return static_cast<int32_t>(i);
}

bool is_count(const AggregatePlace& place) { return place.kind == Kind::count || place.kind == Kind::count_rows; }
// Among the words of an aggregate the number of its rows; -1 where there is none.
int32_t count_word(const AggregatePlace& place) {
  switch (place.kind) {
    case Kind::count:
    case Kind::count_rows:
    case Kind::moments:
    case Kind::pair_moments:
    case Kind::pair_squares:
      return 0;
    case Kind::mean_exact:
    case Kind::mean_wide:
    case Kind::mean_real:
      return place.words - 1;
    default:
      return -1;
  }
}
// Whether `other`, over the same of a row, finds all its words in those of a place: a sum in a mean's, a count in any
// that count, and of equal ones the later in the `first`.
bool lends(const AggregatePlace& place, const AggregatePlace& other, bool first) {
  if (place.kind == other.kind) return first;
  if (is_count(other) && !is_count(place)) return count_word(place) >= 0;
  return (other.kind == Kind::sum_exact && place.kind == Kind::mean_exact) ||
         (other.kind == Kind::sum_wide && place.kind == Kind::mean_wide) ||
         (other.kind == Kind::sum_real && place.kind == Kind::mean_real) ||
         (other.kind == Kind::pair_moments && place.kind == Kind::pair_squares);
}

}  // namespace

int32_t GroupLayout::row_words() const {
  int32_t words = key_words;
  for (size_t i = 0; i < aggregates.size(); ++i) {
    const auto& place = aggregates[i];
    if (place.reads == static_cast<int32_t>(i)) words += place.row_words();
  }
  return words;
}

int32_t GroupLayout::slot_words() const { return std::max(4, (1 + key_words + aggregate_words + 1) / 2 * 2); }

GroupLayout group_layout(const plan::Plan& plan, const plan::HashGroupBy& group) {
  GroupLayout out;
  place_keys(plan, group, out);
  for (size_t i = 0; i < group.aggregates.size(); ++i) {
    out.aggregates.push_back(place_aggregate(plan, group.aggregates[i]));
    out.aggregates.back().reads = reads_of(plan, group.aggregates, out.aggregates, i);
  }
  auto& places = out.aggregates;
  const auto lender = [&](size_t i) {
    for (size_t j = 0; j < places.size(); ++j)
      if (i != j && places[i].reads == places[j].reads && lends(places[j], places[i], j < i)) return j;
    return i;
  };
  for (size_t i = 0; i < places.size(); ++i) places[i].owns = lender(i) == i;
  for (auto& place : places) {
    if (!place.owns) continue;
    // Pairs begin at even words of a slot, behind its head and key.
    if (place.in_pairs() && (1 + out.key_words + out.aggregate_words) % 2 != 0) ++out.aggregate_words;
    place.word = out.aggregate_words;
    out.aggregate_words += place.words;
  }
  for (size_t i = 0; i < places.size(); ++i) {
    size_t from = i;
    while (!places[from].owns) from = lender(from);
    if (from != i) places[i].word = places[from].word + (is_count(places[i]) ? count_word(places[from]) : 0);
  }
  return out;
}

}  // namespace quern::jit
