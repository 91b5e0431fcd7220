#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/externs.h"

namespace pallasgen {

// The programs that read the headers of a run: one for each header and its arguments, shared by all specs that name it.
// The destructor ends them.
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

// The reader of a spec's header, which it looks for in the spec's folder, then in the include paths of `arguments`, a
// compiler's (-I, -D, …). Functions that run on the CPU are compiled into `cache_folder`. `sources` gets the files that
// diagnostics point into, and outlives the spec's kernel. Errors: extern-program, extern-header, host-toolkit.
OpenExtern extern_reader(const HeaderPrograms& programs, const std::vector<std::string>& arguments,
                         const std::string& cache_folder, Sources& sources);

// The first argument that is neither an include path nor a define; empty if there is none.
std::string other_than_includes(const std::vector<std::string>& arguments);

// The include paths and defines with which a compilation database (compile_commands.json, or the folder that holds it)
// compiles the file whose path ends with `output`, else its first .cu file. Nullopt with a diagnostic
// (compile-commands) if it cannot be read or has no such file.
std::optional<std::vector<std::string>> arguments_of_database(const std::string& path, const std::string& output,
                                                              Diagnostics& diagnostics);

}  // namespace pallasgen
