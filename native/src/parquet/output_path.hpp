// What output files and output folders share: names of what is under way, what killed processes left, errors.
#pragma once
#include <functional>
#include <string>

#include "common/error.hpp"

namespace quern::parquet {

// An error of the operating system in the words of the command line's own file errors (src/cli/io_error.ts).
Error write_error(const std::string& path, int code);

std::string folder_of(const std::string& path);
std::string name_of(const std::string& path);

// `.NAME.PID.tmp` in `folder`: what this process writes before it takes the name.
std::string temporary_of(const std::string& folder, const std::string& name);
// Removes what processes that are gone have left of this target.
void remove_stale(const std::string& folder, const std::string& name);

bool is_empty_folder(const std::string& path);
// Calls `visit` with the name of everything in a folder; one that may be written but not listed shows nothing.
void for_each_name(const std::string& folder, const std::function<void(const std::string&)>& visit);
// Removes a file, or a folder with all that is in it; what cannot be removed stays.
void remove_output(const std::string& path);

}  // namespace quern::parquet
