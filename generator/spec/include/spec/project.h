#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "diagnostics/diagnostic.h"

namespace pallasgen {

// pallasgen.yaml at the root of a project: defaults of the command line. Paths are as in the file, relative to its
// folder.
struct Project {
  std::vector<std::string> specs;  // files and folders
  std::string out, target, template_dir;
  std::vector<std::string> bindings, extern_args;
  std::vector<std::string> defines;  // "name=value"
  bool plan_json = false;
  bool frozen = false;  // launchers keep their signatures
};

inline constexpr const char* kProjectName = "pallasgen.yaml";

// Reads a project file; null with diagnostics if it is wrong.
std::optional<Project> read_project(const SourceText& source, Sources& sources, Diagnostics& diagnostics);

}  // namespace pallasgen
