#pragma once

#include <cstdio>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnostics/source.h"

namespace pallasgen {

enum class Severity { error, warning };

// A rule that a spec can break. Rules are constants in each library's rules.h. Users see the name in brackets; it is
// also the key of the rule's section in docs/errors.md and of its bad spec tests/errors/<name>*.yaml.
struct Rule {
  std::string_view name;
  std::string_view summary;
};

struct Note {
  Span span;
  std::string message;
};

struct Diagnostic {
  Severity severity = Severity::error;
  std::string rule;
  Span span;
  std::string message;
  std::vector<Note> notes;

  // Adds a note; returns this diagnostic, so that notes chain.
  Diagnostic& note(std::string message_text) { return note(span, std::move(message_text)); }
  Diagnostic& note(Span place, std::string message_text) {
    notes.push_back({place, std::move(message_text)});
    return *this;
  }
};

// Collects the diagnostics of a run. After an error a stage goes on if its further errors are not mere consequences.
class Diagnostics {
 public:
  // The returned reference stays valid for the life of the collection.
  Diagnostic& error(const Rule& rule, Span span, std::string message) {
    ++errors_;
    return all_.emplace_back(Diagnostic{Severity::error, std::string(rule.name), span, std::move(message), {}});
  }
  Diagnostic& warning(const Rule& rule, Span span, std::string message) {
    return all_.emplace_back(Diagnostic{Severity::warning, std::string(rule.name), span, std::move(message), {}});
  }

  // Adds a diagnostic that was made elsewhere, such as in an attempt.
  Diagnostic& add(Diagnostic diagnostic) {
    errors_ += diagnostic.severity == Severity::error ? 1 : 0;
    return all_.emplace_back(std::move(diagnostic));
  }

  // The diagnostics given so far, for a stage that adds notes to them.
  std::deque<Diagnostic>& given() { return all_; }

  bool has_errors() const { return errors_ > 0; }
  int errors() const { return errors_; }
  const std::deque<Diagnostic>& all() const { return all_; }

 private:
  std::deque<Diagnostic> all_;
  int errors_ = 0;
};

enum class ErrorFormat { text, json, github };

// Renders all diagnostics in order of place, the errors of one place before its warnings, and exact repeats once.
// text: `path:line:column: error: message [rule]`, the line, a caret range, the notes. json: one array of objects.
// github: `::error file=…,line=…,col=…::message` workflow commands. `colors` applies to text only.
std::string render(const Diagnostics& diagnostics, ErrorFormat format, bool colors);

// Writes the diagnostics of a run to a file, collection by collection, each as render() formats it. In JSON the whole
// run is one array, which close() ends.
class DiagnosticStream {
 public:
  DiagnosticStream(std::FILE* file, bool colors) : file_(file), colors_(colors) {}

  void set_format(ErrorFormat format) { format_ = format; }
  ErrorFormat format() const { return format_; }
  void write(const Diagnostics& diagnostics);
  // Ends the run; in JSON this writes an array even if there was no diagnostic. Nothing may be written after it.
  void close();

 private:
  std::FILE* file_;
  ErrorFormat format_ = ErrorFormat::text;
  bool colors_, begun_ = false;
};

// The candidate nearest to `word` by Damerau-Levenshtein distance if that is a typing error (at most a third of the
// length, at least 1; none in a single letter, but for its case), else empty. Ties go to the first candidate.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);
// nearest() for keys, whose names have parts: if none is near, the first candidate that has every part of `word` or
// whose parts `word` has. `num_stages` and `stage` give `stages`, `tol` gives `tolerance`.
std::string nearest_key(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace pallasgen
