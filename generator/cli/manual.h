#pragma once

#include <string>

namespace CLI {
class App;
}

namespace pallasgen {

// The command table as a man page (section 1), and as completions of the two shells. `form`: man, bash or zsh.
std::string manual(const CLI::App& app, const std::string& form);

}  // namespace pallasgen
