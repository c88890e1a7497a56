#include "cpu/expression/kernel.hpp"

#include "common/error.hpp"
#include "cpu/expression/list_groups.hpp"

namespace quern::cpu {

KernelPtr KernelTable::make(const Signature& signature) const {
  const auto found = factories_.find(signature.name);
  if (found != factories_.end()) {
    for (const auto& factory : found->second) {
      if (KernelPtr kernel = factory(signature)) return kernel;
    }
  }
  std::string types;
  for (const auto& type : signature.arguments) types += (types.empty() ? "" : ", ") + type_name(*type);
  throw unsupported("function " + signature.name + "(" + types + ")");
}

const KernelTable& kernel_table() {
  static const KernelTable table = [] {
    KernelTable t;
    for (const auto add : {add_arithmetic,
                           add_decimal_arithmetic,
                           add_interval,
                           add_date_arithmetic,
                           add_bits,
                           add_comparison,
                           add_nulls,
                           add_numeric,
                           add_rounding,
                           add_text,
                           add_text_building,
                           add_text_search,
                           add_like,
                           add_regexp,
                           add_text_distance,
                           add_text_encoding,
                           add_text_of_sizes,
                           add_graphemes,
                           add_paths,
                           add_format,
                           add_digest,
                           add_regexp_lists,
                           add_date_bucket,
                           add_date_zone,
                           add_map_building,
                           add_selection,
                           add_raise,
                           add_encoding,
                           add_date_parts,
                           add_date_difference,
                           add_date_making,
                           add_date_format,
                           add_lists,
                           add_list_reductions,
                           add_list_statistics,
                           add_list_building,
                           add_list_order,
                           add_list_selection,
                           add_list_counts,
                           add_vectors,
                           add_vector_arithmetic,
                           add_structures,
                           add_variants,
                           add_maps}) {
      add(t);
    }
    return t;
  }();
  return table;
}

}  // namespace quern::cpu
