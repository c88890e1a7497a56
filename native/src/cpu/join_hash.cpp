#include "cpu/join_hash.hpp"

#include "cpu/join_entries.hpp"
#include "cpu/join_words.hpp"

namespace quern::cpu {

std::unique_ptr<JoinIndex> make_join_hash(Context& context, const JoinKeyTypes& types, const KeyLayout& layout,
                                          std::vector<std::vector<ColumnPtr>> columns, PackedIds packing,
                                          bool one_is_enough, const Parallel& parallel) {
  auto keys = std::make_unique<JoinKeys>(context, types, layout, std::move(columns), packing, parallel);
  if (layout.words == 1) return make_join_words(context, types, layout, *keys, packing, one_is_enough, parallel);
  return make_join_entries(context, types, layout, std::move(keys), packing, one_is_enough, parallel);
}

}  // namespace quern::cpu
