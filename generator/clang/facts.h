#pragma once

#include <clang/AST/ASTContext.h>

#include "counts.h"
#include "findings.h"
#include "launches.h"

namespace pallasgen::vet {

// A line of the comment at the head of a generated file.
struct FactLine {
  unsigned first = 0;  // byte of the file
  std::string text;
  std::string section;  // tile, ring, roles, threads, memory, barrier; empty before the first
};

// The comment's lines; empty if pallasgen did not write the file.
std::vector<FactLine> fact_lines(llvm::StringRef file);

SaidCounts said_counts(const std::vector<FactLine>& lines);

// Numbers of the comment that the code does not bear out. `unchecked` gets those lines with numbers that were not
// understood.
void check_facts(const std::vector<FactLine>& lines, const Launches::Followed& launch, const clang::ASTContext& context,
                 Findings& findings, std::vector<std::string>& unchecked);

}  // namespace pallasgen::vet
