#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "diagnostics/diagnostic.h"
#include "excerpt.h"

namespace pallasgen {
namespace {

using Json = nlohmann::ordered_json;

// Bytes of a message that are shown, since messages quote spec text, which may be a megabyte.
constexpr size_t kLongest = 800;
// Diagnostics that are shown: nobody reads more, and a broken file may have one at every byte.
constexpr size_t kMostShown = 1000;

std::string_view word_of(Severity severity) { return severity == Severity::error ? "error" : "warning"; }

std::string shortened(const std::string& message) {
  if (message.size() <= kLongest) return message;
  size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(message[end]) & 0xC0) == 0x80) --end;
  return message.substr(0, end) + "…";
}

bool same_span(Span a, Span b) { return a.source == b.source && a.begin == b.begin && a.end == b.end; }

bool same_diagnostic(const Diagnostic& a, const Diagnostic& b) {
  return a.severity == b.severity && a.rule == b.rule && a.message == b.message && same_span(a.span, b.span) &&
         std::equal(a.notes.begin(), a.notes.end(), b.notes.begin(), b.notes.end(),
                    [](const Note& x, const Note& y) { return x.message == y.message && same_span(x.span, y.span); });
}

// Sorts by source in order of first mention, then by place, errors before warnings of one place, and drops repeats.
std::vector<const Diagnostic*> in_order(const Diagnostics& diagnostics) {
  std::map<const SourceText*, int> rank;
  std::vector<const Diagnostic*> order;
  for (const Diagnostic& d : diagnostics.all()) {
    rank.emplace(d.span.source, static_cast<int>(rank.size()));
    order.push_back(&d);
  }
  std::stable_sort(order.begin(), order.end(), [&](const Diagnostic* a, const Diagnostic* b) {
    return std::tuple(rank[a->span.source], a->span.begin, a->severity) <
           std::tuple(rank[b->span.source], b->span.begin, b->severity);
  });
  std::vector<const Diagnostic*> out;
  for (const Diagnostic* d : order) {
    // Repeats share a place, so they are among the last ones of that place.
    bool repeat = false;
    for (auto other = out.rbegin(); other != out.rend() && (*other)->span.begin == d->span.begin; ++other) {
      repeat = repeat || same_diagnostic(**other, *d);
    }
    if (!repeat) out.push_back(d);
  }
  return out;
}

struct Style {
  std::string_view bold, error, warning, note, mark, reset;
};
constexpr Style kPlain{"", "", "", "", "", ""};
constexpr Style kColored{"\x1b[1m", "\x1b[1;31m", "\x1b[1;35m", "\x1b[1;36m", "\x1b[1;32m", "\x1b[0m"};

std::string place_of(Span span) {
  if (span.source == nullptr) return "pallasgen";
  auto [line, column] = span.source->position(span.begin);
  return fmt::format("{}:{}:{}", span.source->path(), line, column);
}

std::string excerpt_lines(Span span, const Style& style) {
  // An empty span at the start of a file means the file as a whole.
  if (span.source == nullptr || span.end == 0) return {};
  Excerpt excerpt = excerpt_of(span);
  if (excerpt.line.find_first_not_of(' ') == std::string::npos) return {};
  std::string mark = "^" + std::string(static_cast<size_t>(excerpt.length - 1), '~');
  return fmt::format("    {}\n    {:{}}{}{}{}\n", excerpt.line, "", excerpt.caret, style.mark, mark, style.reset);
}

std::string text_of(const Diagnostic& d, const Style& style) {
  std::string out = fmt::format("{}{}:{} {}{}:{} {}{}{}", style.bold, place_of(d.span), style.reset,
                                d.severity == Severity::error ? style.error : style.warning, word_of(d.severity),
                                style.reset, style.bold, printable(shortened(d.message)), style.reset);
  out += fmt::format(" [{}]\n{}", d.rule, excerpt_lines(d.span, style));
  for (const Note& note : d.notes) {
    if (same_span(note.span, d.span)) {
      out += fmt::format("  {}note:{} {}\n", style.note, style.reset, printable(shortened(note.message)));
    } else {
      out += fmt::format("{}{}:{} {}note:{} {}\n{}", style.bold, place_of(note.span), style.reset, style.note,
                         style.reset, printable(shortened(note.message)), excerpt_lines(note.span, style));
    }
  }
  return out;
}

