// Writes the input's rows as Parquet files of a folder, each thread its own: their order is that of the threads.
#pragma once
#include "cpu/table.hpp"

namespace quern::cpu {

std::shared_ptr<StoringSink> make_write_per_thread(Context& context, const plan::Node& input,
                                                   const plan::WriteParquet& op);

}  // namespace quern::cpu
