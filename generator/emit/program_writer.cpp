#include "program_writer.h"

#include <algorithm>

#include "comment_text.h"
#include "cpp_literal.h"
#include "diagnostics/assert.h"

namespace pallasgen {

using namespace program;

namespace {

void find_previous(const Statements& statements, std::set<int>& rings) {
  for (const Statement& statement : statements) {
    if (const auto* release = std::get_if<Release>(&statement.node)) {
      if (release->when != ReleaseWhen::now) rings.insert(release->ring);
    }
    if (const auto* loop = std::get_if<ForTiles>(&statement.node)) find_previous(loop->body, rings);
    if (const auto* loop = std::get_if<ForSteps>(&statement.node)) find_previous(loop->body, rings);
    if (const auto* loop = std::get_if<ForRange>(&statement.node)) find_previous(loop->body, rings);
    if (const auto* loop = std::get_if<WhileLoop>(&statement.node)) find_previous(loop->body, rings);
    if (const auto* branch = std::get_if<If>(&statement.node)) {
      find_previous(branch->then, rings);
      find_previous(branch->otherwise, rings);
    }
  }
}

}  // namespace

bool fits_int(const Bounds& range) {
  return range.minimum && range.maximum && *range.minimum >= INT32_MIN && *range.maximum <= INT32_MAX;
}

std::string factor(const Number& number) {
  return number.text.find_first_of("+-/%") == std::string::npos ? number.text : "(" + number.text + ")";
}

std::string divisor(const std::string& text) { return text.find(' ') == std::string::npos ? text : "(" + text + ")"; }

ProgramWriter::ProgramWriter(const Plan& plan, const RolePlan& role, const Templates& templates, TemplateError& error)
    : plan_(plan), role_(role), templates_(templates), error_(error), spelling_(spelling_of(plan)) {
  find_previous(role.program, keeps_previous_);
  spelling_.symbol = [this, of_plan = spelling_.symbol](const Symbol& symbol) {
    Spelling::Name name = of_plan(symbol);
    const auto variable = variables_.find(symbol.kind == SymbolKind::loop ? symbol.name : "");
    name.wide = name.wide || (variable != variables_.end() && !fits_int(variable->second));
    return name;
  };
  const auto limits = [this](auto of_plan, std::optional<int64_t> Bounds::* limit) {
    return [this, of_plan = std::move(of_plan), limit](const Symbol& symbol) {
      const auto variable = variables_.find(symbol.kind == SymbolKind::loop ? symbol.name : "");
      return variable != variables_.end() ? variable->second.*limit : of_plan(symbol);
    };
  };
  spelling_.facts.minimum = limits(spelling_.facts.minimum, &Bounds::minimum);
  spelling_.facts.maximum = limits(spelling_.facts.maximum, &Bounds::maximum);
  for (const ScalarValue& scalar : plan.scalars) {
    const DTypeInfo& type = info(scalar.dtype);
    if (scalar.dtype == DType::index || !type.is_integer) continue;
    // A name may stand for several, one after the other.
    Bounds& range = variables_.try_emplace(scalar.name, Bounds{0, 0}).first->second;
    if (type.bits > 32 || (type.bits == 32 && !type.is_signed)) {
      range = {};
    } else if (range.minimum) {
      range = {INT32_MIN, INT32_MAX};
    }
  }
}

std::string ProgramWriter::render(const char* name, View view) {
  if (failed_) return {};
  view["tail"] = tail_.empty() ? "" : "  // " + tail_;
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
  const std::string text = std::visit(*this, statement.node);
  if (statement.quotes) quoted_.pop_back();
  tail_.clear();
  return above.empty() ? text : above + "\n" + text;
}

std::string ProgramWriter::write(const Statements& statements) {
  std::string text;
  const std::string tail = std::exchange(tail_, {});
  const std::set<int> declared = declared_previous_;
  for (const Statement& statement : statements) {
    const std::string one = write(statement);
    if (one.empty()) continue;
    // A statement of the spec that becomes several begins a paragraph.
    const bool paragraph = statement.quotes && one.starts_with("//");
    if (!text.empty()) text += paragraph ? "\n\n" : "\n";
    text += one;
  }
  tail_ = tail;
  declared_previous_ = declared;
  return text;
}

std::string ProgramWriter::fragment(int id) const { return plan_.fragments[id].name; }
std::string ProgramWriter::axis(int id) const { return plan_.kernel->identifiers.of(plan_.kernel->axes[id].name); }
std::string ProgramWriter::group() const { return role_.needs_group ? "wg" : "0"; }

std::string ProgramWriter::staging_of(int store) const { return plan_.stores[store].staging; }

std::string ProgramWriter::slot_of(int ring, int field) const {
  return "smem." + plan_.shared.fields[field].name + "[" + slot_name(ring) + "]";
}

std::string ProgramWriter::slot_name(int ring) const {
  return slots_.count(ring) > 0 ? plan_.rings[ring].slot_name : plan_.rings[ring].name + ".slot";
}

std::string ProgramWriter::in_turn(const std::vector<int>& rings, const Statements& body) {
  const std::set<int> outside = slots_;
  slots_.insert(rings.begin(), rings.end());
  std::string text = write(body);
  slots_ = outside;
  return text;
}

std::string ProgramWriter::previous_of(int ring) const {
  return plan_.rings.size() == 1 ? "previous" : "previous_" + plan_.rings[ring].slot_name;
}

std::string ProgramWriter::advances(const std::vector<int>& rings) const {
  std::string text;
  for (const int ring : rings) text += ", " + plan_.rings[ring].name + ".advance()";
  return text;
}

ProgramWriter::View ProgramWriter::slots(const std::vector<int>& rings) const {
  View list = View::array();
  for (const int ring : rings) {
    const RingPlan& plan = plan_.rings[ring];
    list.push_back({{"name", plan.slot_name}, {"ring", plan.name}});
  }
  return list;
}

std::string ProgramWriter::operator()(const ForTiles& node) {
  const std::vector<int>& rings = node.rings;
  const bool tiles = !plan_.work.tiles_type.empty(), loop = plan_.work.kind == WorkKind::static_persistent;
  // A tile that is skipped takes no slot.
  const bool advances_below = plan_.work.skip && tiles && loop;
  std::string body;
  for (int let : plan_.work.skip_lets) body += (*this)(program::DeclareLet{let}) + "\n";
  if (plan_.work.skip)
    body += render("skip_tile", {{"skip", cpp_expression(plan_.work.skip, spelling_)},
                                 {"leave", tiles && loop ? "continue" : "return"}}) +
            "\n";
  body += in_turn(rings, node.body);
  for (const int ring : rings) {
    if (advances_below) body += "\n" + render("advance", {{"ring", plan_.rings[ring].name}});
  }
  return render("for_tiles", {{"variable", plan_.work.variable},
                              {"tiles", tiles},
                              {"loop", loop},
                              {"counts", tile_counts(plan_)},
                              {"advances", advances_below ? "" : advances(rings)},
                              {"slots", slots(rings)},
                              {"body", body}});
}

std::string ProgramWriter::operator()(const DeclareSteps& node) {
  return render("declare_index", {{"type", "int"},
                                  {"name", size_name(plan_, node.axis)},
                                  {"value", coordinate(plan_.kernel->axes[node.axis].size)}});
}

std::string ProgramWriter::operator()(const DeclareLet& node) {
  const Let& let = plan_.kernel->lets[node.let];
  return render("declare_index", {{"type", is_wide(let.value, spelling_) ? "int64_t" : "int"},
                                  {"name", plan_.kernel->identifiers.of(let.name)},
                                  {"value", cpp_expression(let.value, spelling_)}});
}

ProgramWriter::StepBounds ProgramWriter::bounds_of(const ForSteps& node) {
  const auto bound = [&](const TypedPtr& expr) { return cpp_expression(expr, spelling_, IndexWidth::plain); };
  return {node.first ? bound(node.first) : "0", node.last ? bound(node.last) : size_name(plan_, node.axis)};
}

std::string ProgramWriter::operator()(const ForSteps& node) {
  // Of loops behind each other the first declares what they all keep.
  View previous = View::array(), declared = View::array();
  for (const int ring : node.rings) {
    if (keeps_previous_.count(ring) == 0) continue;
    previous.push_back({{"name", previous_of(ring)}, {"slot", plan_.rings[ring].slot_name}});
    if (declared_previous_.insert(ring).second) declared.push_back({{"name", previous_of(ring)}});
  }
  const StepBounds bounds = bounds_of(node), around = std::exchange(steps_, bounds);
  const std::string body = in_turn(node.rings, node.body);
  steps_ = around;
  ended_ = bounds;
  return render("for_steps", {{"axis", axis(node.axis)},
                              {"first", bounds.first},
                              {"steps", bounds.last},
                              {"advances", advances(node.rings)},
                              {"slots", slots(node.rings)},
                              {"declared", declared},
                              {"previous", previous},
                              {"body", body}});
}

std::string ProgramWriter::operator()(const ForStoreColumns& node) {
  const StorePlan& store = plan_.stores[node.store];
  const SharedField& field = plan_.shared.fields[store.field];
  const std::string groups = field.dims.size() > 2 ? "[" + group() + "]" : "";
  return render("for_store_columns", {{"variable", node.variable},
                                      {"count", node.count.text},
                                      {"store", store.name},
                                      {"type", cpp_type(field.dtype)},
                                      {"staging", store.staging},
                                      {"buffer", "smem." + field.name + groups + "[" + store.name + ".slot]"},
                                      {"first", node.extent ? coordinate(node.first) : ""},
                                      {"extent", node.extent ? index(node.extent) : ""},
                                      {"body", write(node.body)}});
}

std::string ProgramWriter::operator()(const ForChunks& node) {
  return render("for_chunks", {{"variable", node.variable},
                               {"count", node.count.text},
                               {"columns", node.columns.text},
                               {"source", fragment(node.source)},
                               {"view", fragment(node.view)},
                               {"start", coordinate(node.start)},
                               {"body", write(node.body)}});
}

std::string ProgramWriter::operator()(const If& node) {
  return render("if", {{"condition", cpp_expression(node.condition, reading(node.bindings))},
                       {"then", write(node.then)},
                       {"otherwise", write(node.otherwise)},
                       {"one", node.otherwise.empty() && node.then.size() == 1 &&
                                   std::holds_alternative<BarrierWait>(node.then[0].node)}});
}

}  // namespace pallasgen
