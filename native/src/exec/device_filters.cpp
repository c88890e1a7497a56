#include "exec/device_filters.hpp"

namespace quern {

namespace {

// Keys of larger tables are not brought to the host: 32 MiB of them.
constexpr int64_t most_rows = 1 << 22;

}  // namespace

void set_device_filters(Context& context, const plan::Plan& plan, plan::NodeIndex join, cuda::Run& run,
                        cpu::JoinFilters& filters) {
  for (const auto& key : std::get<plan::Join>(plan.nodes[static_cast<size_t>(join)].op).keys) {
    const auto& expr = plan.exprs[static_cast<size_t>(key.build)];
    if (key.filter < 0 || expr.kind != plan::ExprKind::column) continue;
    const ColumnPtr keys = run.second_column(join, expr.column, most_rows);
    if (keys != nullptr) {
      filters.set(key.filter, std::make_shared<cpu::JoinFilter>(context, expr.type, std::vector<ColumnPtr>{keys},
                                                                key.filters_rows));
    }
  }
}

}  // namespace quern
