// Columns of a scan that have one value for all rows of a file: its name, hive keys, NULL for an absent field.
#pragma once
#include "cpu/scan_file.hpp"

namespace quern::cpu {

// By scan column, one row each; null where rows differ.
std::vector<ColumnPtr> scan_constants(Context& context, const plan::Scan& scan, const FileLayout& layout);

}  // namespace quern::cpu
