#pragma once

#include <clang/AST/ASTContext.h>

#include "findings.h"
#include "trace.h"

namespace pallasgen::vet {

// True if the record is a barrier or a queue that contains barriers.
bool holds_barriers(const clang::CXXRecordDecl& record);

// The name of a place in shared memory as in the kernel's source: smem.full[2].
std::string name_of(const Pointer& place, const clang::ASTContext& context);

// The name of the barrier's array: smem.full.
std::string array_of(const Pointer& place, const clang::ASTContext& context);

// Runs the threads of a launch concurrently and reports waits that never end, and unordered accesses of copies, tensor
// cores and threads to one place.
void simulate(const Launch& launch, const clang::ASTContext& context, Findings& findings);

}  // namespace pallasgen::vet
