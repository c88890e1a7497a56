#include "cpu/scan_select.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace quern::cpu {

namespace {

using parquet::RowRange;

// A filter hash is of bytes: equal values need equal bytes, which zeros and NaN have not.
bool hash_decides(const Column& literal) {
  switch (literal.type->kind) {
    case TypeKind::float32:
      return std::isfinite(literal.values<float>()[0]) && literal.values<float>()[0] != 0;
    case TypeKind::float64:
      return std::isfinite(literal.values<double>()[0]) && literal.values<double>()[0] != 0;
    case TypeKind::float16:
    case TypeKind::bfloat16:
    case TypeKind::interval:
      return false;
    default:
      return true;
  }
}

class Selector {
 public:
  Selector(Context& context, const ScanFilter& filter, const parquet::File* file, int32_t group)
      : context_(context), filter_(filter), file_(file), group_(group), options_(read_options(filter.scan)) {
    auto columns = prunable_columns(filter.plan, filter.scan.filter);
    for (const auto& key : filter.keys) {
      if (!key.is_row_number) columns.push_back(key.column);
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    for (int32_t column : columns) {
      if (filter_.constants[column])
        constant(column);
      else if (stored_as_scanned(column))
        stored_.push_back(column);
    }
  }

  bool group_may_match() {
    for (int32_t column : stored_) {
      auto bounds = parquet::row_group_bounds(*file_, group_, field(column), options_);
      if (bounds) known_[column] = {std::move(*bounds), filter_.layout.group_rows[group_]};
    }
    Knowledge knowledge = known();
    knowledge.absent = [&](int32_t column, const ColumnPtr& literal) {
      if (!std::binary_search(stored_.begin(), stored_.end(), column) || !hash_decides(*literal)) return false;
      return !parquet::bloom_may_contain(context_, *file_, group_, field(column), literal);
    };
    if (!may_match(filter_.plan, filter_.scan.filter, knowledge)) return false;
    if (keys_may_match() && std::all_of(filter_.keys.begin(), filter_.keys.end(), [&](const auto& key) {
          const auto& values = key.filter->values();
          return key.is_wider || values.empty() || std::any_of(values.begin(), values.end(), [&](const auto& value) {
                   return !knowledge.absent(key.column, value);
                 });
        }))
      return true;
    filtered_by_keys_ = true;
    return false;
  }
  // After group_may_match() was false: whether the keys of a join decided it.
  bool filtered_by_keys() const { return filtered_by_keys_; }

  // Between page ends of all columns, bounds of every column are those of one page.
  std::vector<RowRange> matching_pages(int64_t rows) {
    std::map<int32_t, std::vector<parquet::PageBounds>> pages;
    std::vector<int64_t> ends{0, rows};
    for (int32_t column : stored_) {
      auto list = parquet::page_bounds(context_, *file_, group_, field(column), options_);
      for (const auto& page : list) {
        if (page.rows.end < rows) ends.push_back(page.rows.end);
      }
      if (!list.empty()) pages.emplace(column, std::move(list));
    }
    if (pages.empty()) return {{0, rows}};
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    std::vector<RowRange> out;
    for (size_t i = 0; i + 1 < ends.size(); ++i) {
      for (const auto& [column, list] : pages) learn_page(column, list, ends[i]);
      if (!may_match(filter_.plan, filter_.scan.filter, known())) continue;
      if (!keys_may_match()) {
        ++filter_.counters.filtered_pages;
        continue;
      }
      if (!out.empty() && out.back().end == ends[i])
        out.back().end = ends[i + 1];
      else
        out.push_back({ends[i], ends[i + 1]});
    }
    return out;
  }

 private:
  // Whether bounds that are known leave room for keys.
  bool keys_may_match() const {
    for (const auto& key : filter_.keys) {
      if (key.filter->is_empty()) return false;
      if (key.is_row_number && !may_have_rows(*key.filter)) return false;
      const auto known = known_.find(key.column);
      if (known != known_.end() && !key.filter->may_match(known->second.bounds, known->second.rows)) return false;
    }
    return true;
  }

  bool may_have_rows(const JoinFilter& filter) const {
    const int64_t rows = filter_.layout.group_rows[group_];
    return filter.any_between(filter_.first_row, filter_.first_row + rows - 1);
  }

  int32_t field(int32_t column) const { return filter_.layout.fields[column]; }

  // Statistics are of the file's type: they say nothing where the scan gives another.
  bool stored_as_scanned(int32_t column) const {
    return file_ != nullptr && field(column) >= 0 &&
           same_type(*filter_.layout.types[column], *filter_.scan.columns[column].type);
  }

  void constant(int32_t column) {
    const auto& value = filter_.constants[column];
    const bool null = value->null_count > 0;
    KnownColumn known;
    known.rows = 1;
    known.bounds.null_count = null ? 1 : 0;
    if (!null) known.bounds.min = known.bounds.max = value;
    known_[column] = std::move(known);
  }

  void learn_page(int32_t column, const std::vector<parquet::PageBounds>& pages, int64_t row) {
    const auto page = std::find_if(pages.begin(), pages.end(),
                                   [&](const auto& p) { return p.rows.start <= row && row < p.rows.end; });
    if (page == pages.end()) {
      known_.erase(column);
      return;
    }
    KnownColumn known{page->bounds, page->rows.end - page->rows.start};
    if (page->all_null) known.bounds.null_count = known.rows;
    known_[column] = std::move(known);
  }

  Knowledge known() const {
    Knowledge out;
    out.column = [this](int32_t column) -> const KnownColumn* {
      const auto found = known_.find(column);
      return found == known_.end() ? nullptr : &found->second;
    };
    return out;
  }

  Context& context_;
  const ScanFilter& filter_;
  const parquet::File* file_;
  int32_t group_;
  parquet::ReadOptions options_;
  bool filtered_by_keys_ = false;
  std::vector<int32_t> stored_;  // columns with statistics of their own
  std::map<int32_t, KnownColumn> known_;
};

// The rows that keys name, one range each run of them.
std::vector<RowRange> named_rows(const JoinFilter& filter, int64_t first_row, int64_t rows) {
  const auto& all = filter.sorted();
  std::vector<RowRange> out;
  for (auto at = std::lower_bound(all.begin(), all.end(), first_row); at != all.end() && *at < first_row + rows; ++at) {
    const int64_t row = *at - first_row;
    if (!out.empty() && out.back().end == row)
      ++out.back().end;
    else
      out.push_back({row, row + 1});
  }
  return out;
}

int64_t row_count(const std::vector<RowRange>& ranges) {
  int64_t rows = 0;
  for (const auto& range : ranges) rows += range.end - range.start;
  return rows;
}

std::vector<RowRange> common(const std::vector<RowRange>& a, const std::vector<RowRange>& b) {
  std::vector<RowRange> out;
  for (const auto& range : a) {
    const auto part = clip(b, range.start, range.end);
    out.insert(out.end(), part.begin(), part.end());
  }
  return out;
}

}  // namespace

std::vector<ScanKeyFilter> key_filters(const plan::Scan& scan, const JoinFilters& filters) {
  std::vector<ScanKeyFilter> out;
  for (const auto& use : scan.join_filters) {
    const auto filter = filters.get(use.filter);
    const auto& column = scan.columns[static_cast<size_t>(use.column)];
    if (!filter) continue;
    const bool is_wider = !same_type(*filter->type(), *column.type);
    if (is_wider && !(is_integer(*filter->type()) && is_integer(*column.type))) continue;
    const bool is_row_number = column.source == plan::ColumnSource::row_number;
    out.push_back({use.column, filter, std::make_shared<KeyFilterUse>(), is_row_number, is_wider});
  }
  return out;
}

bool group_may_match(Context& context, const ScanFilter& filter, const parquet::File* file, int32_t group) {
  Selector selector(context, filter, file, group);
  if (selector.group_may_match()) return true;
  if (selector.filtered_by_keys()) ++filter.counters.filtered_row_groups;
  return false;
}

std::vector<RowRange> select_ranges(Context& context, const ScanFilter& filter, const parquet::File* file,
                                    int32_t group) {
  const int64_t rows = filter.layout.group_rows[group];
  if (rows == 0) return {};
  if (filter.scan.filter.empty() && filter.keys.empty()) return {{0, rows}};
  Selector selector(context, filter, file, group);
  if (!selector.group_may_match()) {
    if (selector.filtered_by_keys()) ++filter.counters.filtered_row_groups;
    return {};
  }
  auto ranges = selector.matching_pages(rows);
  for (const auto& key : filter.keys) {
    if (!key.gives_rows()) continue;
    auto named = common(ranges, named_rows(*key.filter, filter.first_row, rows));
    filter.counters.filtered_rows.fetch_add(row_count(ranges) - row_count(named), std::memory_order_relaxed);
    ranges = std::move(named);
  }
  return ranges;
}

std::vector<RowRange> clip(const std::vector<RowRange>& ranges, int64_t start, int64_t end) {
  std::vector<RowRange> out;
  for (const auto& range : ranges) {
    const RowRange part{std::max(range.start, start), std::min(range.end, end)};
    if (part.start < part.end) out.push_back(part);
  }
  return out;
}

}  // namespace quern::cpu
