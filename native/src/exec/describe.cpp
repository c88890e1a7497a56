#include "exec/describe.hpp"

#include <algorithm>
#include <map>

#include "columnar/compare.hpp"
#include "common/json_text.hpp"
#include "exec/unify.hpp"
#include "plan/literal.hpp"

namespace quern {

namespace {

// Bounds are merged only below so many (row group, column) pairs: beyond, planning would wait for them.
constexpr int64_t max_bounds = 200000;
// Row groups whose dictionaries are looked at, spread over all, and columns of them.
constexpr int64_t dictionary_samples = 3;
constexpr size_t max_dictionary_columns = 256;

struct Field {
  std::string name;
  TypePtr type;  // nullptr: unsupported
  std::string reason;
};

struct Opened {
  parquet::FilePtr parquet;
  std::vector<Field> fields;
  int64_t rows = 0;
  int32_t groups = 0;
  std::string failure;  // of a file that is left out
};

struct DescribedColumn {
  Field field;
  size_t first_file = 0;  // which file gave the type first
};

template <typename Infos>
std::vector<Field> to_fields(Infos infos) {
  std::vector<Field> out;
  for (auto& info : infos) out.push_back({std::move(info.name), std::move(info.type), std::move(info.reason)});
  return out;
}

Opened open_file(Context& context, cpu::FileCache& files, const DescribeRequest& request, const std::string& path) {
  Opened out;
  if (request.format == plan::FileFormat::arrow) {
    const auto file = files.open_arrow(path);
    out.fields = to_fields(arrow::fields(*file));
    out.groups = arrow::batch_count(*file);
    for (int32_t batch = 0; batch < out.groups; ++batch) out.rows += arrow::batch_rows(*file, batch);
    return out;
  }
  context.check_cancelled();
  out.parquet = files.open_parquet(path);
  out.fields = to_fields(parquet::fields(*out.parquet, request.options));
  out.groups = parquet::row_group_count(*out.parquet);
  out.rows = parquet::row_count(*out.parquet);
  return out;
}

std::vector<Opened> open_all(Context& context, cpu::FileCache& files, const DescribeRequest& request,
                             const Parallel& parallel) {
  std::vector<Opened> opened(request.paths.size());
  parallel(static_cast<int64_t>(opened.size()), [&](int64_t i) {
    const auto& path = request.paths[static_cast<size_t>(i)];
    try {
      opened[static_cast<size_t>(i)] = open_file(context, files, request, path);
    } catch (const Error& error) {
      if (!request.skip_bad_files || error.code() == ErrorCode::cancelled || error.code() == ErrorCode::oom) throw;
      opened[static_cast<size_t>(i)].failure = error.message();
    }
  });
  return opened;
}

void merge_field(const DescribeRequest& request, DescribedColumn& column, const Field& field, size_t file) {
  if (!column.field.type || !field.type) {
    if (!field.type) column.field = field;
    return;
  }
  auto type = unify_types(column.field.type, field.type);
  if (!type) {
    throw Error(ErrorSource::user, ErrorCode::type,
                "files differ in the type of column " + field.name + ": " + type_name(*column.field.type) + " in " +
                    request.paths[column.first_file] + ", " + type_name(*field.type) + " in " + request.paths[file]);
  }
  column.field.type = std::move(type);
}

// Columns of the first file in its order; with union_by_name those that later files add follow.
std::vector<DescribedColumn> merge_schemas(const DescribeRequest& request, const std::vector<Opened>& opened) {
  std::vector<DescribedColumn> columns;
  std::map<std::string, size_t> by_name;
  bool first = true;
  size_t first_file = 0;
  for (size_t file = 0; file < opened.size(); ++file) {
    if (!opened[file].failure.empty()) continue;
    std::map<std::string, const Field*> fields;
    for (const auto& field : opened[file].fields) {
      fields.emplace(field.name, &field);
      const auto known = by_name.find(field.name);
      if (known != by_name.end() && !first) {
        merge_field(request, columns[known->second], field, file);
      } else if (first || request.union_by_name) {
        by_name.emplace(field.name, columns.size());
        columns.push_back({field, file});
      }
    }
    if (!first && !request.union_by_name) {
      for (const auto& column : columns) {
        if (fields.contains(column.field.name)) continue;
        throw Error(ErrorSource::user, ErrorCode::type,
                    "column " + column.field.name + " of " + request.paths[first_file] + " is missing in " +
                        request.paths[file])
            .with_hint("read_parquet(…, union_by_name = true) fills it with NULL");
      }
    }
    if (first) first_file = file;
    first = false;
  }
  return columns;
}

// Bounds of one column over row groups.
class MergedBounds {
 public:
  // False: the bounds are unknown for good.
  bool add(const parquet::Bounds& bounds, int64_t rows) {
    if (null_count_ && bounds.null_count)
      *null_count_ += *bounds.null_count;
    else
      null_count_.reset();
    may_hold_nan_ |= bounds.may_hold_nan;
    if (bounds.null_count && *bounds.null_count == rows) return true;
    if (!bounds.min || !bounds.max) return false;
    take(min_, min_exact_, bounds.min, bounds.min_exact, -1);
    take(max_, max_exact_, bounds.max, bounds.max_exact, 1);
    return true;
  }

