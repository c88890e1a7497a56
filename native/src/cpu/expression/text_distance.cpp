// Distances and similarities of two texts, by bytes.
#include <algorithm>
#include <array>

#include "context/counted_allocator.hpp"
#include "cpu/expression/text.hpp"

namespace quern::cpu {

namespace {

// A table of costs, which the memory budget knows of.
using Costs = std::vector<int64_t, CountedAllocator<int64_t>>;

// Edits (insert, delete, replace a byte) from one text to the other.
int64_t edit_distance(ops::Text a, ops::Text b, Costs& costs) {
  if (a.length < b.length) std::swap(a, b);
  costs.resize(static_cast<size_t>(b.length) + 1);
  for (int64_t j = 0; j <= b.length; ++j) costs[j] = j;
  for (int64_t i = 1; i <= a.length; ++i) {
    int64_t diagonal = costs[0];
    costs[0] = i;
    for (int64_t j = 1; j <= b.length; ++j) {
      const int64_t replaced = diagonal + (a.data[i - 1] != b.data[j - 1]);
      diagonal = costs[j];
      costs[j] = std::min({replaced, costs[j] + 1, costs[j - 1] + 1});
    }
  }
  return costs[b.length];
}

// As edit_distance, where swapping two bytes that follow one another is one edit too, also with edits between them
// (the unrestricted Damerau–Levenshtein distance). `costs` is a table of (a + 2) × (b + 2): row and column 0 hold a
// bound that no path takes.
int64_t swap_distance(ops::Text a, ops::Text b, Costs& costs) {
  constexpr int64_t most_cells = 1LL << 40;
  const int64_t width = b.length + 2, bound = a.length + b.length;
  if (a.length + 2 > most_cells / width) throw runtime_error("damerau_levenshtein of texts that are too long");
  costs.assign(static_cast<size_t>((a.length + 2) * width), bound);
  const auto cost = [&](int64_t i, int64_t j) -> int64_t& { return costs[static_cast<size_t>(i * width + j)]; };
  for (int64_t i = 0; i <= a.length; ++i) cost(i + 1, 1) = i;
  for (int64_t j = 0; j <= b.length; ++j) cost(1, j + 1) = j;
  std::array<int64_t, 256> last_row{};  // where a byte was last seen in a, from 1
  for (int64_t i = 1; i <= a.length; ++i) {
    int64_t last_match = 0;  // where a[i] was last seen in b
    for (int64_t j = 1; j <= b.length; ++j) {
      const int64_t row = last_row[static_cast<unsigned char>(b.data[j - 1])], column = last_match;
      const bool equal = a.data[i - 1] == b.data[j - 1];
      if (equal) last_match = j;
      const int64_t swapped = cost(row, column) + (i - row - 1) + 1 + (j - column - 1);
      cost(i + 1, j + 1) = std::min({cost(i, j) + !equal, cost(i + 1, j) + 1, cost(i, j + 1) + 1, swapped});
    }
    last_row[static_cast<unsigned char>(a.data[i - 1])] = i;
  }
  return cost(a.length + 1, b.length + 1);
}

Factory distance(int64_t (*f)(ops::Text, ops::Text, Costs&)) {
  return [f](const Signature&) {
    return strict_kernel([f](Call& call) {
      const Texts a(call, 0), b(call, 1);
      Costs costs{CountedAllocator<int64_t>(call.memory())};
      each_value<int64_t>(call, [&](int64_t row) { return f(a[row], b[row], costs); });
    });
  };
}

KernelPtr make_hamming(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts a(call, 0), b(call, 1);
    each_value<int64_t>(call, [&](int64_t row) {
      const ops::Text x = a[row], y = b[row];
      if (x.length != y.length || x.length == 0) {
        throw runtime_error("hamming needs two texts of one length that is not 0: " + quoted(string_of(x)) + ", " +
                            quoted(string_of(y)));
      }
      int64_t different = 0;
      for (int64_t i = 0; i < x.length; ++i) different += x.data[i] != y.data[i];
      return different;
    });
  });
}