void add_place(Json& object, Span span) {
  if (span.source == nullptr) return;
  auto [line, column] = span.source->position(span.begin);
  auto [end_line, end_column] = span.source->position(std::max(span.begin, span.end));
  object["file"] = span.source->path();
  object["line"] = line;
  object["column"] = column;
  object["end_line"] = end_line;
  object["end_column"] = end_column;
}

Json json_of(const Diagnostic& d) {
  Json object{{"severity", word_of(d.severity)}, {"rule", d.rule}};
  add_place(object, d.span);
  object["message"] = shortened(d.message);
  object["notes"] = Json::array();
  for (const Note& note : d.notes) {
    Json entry = Json::object();
    add_place(entry, note.span);
    entry["message"] = shortened(note.message);
    object["notes"].push_back(std::move(entry));
  }
  return object;
}

// Escapes text for GitHub's workflow commands: `%` and line breaks everywhere, `:` and `,` in properties as well.
std::string github_escaped(std::string_view text, bool property) {
  std::string out;
  for (char c : text) {
    bool escaped = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    if (escaped) {
      out += fmt::format("%{:02X}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out;
}

std::string github_of(const Diagnostic& d) {
  std::string properties;
  if (d.span.source != nullptr) {
    auto [line, column] = d.span.source->position(d.span.begin);
    properties = fmt::format(" file={},line={},col={},title={}", github_escaped(d.span.source->path(), true), line,
                             column, github_escaped(d.rule, true));
  } else {
    properties = fmt::format(" title={}", github_escaped(d.rule, true));
  }
  std::string message = shortened(d.message);
  for (const Note& note : d.notes) {
    message += same_span(note.span, d.span)
                   ? fmt::format("\nnote: {}", shortened(note.message))
                   : fmt::format("\n{}: note: {}", place_of(note.span), shortened(note.message));
  }
  return fmt::format("::{}{}::{}\n", word_of(d.severity), properties, github_escaped(message, false));
}

}  // namespace

void DiagnosticStream::write(const Diagnostics& diagnostics) {
  if (diagnostics.all().empty()) return;
  std::string text = render(diagnostics, format_, colors_);
  if (format_ == ErrorFormat::json) {
    // The brackets of this collection's array are replaced by those of the run's array.
    const size_t first = text.find('\n'), last = text.rfind("\n]");
    text = (begun_ ? "," : "[") + text.substr(first, last - first);
    begun_ = true;
  }
  std::fwrite(text.data(), 1, text.size(), file_);
}

void DiagnosticStream::close() {
  if (format_ == ErrorFormat::json) std::fputs(begun_ ? "\n]\n" : "[]\n", file_);
}

std::string render(const Diagnostics& diagnostics, ErrorFormat format, bool colors) {
  std::vector<const Diagnostic*> order = in_order(diagnostics);
  Diagnostic rest;
  if (order.size() > kMostShown) {
    rest.rule = "too-many-errors";
    rest.message = fmt::format("{} more are not shown", order.size() - kMostShown);
    order.resize(kMostShown);
    order.push_back(&rest);
  }
  std::string out;
  if (format == ErrorFormat::json) {
    Json array = Json::array();
    for (const Diagnostic* d : order) array.push_back(json_of(*d));
    // A path or message may hold bytes that are not UTF-8.
    return array.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  }
  for (const Diagnostic* d : order) {
    out += format == ErrorFormat::github ? github_of(*d) : text_of(*d, colors ? kColored : kPlain);
  }
  return out;
}

}  // namespace pallasgen
