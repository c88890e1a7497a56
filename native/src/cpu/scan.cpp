#include "cpu/scan.hpp"

#include <algorithm>
#include <deque>
#include <map>

#include "cpu/scan_reader.hpp"
#include "cpu/table.hpp"

namespace quern::cpu {

namespace {

// Row groups are split when there are fewer than this many a thread, into parts of at least so many vectors: five
// groups of one size would keep two threads busy for five sixths of the time.
constexpr int64_t parts_per_thread = 4;
constexpr int64_t part_vectors = 1;
// From so many groups a thread on they stay whole where pages cannot be found by row: a column of a shared group is
// decoded by one thread at a time.
constexpr int64_t whole_groups_per_thread = 2;
// Windows of a shared group: bytes of the widest column, and rows at most.
constexpr int64_t window_bytes = 1 << 20;
constexpr int64_t window_rows = 1 << 16;

void collect_columns(const plan::Plan& plan, plan::ExprIndex index, std::vector<int32_t>& out) {
  const auto& expr = plan.exprs[index];
  if (expr.kind == plan::ExprKind::column) out.push_back(expr.column);
  // The body of a lambda has columns of its own.
  for (size_t i = expr.kind == plan::ExprKind::lambda ? 1 : 0; i < expr.args.size(); ++i)
    collect_columns(plan, expr.args[i], out);
}

std::vector<int32_t> filter_columns(const plan::Plan& plan, const plan::Scan& scan,
                                    const std::vector<ScanKeyFilter>& keys) {
  std::vector<int32_t> out;
  for (const auto& key : keys) {
    if (key.tests_rows()) out.push_back(key.column);
  }
  for (plan::ExprIndex conjunct : scan.filter) collect_columns(plan, conjunct, out);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// Whether an error means that the file is bad, and not the query or the machine.
bool is_bad_file(const Error& error) {
  return error.source() == ErrorSource::io || error.source() == ErrorSource::unsupported ||
         error.code() == ErrorCode::permission;
}

// First rows of `parts` parts of equal size.
std::vector<int64_t> even_starts(int64_t rows, int64_t parts) {
  std::vector<int64_t> out;
  for (int64_t part = 0; part < parts; ++part)
    out.push_back(static_cast<int64_t>(static_cast<int128_t>(rows) * part / parts));
  return out;
}

// Each row of `wanted` (ascending from 0) moved to the nearest first row of a page; a page is taken once.
std::vector<int64_t> nearest_starts(const std::vector<int64_t>& wanted, const std::vector<int64_t>& pages) {
  std::vector<int64_t> out{0};
  for (const int64_t row : wanted) {
    const auto after = std::upper_bound(pages.begin(), pages.end(), row);
    if (after == pages.begin()) continue;
    const bool next_is_nearer = after != pages.end() && *after - row < row - *(after - 1);
    const int64_t start = next_is_nearer ? *after : *(after - 1);
    if (start > out.back()) out.push_back(start);
  }
  return out;
}

// All rows of a file, or none when it is bad: for on_bad_file = 'skip' rows may only go out when all could be read.
class WholeFileReader : public Reader {
 public:
  WholeFileReader(const ScanSetup& setup, const FileLayout& layout, std::vector<ScanMorsel> morsels)
      : setup_(setup), layout_(layout), morsels_(std::move(morsels)) {}

  bool next(Batch& batch) override {
    if (!loaded_) load();
    loaded_ = true;
    for (;;) {
      if (reader_ && reader_->next(batch)) return true;
      if (batches_.empty()) return false;
      reader_ = std::make_unique<BatchReader>(setup_.context, std::move(batches_.front()));
      batches_.pop_front();
    }
  }

 private:
  void load() {
    try {
      Collector collector(setup_.context);
      for (const auto& morsel : morsels_) {
        const auto reader = make_scan_reader(setup_, layout_, morsel);
        for (Batch batch; reader->next(batch); batch = Batch()) {
          if (batch.rows > 0) collector.add(std::move(batch));
        }
      }
      for (auto& batch : collector.take()) batches_.push_back(std::move(batch));
    } catch (const Error& error) {
      if (!is_bad_file(error)) throw;
      setup_.context.metrics().add_skipped_file(layout_.path, error.message());
    }
  }

  const ScanSetup& setup_;
  const FileLayout& layout_;
  std::vector<ScanMorsel> morsels_;
  bool loaded_ = false;
  std::deque<Batch> batches_;
  std::unique_ptr<Reader> reader_;
};

class ScanSource : public Source {
 public:
  ScanSource(Context& context, FileCache& files, std::shared_ptr<const plan::Plan> plan, const plan::Scan& scan,
             std::shared_ptr<JoinFilters> filters, NodeCounters& counters)
      : setup_{context, files, plan, scan, counters, {}, {}}, filters_(std::move(filters)) {}

  void prepare(const Parallel& parallel) override {
    const auto& scan = setup_.scan;
    setup_.keys = key_filters(scan, *filters_);
    setup_.filter_columns = filter_columns(*setup_.plan, scan, setup_.keys);
    layouts_.resize(scan.files.size());
    parallel(static_cast<int64_t>(scan.files.size()), [&](int64_t i) {
      const auto& path = scan.files[static_cast<size_t>(i)];
      try {
        layouts_[static_cast<size_t>(i)] = read_layout(setup_.files, scan, path);
      } catch (const Error& error) {
        if (!scan.options.skip_bad_files || !is_bad_file(error)) throw;
        setup_.context.metrics().add_skipped_file(path, error.message());
      }
    });
    int64_t first_row = 0;
    for (auto& layout : layouts_) {
      layout.first_row = first_row;
      for (const int64_t rows : layout.group_rows) first_row += rows;
    }
    make_morsels();
  }

  int64_t morsels() override {
    return static_cast<int64_t>(setup_.scan.options.skip_bad_files ? whole_files_.size() : morsels_.size());
  }

  std::unique_ptr<Reader> open(int64_t at) override {
    if (setup_.scan.options.skip_bad_files) {
      const auto& morsels = whole_files_[static_cast<size_t>(at)];
      return std::make_unique<WholeFileReader>(setup_, layouts_[static_cast<size_t>(morsels[0].file)], morsels);
    }
    const auto& morsel = morsels_[static_cast<size_t>(at)];
    const auto divided = divided_.find({morsel.file, morsel.group});
    return make_scan_reader(setup_, layouts_[static_cast<size_t>(morsel.file)], morsel,
                            divided == divided_.end() ? nullptr : divided->second);
  }

 private:
  int64_t group_count() const {
    int64_t groups = 0;
    for (const auto& layout : layouts_) groups += static_cast<int64_t>(layout.group_rows.size());
    return groups;
  }

  // Parts of a group of so many rows; 1 = it is not split.
  int64_t parts_of(int64_t rows, int64_t groups) const {
    const auto& settings = setup_.context.settings();
    const int64_t wanted = parts_per_thread * settings.threads;
    const bool reads_fields =
        std::any_of(setup_.scan.columns.begin(), setup_.scan.columns.end(),
                    [](const auto& column) { return column.source == plan::ColumnSource::field; });
    if (settings.threads == 1 || groups >= wanted || !reads_fields || setup_.scan.options.skip_bad_files) return 1;
    // a few rows of each: nothing to share
    if (std::any_of(setup_.keys.begin(), setup_.keys.end(), [](const auto& key) { return key.gives_rows(); })) return 1;
    return std::clamp<int64_t>(rows / (part_vectors * settings.batch_rows), 1, (wanted + groups - 1) / groups);
  }

  // First rows of the morsels of a group of so many rows.
  struct Division {
    std::vector<int64_t> starts{0};
    std::unique_ptr<SharedGroup> shared;  // the morsels are its windows
  };

  // Parts that start where a page does are cheap. Elsewhere threads share the group, and decode each column once; but a
  // filter before lists is worth reading alone: it skips most of them.
  Division divide(const FileLayout& layout, int32_t group, int64_t groups) const {
    const int64_t rows = layout.group_rows[static_cast<size_t>(group)];
    const int64_t parts = parts_of(rows, groups);
    if (parts == 1) return {};
    const int64_t threads = setup_.context.settings().threads;
    auto file = open_scan_file(setup_.files, setup_.scan, layout.path);
    int64_t row_bytes = 8;
    int32_t widest = -1;
    bool indexed = true, filters_lists = false;
    for (size_t i = 0; i < layout.fields.size(); ++i) {
      if (layout.fields[i] < 0) continue;
      const auto storage = file->storage(group, layout.fields[i]);
      if (widest < 0 || storage.row_bytes > row_bytes) widest = layout.fields[i];
      row_bytes = std::max(row_bytes, storage.row_bytes);
      indexed &= storage.page_index;
      filters_lists |= !setup_.filter_columns.empty() && physical(*layout.types[i]) == Physical::list;
    }
    if (indexed) {
      auto starts = nearest_starts(even_starts(rows, parts), file->page_starts(setup_.context, group, widest));
      if (static_cast<int64_t>(starts.size()) >= threads) return {std::move(starts), nullptr};
    } else if (groups >= whole_groups_per_thread * threads) {
      return {};
    }
    if (filters_lists) return {even_starts(rows, parts), nullptr};
    const int64_t vector = setup_.context.settings().batch_rows;
    const int64_t most = std::min({window_rows, window_bytes / row_bytes, (rows + parts - 1) / parts});
    auto shared = std::make_unique<SharedGroup>(setup_.context, std::move(file), group, layout.fields, rows,
                                                std::max(vector, most / vector * vector));
    std::vector<int64_t> starts;
    for (int64_t window = 0; window < shared->windows(); ++window) starts.push_back(shared->window_start(window));
    return {std::move(starts), std::move(shared)};
  }

  void add_group(size_t file, size_t group, int64_t group_start, int64_t groups, std::vector<ScanMorsel>& out) {
    const auto& layout = layouts_[file];
    const int64_t rows = layout.group_rows[group];
    ScanMorsel morsel{static_cast<int32_t>(file), static_cast<int32_t>(group), 0, rows, group_start, 0};
    auto [starts, shared] = divide(layout, morsel.group, groups);
    for (size_t part = 0; part < starts.size(); ++part) {
      morsel.window = static_cast<int64_t>(part);
      morsel.start = starts[part];
      morsel.end = part + 1 < starts.size() ? starts[part + 1] : rows;
      out.push_back(morsel);
    }
    if (starts.size() == 1 && !shared) return;
    auto divided = std::make_shared<DividedGroup>();
    divided->shared = std::move(shared);
    divided_[{morsel.file, morsel.group}] = std::move(divided);
  }

  void make_morsels() {
    const int64_t groups = group_count();
    for (size_t file = 0; file < layouts_.size(); ++file) {
      const auto& layout = layouts_[file];
      int64_t group_start = 0;
      std::vector<ScanMorsel> of_file;
      for (size_t group = 0; group < layout.group_rows.size(); ++group) {
        add_group(file, group, group_start, groups, of_file);
        group_start += layout.group_rows[group];
      }
      if (of_file.empty()) continue;
      if (setup_.scan.options.skip_bad_files)
        whole_files_.push_back(std::move(of_file));
      else
        morsels_.insert(morsels_.end(), of_file.begin(), of_file.end());
    }
  }

  ScanSetup setup_;
  std::shared_ptr<JoinFilters> filters_;
  std::vector<FileLayout> layouts_;
  std::vector<ScanMorsel> morsels_;
  std::vector<std::vector<ScanMorsel>> whole_files_;
  std::map<std::pair<int32_t, int32_t>, std::shared_ptr<DividedGroup>> divided_;  // by file and group
};

}  // namespace

std::unique_ptr<Source> make_scan(Context& context, FileCache& files, std::shared_ptr<const plan::Plan> plan,
                                  plan::NodeIndex node, std::shared_ptr<JoinFilters> filters, NodeCounters& counters) {
  const auto& scan = std::get<plan::Scan>(plan->nodes[node].op);
  return std::make_unique<ScanSource>(context, files, std::move(plan), scan, std::move(filters), counters);
}

}  // namespace quern::cpu
