#pragma once

#include <clang/Frontend/CompilerInstance.h>

#include <string>
#include <vector>

#include "findings.h"

namespace pallasgen::vet {

struct Report {
  Findings findings;
  std::vector<std::string> not_checked;  // each with its reason
  std::string facts;                     // JSON
};

// Checks one parsed file.
Report vet(clang::CompilerInstance& compiler, bool wants_facts);

}  // namespace pallasgen::vet
