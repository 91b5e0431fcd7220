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

// Prints the program of one role: one template of templates/statement per statement (statement_text.h), under the
// program's comments. The public members other than `write` serve the functions that print one statement each.
class ProgramWriter {
 public:
  using View = nlohmann::ordered_json;

  // The first template that cannot be rendered sets `error`; every later call prints nothing.
  ProgramWriter(const Plan& plan, const RolePlan& role, const Templates& templates, TemplateError& error);

  // Prints the statements, each on lines of its own, without a newline at the end.
  std::string write(const program::Statements& statements);
  bool failed() const { return failed_; }

  // Renders the template `templates/statement/<name>.cu.in`, without a newline at the end.
  std::string render(const char* name, View view);
  // The comment at the end of the statement being printed, with the space before it.
  std::string tail() const { return tail_.empty() ? "" : "  // " + tail_; }
  // `// text` for the line above a statement; empty if an enclosing statement has the same comment.
  std::string quote(const std::string& text) const;

  // A loop's first step, and the step after its last one.
  struct StepBounds {
    std::string first, last;
  };

  const Plan& plan;
  const RolePlan& role;
  RingNames rings;
  ValueNames values;
  StepBounds steps, ended;               // of the enclosing loop over steps, and of the loop that ended last
  std::set<std::string> loop_variables;  // of the enclosing loops

 private:
  std::string write(const program::Statement& statement);
  std::string written(const program::Statement& statement, const std::string& name, const std::string& value);
  // Prints a wait for a free stage and the bytes that it then expects as one call; empty if they are no such pair.
  std::string acquired(const program::Statement& wait, const program::Statement& next);
  // The expression to which `next` sets the whole fragment that was declared before it; empty if there is none.
  std::string first_value(int fragment, const program::Statement& next) const;

  // Prints four statements from `i` on as one reduction of computed terms; empty if they do not have that form.
  std::string taken_terms(const program::Statements& statements, size_t i);

  std::multiset<int> fragments_;  // one entry per mention in the role's statements
  const Templates& templates_;
  TemplateError& error_;
  bool failed_ = false;
  std::string tail_;                 // the comment at the end of the statement being printed
  std::vector<std::string> quoted_;  // comments of the enclosing statements
};

// `Fragment<float, WgmmaLayout<64, bn>>`.
std::string fragment_type(const FragmentPlan& fragment);

// True if the role's program uses `thread`, the thread's index among the role's threads.
bool needs_thread(const RolePlan& role);

}  // namespace pallasgen
