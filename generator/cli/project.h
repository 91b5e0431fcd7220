#pragma once

#include "commands.h"

namespace pallasgen {

// Settings that a command needs, from its arguments or from the project file.
struct Wanted {
  bool specs = false;    // some specs: those of the project if none are given
  bool out = false;      // an output root
  bool project = false;  // a project file
};

// Fills in what the arguments leave out from the project file: that of --project, of this folder or of the nearest
// above. `-D` and `--extern-arg` take precedence over the project's. False with diagnostics if the file is wrong or
// something is missing.
bool take_project(CommonOptions& options, const Wanted& wanted);

// The keys that `pallasgen project` prints.
std::vector<std::string> project_keys();

// Prints the values of a key of the project file, a line each, or without a key a line for each key.
int run_project(const CommonOptions& options, const std::string& key);

// The launchers' signatures that an output root keeps (`interface: frozen`): pallasgen.interface, one line per
// launcher.
class FrozenInterface {
 public:
  // Reads the records; false with a diagnostic.
  bool read(const std::string& out_root, Diagnostics& diagnostics);
  // Reports each launcher of the results whose signature differs from its record.
  void compare(const std::vector<std::unique_ptr<SpecResult>>& results, Diagnostics& diagnostics) const;
  // Records the signatures of the results, and removes those of pruned outputs; false with a diagnostic.
  bool write(const std::string& out_root, const std::vector<std::unique_ptr<SpecResult>>& results,
             const std::vector<std::string>& pruned, Diagnostics& diagnostics);

 private:
  std::map<std::string, std::string> signatures_;  // keyed by the place of the outputs: matmul/matmul_gelu
};

inline constexpr Rule kInterfaceFrozen{"interface-frozen", "A launcher's signature changes that the project keeps."};

}  // namespace pallasgen
