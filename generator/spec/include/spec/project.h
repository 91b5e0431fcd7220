#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "diagnostics/diagnostic.h"

namespace pallasgen {

// pallasgen.yaml, at the root of a project: what commands take from it where the command line does not say it. Paths
// are those of the file, relative to its folder.
struct Project {
  std::vector<std::string> specs;  // files and folders
  std::string out, target, template_dir;
  std::vector<std::string> bindings, extern_args;
  std::vector<std::string> defines;  // "name=value"
  bool plan_json = false;
  bool frozen = false;  // launchers keep their signatures
};

inline constexpr const char* kProjectName = "pallasgen.yaml";

// Null with diagnostics where a key or a value is wrong.
std::optional<Project> read_project(const SourceText& source, Sources& sources, Diagnostics& diagnostics);

}  // namespace pallasgen
