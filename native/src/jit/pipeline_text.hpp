// Kernels of a segment of plan nodes: filters, at most one projection, at most one group-by; or one join, sort, limit,
// unnest or union; or a group-by with all nodes below it. Pure: plan in, text out.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "jit/group_layout.hpp"
#include "plan/plan.hpp"

namespace quern::jit {

struct KernelText {
  std::string name;
  std::string source;
  std::vector<ColumnPtr> literals;  // constant columns of one row: Input::literals
};

// Nodes that kernels run as one, in order of the data.
struct Segment {
  std::vector<plan::NodeIndex> filters;
  std::optional<plan::NodeIndex> project;
  std::optional<plan::NodeIndex> group;
  std::optional<plan::NodeIndex> sort;  // a sort or top-k, alone; it has no kernel text
  // Alone, each.
  std::optional<plan::NodeIndex> join;
  std::optional<plan::NodeIndex> limit;  // a limit, or a scan's own; it has no kernel text
  std::optional<plan::NodeIndex> unnest;
  std::optional<plan::NodeIndex> union_all;  // takes what is left in the place of other inputs; no kernel text
  // Filters, joins and projections below `group`, in one kernel with it. Then the members above but `group` are empty.
  std::vector<plan::NodeIndex> fused;
  std::vector<TypePtr> input;  // types of the columns that come in
};

// Cuts a chain of nodes; throws `unsupported` for a node that is none of these.
std::vector<Segment> segments(const plan::Plan& plan, const std::vector<plan::NodeIndex>& chain);

// The same with each group-by that the plan fuses as one segment with what is below it. They give the same rows where
// each key of the joins' second inputs is one row's.
std::vector<Segment> fused_segments(const plan::Plan& plan, const std::vector<Segment>& segments);

// Words of the keys of a join's second input: key_rows(Input, uint64_t* keys, uint32_t* mask), a set bit where no part
// of the key is NULL.
KernelText key_text(const plan::Plan& plan, const Segment& segment);
// The row of the second input with each row's key: probe_rows(Input, uint32_t* found, uint32_t* mask). A set bit where
// the join keeps the row; a row that is kept without one has found JoinView::rows, one more where a NULL in its key may
// be the match.
KernelText probe_text(const plan::Plan& plan, const Segment& segment);

// Pairs for which the condition beside a join's keys holds: test_pairs(Input, JoinPairs, uint32_t* mask, uint32_t*
// matched); a bit in `matched` for each entry that has one. Input::count is that of the pairs.
KernelText pair_text(const plan::Plan& plan, const Segment& segment);

// Rows that pass all filters: mask_rows(Input, uint32_t* mask).
KernelText mask_text(const plan::Plan& plan, const Segment& segment);

// What a segment computes of each row: the projection's values, or the lists that are to be rows; nullptr = nothing.
const std::vector<plan::ExprIndex>* computed_exprs(const plan::Plan& plan, const Segment& segment);

// Output column i is input column `column`, or computed (column < 0) into output view `output`.
struct OutputPlace {
  int32_t column = -1;
  int32_t output = -1;
};
std::vector<OutputPlace> output_places(const plan::Plan& plan, const Segment& segment);
// Computed columns: project_rows(Input, const OutputView*). Of lists the numbers of elements, 64-bit.
KernelText project_text(const plan::Plan& plan, const Segment& segment);
// Elements of computed lists, one output a list: write_lists(Input, const ListOutput*).
KernelText write_text(const plan::Plan& plan, const Segment& segment);

// Any values over the segment's input: `name`(Input, const OutputView*).
KernelText values_text(const plan::Plan& plan, const Segment& segment, const std::vector<plan::ExprIndex>& exprs,
                       const std::string& name);

// All kernels of a segment, in the order of their use.
std::vector<KernelText> kernel_texts(const plan::Plan& plan, const Segment& segment);

// The keys of a sort or top-k; nullptr for other nodes.
const std::vector<plan::SortKey>* sort_keys(const plan::Node& node);

// Why a node runs on the CPU; empty when the GPU can run it.
std::string cpu_reason(const plan::Plan& plan, plan::NodeIndex node);

}  // namespace quern::jit
