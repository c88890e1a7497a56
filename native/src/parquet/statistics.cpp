#include "parquet/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "parquet/convert.hpp"
#include "parquet/page_index.hpp"

namespace quern::parquet {

namespace {

enum class Order : uint8_t { none, integers, unsigned_integers, floats, bytes };

// How values of a leaf are ordered in statistics; none where writers disagree or the order is not defined.
Order statistics_order(const SchemaElement& element, const LeafType& leaf) {
  if (!leaf.type || element.logical.kind == LogicalKind::other) return Order::none;
  // Geometries are not read as the bytes they are stored as, and no order of them is defined.
  if (leaf.type->tag == TypeTag::geometry) return Order::none;
  switch (leaf.conversion) {
    case Conversion::big_endian_to_double:
    case Conversion::int32_to_double:
    case Conversion::int64_to_double:
    case Conversion::int96_to_timestamp:
    case Conversion::interval:
      return Order::none;
    default:
      break;
  }
  switch (leaf.type->kind) {
    case TypeKind::uint8:
    case TypeKind::uint16:
    case TypeKind::uint32:
    case TypeKind::uint64:
      return Order::unsigned_integers;
    case TypeKind::float16:
    case TypeKind::float32:
    case TypeKind::float64:
      return Order::floats;
    // Two-byte values that the user names bfloat16 are ordered as something else.
    case TypeKind::bfloat16:
      return Order::none;
    case TypeKind::string:
    case TypeKind::binary:
    case TypeKind::uuid:
      return Order::bytes;
    case TypeKind::decimal: {
      bool is_integer = leaf.physical == PhysicalType::int32 || leaf.physical == PhysicalType::int64;
      // Big-endian decimals: signed order, which only files that declare the order keep.
      return is_integer ? Order::integers : Order::bytes;
    }
    default:
      return Order::integers;
  }
}

double half_to_double(uint16_t bits) {
  int exponent = (bits >> 10) & 31;
  int fraction = bits & 1023;
  double magnitude = exponent == 0    ? std::ldexp(fraction, -24)
                     : exponent == 31 ? (fraction == 0 ? INFINITY : NAN)
                                      : std::ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

double float_value(const Column& column) {
  switch (column.type->kind) {
    case TypeKind::float16:
      return half_to_double(column.values<uint16_t>()[0]);
    case TypeKind::float32:
      return column.values<float>()[0];
    default:
      return column.values<double>()[0];
  }
}

// One stored value as a one-row column; null when it has the wrong length or does not fit.
ColumnPtr one_value(Memory& memory, const LeafType& leaf, std::string_view stored) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(stored.data());
  try {
    ColumnBuilder builder(memory, leaf.type, 1);
    if (leaf.conversion == Conversion::boolean) {
      if (stored.size() != 1 || bytes[0] > 1) return nullptr;
      builder.data<uint8_t>()[0] = bytes[0];
    } else if (leaf.conversion == Conversion::view) {
      // Bounds of fixed-length values may be cut short as well.
      if (leaf.check_utf8 && !valid_utf8(stored.data(), stored.size())) return nullptr;
      StringHeap heap(memory);
      builder.data<StringView>()[0] = heap.append(stored.data(), stored.size());
      builder.keep(heap.owners());
    } else if (leaf.physical == PhysicalType::byte_array) {
      if (stored.empty()) return nullptr;
      convert_bytes(leaf, {bytes, stored.size()}, builder.data<uint8_t>());
    } else {
      if (stored.size() != static_cast<size_t>(leaf.stored_width)) return nullptr;
      convert(leaf, bytes, 1, builder.data<uint8_t>());
    }
    return builder.finish();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::corrupt_file) throw;
    return nullptr;
  }
}

// Whether a stored time with zone is read as the time it is, not wrapped into the day.
bool in_day(const LeafType& leaf, std::string_view stored) {
  if (stored.size() != static_cast<size_t>(leaf.stored_width)) return false;
  int64_t value = 0, day = 86400000;
  if (leaf.conversion == Conversion::int32_to_utc_time) {
    int32_t narrow;
    std::memcpy(&narrow, stored.data(), 4);
    value = narrow;
  } else {
    std::memcpy(&value, stored.data(), 8);
    day *= 1000 * leaf.factor;
  }
  return value >= 0 && value <= day;
}

int compare_bytes(const StringView& a, const StringView& b) {
  int order = std::memcmp(a.data(), b.data(), std::min(a.length, b.length));
  if (order != 0) return order;
  return a.length < b.length ? -1 : a.length > b.length ? 1 : 0;
}

template <typename T>
int compare_as(const Column& a, const Column& b) {
  T left = a.values<T>()[0], right = b.values<T>()[0];
  return left < right ? -1 : right < left ? 1 : 0;
}

// Order of two one-row columns of one type.
int compare(const Column& a, const Column& b) {
  switch (physical(*a.type)) {
    case Physical::boolean:
    case Physical::uint8:
      return compare_as<uint8_t>(a, b);
    case Physical::int8:
      return compare_as<int8_t>(a, b);
    case Physical::int16:
      return compare_as<int16_t>(a, b);
    case Physical::uint16:
      return compare_as<uint16_t>(a, b);
    case Physical::int32:
      return compare_as<int32_t>(a, b);
    case Physical::uint32:
      return compare_as<uint32_t>(a, b);
    case Physical::int64:
      return compare_as<int64_t>(a, b);
    case Physical::uint64:
      return compare_as<uint64_t>(a, b);
    case Physical::int128:
      return a.type->kind == TypeKind::uuid ? compare_as<uint128_t>(a, b) : compare_as<int128_t>(a, b);
    case Physical::string:
      return compare_bytes(a.values<StringView>()[0], b.values<StringView>()[0]);
    default:
      return float_value(a) < float_value(b) ? -1 : float_value(a) > float_value(b) ? 1 : 0;
  }
}

// Zero bounds stand for either sign of zero.
ColumnPtr widen_zero(Memory& memory, const ColumnPtr& bound, bool is_min) {
  if (!bound || float_value(*bound) != 0) return bound;
  ColumnBuilder builder(memory, bound->type, 1, true);
  if (is_min) {
    switch (bound->type->kind) {
      case TypeKind::float16:
        builder.data<uint16_t>()[0] = 0x8000;
        break;
      case TypeKind::float32:
        builder.data<float>()[0] = -0.0F;
        break;
      default:
        builder.data<double>()[0] = -0.0;
    }
  }
  return builder.finish();
}

// The flat leaf that top-level field `field` is; null when it is nested or unsupported.
std::optional<FieldNode> flat_leaf(const File& file, int32_t field, const ReadOptions& options) {
  FieldNode node = resolve_field(file.schema, field, options);
  if (node.shape != Shape::leaf || !node.type || file.schema.nodes[node.node].max_repetition > 0) return std::nullopt;
  return node;
}

}  // namespace

