#include "jit/kernel_source.hpp"

namespace quern::jit {

std::string source_text(const ExpressionText& text, const std::set<std::string>& more, const std::string& body) {
  std::set<std::string> headers = text.headers();
  headers.insert(more.begin(), more.end());
  return source_text(headers, body);
}

std::string source_text(const std::set<std::string>& headers, const std::string& body) {
  std::string out;
  for (const auto& header : headers) out += "#include \"" + header + "\"\n";
  return out + "using namespace quern;\nusing namespace quern::cuda;\n\n" + body;
}

const char* const warp_loop =
    "  const int64_t end = (in.count + 31) / 32 * 32, step = static_cast<int64_t>(gridDim.x) * blockDim.x;\n"
    "  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < end; i += step) {\n"
    "    const bool live = i < in.count;\n"
    "    const int64_t at = live ? i : 0;\n"
    "    const int64_t row = in.rows == nullptr ? in.first + at : in.rows[at];\n";

const char* const store_mask =
    "    const unsigned bits = __ballot_sync(0xffffffffu, keep);\n"
    "    if ((threadIdx.x & 31) == 0) mask[i >> 5] = bits;\n  }\n}\n";

}  // namespace quern::jit