// Which bytes a text holds.
std::array<bool, 256> bytes_of(ops::Text text) {
  std::array<bool, 256> held{};
  for (const char c : string_of(text)) held[static_cast<unsigned char>(c)] = true;
  return held;
}

KernelPtr make_jaccard(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts a(call, 0), b(call, 1);
    each_value<double>(call, [&](int64_t row) {
      if (a[row].length == 0 || b[row].length == 0) throw runtime_error("jaccard needs texts that are not empty");
      const auto x = bytes_of(a[row]), y = bytes_of(b[row]);
      int64_t both = 0, any = 0;
      for (size_t i = 0; i < x.size(); ++i) {
        both += x[i] && y[i];
        any += x[i] || y[i];
      }
      return static_cast<double>(both) / static_cast<double>(any);
    });
  });
}

// Bytes that match within half the longer text, less half of those out of order.
class Jaro {
 public:
  double of(ops::Text a, ops::Text b) {
    if (a.length == 0 || b.length == 0) return 0;
    const int64_t reach = std::max<int64_t>(std::max(a.length, b.length) / 2 - 1, 0);
    in_a_.assign(static_cast<size_t>(a.length), false);
    in_b_.assign(static_cast<size_t>(b.length), false);
    int64_t matches = 0;
    for (int64_t i = 0; i < a.length; ++i) {
      for (int64_t j = std::max<int64_t>(i - reach, 0); j < std::min(b.length, i + reach + 1); ++j) {
        if (in_b_[j] || a.data[i] != b.data[j]) continue;
        in_a_[i] = in_b_[j] = true;
        ++matches;
        break;
      }
    }
    if (matches == 0) return 0;
    int64_t moved = 0;
    for (int64_t i = 0, j = 0; i < a.length; ++i) {
      if (!in_a_[i]) continue;
      while (!in_b_[j]) ++j;
      moved += a.data[i] != b.data[j++];
    }
    const auto m = static_cast<double>(matches);
    const double sum = m / static_cast<double>(a.length) + m / static_cast<double>(b.length) +
                       (m - static_cast<double>(moved / 2)) / m;
    return sum / 3;
  }

 private:
  std::vector<bool> in_a_, in_b_;
};

// Winkler: texts that are alike come closer by a tenth of the rest for each of their first four bytes that agree.
double winkler(ops::Text a, ops::Text b, double jaro) {
  constexpr double alike = 0.7, weight = 0.1;
  if (jaro <= alike) return jaro;
  int64_t same = 0;
  while (same < std::min<int64_t>({4, a.length, b.length}) && a.data[same] == b.data[same]) ++same;
  return jaro + static_cast<double>(same) * weight * (1 - jaro);
}

// 0 below the cutoff, where there is one.
template <bool with_prefix>
KernelPtr make_jaro(const Signature& signature) {
  return strict_kernel([cut = signature.arguments.size() == 3](Call& call) {
    const Texts a(call, 0), b(call, 1);
    Jaro jaro;
    each_value<double>(call, [&](int64_t row) {
      const double plain = jaro.of(a[row], b[row]);
      const double similarity = with_prefix ? winkler(a[row], b[row], plain) : plain;
      return cut && similarity < Numbers<double>(call, 2)[row] ? 0 : similarity;
    });
  });
}

}  // namespace

void add_text_distance(KernelTable& table) {
  table.add("levenshtein", distance(edit_distance));
  table.add("damerau_levenshtein", distance(swap_distance));
  table.add("hamming", make_hamming);
  table.add("jaccard", make_jaccard);
  table.add("jaro_similarity", make_jaro<false>);
  table.add("jaro_winkler_similarity", make_jaro<true>);
}

}  // namespace quern::cpu
