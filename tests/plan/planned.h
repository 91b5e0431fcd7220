#pragma once

#include <doctest/doctest.h>

#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

#include "plan/plan.h"

// A spec given as text, checked and planned, with its diagnostics as text.
struct Planned {
  pallasgen::Sources sources;
  pallasgen::Diagnostics diagnostics;
  std::optional<pallasgen::Kernel> kernel;
  std::optional<pallasgen::Plan> plan;

  explicit Planned(const std::string& text, const std::vector<pallasgen::Define>& defines = {},
                   const std::string& target = "", const std::string& path = "spec.yaml") {
    const pallasgen::SourceText& source = sources.add(path, text);
    std::optional<pallasgen::Spec> spec = read_spec(source, defines, sources, diagnostics);
    if (spec) kernel = check(std::make_shared<const pallasgen::Spec>(std::move(*spec)), diagnostics);
    if (kernel) plan = make_plan(*kernel, target.empty() ? kernel->targets.front() : target, diagnostics);
  }

  std::string errors() const { return render(diagnostics, pallasgen::ErrorFormat::text, false); }
  // True if a warning says that a dot does not use tensor cores.
  bool has_scalar_dot() const { return errors().find("without tensor cores") != std::string::npos; }
  bool has_rule(const std::string& rule) const {
    for (const pallasgen::Diagnostic& diagnostic : diagnostics.all()) {
      if (diagnostic.rule == rule) return true;
    }
    return false;
  }
};

inline std::string text_of(const std::string& path) {
  std::ifstream file(std::string(PALLASGEN_SOURCE_DIR) + "/" + path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// A spec of the library.
inline Planned library(const std::string& path, const std::vector<pallasgen::Define>& defines = {},
                       const std::string& target = "") {
  return Planned(text_of("specs/" + path), defines, target, "specs/" + path);
}

// Returns the launcher's requirements of pointers of arrays that are accessed without a map.
inline std::vector<pallasgen::Requirement> pointers_of(const pallasgen::Plan& plan) {
  std::vector<pallasgen::Requirement> found;
  for (const pallasgen::Requirement& requirement : plan.launch.requirements)
    if (requirement.kind == pallasgen::RequirementKind::aligned) found.push_back(requirement);
  return found;
}

// Returns the number of statements of the kind.
template <class T>
int count(const pallasgen::program::Statements& statements) {
  int found = 0;
  pallasgen::for_each_statement(statements, [&](const pallasgen::program::Statement& statement) {
    found += std::holds_alternative<T>(statement.node) ? 1 : 0;
  });
  return found;
}