  std::string json() const {
    return JsonList('{')
        .member("min", min_ ? plan::literal_json(*min_, 0) : "null")
        .member("max", max_ ? plan::literal_json(*max_, 0) : "null")
        .member("exact", (!min_ || (min_exact_ && max_exact_)) ? "true" : "false")
        .member("nullCount", null_count_ ? std::to_string(*null_count_) : "null")
        .member("mayHoldNan", may_hold_nan_ ? "true" : "false")
        .text();
  }

 private:
  static void take(ColumnPtr& best, bool& exact, const ColumnPtr& value, bool value_exact, int sign) {
    const int order = best ? compare_values(*value, 0, *best, 0) * sign : 1;
    if (order > 0) {
      best = value;
      exact = value_exact;
    } else if (order == 0) {
      exact |= value_exact;
    }
  }

  ColumnPtr min_, max_;
  bool min_exact_ = false;
  bool max_exact_ = false;
  bool may_hold_nan_ = false;
  std::optional<int64_t> null_count_ = 0;
};

// JSON of the bounds, or null. Only for columns that every file has once, in the same type.
std::string bounds_json(const DescribeRequest& request, const std::vector<Opened>& opened,
                        const DescribedColumn& column) {
  MergedBounds merged;
  for (const auto& file : opened) {
    if (!file.failure.empty()) continue;
    int32_t at = -1;
    int32_t count = 0;
    for (size_t i = 0; i < file.fields.size(); ++i) {
      if (file.fields[i].name != column.field.name) continue;
      at = static_cast<int32_t>(i);
      ++count;
    }
    if (count != 1 || !file.fields[at].type || !same_type(*file.fields[at].type, *column.field.type)) return "null";
    for (int32_t group = 0; group < file.groups; ++group) {
      const int64_t rows = parquet::row_group_rows(*file.parquet, group);
      if (rows == 0) continue;
      const auto bounds = parquet::row_group_bounds(*file.parquet, group, at, request.options);
      if (!bounds || !merged.add(*bounds, rows)) return "null";
    }
  }
  return merged.json();
}

struct GroupPlace {
  size_t file = 0;
  int32_t group = 0;
};

// A few row groups, spread over all.
std::vector<GroupPlace> sampled_groups(const std::vector<Opened>& opened) {
  std::vector<GroupPlace> all;
  for (size_t file = 0; file < opened.size(); ++file) {
    for (int32_t group = 0; group < opened[file].groups; ++group) {
      if (opened[file].parquet && parquet::row_group_rows(*opened[file].parquet, group) > 0)
        all.push_back({file, group});
    }
  }
  const auto count = static_cast<int64_t>(all.size());
  if (count <= dictionary_samples) return all;
  std::vector<GroupPlace> out;
  for (int64_t i = 0; i < dictionary_samples; ++i) out.push_back(all[i * (count - 1) / (dictionary_samples - 1)]);
  return out;
}

// JSON of one row group's bounds of a field, or null.
std::string group_bounds_json(const DescribeRequest& request, const parquet::File& file, int32_t group, int32_t field) {
  const auto bounds = parquet::row_group_bounds(file, group, field, request.options);
  MergedBounds merged;
  return bounds && merged.add(*bounds, parquet::row_group_rows(file, group)) ? merged.json() : "null";
}

// JSON of the dictionaries of a column: entries (null = none), rows and bounds of each sampled row group.
std::string dictionaries_json(Context& context, const DescribeRequest& request, const std::vector<Opened>& opened,
                              const std::vector<GroupPlace>& groups, const std::string& name) {
  JsonList list('[');
  for (const auto& [file, group] : groups) {
    const auto& fields = opened[file].fields;
    const auto found =
        std::find_if(fields.begin(), fields.end(), [&](const Field& field) { return field.name == name; });
    if (found == fields.end() || !found->type) continue;
    const auto& parquet = *opened[file].parquet;
    const auto field = static_cast<int32_t>(found - fields.begin());
    const auto entries = parquet::dictionary_entries(context, parquet, group, field, request.options);
    list.item(JsonList('{')
                  .member("entries", entries ? std::to_string(*entries) : "null")
                  .member("rows", std::to_string(parquet::row_group_rows(parquet, group)))
                  .member("bounds", group_bounds_json(request, parquet, group, field))
                  .text());
  }
  return list.text();
}

}  // namespace

std::string describe_json(Context& context, cpu::FileCache& files, const DescribeRequest& request,
                          const Parallel& parallel) {
  const auto opened = open_all(context, files, request, parallel);
  const auto columns = merge_schemas(request, opened);
  int64_t rows = 0;
  int64_t groups = 0;
  JsonList file_list('[');
  JsonList skipped('[');
  for (size_t i = 0; i < opened.size(); ++i) {
    const auto& file = opened[i];
    const std::string path = json_string(request.paths[i]);
    if (!file.failure.empty()) {
      skipped.item(JsonList('{').member("path", path).member("reason", json_string(file.failure)).text());
      continue;
    }
    rows += file.rows;
    groups += file.groups;
    file_list.item(JsonList('{')
                       .member("path", path)
                       .member("rows", std::to_string(file.rows))
                       .member("rowGroups", std::to_string(file.groups))
                       .text());
  }
  const bool with_bounds =
      request.format == plan::FileFormat::parquet && groups * static_cast<int64_t>(columns.size()) <= max_bounds;
  std::vector<std::string> bounds(columns.size(), "null");
  if (with_bounds) {
    parallel(static_cast<int64_t>(columns.size()), [&](int64_t i) {
      const auto& column = columns[static_cast<size_t>(i)];
      if (column.field.type) bounds[static_cast<size_t>(i)] = bounds_json(request, opened, column);
    });
  }
  std::vector<std::string> dictionaries(columns.size(), "[]");
  if (request.format == plan::FileFormat::parquet) {
    const auto samples = sampled_groups(opened);
    const auto count = std::min(columns.size(), max_dictionary_columns);
    parallel(static_cast<int64_t>(count), [&](int64_t i) {
      const auto& column = columns[static_cast<size_t>(i)].field;
      if (column.type) dictionaries[i] = dictionaries_json(context, request, opened, samples, column.name);
    });
  }
  JsonList column_list('[');
  for (size_t i = 0; i < columns.size(); ++i) {
    const auto& field = columns[i].field;
    column_list.item(JsonList('{')
                         .member("name", json_string(field.name))
                         .member("type", field.type ? type_json(*field.type) : "null")
                         .member("reason", field.type ? "null" : json_string(field.reason))
                         .member("bounds", bounds[i])
                         .member("dictionaries", dictionaries[i])
                         .text());
  }
  return JsonList('{')
      .member("columns", column_list.text())
      .member("rows", std::to_string(rows))
      .member("files", file_list.text())
      .member("skipped", skipped.text())
      .text();
}

}  // namespace quern
