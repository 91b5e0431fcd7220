#pragma once

#include <clang/AST/ASTContext.h>

#include <map>

#include "findings.h"
#include "launches.h"

namespace pallasgen::vet {

// Arrivals by the name of a barrier's array, as the comment at the top of the file states them.
using StatedCounts = std::map<std::string, int64_t>;

// Checks sums over a whole launch: arrivals against the counts of barriers, bytes, boxes, named barriers, registers,
// shared memory. Also checks orders that a single thread must keep.
void check_counts(const Launches::Followed& launch, const StatedCounts& said, const clang::ASTContext& context,
                  Findings& findings);

}  // namespace pallasgen::vet
