// Statements on whole tiles and fragments, synchronisation, and what reports.
#include <fmt/format.h>

#include <algorithm>

#include "cpp_literal.h"
#include "diagnostics/assert.h"
#include "file_view.h"
#include "program_writer.h"

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

std::string ProgramWriter::operator()(const ReduceFragment& node) {
  std::string tile;
  if (node.field >= 0) {
    // Rows are of one warpgroup, columns of all that the role has.
    const bool several = role_.groups.value > 1 && node.axis > 0;
    tile = ", smem." + plan_.shared.fields[node.field].name + (several ? "[" + group() + "]" : "");
    const char* who = node.axis > 0 ? "OneWarpgroup" : "AllWarpgroups";
    if (plan_.roles.size() > 1) tile += std::string(", ") + who + "<" + role_.groups.text + ">{" + group() + "}";
  }
  const char* const functions[] = {"reduce", "fold_rows", "share_rows"};
  const std::string source = node.part == ReducePart::lanes ? "" : ", " + fragment(node.source);
  return render(
      "reduce_fragment",
      {{"quote", quote(node.quoted)},
       {"function", functions[static_cast<int>(node.part)]},
       {"combination", combination(node.op) + (node.part == ReducePart::all ? ", " + std::to_string(node.axis) : "")},
       {"target", fragment(node.target)},
       {"source", source},
       {"tile", tile}});
}

std::string ProgramWriter::operator()(const ReduceLanes& node) {
  const std::string total = plan_.kernel->identifiers.of(plan_.scalars[node.total].name);
  if (node.position < 0)
    return render("reduce_lanes", {{"combination", combination(node.op)}, {"total", total}, {"position", ""}});
  return render("reduce_lanes", {{"combination", node.op == Op::argmax ? "Greatest" : "Least"},
                                 {"total", total},
                                 {"position", plan_.kernel->identifiers.of(plan_.scalars[node.position].name)}});
}

std::string ProgramWriter::operator()(const ScanLanes& node) {
  return render("scan_lanes", {{"combination", combination(node.op)},
                               {"total", plan_.kernel->identifiers.of(plan_.scalars[node.total].name)},
                               {"before", plan_.kernel->identifiers.of(plan_.scalars[node.before].name)}});
}

std::string ProgramWriter::part_of_tile(int field, const TypedPtr& offset) {
  const SharedField& of = plan_.shared.fields[field];
  std::string tile = "smem." + of.name;
  for (size_t dim = 1; dim < of.dims.size(); ++dim) tile += "[0]";
  return offset ? fmt::format("&{}[{}]", tile, coordinate(offset)) : tile;
}

std::string ProgramWriter::operator()(const StoreTile& node) {
  return render("store_tile", {{"fragment", fragment(node.fragment)}, {"tile", part_of_tile(node.field, node.offset)}});
}

std::string ProgramWriter::operator()(const LoadTile& node) {
  return render("load_tile", {{"fragment", fragment(node.fragment)}, {"tile", part_of_tile(node.field, node.offset)}});
}

std::string ProgramWriter::operator()(const RoleSync&) {
  const bool whole = plan_.roles.size() == 1;
  return render("role_sync", {{"whole", whole}, {"several", role_.groups.value > 1}, {"threads", role_threads()}});
}

std::string ProgramWriter::operator()(const GridSync&) {
  return render("grid_sync", {{"word", part(workspace_name::grid_barrier)}});
}

std::string ProgramWriter::operator()(const TakeTicket& node) {
  return render("take_ticket",
                {{"counter", part(workspace_name::tickets)}, {"slot", plan_.shared.fields[node.field].name}});
}

std::string ProgramWriter::operator()(const Check& node) {
  const Spelling spelling = reading(node.bindings);
  return render("check", {{"violated", cpp_condition(node.violated, spelling)},
                          {"status", part(workspace_name::status)},
                          {"fault", std::to_string(node.fault)},
                          {"stays", node.stays},
                          {"point", node.point.empty() ? "" : ", {" + index_list(node.point, spelling) + "}"}});
}

std::string ProgramWriter::operator()(const LeaveOnFault&) {
  return render("leave_on_fault", {{"status", part(workspace_name::status)}});
}

std::string ProgramWriter::operator()(const PollFault& node) {
  return render("poll_fault",
                {{"status", part(workspace_name::status)}, {"tile", plan_.shared.fields[node.field].name}});
}

std::string ProgramWriter::part(const char* name) const {
  const auto& arguments = plan_.launch.arguments;
  const bool known = std::any_of(arguments.begin(), arguments.end(), [&](const Parameter& parameter) {
    return parameter.kind == ParameterKind::part && parameter.name == name;
  });
  PALLASGEN_ASSERT(known, plan_.kernel->span);
  return name;
}

namespace {

// `%` doubled, for the format of a printf.
std::string doubled_percents(const std::string& text) {
  std::string doubled;
  for (const char c : text) doubled += c == '%' ? "%%" : std::string(1, c);
  return doubled;
}

// A format as a literal that ends its line.
std::string line_literal(const std::string& format) {
  std::string literal = string_literal(format);
  return literal.insert(literal.size() - 1, "\\n");
}

}  // namespace

std::string ProgramWriter::operator()(const Print& node) {
  const Spelling spelling = reading(node.bindings);
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
  return render("print", {{"format", line_literal(format)}, {"arguments", arguments}});
}

std::string ProgramWriter::operator()(const Assert& node) {
  const std::string message = node.message.empty() ? to_string(node.condition) + " does not hold" : node.message;
  return render("assert", {{"condition", cpp_expression(node.condition, reading(node.bindings))},
                           {"message", line_literal(doubled_percents(message))}});
}

}  // namespace pallasgen
