#include "fold_lines.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <vector>

namespace pallasgen {
namespace {

constexpr size_t kHanging = 4;           // indentation of a continuation outside of brackets
constexpr size_t kWidestAlignment = 80;  // continuations are not aligned to an open bracket further right

std::string with_blanks(std::string text) {
  std::replace(text.begin(), text.end(), kPreferredBreak, ' ');
  return text;
}

using Brackets = std::vector<size_t>;  // the columns after the open brackets, outermost first

// A place where a line of code may end.
struct Break {
  size_t end;   // the line keeps [0, end)
  size_t next;  // the rest begins here
  int rank;     // 2: preferred; 1: after a comma; 0: before an operator
  Brackets open;
};

// The start of a `//` comment outside of strings, or npos.
size_t comment_start(const std::string& line) {
  bool quoted = false;
  for (size_t i = 0; i + 1 < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && line[i] == '/' && line[i + 1] == '/') {
      return i;
    }
  }
  return std::string::npos;
}

size_t indentation(const std::string& line) { return std::min(line.find_first_not_of(' '), line.size()); }

// `open`: brackets that earlier lines leave open.
std::vector<Break> breaks_of(const std::string& line, Brackets open) {
  std::vector<Break> breaks;
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\\') ++i;
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    // Operators have blanks around them; any other < and > encloses template arguments.
    const char before = i > 0 ? line[i - 1] : ' ';
    const bool opens_template = c == '<' && before != ' ' && before != '<';
    const bool shifts = before == '>' && i > 1 && line[i - 2] == ' ';
    const bool closes_template = c == '>' && before != ' ' && before != '-' && !shifts;
    if (c == '(' || c == '[' || c == '{' || opens_template) open.push_back(i + 1);
    if ((c == ')' || c == ']' || c == '}' || closes_template) && !open.empty()) open.pop_back();
    if (c == kPreferredBreak) breaks.push_back({i, i + 1, 2, open});
    if (c == ',' && i + 1 < line.size() && line[i + 1] == ' ') breaks.push_back({i + 1, i + 2, 1, open});
    for (const char* symbol : {" && ", " || ", " ? ", " : ", " + ", " - ", " * ", " / ", " << "}) {
      if (line.compare(i, std::char_traits<char>::length(symbol), symbol) == 0) {
        breaks.push_back({i, i + 1, 0, open});
      }
    }
  }
  return breaks;
}

// The start of the statement that an `if`, `for` or `while` header on the same line governs, or npos.
size_t governed_statement(const std::string& line) {
  const size_t begin = indentation(line);
  const auto starts = [&](std::string_view word) { return line.compare(begin, word.size(), word) == 0; };
  if (!starts("if (") && !starts("for (") && !starts("while (")) return std::string::npos;
  bool quoted = false;
  int open = 0;
  for (size_t i = line.find('(', begin); i < line.size(); ++i) {
    if (line[i] == '\\') ++i;
    if (line[i] == '"') quoted = !quoted;
    if (quoted) continue;
    open += line[i] == '(';
    open -= line[i] == ')';
    if (open > 0 || line[i] != ')') continue;
    const size_t statement = line.find_first_not_of(' ', i + 1);
    return statement == std::string::npos || line[statement] == '{' ? std::string::npos : statement;
  }
  return std::string::npos;
}

void fold_code(std::string line, size_t columns, std::string& out) {
  if (const size_t statement = line.size() > columns ? governed_statement(line) : std::string::npos;
      statement != std::string::npos) {
    fold_code(line.substr(0, line.find_last_not_of(' ', statement - 1) + 1), columns, out);
    fold_code(std::string(indentation(line) + 2, ' ') + line.substr(statement), columns, out);
    return;
  }
  const size_t hanging = indentation(line) + kHanging;
  const auto column_after = [&](const Break& place) {
    return place.open.empty() || place.open.back() > kWidestAlignment ? hanging : place.open.back();
  };
  Brackets open;
  while (line.size() > columns) {
    const std::vector<Break> breaks = breaks_of(line, open);
    const Break* best = nullptr;
    for (const Break& place : breaks) {
      if (place.end > columns || column_after(place) >= place.next) continue;  // the rest must move left
      // A preferred place comes first, then the outermost brackets, then a comma, then the last of these.
      const auto order = [](const Break& at) {
        return std::tuple(at.rank == 2, -static_cast<int>(at.open.size()), at.rank);
      };
      const bool better = !best || order(place) >= order(*best);
      if (better) best = &place;
    }
    if (!best) break;
    const size_t column = column_after(*best);
    out += with_blanks(line.substr(0, best->end)) + '\n';
    line = std::string(column, ' ') + line.substr(best->next);
    open = best->open;
  }
  out += with_blanks(line) + '\n';
}

// Folds a comment on lines of its own; later lines begin under its first word.
void fold_comment(std::string line, size_t columns, std::string& out) {
  const size_t slashes = line.find("//");
  const size_t text = line.find_first_not_of(' ', slashes + 2);
  while (line.size() > columns && text != std::string::npos) {
    const size_t blank = line.rfind(' ', columns);
    if (blank == std::string::npos || blank <= text) break;
    out += line.substr(0, blank) + '\n';
    line = std::string(slashes, ' ') + "//" + std::string(text - slashes - 2, ' ') + line.substr(blank + 1);
  }
  out += line + '\n';
}

}  // namespace

std::string fold_lines(const std::string& text, int columns) {
  const size_t limit = static_cast<size_t>(columns);
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    at = end + 1;
    if (line.size() <= limit) {
      out += with_blanks(line) + '\n';
      continue;
    }
    const size_t comment = comment_start(line);
    if (comment == std::string::npos) {
      fold_code(line, limit, out);
    } else if (comment == indentation(line)) {
      fold_comment(with_blanks(line), limit, out);
    } else {
      const std::string code = line.substr(0, line.find_last_not_of(' ', comment - 1) + 1);
      fold_comment(std::string(indentation(line), ' ') + line.substr(comment), limit, out);
      fold_code(code, limit, out);
    }
  }
  // A backslash at the end of a comment would make the next line part of it.
  for (size_t at = out.find("\\\n"); at != std::string::npos; at = out.find("\\\n", at + 2)) out.insert(at + 1, ".");
  return out;
}

}  // namespace pallasgen
