// Prints statements on whole tiles and fragments, synchronisation, and reports of faults.
#include <fmt/format.h>

#include <algorithm>

#include "cpp_literal.h"
#include "diagnostics/assert.h"
#include "file_view.h"
#include "plan/exchanges.h"
#include "statement_text.h"

namespace pallasgen {

using namespace program;

namespace {

const char* combination(Op op) {
  switch (op) {
    case Op::sum:
      return "Sum";
    case Op::prod:
      return "Product";
    case Op::max:
      return "Maximum";
    case Op::min:
      return "Minimum";
    case Op::any:
      return "Any";
    case Op::all:
      return "All";
    default:
      PALLASGEN_ASSERT(false && "a combination of elements", Span{});
      return "";
  }
}

}  // namespace

namespace {

// The last argument: the warpgroups that synchronise; empty for the whole CTA.
std::string together(const ProgramWriter& writer, bool one_warpgroup) {
  if (!has_several_roles(writer.plan) && writer.role.groups.value == 1) return "";
  const char* who = one_warpgroup ? "OneWarpgroup" : "AllWarpgroups";
  return std::string(", ") + who + "<" + writer.role.groups.text + ">{" + writer.values.group() + "}";
}

// The last arguments of a reduction: its tile in shared memory, and the warpgroups that synchronise there.
std::string through_tile(const ReduceFragment& node, const ProgramWriter& writer) {
  if (node.field < 0) return "";
  const std::string tile = ", smem." + writer.plan.shared.fields[node.field].name;
  if (is_exchange(writer.plan.launch, node)) return tile + ", cluster.next()";
  // A warpgroup holds all rows of its columns and reduces them in lines of the tile of its own.
  if (node.across && node.axis == 0)
    return tile + "[" + writer.values.group() + "], AllWarpgroups<" + writer.role.groups.text + ">{0}";
  return node.in_warp() ? tile : tile + together(writer, writer.role.groups.value == 1 && node.axis > 0);
}

// The last template argument.
std::string strategy_argument(ReduceStrategy strategy) {
  switch (strategy) {
    case ReduceStrategy::neighbours:
      return ", Neighbours";
    case ReduceStrategy::halves:
      return ", Halves";
    case ReduceStrategy::shuffle:
      break;
  }
  return "";
}

const char* function_of(const ReduceFragment& node) {
  const char* const functions[] = {"reduce", "fold_rows", "share_rows", "scan", "pick_column"};
  return functions[static_cast<int>(node.part)];
}

std::string template_arguments(const ReduceFragment& node) {
  if (node.part == ReducePart::picked) return node.column.text;
  const bool of_rows = node.part == ReducePart::own || node.part == ReducePart::lanes;
  return combination(node.op) + (of_rows ? "" : ", " + std::to_string(node.axis)) + strategy_argument(node.strategy);
}

}  // namespace

bool is_slice_of_source(const ReduceFragment& node, const Plan& plan) {
  const auto type_of = [&](int fragment) {
    std::string text = plan.fragments[static_cast<size_t>(fragment)].layout_text;
    for (const LayoutName& layout : plan.layouts) {
      if (layout.name == text) text = layout.text;
    }
    return text;
  };
  const std::string& source = plan.fragments[static_cast<size_t>(node.source)].layout_text;
  if (node.part == ReducePart::running) return type_of(node.target) == type_of(node.source);
  const std::string slice = node.axis == 0 && node.part == ReducePart::all ? "ColumnSlice<" : "RowSlice<";
  const std::string target = type_of(node.target);
  const bool matrix = plan.fragments[static_cast<size_t>(node.source)].layout.shape.size() == 2;
  return matrix && node.part != ReducePart::lanes &&
         (target == slice + source + ">" || target == slice + type_of(node.source) + ">");
}

std::string reduced(const ReduceFragment& node, const ProgramWriter& writer) {
  return std::string(function_of(node)) + "<" + template_arguments(node) + ">(" + writer.values.fragment(node.source) +
         through_tile(node, writer) + ")";
}

namespace {

// A fragment with this layout whose element `e` the loop reads; -1 if there is none.
int fragment_beside(const Elementwise& loop, const std::string& layout, const Plan& plan) {
  for (const ElementwiseStatement& statement : loop.statements) {
    for (const Binding& read : statement.bindings) {
      if (read.kind != SlotKind::element || read.fragment < 0) continue;
      const FragmentPlan& fragment = plan.fragments[static_cast<size_t>(read.fragment)];
      if (!fragment.in_loop && fragment.layout_text == layout) return read.fragment;
    }
  }
  return -1;
}

}  // namespace

std::string reduced_terms(const Elementwise& loop, const ReduceFragment& node, const std::string& quoted,
                          ProgramWriter& writer) {
  constexpr size_t kRoom = 66;  // characters of a line for the term, the combination and the target's name
  const std::string layout = writer.plan.fragments[static_cast<size_t>(node.source)].layout_text;
  const int beside = fragment_beside(loop, layout, writer.plan);
  ProgramWriter::View before = ProgramWriter::View::array();
  std::string term;
  for (const ElementwiseStatement& statement : loop.statements) {
    const FragmentPlan& of = writer.plan.fragments[static_cast<size_t>(statement.target)];
    const bool is_last = &statement == &loop.statements.back();
    const bool quotes = !statement.quoted.empty() && &statement != &loop.statements.front();
    if (statement.paired || quotes || beside < 0 || is_last == of.in_loop) return {};
    term = cpp_expression(statement.value, writer.values.reading(statement.bindings, beside));
    if (!is_last)
      before.push_back("const " + cpp_type(of.dtype) + " " + writer.values.element(statement.target) + " = " + term);
  }
  const std::string what = std::string(combination(node.op)) + ", " + std::to_string(node.axis) + ", " + layout;
  const size_t width = what.size() + writer.values.fragment(node.target).size() + term.size();
  const bool is_short = before.empty() && width <= kRoom;
  return writer.render("reduce_terms", {{"quote", writer.quote(quoted)},
                                        {"combination", what + strategy_argument(node.strategy)},
                                        {"target", writer.values.fragment(node.target)},
                                        {"short", is_short},
                                        {"before", before},
                                        {"term", term},
                                        {"tile", through_tile(node, writer)}});
}

std::string text_of(const ReduceFragment& node, ProgramWriter& writer) {
  const std::string source = node.part == ReducePart::lanes ? "" : ", " + writer.values.fragment(node.source);
  return writer.render("reduce_fragment", {{"quote", writer.quote(node.quoted)},
                                           {"function", function_of(node)},
                                           {"combination", template_arguments(node)},
                                           {"target", writer.values.fragment(node.target)},
                                           {"source", source},
                                           {"tile", through_tile(node, writer)}});
}

std::string text_of(const ReduceLanes& node, ProgramWriter& writer) {
  const bool finds = node.position >= 0;
  const std::string which = finds ? (node.op == Op::argmax ? "Greatest" : "Least") : combination(node.op);
  std::string tiles;
  for (const int field : {node.field, node.positions}) {
    if (field >= 0) tiles += ", smem." + writer.plan.shared.fields[field].name + "[thread / 32]";
  }
  return writer.render("reduce_lanes", {{"combination", which + strategy_argument(node.strategy)},
                                        {"total", writer.values.scalar(node.total)},
                                        {"position", finds ? writer.values.scalar(node.position) : ""},
                                        {"tiles", tiles}});
}

std::string text_of(const ReduceTile& node, ProgramWriter& writer) {
  return writer.render("reduce_tile", {{"combination", combination(node.op) + strategy_argument(node.strategy)},
                                       {"tile", writer.plan.shared.fields[node.field].name},
                                       {"threads", writer.values.threads().text},
                                       {"together", together(writer, writer.role.groups.value == 1)}});
}

std::string text_of(const ScanLanes& node, ProgramWriter& writer) {
  return writer.render("scan_lanes", {{"combination", combination(node.op)},
                                      {"total", writer.values.scalar(node.total)},
                                      {"before", writer.values.scalar(node.before)}});
}

namespace {

// The address in the tile where the fragment begins.
std::string part_of_tile(const TileAccess& node, const ProgramWriter& writer) {
  const SharedField& of = writer.plan.shared.fields[node.field];
  const auto at = [&](size_t dim) { return node.at.empty() ? "0" : writer.values.coordinate(node.at[dim]); };
  std::string tile = "smem." + of.name;
  for (size_t dim = 0; dim + 1 < of.dims.size(); ++dim) tile += "[" + at(dim) + "]";
  const std::string column = at(of.dims.size() - 1);
  return column == "0" ? tile : "&" + tile + "[" + column + "]";
}

// The template arguments "<0, 128>": vector width and pitch, without those that the fragment's shape determines.
std::string vector_and_pitch(const TileAccess& node) {
  if (node.pitch.value > 0) return "<" + node.vector.text + ", " + node.pitch.text + ">";
  return node.vector.value > 0 ? "<" + node.vector.text + ">" : "";
}

// The view for the templates that store a fragment to a tile or load it.
ProgramWriter::View tile_access(const TileAccess& node, const ProgramWriter& writer) {
  return {{"transposed", !!node.transposed},
          {"together", std::to_string(node.transposed.value_or(0))},
          {"fragment", writer.values.fragment(node.fragment)},
          {"pitch", vector_and_pitch(node)},
          {"tile", part_of_tile(node, writer)}};
}

}  // namespace

std::string text_of(const StoreTile& node, ProgramWriter& writer) {
  return writer.render("store_tile", tile_access(node, writer));
}

std::string text_of(const LoadTile& node, ProgramWriter& writer) {
  return writer.render("load_tile", tile_access(node, writer));
}

std::string text_of(const RoleSync&, ProgramWriter& writer) {
  const Number& ctas = writer.plan.launch.cluster;
  const bool only = !has_several_roles(writer.plan), cluster = ctas.value > 1, several = writer.role.groups.value > 1;
  return writer.render("role_sync", {{"cluster", cluster ? ctas.text : ""},
                                     {"whole", only && !cluster},
                                     {"several", !only && several},
                                     {"group", !only && !several},
                                     {"threads", writer.values.threads().text}});
}

std::string text_of(const GridSync&, ProgramWriter& writer) {
  return writer.render("grid_sync", {{"word", writer.values.workspace_part(workspace_name::grid_barrier)}});
}

std::string text_of(const OpenExchange& node, ProgramWriter& writer) {
  return writer.render("open_exchange", {{"ctas", writer.plan.launch.cluster.text},
                                         {"barriers", writer.plan.shared.fields[node.field].name}});
}

std::string text_of(const TakeTicket& node, ProgramWriter& writer) {
  return writer.render("take_ticket", {{"counter", writer.values.workspace_part(workspace_name::tickets)},
                                       {"slot", writer.plan.shared.fields[node.field].name}});
}

std::string text_of(const Check& node, ProgramWriter& writer) {
  const Spelling spelling = writer.values.reading(node.bindings);
  return writer.render(
      "check", {{"violated", cpp_condition(node.violated, spelling)},
                {"status", writer.values.workspace_part(workspace_name::status)},
                {"fault", std::to_string(node.fault)},
                {"stays", node.stays},
                {"point", node.point.empty() ? "" : ", {" + writer.values.index_list(node.point, spelling) + "}"}});
}

std::string text_of(const LeaveOnFault&, ProgramWriter& writer) {
  return writer.render("leave_on_fault", {{"status", writer.values.workspace_part(workspace_name::status)}});
}

std::string text_of(const PollFault& node, ProgramWriter& writer) {
  return writer.render("poll_fault", {{"status", writer.values.workspace_part(workspace_name::status)},
                                      {"tile", writer.plan.shared.fields[node.field].name}});
}

namespace {

// `text` with every `%` doubled, for a printf format.
std::string doubled_percents(const std::string& text) {
  std::string doubled;
  for (const char c : text) doubled += c == '%' ? "%%" : std::string(1, c);
  return doubled;
}

// The format as a string literal with a newline at its end.
std::string line_literal(const std::string& format) {
  std::string literal = string_literal(format);
  return literal.insert(literal.size() - 1, "\\n");
}

}  // namespace

std::string text_of(const Print& node, ProgramWriter& writer) {
  const Spelling spelling = writer.values.reading(node.bindings);
  std::string format = doubled_percents(node.texts[0]), arguments;
  for (size_t i = 0; i < node.args.size(); ++i) {
    const TypedPtr& arg = node.args[i];
    const std::string value = cpp_expression(arg, spelling);
    const DTypeInfo& type = info(arg->dtype);
    if (arg->dtype == DType::boolean) {
      format += "%s";
      arguments += ", " + cpp_condition(arg, spelling) + " ? \"true\" : \"false\"";
    } else if (type.is_float) {
      format += "%g";
      arguments += ", cast<double>(" + value + ")";
    } else {
      const bool is_unsigned = !type.is_signed && arg->dtype != DType::index;
      format += is_unsigned ? "%llu" : "%lld";
      arguments += (is_unsigned ? ", (unsigned long long)(" : ", (long long)(") + value + ")";
    }
    format += doubled_percents(node.texts[i + 1]);
  }
  return writer.render("print", {{"format", line_literal(format)}, {"arguments", arguments}});
}

std::string text_of(const Assert& node, ProgramWriter& writer) {
  const std::string message = node.message.empty() ? to_string(node.condition) + " does not hold" : node.message;
  return writer.render("assert", {{"condition", writer.values.value(node.condition, node.bindings)},
                                  {"message", line_literal(doubled_percents(message))}});
}

}  // namespace pallasgen
