// Writes the input's rows as one Parquet file, in input order, on any number of threads; gives one row: their number.
#pragma once
#include "cpu/table.hpp"

namespace quern::cpu {

// Opens the file at once, so that a path that cannot be written is known before the query runs.
std::shared_ptr<StoringSink> make_write_parquet(Context& context, const plan::Plan& plan, plan::NodeIndex node);

}  // namespace quern::cpu
