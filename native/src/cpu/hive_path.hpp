// Values in paths: `…/year=2024/part-0.parquet` has year = '2024'.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace quern::cpu {

// The value of `key` in the folders of `path`, percent signs decoded; nullopt where the path has none or says NULL.
std::optional<std::string> hive_value(std::string_view path, std::string_view key);

// The folder of a key and its value, or of NULL; what is neither letter, digit nor one of `_.-~` becomes %XX, as in
// DuckDB.
std::string hive_folder(std::string_view key, std::optional<std::string_view> value);

}  // namespace quern::cpu
