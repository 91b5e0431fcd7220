#include <fmt/format.h>

#include <algorithm>

#include "access.h"
#include "epilogue.h"
#include "tensor_copies.h"
#include "values.h"

// What the epilogue of a matmul reads and stores, and how.
namespace pallasgen {

bool stored_by_tensor_copy(const Draft& draft, int index) {
  const Ref& ref = draft.ref(index);
  const int64_t bits = info(ref.dtype).bits;
  return draft.target->tma && !ref.alias_of && (bits == 16 || bits == 32) && pitch_is_proved(draft, index) &&
         ref.block.back().kind != BlockKind::squeezed &&
         static_cast<int>(ref.array_shape.size()) <= draft.target->max_tensor_rank;
}

std::optional<EpilogueRefs> epilogue_refs(Draft& draft, const MatmulForm& form) {
  const Kernel& kernel = *draft.kernel;
  EpilogueRefs refs;
  bool fine = true;
  for (const KernelStmt* statement : form.epilogue) {
    const StoreStmt* store = std::get_if<StoreStmt>(&statement->node);
    const BindStmt* bind = std::get_if<BindStmt>(&statement->node);
    if (!store && !bind) {
      draft.refuse(kPlanBody, statement->span, "this statement is not planned yet in the epilogue of a matmul");
      return std::nullopt;
    }
    walk(store ? store->value : bind->value, [&](const Typed& node) {
      const RefRead* read = node.as<RefRead>();
      if (!read || kernel.refs[read->ref].role != RefRole::input) return;
      const int ref = read->ref;
      if (std::find(refs.inputs.begin(), refs.inputs.end(), ref) == refs.inputs.end()) refs.inputs.push_back(ref);
    });
    if (!store) continue;
    const Ref& output = kernel.refs[store->ref];
    const Shape& tile = kernel.refs[form.acc].shape;
    if (output.role != RefRole::output || store->op || store->mask || !store_is_whole(kernel, *store) ||
        output.shape != tile) {
      draft.refuse(
          kPlanBody, statement->span,
          fmt::format("a store to '{}' other than of its whole block of {} x {} is not planned yet in the epilogue "
                      "of a matmul",
                      output.name, tile[0], tile[1]));
      fine = false;
    } else if (std::find(refs.outputs.begin(), refs.outputs.end(), store->ref) != refs.outputs.end()) {
      draft.refuse(kPlanBody, statement->span, fmt::format("a second store to '{}' is not planned yet", output.name));
      fine = false;
    } else {
      fine = check_direct_access(draft, store->ref) && fine;
      refs.outputs.push_back(store->ref);
    }
  }
  for (int input : refs.inputs) fine = check_direct_access(draft, input) && fine;
  for (const std::vector<int>* list : {&refs.inputs, &refs.outputs}) {
    for (int ref : *list) {
      for (const BlockDim& dim : draft.ref(ref).block) {
        if (dim.kind != BlockKind::bounded_slice) continue;
        draft.refuse(kPlanOperand, dim.span,
                     fmt::format("'{}' has a bounded_slice: not planned yet in a matmul", draft.ref(ref).name));
        fine = false;
      }
    }
  }
  if (!fine) return std::nullopt;
  return refs;
}

}  // namespace pallasgen
