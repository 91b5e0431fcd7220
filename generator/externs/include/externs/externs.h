#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/externs.h"

namespace pallasgen {

// The programs that read the headers of a run: one for each header and its arguments, which all specs share that name
// it. They end with this.
class HeaderPrograms {
 public:
  HeaderPrograms();
  ~HeaderPrograms();
  HeaderPrograms(const HeaderPrograms&) = delete;
  HeaderPrograms& operator=(const HeaderPrograms&) = delete;

  struct State;
  const std::shared_ptr<State>& state() const { return state_; }

 private:
  std::shared_ptr<State> state_;
};

// What reads the header of a spec: it is looked for beside the spec, then in the include paths of `arguments`, which
// are a compiler's (-I, -D, …). Functions that run on the CPU are compiled into `cache_folder`. The sources get the
// files that diagnostics point into; they outlive the spec's kernel. Errors: extern-program, extern-header,
// host-toolkit.
OpenExtern extern_reader(const HeaderPrograms& programs, const std::vector<std::string>& arguments,
                         const std::string& cache_folder, Sources& sources);

// The first argument that gives neither an include path nor a define; empty: there is none.
std::string other_than_includes(const std::vector<std::string>& arguments);

// The include paths and defines with which a compilation database (compile_commands.json, or the folder that holds it)
// compiles the file whose path ends with `output`, or else its first .cu file. Null with a diagnostic
// (compile-commands) where it cannot be read or has none.
std::optional<std::vector<std::string>> arguments_of_database(const std::string& path, const std::string& output,
                                                              Diagnostics& diagnostics);

}  // namespace pallasgen
