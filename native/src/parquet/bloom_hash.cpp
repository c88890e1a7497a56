#include <xxhash.h>

#include "parquet/encoding.hpp"

namespace quern::parquet {

uint64_t xxhash64(const void* data, size_t length) { return XXH64(data, length, 0); }

}  // namespace quern::parquet