Bounds read_bounds(Memory& memory, const SchemaElement& element, const LeafType& leaf, const StoredBounds& stored,
                   bool is_deprecated, bool has_known_order) {
  Bounds bounds;
  Order order = statistics_order(element, leaf);
  bounds.may_hold_nan = leaf.type && (order == Order::floats || leaf.type->kind == TypeKind::bfloat16);
  // Signed numbers have one order, whatever the writer; the others need the file's word.
  bool is_safe = order == Order::integers || (order == Order::floats && leaf.type->kind != TypeKind::float16) ||
                 (order != Order::none && !is_deprecated && has_known_order);
  if (!is_safe) return bounds;
  // Times that are wrapped lie outside of the stored bounds.
  const bool wraps =
      leaf.conversion == Conversion::int32_to_utc_time || leaf.conversion == Conversion::int64_to_utc_time;
  if (wraps && !(stored.min && stored.max && in_day(leaf, *stored.min) && in_day(leaf, *stored.max))) return bounds;
  if (stored.min) bounds.min = one_value(memory, leaf, *stored.min);
  if (stored.max) bounds.max = one_value(memory, leaf, *stored.max);
  if (order == Order::floats) {
    if ((bounds.min && std::isnan(float_value(*bounds.min))) || (bounds.max && std::isnan(float_value(*bounds.max)))) {
      bounds.min = bounds.max = nullptr;
    }
    bounds.min = widen_zero(memory, bounds.min, true);
    bounds.max = widen_zero(memory, bounds.max, false);
  }
  if (bounds.min && bounds.max && compare(*bounds.min, *bounds.max) > 0) bounds.min = bounds.max = nullptr;
  // Bytes may be cut short silently; numbers are whole unless the file says otherwise. Floats: NaN and zeros blur them.
  bool whole = !is_deprecated && (order == Order::integers || order == Order::unsigned_integers);
  bool floats = order == Order::floats;
  bounds.min_exact = bounds.min && !floats && stored.min_exact.value_or(whole);
  bounds.max_exact = bounds.max && !floats && stored.max_exact.value_or(whole);
  return bounds;
}

