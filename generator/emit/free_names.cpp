#include "free_names.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>
#include <string_view>

namespace pallasgen {

namespace {

enum class Part { code, comment, string };

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Returns the end of the string or one-line comment that begins at `at`; `at` itself if none does.
size_t end_of_quoted(const std::string& text, size_t at, Part& part) {
  if (text[at] == '/' && at + 1 < text.size() && text[at + 1] == '/') {
    part = Part::comment;
    return std::min(text.find('\n', at), text.size());
  }
  if (text[at] != '"' && text[at] != '\'') return at;
  part = Part::string;
  size_t end = at + 1;
  while (end < text.size() && text[end] != text[at]) end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

// Calls `visit` with the start of each word that begins with no digit, the word, and the part of the text it is in.
void for_each_word(const std::string& text, const std::function<void(size_t, std::string_view, Part)>& visit) {
  const auto words = [&](size_t begin, size_t end, Part part) {
    for (size_t i = begin; i < end;) {
      size_t last = i;
      while (last < end && is_word(text[last])) ++last;
      const std::string_view word = std::string_view(text).substr(i, last - i);
      if (!word.empty() && !std::isdigit(static_cast<unsigned char>(word[0]))) visit(i, word, part);
      i = std::max(last, i + 1);
    }
  };
  size_t code = 0;
  for (size_t i = 0; i < text.size();) {
    Part part = Part::code;
    const size_t end = end_of_quoted(text, i, part);
    if (end == i) {
      ++i;
      continue;
    }
    words(code, i, Part::code);
    words(i, end, part);
    code = i = end;
  }
  words(code, text.size(), Part::code);
}

}  // namespace

std::map<std::string, std::string> avoided_names(const Kernel& kernel) {
  std::set<std::string> outside = kernel.externs ? kernel.externs->names : std::set<std::string>();
  for (const char* suffix : {"", "_kernel", "_workspace_bytes", "_status"}) outside.insert(kernel.name + suffix);
  for (const Function& function : kernel.functions) outside.insert(function.name);
  for (const KernelConst& constant : kernel.consts) outside.insert(constant.name);
  std::map<std::string, std::string> avoided;
  const auto add = [&](const std::string& name) {
    const std::string identifier = kernel.identifiers.of(name);
    if (identifier != name && is_declarable(name) && outside.count(name) == 0) avoided[name] = identifier;
  };
  const auto add_all = [&](const auto& list) {
    for (const auto& entry : list) add(entry.name);
  };
  add_all(kernel.dims);
  add_all(kernel.axes);
  add_all(kernel.lets);
  add_all(kernel.refs);
  add_all(kernel.scalars);
  for_each_statement(kernel.body, [&](const KernelStmt& statement) {
    if (const auto* bind = std::get_if<BindStmt>(&statement.node)) add(bind->name);
    if (const auto* atomic = std::get_if<AtomicStmt>(&statement.node)) add(atomic->old_name);
    if (const auto* loop = std::get_if<ForStmt>(&statement.node)) add(loop->name);
  });
  return avoided;
}

std::string with_free_names(const std::string& text, const std::map<std::string, std::string>& avoided) {
  std::set<std::string, std::less<>> used;
  for_each_word(text, [&](size_t at, std::string_view word, Part part) {
    const bool member = at > 0 && (text[at - 1] == '.' || (at > 1 && text.compare(at - 2, 2, "->") == 0));
    if (part == Part::code && !member) used.emplace(word);
  });
  std::map<std::string, std::string, std::less<>> names;  // by identifier
  for (const auto& [name, identifier] : avoided)
    if (used.count(name) == 0) names[identifier] = name;
  if (names.empty()) return text;
  std::string out;
  size_t done = 0;
  for_each_word(text, [&](size_t at, std::string_view word, Part part) {
    const auto found = names.find(word);
    const size_t end = at + word.size();
    const bool pattern = part == Part::comment && end < text.size() && text[end] == '*';  // as in `s_*`
    if (part == Part::string || pattern || found == names.end()) return;
    out += text.substr(done, at - done) + found->second;
    done = end;
  });
  return out + text.substr(done);
}

}  // namespace pallasgen
