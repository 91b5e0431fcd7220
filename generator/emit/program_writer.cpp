#include "program_writer.h"

#include <algorithm>

#include "comment_text.h"
#include "cpp_expression.h"
#include "statement_text.h"

namespace pallasgen {

using namespace program;

namespace {

// Number of mentions of a fragment whose elements only a reduction reads: its declaration, the target and the layout of
// the loop that computes it, and the reduction.
constexpr size_t kNamedByTerms = 4;

}  // namespace

ProgramWriter::ProgramWriter(const Plan& plan_of_role, const RolePlan& role_to_write, const Templates& templates,
                             TemplateError& error)
    : plan(plan_of_role),
      role(role_to_write),
      rings(plan, role.program),
      values(plan, role, rings),
      templates_(templates),
      error_(error) {
  for_each_statement(role.program, [this](const Statement& statement) {
    for_each_fragment(statement, [this](int fragment) { fragments_.insert(fragment); });
  });
}

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

std::string ProgramWriter::first_value(int fragment, const Statement& next) const {
  if (!next.comment.empty()) return {};
  const FragmentPlan& declared = plan.fragments[static_cast<size_t>(fragment)];
  if (const auto* pack = std::get_if<PackOperand>(&next.node))
    return pack->packed == fragment ? packed(*pack, *this) : "";
  if (const auto* reduce = std::get_if<ReduceFragment>(&next.node)) {
    const bool may = reduce->target == fragment && reduce->quoted.empty() && is_slice_of_source(*reduce, plan);
    return may ? reduced(*reduce, *this) : "";
  }
  const auto* loop = std::get_if<Elementwise>(&next.node);
  if (!loop || loop->statements.size() != 1 || declared.packed) return {};
  const ElementwiseStatement& only = loop->statements.front();
  if (only.target != fragment || !only.quoted.empty()) return {};
  if (!only.value->as<Constant>()) return copied_fragment(only, *this);
  return "filled<" + fragment_type(declared) + ">(" + cpp_expression(only.value, values.spelling()) + ")";
}

std::string ProgramWriter::acquired(const Statement& wait, const Statement& next) {
  const auto* waits = std::get_if<BarrierWait>(&wait.node);
  const auto* expects = std::get_if<ExpectBytes>(&next.node);
  if (!waits || !expects || !waits->producer_side || waits->ring != expects->ring || !next.comment.empty()) return {};
  const auto barriers = [&](int id) {
    return "smem." + plan.shared.fields[static_cast<size_t>(plan.barriers[static_cast<size_t>(id)].field)].name;
  };
  const RingPlan& ring = plan.rings[static_cast<size_t>(waits->ring)];
  tail_ = comment_line(wait.comment);
  const std::string text = render("producer_acquire", {{"empty", barriers(waits->barrier)},
                                                       {"full", barriers(expects->barrier)},
                                                       {"ring", ring.cursor},
                                                       {"bytes", ring.bytes.text}});
  tail_.clear();
  return text;
}

std::string ProgramWriter::written(const Statement& statement, const std::string& name, const std::string& value) {
  const std::string above = statement.quotes ? quote(statement.comment) : "";
  tail_ = statement.quotes ? "" : comment_line(statement.comment);
  const std::string text = render("declare_value", {{"name", name}, {"value", value}});
  tail_.clear();
  return above.empty() ? text : above + "\n" + text;
}

std::string ProgramWriter::taken_terms(const Statements& statements, size_t i) {
  if (i + 3 >= statements.size()) return {};
  const auto* terms = std::get_if<DeclareFragment>(&statements[i].node);
  const auto* loop = std::get_if<Elementwise>(&statements[i + 1].node);
  const auto* target = std::get_if<DeclareFragment>(&statements[i + 2].node);
  const auto* reduce = std::get_if<ReduceFragment>(&statements[i + 3].node);
  if (!terms || !loop || !target || !reduce) return {};
  const ElementwiseStatement& last = loop->statements.back();
  const bool chained = last.target == terms->fragment && reduce->source == terms->fragment &&
                       reduce->target == target->fragment && reduce->part == ReducePart::all && reduce->axis == 1 &&
                       !reduce->across;
  if (!chained || !reduce->quoted.empty() || !is_slice_of_source(*reduce, plan)) return {};
  for (size_t k = i; k < i + 4; ++k) {
    if (!statements[k].comment.empty() && !(k == i && statements[k].quotes)) return {};
  }
  if (fragments_.count(terms->fragment) != kNamedByTerms) return {};
  const std::string& quoted = loop->statements.front().quoted;
  return reduced_terms(*loop, *reduce, quoted.empty() ? statements[i].comment : quoted, *this);
}

std::string ProgramWriter::write(const Statements& statements) {
  std::string text;
  const std::string tail = std::exchange(tail_, {});
  const RingNames::Scope scope = rings.scope();
  for (size_t i = 0; i < statements.size(); ++i) {
    const Statement& statement = statements[i];
    const auto* declared = std::get_if<DeclareFragment>(&statement.node);
    const std::string value =
        declared && i + 1 < statements.size() ? first_value(declared->fragment, statements[i + 1]) : "";
    std::string one = i + 1 < statements.size() ? acquired(statement, statements[i + 1]) : "";
    if (!one.empty() || !value.empty()) ++i;
    if (one.empty() && value.empty()) {
      one = taken_terms(statements, i);
      if (!one.empty()) i += 3;
    }
    if (one.empty())
      one = value.empty() ? write(statement) : written(statement, values.fragment(declared->fragment), value);
    if (one.empty()) continue;
    // A statement of the spec that becomes several statements begins a paragraph.
    const auto* store = std::get_if<StoreGlobal>(&statement.node);
    const bool quotes = statement.quotes || (store && !store->quoted.empty());
    const bool paragraph = quotes && one.starts_with("//") && value.empty();
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
