// The headers that compiled text includes, held in the library: generated from ops and cuda/fragments by the build.
#pragma once
#include <string_view>
#include <vector>

namespace quern::jit {

struct EmbeddedHeader {
  const char* name;  // as in #include "name"
  const char* text;
};

const std::vector<EmbeddedHeader>& embedded_headers();

}  // namespace quern::jit
