// Files and folders under their temporary names, so that a process that is about to end can remove them.
#pragma once
#include <string>

namespace quern::parquet {

void register_unfinished(const std::string& path);
void forget_unfinished(const std::string& path);

// Removes the temporary files and folders of every output that is open, whatever threads write them: for a process
// that is about to end. Their commit() fails afterwards.
void discard_unfinished_files();

}  // namespace quern::parquet
