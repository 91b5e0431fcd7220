#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace pallasgen {

// The commands that users see, a command's named options (without positional ones), and an option's names: -D, --out.
std::vector<const CLI::App*> commands_of(const CLI::App& app);
std::vector<const CLI::Option*> options_of(const CLI::App& command);
std::vector<std::string> names_of(const CLI::Option& option);

// The command table as a man page (section 1), or as a shell's completion. `form`: man, bash or zsh.
std::string manual(const CLI::App& app, const std::string& form);

}  // namespace pallasgen
