#include "jit/group_layout.hpp"

#include <algorithm>
#include <tuple>

#include "jit/device_type.hpp"

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
    const TypePtr type = plan.exprs[static_cast<size_t>(key)].type;
    if (!fixed_width(*type) || type->kind == TypeKind::interval)
      throw unsupported("GROUP BY " + type_name(*type) + " on the GPU");
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

AggregatePlace place_aggregate(const plan::Plan& plan, const plan::Aggregate& aggregate) {
  const auto refuse = [&](const std::string& what) -> Error { return unsupported(what + " on the GPU"); };
  if (aggregate.distinct) throw refuse(aggregate.fn + "(DISTINCT)");
  if (!aggregate.order.empty()) throw refuse(aggregate.fn + " with ORDER BY");
  AggregatePlace out;
  out.result = aggregate.type;
  if (aggregate.fn == "count_star") return out;
  if (aggregate.args.size() != 1) throw refuse("aggregate " + aggregate.fn);
  const TypePtr type = plan.exprs[static_cast<size_t>(aggregate.args[0])].type;
  out.argument = type;
  const std::string name = aggregate.fn + "(" + type_name(*type) + ")";
  const bool number = is_integer(*type) || is_decimal(*type) || type->kind == TypeKind::boolean;
  if (aggregate.fn == "count") {
    device_type(*type);
    out.kind = AggregateKind::count;
  } else if (aggregate.fn == "sum" && is_float(*type)) {
    out.kind = AggregateKind::sum_real;
    out.words = 2;
  } else if (aggregate.fn == "sum" && number && physical(*aggregate.type) == Physical::int64) {
    out.kind = AggregateKind::sum_narrow;
    out.words = 2;
  } else if (aggregate.fn == "sum" && number) {
    out.kind = out.wide_argument() ? AggregateKind::sum_wide : AggregateKind::sum_exact;
    out.words = out.wide_argument() ? 4 : 2;
  } else if (aggregate.fn == "avg" && is_float(*type)) {
    out.kind = AggregateKind::mean_real;
    out.words = 2;
  } else if (aggregate.fn == "avg" && number) {
    out.kind = out.wide_argument() ? AggregateKind::mean_wide : AggregateKind::mean_exact;
    out.words = out.wide_argument() ? 4 : 3;
  } else if ((aggregate.fn == "min" || aggregate.fn == "max") && fixed_width(*type) && width(*type) <= 8) {
    out.kind = aggregate.fn == "min" ? AggregateKind::least : AggregateKind::greatest;
    out.words = 2;
  } else {
    throw refuse("aggregate " + name);
  }
  return out;
}

bool same_expr(const plan::Plan& plan, plan::ExprIndex a, plan::ExprIndex b) {
  const auto &left = plan.exprs[static_cast<size_t>(a)], &right = plan.exprs[static_cast<size_t>(b)];
  return a == b || (left.kind == plan::ExprKind::column && right.kind == plan::ExprKind::column &&
                    left.column == right.column);
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
    if (same(aggregates[j], aggregates[i]) && (places[j].takes_value() || !places[i].takes_value()))
      return places[j].reads;
  }
  return static_cast<int32_t>(i);
}

}  // namespace

int32_t GroupLayout::row_words() const {
  int32_t words = key_words;
  for (size_t i = 0; i < aggregates.size(); ++i) {
    const auto& place = aggregates[i];
    if (place.reads == static_cast<int32_t>(i) && place.takes_value()) words += place.wide_argument() ? 2 : 1;
  }
  return words;
}

int32_t GroupLayout::slot_words() const { return std::max(4, (1 + key_words + aggregate_words + 1) / 2 * 2); }

GroupLayout group_layout(const plan::Plan& plan, const plan::HashGroupBy& group) {
  GroupLayout out;
  place_keys(plan, group, out);
  for (size_t i = 0; i < group.aggregates.size(); ++i) {
    out.aggregates.push_back(place_aggregate(plan, group.aggregates[i]));
    AggregatePlace& place = out.aggregates.back();
    place.word = out.aggregate_words;
    out.aggregate_words += place.words;
    place.reads = reads_of(plan, group.aggregates, out.aggregates, i);
  }
  return out;
}

}  // namespace quern::jit
