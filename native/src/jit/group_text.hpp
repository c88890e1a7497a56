// Kernels of a group-by over cuda/fragments/group_rows.cuh and group_parts.cuh: what rows and groups are is text, what
// is done with them stands there. Pure: plan in, text out.
#pragma once
#include <optional>
#include <vector>

#include "jit/group_layout.hpp"
#include "jit/pipeline_text.hpp"
#include "jit/string_key.hpp"

namespace quern::jit {

struct GroupTexts {
  KernelText blocks;               // rows into tables in shared memory
  KernelText table;                // rows into a table in device memory
  KernelText merge;                // slots into such a table
  KernelText finish;               // slots into columns
  bool has_parts;                  // rows can be grouped in parts: they are few words
  std::vector<StringKey> strings;  // keys of strings, in order
  std::optional<KernelText> made;  // those that have to be made, as values_text() makes them
  std::vector<TypePtr> made_types;

  // Those that nearly every run needs; the others are compiled when they are wanted.
  std::vector<KernelText> now() const { return {blocks, finish}; }
  // Whether an expression of the rows can fail.
  bool can_fail() const { return blocks.source.find("fail(in, row)") != std::string::npos; }
  // Literals of all kernels that read rows.
  const std::vector<ColumnPtr>& literals() const { return blocks.literals; }
};

// Kernels that group by parts of the hash.
struct PartTexts {
  KernelText partition;  // rows into records of the first pass
  KernelText again;      // those into parts of the second
  KernelText group;      // parts into slots
  int32_t record_words;
};

// Filters, projection, fused nodes and aggregation of a segment.
GroupTexts group_texts(const plan::Plan& plan, const Segment& segment);
// `nullable`: columns of the input that have NULLs. Where none of what a row brings can be NULL its record is shorter.
PartTexts part_texts(const plan::Plan& plan, const Segment& segment, const std::vector<bool>& nullable);

// Whether kernels take the columns' views as a parameter, behind the input. A kernel has 4 KB of parameters.
bool holds_columns(const Segment& segment);
// Rows that a thread of the kernels takes at a time: as many as it may hold.
int32_t rows_a_thread(const GroupLayout& layout);

}  // namespace quern::jit
