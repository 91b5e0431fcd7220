#include "usage.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "loading.h"
#include "manual.h"

namespace pallasgen {

namespace {

void take_error_format(const std::vector<std::string>& words, DiagnosticStream& errors) {
  constexpr std::string_view kOption = "--error-format";
  for (size_t i = 0; i < words.size(); ++i) {
    std::string_view value;
    if (words[i] == kOption && i + 1 < words.size()) value = words[i + 1];
    if (words[i].starts_with(std::string(kOption) + "=")) value = std::string_view(words[i]).substr(kOption.size() + 1);
    if (value == "json" || value == "github")
      errors.set_format(value == "json" ? ErrorFormat::json : ErrorFormat::github);
  }
}

// The first word that looks like an option but is not one of the command's; empty if there is none.
std::string unknown_option(const CLI::App& command, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") break;
    const std::string name = word.substr(0, word.find('='));
    if (name.size() > 2 && name.starts_with("--") && command.get_option_no_throw(name) == nullptr) return name;
  }
  return "";
}

}  // namespace

void report_usage(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv, DiagnosticStream& errors) {
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  take_error_format(words, errors);
  std::vector<std::string> names;
  const CLI::App* command = nullptr;
  for (const CLI::App* each : commands_of(app)) {
    names.push_back(each->get_name());
    if (!words.empty() && words[0] == each->get_name()) command = each;
  }
  Diagnostics diagnostics;
  if (!command) {
    const bool named = !words.empty() && !words[0].starts_with('-');
    Diagnostic& out = diagnostics.error(kCommandLine, {},
                                        named            ? fmt::format("'{}' is not a command", words[0])
                                        : !words.empty() ? fmt::format("'{}' is not an option of pallasgen", words[0])
                                                         : std::string("a command is wanted"));
    std::string near =
        words.empty() ? "" : nearest(words[0], named ? names : std::vector<std::string>{"--help", "--version"});
    // Other tools have commands for these.
    if (named && (words[0] == "help" || words[0] == "version")) near = "--" + words[0];
    if (!near.empty()) out.note(fmt::format("did you mean '{}'?", near));
    out.note(fmt::format("the commands are {}; `pallasgen --help` says what each does", fmt::join(names, ", ")));
  } else {
    std::vector<std::string> options;
    for (const CLI::Option* option : options_of(*command))
      for (const std::string& name : names_of(*option)) options.push_back(name);
    const std::string unknown = unknown_option(*command, words);
    Diagnostic& out = diagnostics.error(
        kCommandLine, {},
        unknown.empty() ? error.what() : fmt::format("'{}' is not an option of {}", unknown, command->get_name()));
    const std::string near = unknown.empty() ? "" : nearest(unknown, options);
    if (!near.empty()) out.note(fmt::format("did you mean '{}'?", near));
    out.note(fmt::format("`pallasgen {} --help` lists its options", command->get_name()));
  }
  errors.write(diagnostics);
  errors.close();
}

}  // namespace pallasgen
