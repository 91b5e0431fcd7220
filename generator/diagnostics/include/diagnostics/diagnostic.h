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

// A rule that a spec can break. Rules are constants in each library's rules.h; the name is what users see in brackets,
// the key of the rule's page in docs/errors.md and of its bad spec tests/errors/<name>*.yaml.
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

// Collects what a run has to say. Stages go on after an error as long as what they say does not only follow from it.
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

  // One that was made elsewhere: what a trial found.
  Diagnostic& add(Diagnostic diagnostic) {
    errors_ += diagnostic.severity == Severity::error ? 1 : 0;
    return all_.emplace_back(std::move(diagnostic));
  }

  // Those given so far, for a stage that has notes to add.
  std::deque<Diagnostic>& given() { return all_; }

  bool has_errors() const { return errors_ > 0; }
  int errors() const { return errors_; }
  const std::deque<Diagnostic>& all() const { return all_; }

 private:
  std::deque<Diagnostic> all_;
  int errors_ = 0;
};

enum class ErrorFormat { text, json, github };

// Renders all diagnostics in order of place (errors before warnings of one place), exact repeats once.
// text: `path:line:column: error: message [rule]`, the line, a caret range, the notes. json: one array of objects.
// github: `::error file=…,line=…,col=…::message` workflow commands. `colors` applies to text only.
std::string render(const Diagnostics& diagnostics, ErrorFormat format, bool colors);

// Writes the diagnostics of a run to a file, one collection after the other, each as render() has it. The JSON form of
// the whole run is one array, which close() ends.
class DiagnosticStream {
 public:
  DiagnosticStream(std::FILE* file, bool colors) : file_(file), colors_(colors) {}

  void set_format(ErrorFormat format) { format_ = format; }
  ErrorFormat format() const { return format_; }
  void write(const Diagnostics& diagnostics);
  // Ends the run: in JSON an array without a diagnostic is written too. Nothing may be written after it.
  void close();

 private:
  std::FILE* file_;
  ErrorFormat format_ = ErrorFormat::text;
  bool colors_, begun_ = false;
};

// The candidate nearest to `word` by Damerau-Levenshtein distance, if near enough to be a slip of the hand
// (at most a third of its length, at least 1), else empty. Ties go to the first candidate.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);
// The same of keys, whose names have parts: else the first candidate of which `word` has every part, or that has every
// part of `word`. `num_stages` and `stage` are meant as `stages`, `tol` as `tolerance`.
std::string nearest_key(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace pallasgen
