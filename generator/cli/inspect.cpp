#include <fmt/format.h>

#include <charconv>

#include "check/words.h"
#include "commands.h"
#include "terminal.h"

namespace pallasgen {

namespace {

// A grid point such as `2,4`; `()` is the only point of the empty grid.
std::optional<std::vector<int64_t>> parse_program(const std::string& text, Diagnostics& diagnostics) {
  std::vector<int64_t> point;
  const char* at = text.data();
  const char* end = text.data() + text.size();
  if (text == "()") return point;
  while (at < end) {
    int64_t value = 0;
    const auto [stop, error] = std::from_chars(at, end, value);
    if (error != std::errc() || (stop != end && (*stop != ',' || stop + 1 == end))) {
      diagnostics.error(kCommandLine, {}, fmt::format("--program '{}' is not a grid point such as 2,4", text));
      return std::nullopt;
    }
    point.push_back(value);
    at = stop == end ? end : stop + 1;
  }
  return point;
}

}  // namespace

std::optional<std::map<std::string, int64_t>> parse_dims(const std::vector<std::string>& texts,
                                                         Diagnostics& diagnostics) {
  std::map<std::string, int64_t> dims;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    int64_t value = 0;
    const char* end = text.data() + text.size();
    const char* begin = equals == std::string::npos ? end : text.data() + equals + 1;
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (begin == end || error != std::errc() || stop != end || value < 0) {
      diagnostics.error(kCommandLine, {},
                        fmt::format("--dim '{}' is not of the form NAME=SIZE with a size >= 0", text));
      return std::nullopt;
    }
    dims[text.substr(0, equals)] = value;
  }
  return dims;
}

int run_explain(const ExplainOptions& options) {
  Diagnostics arguments;
  const auto dims = parse_dims(options.dims, arguments);
  const auto program = parse_program(options.program, arguments);
  const bool draws = options.svg || options.html;
  if (draws == options.to.empty())
    arguments.error(kCommandLine, {},
                    draws ? "--svg and --html write files: --to DIR says where"
                          : "--to DIR is for pictures: give --svg or --html with it");
  if (!options.dims.empty() && !draws && options.program.empty())
    arguments.error(kCommandLine, {}, "--dim is for the blocks of a program and of pictures: --program, --svg, --html")
        .note("the cost model names the sizes that its figures are for");
  print(arguments, options);
  if (!dims || !program || arguments.has_errors()) return kUsage;
  int code = kFine;
  const auto results = load_or_report(options, draws || options.program.empty() ? Stage::plan : Stage::check, code);
  if (!results) return code;
  if (draws) return write_pictures(options, *results, *dims, *program);
  for (size_t i = 0; i < results->size(); ++i) {
    SpecResult& result = *(*results)[i];
    std::string text;
    if (options.program.empty()) {
      text = explain(*result.plan);
    } else {
      const bool known = check_sizes(*result.kernel, *dims, result.diagnostics);
      const std::optional<std::string> slices =
          known ? explain_program(*result.kernel, *program, *dims, result.diagnostics) : std::nullopt;
      print(result.diagnostics, options);
      if (!slices) return kUsage;
      text = *slices;
    }
    fmt::print("{}{}", i == 0 ? "" : "\n", text);
  }
  return kFine;
}

namespace {

// Prints the words of the language by groups: signature, dtypes, meaning.
void print_words() {
  constexpr size_t kSignature = 34, kDtypes = 34;
  std::optional<WordGroup> group;
  const Paint paint(shows_colors(stdout));
  for (const LanguageWord& word : language_words()) {
    if (word.meaning.empty()) continue;
    if (word.group != group) fmt::print("{}{}\n", group ? "\n" : "", paint.strong(name_of(word.group)));
    group = word.group;
    // A long signature has a line of its own.
    const bool fits = word.signature.size() < kSignature;
    fmt::print("  {:<{}}{}", word.signature, kSignature, fits ? "" : fmt::format("\n  {:{}}", "", kSignature));
    fmt::print("{:<{}}{}\n", name_of(word.takes), kDtypes, word.meaning);
  }
}

}  // namespace

int run_list(const ListOptions& options) {
  if (options.ops) {
    print_words();
    return kFine;
  }
  int code = kFine;
  const auto results = load_or_report(options, Stage::check, code);
  if (!results) return code;
  size_t width = 0;
  for (const auto& result : *results) width = std::max(width, result->file.label.size());
  for (const auto& result : *results) {
    const std::string& doc = result->kernel->doc;
    fmt::print("{:<{}}  {}{}{}\n", result->file.label, width, result->kernel->name, doc.empty() ? "" : ": ",
               doc.substr(0, doc.find('\n')));
  }
  return kFine;
}

}  // namespace pallasgen
