#include "manual.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

namespace pallasgen {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  std::vector<const CLI::App*> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_group().empty()) commands.push_back(command);
  return commands;
}

std::vector<const CLI::Option*> options_of(const CLI::App& command) {
  std::vector<const CLI::Option*> options;
  for (const CLI::Option* option : command.get_options())
    if (option->nonpositional()) options.push_back(option);
  return options;
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

namespace {

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

std::string troff(const std::string& text) {
  return replaced(replaced(replaced(text, "\\", "\\e"), "-", "\\-"), "\n", " ");
}

// The words that an option takes, from its validator's type such as "TEXT:{text,json}"; empty: any.
std::vector<std::string> values_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const size_t begin = type.find('{'), end = type.find('}');
  std::vector<std::string> values;
  if (begin == std::string::npos || end == std::string::npos) return values;
  for (size_t at = begin + 1; at < end;) {
    const size_t comma = std::min(type.find(',', at), end);
    values.push_back(type.substr(at, comma - at));
    at = comma + 1;
  }
  return values;
}

std::string man_page(const CLI::App& app) {
  std::string text = fmt::format(
      ".TH PALLASGEN 1 \"\" \"pallasgen {}\" \"User Commands\"\n.SH NAME\npallasgen \\- CUDA kernels from specs\n.SH "
      "DESCRIPTION\n{}.\n.SH SYNOPSIS\n",
      PALLASGEN_VERSION, troff(app.get_description()));
  for (const CLI::App* command : commands_of(app))
    text += fmt::format(".B pallasgen {}\n[options]\n.br\n", command->get_name());
  text += ".SH COMMANDS\n";
  for (const CLI::App* command : commands_of(app)) {
    text += fmt::format(".SS {}\n{}\n", command->get_name(), troff(command->get_description()));
    for (const CLI::Option* option : options_of(*command)) {
      const std::string value = option->get_items_expected_max() == 0 ? "" : " " + option->get_type_name();
      text += fmt::format(".TP\n.B {}{}\n{}\n", troff(fmt::format("{}", fmt::join(names_of(*option), ", "))),
                          troff(value), troff(option->get_description()));
    }
  }
  return text +
         ".SH EXIT STATUS\n0: fine; 1: a spec is wrong or cannot be honoured; 2: the command line is wrong; 3: check "
         "or diff "
         "found differences; 4: a file cannot be read or written; 70: a bug of the tool.\n";
}

std::string bash_completion(const CLI::App& app) {
  std::vector<std::string> names;
  std::string cases;
  for (const CLI::App* command : commands_of(app)) {
    names.push_back(command->get_name());
    std::vector<std::string> words;
    std::string values;
    for (const CLI::Option* option : options_of(*command)) {
      const std::vector<std::string> names_of_option = names_of(*option);
      words.insert(words.end(), names_of_option.begin(), names_of_option.end());
      const std::vector<std::string> taken = values_of(*option);
      if (!taken.empty())
        values += fmt::format(" {}) values='{}' ;;", fmt::join(names_of_option, "|"), fmt::join(taken, " "));
    }
    cases += fmt::format("    {}) words='{}'\n      case $last in{} esac ;;\n", command->get_name(),
                         fmt::join(words, " "), values);
  }
  return fmt::format(
      "# Completion of pallasgen for bash.\n"
      "_pallasgen() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} last=${{COMP_WORDS[COMP_CWORD - 1]}} words='' values=''\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W '{} --help --version' -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n{}  esac\n"
      "  if [ -n \"$values\" ]; then\n"
      "    COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case $word in\n"
      "    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;;\n"
      "    *) COMPREPLY=() ;;\n"
      "  esac\n"
      "}}\n"
      "complete -o default -F _pallasgen pallasgen\n",
      fmt::join(names, " "), cases);
}

// Escapes text for a specification of _arguments between single quotes in a zsh script.
std::string zsh_text(const std::string& text) {
  return replaced(replaced(replaced(replaced(text, "'", "'\\''"), "[", "\\["), "]", "\\]"), ":", "\\:");
}

std::string zsh_completion(const CLI::App& app) {
  std::string names, cases;
  for (const CLI::App* command : commands_of(app)) {
    names += fmt::format("    '{}:{}'\n", command->get_name(), zsh_text(command->get_description()));
    cases += fmt::format("    {}) _arguments", command->get_name());
    for (const CLI::Option* option : options_of(*command)) {
      const std::vector<std::string> taken = values_of(*option);
      const std::string value = option->get_items_expected_max() == 0 ? ""
                                : taken.empty()                       ? ":value:_files"
                                                : fmt::format(":value:({})", fmt::join(taken, " "));
      for (const std::string& name : names_of(*option))
        cases += fmt::format(" \\\n      '*{}[{}]{}'", name, zsh_text(option->get_description()), value);
    }
    cases += " \\\n      '*:file:_files' ;;\n";
  }
  return fmt::format(
      "#compdef pallasgen\n"
      "# Completion of pallasgen for zsh.\n"
      "local -a commands\n"
      "commands=(\n{})\n"
      "if (( CURRENT == 2 )); then\n"
      "  _describe command commands\n"
      "else\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $words[1] in\n{}  esac\n"
      "fi\n",
      names, cases);
}

}  // namespace

std::string manual(const CLI::App& app, const std::string& form) {
  return form == "man" ? man_page(app) : form == "bash" ? bash_completion(app) : zsh_completion(app);
}

}  // namespace pallasgen
