// Writes the input's rows as Parquet files of folders named by values, `a=1/b=x/`, rows of a folder in input order.
#pragma once
#include "cpu/table.hpp"

namespace quern::cpu {

std::shared_ptr<StoringSink> make_write_partitions(Context& context, const plan::Node& input,
                                                   const plan::WriteParquet& op);

}  // namespace quern::cpu
