#pragma once

#include <clang/AST/ASTContext.h>

#include "counts.h"
#include "findings.h"
#include "launches.h"

namespace pallasgen::vet {

// A line of the comment at the top of a generated file.
struct FactLine {
  unsigned first = 0;  // offset in the file, in bytes
  std::string text;
  std::string section;  // tile, ring, rings, roles, threads, memory, barrier; empty before the first
};

// The comment's lines; empty if pallasgen did not write the file.
std::vector<FactLine> fact_lines(llvm::StringRef file);

StatedCounts stated_counts(const std::vector<FactLine>& lines);

// Reports numbers of the comment that disagree with the code. `unchecked` receives the lines with numbers that were not
// understood.
void check_facts(const std::vector<FactLine>& lines, const Launches::Followed& launch, const clang::ASTContext& context,
                 Findings& findings, std::vector<std::string>& unchecked);

}  // namespace pallasgen::vet
