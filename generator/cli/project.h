#pragma once

#include "commands.h"

namespace pallasgen {

// What a command must know before it runs, from its arguments or from the project file.
struct Wanted {
  bool specs = false;    // some: those of the project, where none are given
  bool out = false;      // an output root
  bool project = false;  // a project file
};

// Puts what the project file says, which is that of --project, of this folder or of the nearest one above, where the
// arguments say nothing; `-D` and `--extern-arg` go over the project's. False where the file is wrong or something is
// missing, which is told.
bool take_project(CommonOptions& options, const Wanted& wanted);

// What `pallasgen project` can be asked for.
std::vector<std::string> project_keys();

// Prints what a key of the project file says, a line for each value, or without a key a line for each of them.
int run_project(const CommonOptions& options, const std::string& key);

// The launchers' signatures that an output root is held to (`interface: frozen`): pallasgen.interface, one line for
// each.
class FrozenInterface {
 public:
  // Reads what is recorded; false with a diagnostic.
  bool read(const std::string& out_root, Diagnostics& diagnostics);
  // An error for each launcher of the results whose signature is another than its record.
  void compare(const std::vector<std::unique_ptr<SpecResult>>& results, Diagnostics& diagnostics) const;
  // Records those of the results, less those of outputs that are pruned; false with a diagnostic.
  bool write(const std::string& out_root, const std::vector<std::unique_ptr<SpecResult>>& results,
             const std::vector<std::string>& pruned, Diagnostics& diagnostics);

 private:
  std::map<std::string, std::string> signatures_;  // by the place of the outputs: matmul/matmul_gelu
};

inline constexpr Rule kInterfaceFrozen{"interface-frozen", "A launcher's signature changes that the project keeps."};

}  // namespace pallasgen
