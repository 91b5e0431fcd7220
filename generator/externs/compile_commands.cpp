#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>

#include "externs/externs.h"
#include "externs/rules.h"
#include "output/output.h"

namespace pallasgen {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

// Splits a command line into words as a shell does.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  bool open = false;
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == 0 && (c == ' ' || c == '\t')) {
      open = false;
      continue;
    }
    if (!open) words.emplace_back();
    open = true;
    if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else if (c == quote)
      quote = 0;
    else if (c == '\\' && quote != '\'' && i + 1 < line.size())
      words.back() += line[++i];
    else
      words.back() += c;
  }
  return words;
}

constexpr const char* kIncludes[] = {"-isystem", "-include", "-I", "-D", "-U"};

// The include paths and defines among the words, with absolute paths.
std::vector<std::string> kept(const std::vector<std::string>& words, const fs::path& folder) {
  std::vector<std::string> out;
  for (size_t i = 1; i < words.size(); ++i) {
    for (const std::string option : kIncludes) {
      if (words[i].rfind(option, 0) != 0) continue;
      std::string value = words[i].substr(option.size());
      if (value.empty() && i + 1 < words.size()) value = words[++i];
      if (value.starts_with("=")) value.erase(0, 1);
      const bool is_path = option != "-D" && option != "-U";
      if (is_path) value = (folder / value).lexically_normal().string();
      out.push_back(option);
      out.push_back(value);
      break;
    }
  }
  return out;
}

bool ends_with_path(const std::string& path, const std::string& end) {
  return path == end || path.ends_with("/" + end);
}

}  // namespace

std::string other_than_includes(const std::vector<std::string>& arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto begins = [&](const std::string& option) { return arguments[i].starts_with(option); };
    if (std::none_of(std::begin(kIncludes), std::end(kIncludes), begins)) return arguments[i];
    if (std::find(std::begin(kIncludes), std::end(kIncludes), arguments[i]) != std::end(kIncludes)) ++i;
  }
  return "";
}

std::optional<std::vector<std::string>> arguments_of_database(const std::string& path, const std::string& output,
                                                              Diagnostics& diagnostics) {
  const std::string file = fs::is_directory(path) ? (fs::path(path) / "compile_commands.json").string() : path;
  const std::optional<std::string> text = read_file(file, diagnostics);
  if (!text) return std::nullopt;
  const Json all = Json::parse(*text, nullptr, false);
  const auto refuse = [&](const std::string& why) {
    diagnostics.error(kCompileCommands, {}, fmt::format("'{}' {}", file, why))
        .note("--compile-commands takes a compile_commands.json, as CMake writes with CMAKE_EXPORT_COMPILE_COMMANDS");
    return std::nullopt;
  };
  if (!all.is_array()) return refuse("is no compilation database");
  const Json* chosen = nullptr;
  bool is_own = false;
  for (const Json& entry : all) {
    if (!entry.is_object() || !entry.value("file", Json()).is_string()) return refuse("has an entry without a file");
    const std::string of = entry.at("file").get<std::string>();
    const bool own = ends_with_path(of, output);
    if ((own && !is_own) || (chosen == nullptr && of.ends_with(".cu"))) chosen = &entry;
    is_own = is_own || own;
  }
  if (chosen == nullptr) return refuse("compiles no .cu file");
  const fs::path folder = fs::absolute(chosen->value("directory", "."));
  if (chosen->contains("arguments") && chosen->at("arguments").is_array())
    return kept(chosen->at("arguments").get<std::vector<std::string>>(), folder);
  if (!chosen->value("command", Json()).is_string()) return refuse("has an entry without a command");
  return kept(words_of(chosen->at("command").get<std::string>()), folder);
}

}  // namespace pallasgen
