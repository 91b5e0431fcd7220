#include "program_writer.h"

#include <algorithm>

#include "comment_text.h"
#include "statement_text.h"

namespace pallasgen {

using namespace program;

ProgramWriter::ProgramWriter(const Plan& plan_of_role, const RolePlan& role_to_write, const Templates& templates,
                             TemplateError& error)
    : plan(plan_of_role),
      role(role_to_write),
      rings(plan, role.program),
      values(plan, role, rings),
      templates_(templates),
      error_(error) {}

std::string ProgramWriter::render(const char* name, View view) {
  if (failed_) return {};
  view["tail"] = tail();
  auto text = render_template(templates_, "statement/" + std::string(name) + ".cu.in", view, error_);
  if (!text) {
    failed_ = true;
    return {};
  }
  while (!text->empty() && text->back() == '\n') text->pop_back();
  return *text;
}

std::string ProgramWriter::quote(const std::string& text) const {
  if (text.empty() || std::find(quoted_.begin(), quoted_.end(), text) != quoted_.end()) return {};
  return "// " + comment_line(text);
}

std::string ProgramWriter::write(const Statement& statement) {
  const std::string above = statement.quotes ? quote(statement.comment) : "";
  tail_ = statement.quotes ? "" : comment_line(statement.comment);
  if (statement.quotes) quoted_.push_back(statement.comment);
  const std::string text = std::visit([this](const auto& node) { return text_of(node, *this); }, statement.node);
  if (statement.quotes) quoted_.pop_back();
  tail_.clear();
  return above.empty() ? text : above + "\n" + text;
}

std::string ProgramWriter::write(const Statements& statements) {
  std::string text;
  const std::string tail = std::exchange(tail_, {});
  const RingNames::Scope scope = rings.scope();
  for (const Statement& statement : statements) {
    const std::string one = write(statement);
    if (one.empty()) continue;
    // A statement of the spec that becomes several begins a paragraph.
    const auto* store = std::get_if<StoreGlobal>(&statement.node);
    const bool quotes = statement.quotes || (store && !store->quoted.empty());
    const bool paragraph = quotes && one.starts_with("//");
    if (!text.empty()) text += paragraph ? "\n\n" : "\n";
    text += one;
  }
  tail_ = tail;
  rings.restore(scope);
  return text;
}

bool needs_thread(const RolePlan& role) {
  bool needs = false;
  for_each_statement(role.program, [&](const Statement& statement) {
    needs = needs || std::holds_alternative<ForElements>(statement.node) ||
            std::holds_alternative<PollFault>(statement.node) || std::holds_alternative<Print>(statement.node) ||
            std::holds_alternative<Assert>(statement.node);
  });
  return needs;
}

}  // namespace pallasgen
