#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pallasgen {

// The template engine of docs/architecture.md. A template is text in which
//   - a line whose first character after blanks is `$` (and not `${`) is a directive and vanishes whole:
//     `$if name`, `$else`, `$for item in name`, `$end`, `$include "path"`, `$# comment`;
//   - `${name.path}` inserts a value of the view; a value of several lines continues at the column where it began;
//   - a line that holds nothing but an insertion vanishes when the value is empty;
//   - `$$` at the start of a line is a literal `$`, `$${` anywhere a literal `${`; every other character is itself.
// Names are looked up in the view, from the innermost `$for` outwards. There is no arithmetic. The last line counts as
// ended whether or not a newline follows it, so that an included file never runs into the line after it.

struct TemplateError {
  std::string path;  // path of the template, relative to the template folder
  int line;          // counted from 1; 0 if the template itself is missing
  std::string message;
};

// `path:line: message`.
std::string to_string(const TemplateError& error);

// Templates by relative path ("statement/mma.cu.in"): those embedded in the program, each shadowed by the file of the
// same relative path in `directory`, if a directory is given and has that file.
class Templates {
 public:
  Templates() = default;
  explicit Templates(std::string directory) : directory_(std::move(directory)) {}

  // Returns the text of a template, or nothing if neither the directory nor the program has it. A path that leaves the
  // directory (absolute, or with `..`) has no template.
  std::optional<std::string> find(std::string_view path) const;

 private:
  std::string directory_;
};

// Paths of all embedded templates, sorted.
std::vector<std::string> embedded_template_paths();

// Limits on one template, and on the lines rendered in all (nested loops and includes count). The line that exceeds a
// limit is an error.
inline constexpr int kMaxTemplateLines = 150;
inline constexpr int kMaxNestedIf = 2;
inline constexpr int kMaxIncludeDepth = 4;
inline constexpr int kMaxRenderedLines = 100'000;

// Renders the template at `path` with `view`, an object. `$if` takes a bool, a string (true when not empty) or an array
// (true when not empty); `$for` takes an array; an insertion takes a string or an integer.
// Returns nothing and sets `error` at the first mistake: a name that the view lacks, a value of the wrong kind, an
// unknown, malformed or unclosed directive, a loop variable that hides a name, or an exceeded limit.
std::optional<std::string> render_template(const Templates& templates, std::string_view path,
                                           const nlohmann::ordered_json& view, TemplateError& error);

}  // namespace pallasgen
