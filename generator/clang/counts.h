#pragma once

#include <clang/AST/ASTContext.h>

#include <map>

#include "findings.h"
#include "launches.h"

namespace pallasgen::vet {

// What the comment at the head of a file says of its barriers: arrivals, by the name of the barrier's array.
using SaidCounts = std::map<std::string, int64_t>;

// What can be counted over the whole of a launch: arrivals against the counts of barriers, bytes, boxes, named
// barriers, registers, shared memory, and orders that one thread has to keep.
void check_counts(const Launches::Followed& launch, const SaidCounts& said, const clang::ASTContext& context,
                  Findings& findings);

}  // namespace pallasgen::vet