Bounds chunk_bounds(Memory& memory, const File& file, const ColumnChunk& chunk, int32_t leaf_index,
                    const LeafType& leaf) {
  const SchemaElement& element = file.schema.nodes[file.schema.leaves[leaf_index]].element;
  const Statistics& statistics = chunk.statistics;
  bool is_deprecated = !statistics.min_value && !statistics.max_value;
  StoredBounds stored;
  if (is_deprecated)
    stored = {statistics.min, statistics.max, std::nullopt, std::nullopt};
  else
    stored = {statistics.min_value, statistics.max_value, statistics.min_exact, statistics.max_exact};
  Bounds bounds = read_bounds(memory, element, leaf, stored, is_deprecated, file.has_known_order[leaf_index]);
  if (statistics.null_count && *statistics.null_count >= 0 && *statistics.null_count <= chunk.value_count) {
    bounds.null_count = statistics.null_count;
  }
  return bounds;
}

std::optional<Bounds> row_group_bounds(const File& file, int32_t row_group, int32_t field, const ReadOptions& options) {
  std::optional<FieldNode> node = flat_leaf(file, field, options);
  if (!node) return std::nullopt;
  try {
    ColumnChunk chunk = file.chunk(row_group, node->first_leaf);
    Bounds bounds = chunk_bounds(file.memory(), file, chunk, node->first_leaf, node->leaf);
    if (!node->nullable) bounds.null_count = 0;
    return bounds;
  } catch (const Error& error) {
    // A damaged chunk has no bounds; reading it says why.
    if (error.code() != ErrorCode::corrupt_file && error.code() != ErrorCode::unsupported) throw;
    return std::nullopt;
  }
}

std::optional<int64_t> dictionary_entries(Context& context, const File& file, int32_t row_group, int32_t field,
                                          const ReadOptions& options) {
  // a page header without statistics; a longer one gives no estimate
  constexpr int64_t longest_header = 256;
  std::optional<FieldNode> node = flat_leaf(file, field, options);
  if (!node) return std::nullopt;
  try {
    const ColumnChunk chunk = file.chunk(row_group, node->first_leaf);
    if (!chunk.dictionary_page_offset) return std::nullopt;
    const auto [start, end] = file.chunk_range(chunk);
    const int64_t size = std::min(longest_header, end - start);
    if (size <= 0) return std::nullopt;
    BufferPtr bytes = context.memory().allocate(static_cast<size_t>(size));
    file.handle()->read(start, {bytes->data(), static_cast<size_t>(size)});
    ThriftReader reader({bytes->data(), static_cast<size_t>(size)}, start);
    const PageHeader header = read_page_header(reader);
    const bool is_dictionary = static_cast<PageType>(header.type) == PageType::dictionary;
    if (!is_dictionary || !header.has_body_header || header.value_count < 0) return std::nullopt;
    return header.value_count;
  } catch (const Error& error) {
    // What is wrong with the chunk, reading it says.
    if (error.code() != ErrorCode::corrupt_file && error.code() != ErrorCode::unsupported) throw;
    return std::nullopt;
  }
}

