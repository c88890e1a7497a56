// What all generated kernels have in common.
#pragma once
#include <set>
#include <string>

#include "jit/expression_text.hpp"

namespace quern::jit {

// Includes of the expressions and `more`, then the kernel.
std::string source_text(const ExpressionText& text, const std::set<std::string>& more, const std::string& body);
std::string source_text(const std::set<std::string>& headers, const std::string& body);

// Beginning of a loop over whole warps: `i` counts the rows, `row` is the row's number in the input (of a lane past the
// end the first row's), `live` tells the lanes that have a row.
extern const char* const warp_loop;
// End of such a loop and of the kernel: stores `keep` as bit `i` of `mask`.
extern const char* const store_mask;

}  // namespace quern::jit
