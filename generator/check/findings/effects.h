#pragma once

#include <vector>

#include "kernel/context.h"

namespace pallasgen {

// Reports the first element of an output's block that no store writes, if all indices of the stores are constant.
// `stores` are StoreStmts of that ref, at least one.
void check_coverage(Context& context, const Ref& ref, const std::vector<const KernelStmt*>& stores);

}  // namespace pallasgen
