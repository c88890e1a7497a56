// Words of items and promotions. Categories and their number of classes follow the TPC-DS description; the rest is our
// own.
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "cpu/tpcds/random.hpp"

namespace quern::cpu::tpcds {

struct Category {
  const char* name;
  std::array<const char*, 6> classes;
};

inline constexpr std::array<Category, 10> categories = {{
    {"Women", {"dresses", "fragrances", "maternity", "swimwear", "scarves", "boots"}},
    {"Men", {"accessories", "pants", "shirts", "sports-apparel", "belts", "hats"}},
    {"Children", {"infants", "newborn", "school-uniforms", "toddlers", "games", "slippers"}},
    {"Shoes", {"athletic", "kids", "mens", "womens", "sandals", "hiking"}},
    {"Music", {"classical", "country", "pop", "rock", "jazz", "folk"}},
    {"Jewelry", {"bracelets", "diamonds", "earrings", "gold", "pendants", "rings"}},
    {"Home", {"bedding", "curtains", "decor", "furniture", "lighting", "rugs"}},
    {"Sports", {"archery", "baseball", "camping", "fishing", "golf", "tennis"}},
    {"Books", {"arts", "business", "computers", "cooking", "history", "travel"}},
    {"Electronics", {"audio", "cameras", "memory", "monitors", "portable", "televisions"}},
}};

inline constexpr std::array<const char*, 24> colors = {"almond", "azure",    "beige",  "black",  "blush",  "chartreuse",
                                                       "cream",  "cyan",     "forest", "ghost",  "indian", "ivory",
                                                       "khaki",  "lavender", "lemon",  "maroon", "navy",   "orchid",
                                                       "peru",   "plum",     "rose",   "saddle", "salmon", "slate"};
inline constexpr std::array<const char*, 7> sizes = {"small",  "medium",  "large", "extra large",
                                                     "petite", "economy", "N/A"};
inline constexpr std::array<const char*, 10> units = {"Each",  "Dozen",  "Case",  "Box",    "Pound",
                                                      "Ounce", "Pallet", "Gross", "Bundle", "Unknown"};
inline constexpr std::array<const char*, 10> syllables = {"bar", "ought", "able",  "pri",   "pres",
                                                          "ese", "anti",  "cally", "ation", "eing"};
inline constexpr std::array<const char*, 32> words = {
    "clear", "early",  "modern", "plain", "strong", "light",  "careful", "common", "quiet", "broad", "final",
    "local", "proper", "rapid",  "solid", "true",   "houses", "years",   "plans",  "hands", "rules", "areas",
    "forms", "terms",  "views",  "steps", "costs",  "works",  "notes",   "parts",  "trees", "days"};

// The digits of a number as syllables, last digit first: the description's way to spell a number as a name.
inline std::string spelled(int64_t number) {
  std::string text;
  do {
    text += syllables[static_cast<size_t>(number % 10)];
    number /= 10;
  } while (number > 0);
  return text;
}

// Some words with a capital and a full stop.
inline std::string sentence(Draws& draws, int64_t least, int64_t most) {
  std::string text;
  for (int64_t i = 0, n = draws.between(least, most); i < n; ++i) {
    if (i > 0) text += ' ';
    std::string word = words[static_cast<size_t>(draws.between(0, static_cast<int64_t>(words.size()) - 1))];
    if (i == 0) word[0] = static_cast<char>(word[0] - 'a' + 'A');
    text += word;
  }
  return text + ".";
}

}  // namespace quern::cpu::tpcds
