// Prints loops and branches, with the variables that they declare.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cpp_literal.h"
#include "expression/constant_text.h"
#include "statement_text.h"

namespace pallasgen {

using namespace program;

bool is_one_line(const std::string& body) {
  return !body.empty() && body.find('\n') == std::string::npos && body.find("//") == std::string::npos &&
         !body.starts_with("const ") && !body.starts_with("#") && !body.starts_with("if ") && !body.starts_with("for ");
}

namespace {

// Prints the body of a loop that names the slots of these rings in each iteration.
std::string in_turn(const std::vector<int>& rings, const Statements& body, ProgramWriter& writer) {
  const RingNames::Scope outside = writer.rings.scope();
  writer.rings.name_slots(rings);
  std::string text = writer.write(body);
  writer.rings.restore(outside);
  return text;
}

// The class that enumerates the tiles: the tile order itself, or a class of dynamic_tiles.cuh.
std::string tiles_of(const ProgramWriter& writer) {
  const Plan& plan = writer.plan;
  if (plan.work.queue < 0) return "Tiles";
  const char* type = !has_several_roles(plan)                                                     ? "TilesOfCta"
                     : takes_tiles(plan, writer.role) && writer.role.run_by == Issuer::one_thread ? "TileGiver"
                                                                                                  : "TileTaker";
  return std::string(type) + "<Tiles>";
}

// The constructor's arguments before the tile counts.
std::string queue_arguments(const ProgramWriter& writer) {
  const Plan& plan = writer.plan;
  if (plan.work.queue < 0) return "";
  const std::string counter = writer.values.workspace_part(workspace_name::tiles);
  const bool alone = !has_several_roles(plan) || writer.role.run_by == Issuer::one_thread;
  const std::string queue = "smem." + plan.shared.fields[static_cast<size_t>(plan.work.queue)].name + ", ";
  if (!takes_tiles(plan, writer.role)) return queue;
  const std::string first = fmt::format("threadIdx.x == {}", 32 * writer.role.first_warp);
  return queue + (alone ? counter : first + " ? " + counter + " : nullptr") + ", ";
}

}  // namespace

std::string text_of(const ForTiles& node, ProgramWriter& writer) {
  const WorkPlan& work = writer.plan.work;
  const bool tiles = !work.tiles_type.empty(), loop = work.is_loop();
  // A skipped tile takes no slot.
  const bool advances_below = work.skip && tiles && loop;
  std::string body;
  if (writer.plan.launch.programs.value > 1)
    body += writer.render("leave_without_tile", {{"variable", work.variable}}) + "\n";
  for (int let : work.skip_lets) body += text_of(DeclareLet{let}, writer) + "\n";
  if (work.skip)
    body += writer.render("skip_tile", {{"skip", writer.values.value(work.skip)},
                                        {"leave", tiles && loop ? "continue" : "return"}}) +
            "\n";
  body += in_turn(node.rings, node.body, writer);
  for (const int ring : writer.rings.cursors(node.rings)) {
    if (advances_below) body += "\n" + writer.render("advance", {{"ring", writer.plan.rings[ring].cursor}});
  }
  return writer.render("for_tiles", {{"variable", work.variable},
                                     {"tiles", tiles},
                                     {"loop", loop},
                                     {"type", tiles_of(writer)},
                                     {"counts", queue_arguments(writer) + tile_counts(writer.plan)},
                                     {"advances", advances_below ? "" : writer.rings.advances(node.rings)},
                                     {"slots", writer.rings.slots(node.rings)},
                                     {"body", body}});
}

std::string text_of(const DeclareSteps& node, ProgramWriter& writer) {
  return writer.render("declare_index", {{"type", "int"},
                                         {"name", size_name(writer.plan, node.axis)},
                                         {"value", writer.values.count(writer.plan.kernel->axes[node.axis].size)}});
}

std::string text_of(const DeclareLet& node, ProgramWriter& writer) {
  const Let& let = writer.plan.kernel->lets[node.let];
  return writer.render("declare_index", {{"type", is_wide(let.value, writer.values.spelling()) ? "int64_t" : "int"},
                                         {"name", writer.plan.kernel->identifiers.of(let.name)},
                                         {"value", writer.values.value(let.value)}});
}

std::string text_of(const ForSteps& node, ProgramWriter& writer) {
  const ProgramWriter::StepBounds bounds = {
      node.first ? writer.values.index(node.first) : "0",
      node.last ? writer.values.index(node.last) : size_name(writer.plan, node.axis)};
  const ProgramWriter::StepBounds around = std::exchange(writer.steps, bounds);
  const ProgramWriter::View declared = writer.rings.declare_kept(node.rings);
  const std::string body = in_turn(node.rings, node.body, writer);
  writer.steps = around;
  writer.ended = bounds;
  return writer.render("for_steps", {{"axis", writer.values.axis(node.axis)},
                                     {"first", bounds.first},
                                     {"steps", bounds.last},
                                     {"second", node.second},
                                     {"runs", "2"},
                                     {"middle", node.middle ? writer.values.index(node.middle) : ""},
                                     {"end", node.end},
                                     {"advances", writer.rings.advances(node.rings)},
                                     {"slots", writer.rings.slots(node.rings)},
                                     {"declared", declared},
                                     {"previous", writer.rings.kept(node.rings)},
                                     {"body", body}});
}

std::string text_of(const ForStoreColumns& node, ProgramWriter& writer) {
  const StorePlan& store = writer.plan.stores[node.store];
  const SharedField& field = writer.plan.shared.fields[store.field];
  const std::string entry = store.ring < 0 ? "" : "[" + writer.rings.slot(store.ring) + "]";
  const std::string group = node.group.empty() ? writer.values.group() : node.group;
  const std::string groups = entry + (field.dims.size() > 2 ? "[" + group + "]" : "");
  return writer.render("for_store_columns",
                       {{"variable", node.variable},
                        {"count", node.count.text},
                        {"store", store.own_buffers ? "" : store.name},
                        {"type", cpp_type(field.dtype)},
                        {"staging", store.staging},
                        {"buffer", "smem." + field.name + groups + "[" +
                                       (store.own_buffers ? node.variable : store.name + ".slot") + "]"},
                        {"first", node.extent ? writer.values.index(node.first) : ""},
                        {"extent", node.extent ? writer.values.index(node.extent) : ""},
                        {"body", writer.write(node.body)}});
}

std::string text_of(const ForChunks& node, ProgramWriter& writer) {
  ProgramWriter::View views = ProgramWriter::View::array();
  for (const ForChunks::View& each : node.views) {
    views.push_back({{"source", writer.values.fragment(each.source)},
                     {"view", writer.values.fragment(each.view)},
                     {"comment", views.empty() ? writer.tail() : ""}});
  }
  return writer.render("for_chunks", {{"variable", node.variable},
                                      {"count", node.count.text},
                                      {"columns", node.columns.text},
                                      {"views", views},
                                      {"start", writer.values.coordinate(node.start)},
                                      {"body", writer.write(node.body)}});
}

std::string text_of(const If& node, ProgramWriter& writer) {
  const Statement* only = node.otherwise.empty() && node.then.size() == 1 ? &node.then[0] : nullptr;
  const auto* loop = only ? std::get_if<Elementwise>(&only->node) : nullptr;
  const bool fills = loop && loop->statements.size() == 1 && loop->statements.front().value->as<Constant>() &&
                     loop->statements.front().quoted.empty();
  const bool one =
      only && (std::holds_alternative<BarrierWait>(only->node) || std::holds_alternative<RoleSync>(only->node) ||
               std::holds_alternative<StoreTile>(only->node) || fills);
  return writer.render("if",
                       {{"condition", node.run.empty() ? writer.values.value(node.condition, node.bindings) : node.run},
                        {"then", writer.write(node.then)},
                        {"otherwise", writer.write(node.otherwise)},
                        {"one", one}});
}

namespace {

// The range of a loop's variable: from the start to below the stop, or down to above it.
Bounds turns(const Bounds& start, const Bounds& stop, const Bounds& step) {
  const bool up = step.minimum && *step.minimum > 0, down = step.maximum && *step.maximum < 0;
  const auto least = [](std::optional<int64_t> a, std::optional<int64_t> b) {
    return a && b ? std::optional(std::min(*a, *b)) : std::nullopt;
  };
  const auto most = [](std::optional<int64_t> a, std::optional<int64_t> b) {
    return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
  };
  // A stop outside of int stays as it is: the variable reaches it, so the loop must count in int64_t.
  std::optional<int64_t> last = stop.maximum;
  if (last && *last > INT32_MIN && *last <= INT32_MAX) --*last;
  std::optional<int64_t> lowest = stop.minimum;
  if (lowest && *lowest >= INT32_MIN && *lowest < INT32_MAX) ++*lowest;
  return {up     ? start.minimum
          : down ? lowest
                 : least(start.minimum, stop.minimum),
          down ? start.maximum
          : up ? last
               : most(start.maximum, stop.maximum)};
}

// The range of the variable after the loop: less than a step beyond the stop.
Bounds behind_end(const Bounds& stop, const Bounds& step) {
  const auto moved = [](std::optional<int64_t> from, std::optional<int64_t> by,
                        int64_t back) -> std::optional<int64_t> {
    int64_t sum = 0;
    if (!from || !by || __builtin_add_overflow(*from, *by + back, &sum)) return std::nullopt;
    return sum;
  };
  Bounds end = stop;
  if (!step.maximum || *step.maximum > 0) end.maximum = moved(stop.maximum, step.maximum, -1);
  if (!step.minimum || *step.minimum < 0) end.minimum = moved(stop.minimum, step.minimum, 1);
  return end;
}

}  // namespace

std::string text_of(const ForRange& node, ProgramWriter& writer) {
  const Spelling spelling = writer.values.reading(node.bindings);
  const auto text = [&](const TypedPtr& expr) { return cpp_expression(expr, spelling); };
  // A limit that the loop could change is evaluated before it.
  const auto is_fixed = [](const TypedPtr& expr) {
    bool fixed = true;
    walk(expr, [&](const Typed& part) { fixed = fixed && !part.as<LocalUse>(); });
    return fixed;
  };
  ProgramWriter::View before = ProgramWriter::View::array();
  const auto limit = [&](const TypedPtr& expr, const char* suffix) {
    if (is_fixed(expr)) return text(expr);
    before.push_back({{"name", node.variable + suffix}, {"value", text(expr)}});
    return node.variable + suffix;
  };
  const TypedPtr one = index_constant(1);
  const auto step = constant_value(node.step ? node.step : one);
  const std::string stop = limit(node.stop, "_stop");
  const std::string back = step && *step < -1 ? text(node.step) : "";
  const std::string by = !step                                    ? limit(node.step, "_step")
                         : *step > 1                              ? text(node.step)
                         : level_of_name(back) == NameLevel::sign ? back.substr(1)
                                                                  : std::to_string(*step < 0 ? -*step : *step);
  const SymbolFacts& facts = writer.values.spelling().facts;
  const Bounds first = bounds(node.start, facts), last = bounds(node.stop, facts);
  const Bounds range = bounds(node.step ? node.step : one, facts);
  const bool wide = !fits_int(first) || !fits_int(last) || !fits_int(behind_end(last, range));
  const std::string& name = node.variable;
  std::string condition = name + " < " + stop, advance = by == "1" ? "++" + name : name + " += " + by;
  if (range.maximum && *range.maximum < 0 && step) {
    condition = constant_value(node.stop) == -1 ? name + " >= 0" : name + " > " + stop;
    advance = by == "1" ? "--" + name : name + " -= " + by;
  } else if (range.minimum.value_or(0) < 1) {
    condition = by + " > 0 ? " + name + " < " + stop + " : " + name + " > " + stop;
  }
  const std::optional<Bounds> outside = writer.values.range_of(name);
  writer.values.set_range(name, turns(first, last, range));
  const bool was_wide = writer.values.set_wide(name, wide);
  const bool fresh = writer.loop_variables.insert(name).second;
  const std::string body = writer.write(node.body);
  if (fresh) writer.loop_variables.erase(name);
  writer.values.set_range(name, outside);
  writer.values.set_wide(name, was_wide);
  return writer.render("for_range", {{"before", before},
                                     {"unroll", node.unroll > 0 ? std::to_string(node.unroll) : ""},
                                     {"type", wide ? "int64_t" : "int"},
                                     {"variable", name},
                                     {"start", text(node.start)},
                                     {"condition", condition},
                                     {"advance", advance},
                                     {"one", is_one_line(body)},
                                     {"body", body}});
}

std::string text_of(const WhileLoop& node, ProgramWriter& writer) {
  return writer.render(
      "while", {{"condition", writer.values.value(node.condition, node.bindings)}, {"body", writer.write(node.body)}});
}

}  // namespace pallasgen
