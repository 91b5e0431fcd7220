#pragma once

#include <clang/AST/ASTContext.h>

#include "findings.h"
#include "trace.h"

namespace pallasgen::vet {

// Whether it is a barrier, or a queue that has some.
bool holds_barriers(const clang::CXXRecordDecl& record);

// The name of a place in shared memory, as the kernel's source says it: smem.full[2].
std::string name_of(const Pointer& place, const clang::ASTContext& context);

// The barrier's array alone: smem.full.
std::string array_of(const Pointer& place, const clang::ASTContext& context);

// Runs the threads of a launch against one another: waits that nobody ends, and accesses of copies, tensor cores and
// threads to one place that nothing orders.
void simulate(const Launch& launch, const clang::ASTContext& context, Findings& findings);

}  // namespace pallasgen::vet
