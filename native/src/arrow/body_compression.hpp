// Compressed buffers of message bodies.
#pragma once
#include <cstdint>
#include <span>

#include "arrow/metadata.hpp"

namespace quern::arrow {

// Fills `out` exactly, else throws corrupt_file. Thread-safe; decompression state is reused per thread.
void decompress(Compression compression, Bytes in, std::span<uint8_t> out);

}  // namespace quern::arrow
