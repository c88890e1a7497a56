// Writes the input's rows as one Parquet file, or as files of a folder that end at a size, in input order on any number
// of threads, or as files of each thread; gives one row: their number.
#pragma once
#include "cpu/table.hpp"

namespace quern::cpu {

// Opens the file at once, so that a path that cannot be written is known before the query runs.
std::shared_ptr<StoringSink> make_write_parquet(Context& context, const plan::Plan& plan, plan::NodeIndex node);

// The result of a writing statement.
TablePtr count_table(Context& context, int64_t rows);

}  // namespace quern::cpu
