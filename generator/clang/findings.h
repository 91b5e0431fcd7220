#pragma once

#include <clang/Basic/SourceLocation.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pallasgen::vet {

struct Fix {
  unsigned first = 0, length = 0;  // bytes of the file
  std::string text;
};

// A mistake in a kernel's file.
struct Finding {
  std::string rule;  // name in docs/vet.md
  clang::SourceLocation at;
  std::string text;
  std::vector<std::pair<clang::SourceLocation, std::string>> notes;
  std::optional<Fix> fix;
};

using Findings = std::vector<Finding>;

}  // namespace pallasgen::vet
