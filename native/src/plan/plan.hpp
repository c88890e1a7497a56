// The decoded physical plan. Twin of src/operators/wire.ts, which documents every field.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "columnar/column.hpp"
#include "common/error.hpp"

namespace quern::plan {

constexpr int32_t format = 5;  // PLAN_FORMAT

using ExprIndex = int32_t;
using NodeIndex = int32_t;

enum class ExprKind : uint8_t {
  column,
  literal,
  call,
  cast,
  conjunction,
  disjunction,
  case_when,
  coalesce,
  in_list,
  lambda
};

struct Expr {
  ExprKind kind = ExprKind::literal;
  TypePtr type;
  std::vector<ExprIndex> args;
  std::optional<SourceSpan> span;
  int32_t column = -1;     // column
  ColumnPtr literal;       // literal: a constant column of one row
  std::string fn;          // call
  bool try_cast = false;   // cast
  int32_t parameters = 0;  // lambda: args[0] = body over columns [parameters..., captures...], args[1..] = captures
};

struct Field {
  std::string name;
  TypePtr type;
};

struct SortKey {
  ExprIndex expr = 0;
  bool descending = false;
  bool nulls_first = false;
};

struct Aggregate {
  std::string fn;
  std::vector<ExprIndex> args;
  bool distinct = false;
  std::optional<ExprIndex> filter;
  std::vector<SortKey> order;
  TypePtr type;
  std::optional<SourceSpan> span;
};

enum class ColumnSource : uint8_t { field, filename, file_row_number, row_number, hive };

struct ScanColumn {
  std::string name;
  TypePtr type;
  ColumnSource source = ColumnSource::field;
  std::string field;
  int32_t nth = 0;  // which of the file's fields of this name, 0 = the first
};

struct ScanOptions {
  bool binary_as_string = false;
  bool union_by_name = false;
  bool hive_partitioning = false;
  std::vector<std::string> bfloat16;
  bool skip_bad_files = false;
};

enum class FileFormat : uint8_t { parquet, arrow };

// A column of a scan whose values a join compares with its keys.
struct ScanJoinFilter {
  int32_t column = 0;
  int32_t filter = 0;  // number of the filter in the plan
};

struct Scan {
  FileFormat format = FileFormat::parquet;
  std::vector<std::string> files;
  std::vector<ScanColumn> columns;
  ScanOptions options;
  std::vector<ExprIndex> filter;
  std::optional<int64_t> limit;
  std::vector<ScanJoinFilter> join_filters;
};
struct Filter {
  std::vector<ExprIndex> predicate;
};
struct Project {
  std::vector<ExprIndex> exprs;
};
struct HashGroupBy {
  std::vector<ExprIndex> keys;
  std::vector<Aggregate> aggregates;
  bool fused = false;  // on a GPU: one kernel with the joins, filters and projections below it
};
struct Sort {
  std::vector<SortKey> keys;
};
struct TopK {
  std::vector<SortKey> keys;
  int64_t limit = 0;
  int64_t offset = 0;
};
struct Limit {
  std::optional<int64_t> limit;
  int64_t offset = 0;
};
struct UnionAll {};
struct Values {
  std::vector<std::vector<ExprIndex>> rows;
};
struct Range {
  int64_t start = 0, stop = 0, step = 1;
};
struct Unnest {
  std::vector<int32_t> keep;
  std::vector<ExprIndex> lists;
  bool ordinality = false;
  bool outer = false;
};
struct Generate {
  std::string generator;
  double scale = 0;
  uint64_t seed = 0;
  std::vector<int32_t> columns;
};
enum class JoinType : uint8_t { inner, left, right, full, semi, anti, mark, single };
// Whether all that matters of a row of the first input is if it has a match.
inline bool decides_rows(JoinType type) {
  return type == JoinType::semi || type == JoinType::anti || type == JoinType::mark;
}
struct JoinKey {
  ExprIndex probe = 0;  // over the first input
  ExprIndex build = 0;  // over the second
  bool null_safe = false;
  int32_t filter = -1;        // number of the filter that scans below the first input use; -1 = none
  bool filters_rows = false;  // it looks at rows, not only at row groups and pages
};
// Pairs of rows of both inputs, the first being the side that streams. Without keys every pair is tested.
struct Join {
  JoinType type = JoinType::inner;
  std::vector<JoinKey> keys;
  std::vector<ExprIndex> residual;  // over the columns of both inputs
  std::vector<int32_t> keep;        // columns of both inputs
  bool null_aware = false;          // mark: NULL where a NULL leaves it open
  bool sorted = false;             // without keys: rows are found by search in sorted values, not by testing every pair
  std::optional<SourceSpan> span;  // single: of the subquery
};
enum class ExchangeMode : uint8_t { to_device, to_host, hash, broadcast, gather };
struct Exchange {
  ExchangeMode mode = ExchangeMode::gather;
  std::vector<ExprIndex> keys;
};

// What becomes of the files of a folder that is there: an error, all go, those of the same names go.
enum class ExistingFiles : uint8_t { refuse, replace, merge };

// The file appears when complete. compression: none, snappy, gzip, brotli, zstd or lz4. With file_bytes, per_thread or
// partition_by the path is that of a folder of files.
struct WriteParquet {
  std::string path;
  std::string compression;
  std::optional<int> level;  // of gzip, brotli, zstd
  int64_t group_rows = 0;
  int64_t group_bytes = 0;
  int64_t file_bytes = 0;   // size at which a file ends and the next one begins; 0 = never
  bool per_thread = false;  // each thread writes files of its own
  double bloom_ratio = 0;   // wrong hits of bloom filters; 0 = none are written
  // Names of the folders' keys, whose values are the input's last columns, as text; these are not written.
  std::vector<std::string> partition_by;
  ExistingFiles existing = ExistingFiles::refuse;
  std::string file_name;  // in folders; {i}, {uuid}, {uuidv4}, {uuidv7} are replaced
};

enum class Device : uint8_t { cpu, gpu };

struct Node {
  std::vector<NodeIndex> inputs;
  std::vector<Field> output;
  Device device = Device::cpu;
  int32_t instances = 1;
  std::variant<Scan, Filter, Project, HashGroupBy, Sort, TopK, Limit, UnionAll, Values, Range, Unnest, Generate, Join,
               Exchange, WriteParquet>
      op;
};

// The conjuncts that a filter, or a scan with its own, lets rows through by; nullptr for other nodes.
inline const std::vector<ExprIndex>* predicate_of(const Node& node) {
  if (const auto* filter = std::get_if<Filter>(&node.op)) return &filter->predicate;
  if (const auto* scan = std::get_if<Scan>(&node.op)) return &scan->filter;
  return nullptr;
}

struct Plan {
  std::vector<Expr> exprs;
  std::vector<Node> nodes;  // the last one is the root
};

// Parses and validates the JSON document: index ranges, arity, types of expressions against functions.def, re-derived
// output schemas, devices. Throws internal errors that name the row ("plan node 3 (filter): ..."), never aborts.
std::shared_ptr<const Plan> decode(const char* json, size_t bytes, Memory& memory);

}  // namespace quern::plan