namespace {

// Whether each page of the offset index holds the rows that the index gives it: rows are dropped on this word alone.
bool pages_agree(Context& context, const File& file, const std::vector<PageLocation>& pages, int64_t rows) {
  constexpr int64_t first_look = 256, longest_look = 64 << 10;
  auto handle = file.handle();
  for (size_t i = 0; i < pages.size(); ++i) {
    int64_t end = i + 1 < pages.size() ? pages[i + 1].first_row : rows;
    for (int64_t look = first_look;; look *= 8) {
      int64_t size = std::min<int64_t>(look, pages[i].size);
      BufferPtr bytes = context.memory().allocate(static_cast<size_t>(size));
      handle->read(pages[i].offset, {bytes->data(), static_cast<size_t>(size)});
      context.metrics().bytes_read.fetch_add(size, std::memory_order_relaxed);
      ThriftReader reader({bytes->data(), static_cast<size_t>(size)}, pages[i].offset);
      try {
        PageHeader header = read_page_header(reader);
        auto type = static_cast<PageType>(header.type);
        bool is_data = type == PageType::data || type == PageType::data_v2;
        if (!is_data || !header.has_body_header || header.value_count != end - pages[i].first_row) return false;
        break;
      } catch (const Error& error) {
        if (error.code() != ErrorCode::corrupt_file) throw;
        if (!reader.ran_out() || size == pages[i].size || look > longest_look) return false;
      }
    }
  }
  return true;
}

}  // namespace

std::vector<PageBounds> page_bounds(Context& context, const File& file, int32_t row_group, int32_t field,
                                    const ReadOptions& options) {
  std::optional<FieldNode> node = flat_leaf(file, field, options);
  if (!node) return {};
  const SchemaElement& element = file.schema.nodes[node->node].element;
  std::vector<PageBounds> found;
  try {
    ColumnChunk chunk = file.chunk(row_group, node->first_leaf);
    int64_t rows = row_group_rows(file, row_group);
    std::vector<PageLocation> pages = load_offset_index(context, file, chunk, rows);
    if (pages.empty()) return {};
    std::optional<LoadedColumnIndex> loaded = load_column_index(context, file, chunk, pages.size());
    if (!loaded || !pages_agree(context, file, pages, rows)) return {};
    const ColumnIndex& index = loaded->index;
    for (size_t i = 0; i < pages.size(); ++i) {
      PageBounds page;
      page.rows = {pages[i].first_row, i + 1 < pages.size() ? pages[i + 1].first_row : rows};
      page.all_null = index.null_pages[i];
      int64_t count = page.rows.end - page.rows.start;
      if (page.all_null) {
        page.bounds.null_count = count;
      } else {
        StoredBounds stored{index.min_values[i], index.max_values[i], std::nullopt, std::nullopt};
        page.bounds =
            read_bounds(context.memory(), element, node->leaf, stored, false, file.has_known_order[node->first_leaf]);
        bool counted = !index.null_counts.empty() && index.null_counts[i] >= 0 && index.null_counts[i] <= count;
        if (counted) page.bounds.null_count = index.null_counts[i];
        if (!node->nullable) page.bounds.null_count = 0;
      }
      found.push_back(std::move(page));
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::corrupt_file && error.code() != ErrorCode::unsupported) throw;
    return {};
  }
  return found;
}

}  // namespace quern::parquet
