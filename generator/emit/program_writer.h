#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "emit/template.h"
#include "plan/plan.h"
#include "ring_names.h"
#include "value_names.h"

namespace pallasgen {

// Prints the program of one role: a template of templates/statement for each statement (statement_text.h), under the
// comments of the program. What is public beside `write` serves the functions that print one statement each.
class ProgramWriter {
 public:
  using View = nlohmann::ordered_json;

  // `error` is set by the first template that cannot be rendered; what is printed after that is nothing.
  ProgramWriter(const Plan& plan, const RolePlan& role, const Templates& templates, TemplateError& error);

  // The statements, one under the other, without a newline at the end.
  std::string write(const program::Statements& statements);
  bool failed() const { return failed_; }

  // The template `templates/statement/<name>.cu.in`, without a newline at the end.
  std::string render(const char* name, View view);
  // The comment at the end of the statement being printed, with the space before it.
  std::string tail() const { return tail_.empty() ? "" : "  // " + tail_; }
  // `// text` above what it explains; nothing when a statement around has quoted the same.
  std::string quote(const std::string& text) const;

  // The first step of a loop, and the one behind its last.
  struct StepBounds {
    std::string first, last;
  };

  const Plan& plan;
  const RolePlan& role;
  RingNames rings;
  ValueNames values;
  StepBounds steps, ended;               // of the loop around the statement, and of the last one in front of it
  std::set<std::string> loop_variables;  // of the loops around the statement

 private:
  std::string write(const program::Statement& statement);
  std::string written(const program::Statement& statement, const std::string& name, const std::string& value);
  // A wait for a free stage and what is expected of it share a line; empty: these two are not.
  std::string acquired(const program::Statement& wait, const program::Statement& next);
  // What the statement behind the declaration of a fragment sets all of it to, if that is an expression.
  std::string first_value(int fragment, const program::Statement& next) const;

  // A reduction of a row and, as its terms, the loop before it, from statement `i` on; empty: these four are not that.
  std::string taken_terms(const program::Statements& statements, size_t i);

  std::multiset<int> fragments_;  // that the role's statements name
  const Templates& templates_;
  TemplateError& error_;
  bool failed_ = false;
  std::string tail_;                 // the comment at the end of the statement being printed
  std::vector<std::string> quoted_;  // by the statements around
};

// `Fragment<float, WgmmaLayout<64, bn>>`.
std::string fragment_type(const FragmentPlan& fragment);

// Whether the role's program names `thread`, its number among the role's threads.
bool needs_thread(const RolePlan& role);

}  // namespace pallasgen
