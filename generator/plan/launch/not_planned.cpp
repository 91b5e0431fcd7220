#include <fmt/format.h>

#include <algorithm>

#include "launch/work.h"
#include "plan/rules.h"
#include "program/index_terms.h"

namespace pallasgen {

namespace {

// Refuses what the front end accepts and no pass plans yet. A pass that adds support for one removes its line.
class Refusals {
 public:
  explicit Refusals(Draft& draft) : draft_(draft), kernel_(*draft.kernel) {}

  bool run() {
    for (const Ref& ref : kernel_.refs) check(ref);
    for_each_statement(kernel_.body, [&](const KernelStmt& statement) { check(statement); });
    for_each_value(kernel_.body, [&](const TypedPtr& value) { check(value); });
    for (const Axis& axis : kernel_.axes) check(axis.size);
    for (const Let& let : kernel_.lets) check(let.value);
    return fine_;
  }

 private:
  Draft& draft_;
  const Kernel& kernel_;
  bool fine_ = true;

  void refuse(const Rule& rule, Span span, const std::string& what, const std::string& works) {
    draft_.refuse(rule, span.source ? span : kernel_.span, what + " is not planned yet").note(works);
    fine_ = false;
  }

  void check(const Ref& ref) {
    if (ref.space == MemorySpace::tmem)
      refuse(kPlanOperand, ref.span, fmt::format("'{}' with `space: tmem`", ref.name),
             "blocks in shared memory or registers work");
    // fill_array writes at least a byte per element, and would write past the end.
    if (ref.init && info(ref.dtype).bits < 8)
      refuse(kPlanOperand, ref.span, fmt::format("`init` of '{}', whose elements are half a byte,", ref.name),
             "elements of a byte and more work, and outputs of which every element is written without `init`");
    // The words that contain its bytes would extend past the array.
    TypedPtr elements = index_constant(1);
    for (const TypedPtr& extent : ref.array_shape) elements = multiply(elements, extent);
    const std::optional<int64_t> size = constant_value(elements);
    if (ref.reduce && info(ref.dtype).bits == 8 && (!ref.strides.empty() || (size && *size % 4 != 0)))
      refuse(kPlanOperand, ref.span,
             fmt::format("`reduce` of '{}', {} of one byte {},", ref.name,
                         size ? fmt::format("{} elements", *size) : "elements",
                         ref.strides.empty() ? "that end within a word of 4" : "with strides"),
             "contiguous arrays whose size is a multiple of 4 work, and elements of 2 bytes and more");
    if (ref.multicast) refuse(kPlanOperand, ref.span, fmt::format("`multicast` of '{}'", ref.name), "leave it out");
    if (!ref.transforms.empty())
      refuse(kPlanOperand, ref.transforms[0].span, fmt::format("`transforms` of '{}'", ref.name), "leave it out");
    for (const BlockDim& dim : ref.block) {
      check(dim.index);
      check(dim.slice_size);
    }
    for (const TypedPtr& extent : ref.array_shape) check(extent);
  }

  void check(const KernelStmt& statement) {
    // A CTA with several tiles would wait in the first one for programs that have not started.
    if (std::holds_alternative<GridSyncStmt>(statement.node) && kernel_.schedule.persistent.value)
      refuse(kPlanSetting, kernel_.schedule.persistent.span, "`persistent: true` of a kernel with 'grid_sync'",
             "`persistent: false` works");
    if (!kernel_.pipeline.warp_specialized.value) return;
    if (std::holds_alternative<GridSyncStmt>(statement.node))
      refuse(kPlanBody, statement.span, "'grid_sync' beside a producer", "`warp_specialized: false` works");
    if (const auto* store = std::get_if<StoreStmt>(&statement.node);
        store && store->order != pallasgen::MemoryOrder::weak)
      refuse(kPlanBody, statement.span, "'order' of a store beside a producer", "`warp_specialized: false` works");
  }

  void check(const TypedPtr& value) {
    walk(value, [&](const Typed& node) {
      if (!fine_) return;
      const Symbol* symbol = node.as<Symbol>();
      if (!kernel_.pipeline.warp_specialized.value) return;
      if (symbol && symbol->kind == SymbolKind::ticket)
        refuse(kPlanBody, node.span, "'ticket()' beside a producer", "`warp_specialized: false` works");
      if (const RefRead* read = node.as<RefRead>(); read && read->order != pallasgen::MemoryOrder::weak)
        refuse(kPlanBody, node.span, "'order' of a load beside a producer", "`warp_specialized: false` works");
    });
  }
};

}  // namespace

bool check_body_supported(Draft& draft) { return Refusals(draft).run(); }

}  // namespace pallasgen
