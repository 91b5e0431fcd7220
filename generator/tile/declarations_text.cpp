#include "declarations_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace pallasgen::tile {

namespace {

// Names of consts that generated code renames, by their names in the spec.
OtherNames names_of_consts(const Kernel& kernel) {
  OtherNames names;
  for (const KernelConst& constant : kernel.consts) {
    const std::string name = kernel.identifiers.of(constant.name);
    if (name != constant.name && !std::holds_alternative<std::string>(constant.value)) names[constant.name] = name;
  }
  return names;
}

std::string list_text(const std::vector<ExprPtr>& items, const OtherNames& names) {
  std::string out;
  for (const ExprPtr& item : items) out += (out.empty() ? "" : ", ") + to_string(*item, names);
  return out;
}

std::string type_text(const TypeSpec& type, const OtherNames& names) {
  return to_string(*type.dtype) + (type.array ? fmt::format("[{}]", list_text(type.dims, names)) : "");
}

std::string dims_text(const Kernel& kernel) {
  std::string out;
  for (const Dim& dim : kernel.dims) {
    out += (out.empty() ? "dim " : ", ") + dim.name;
    if (dim.multiple_of != 1) out += fmt::format(" multiple_of {}", dim.multiple_of);
    if (dim.min != 0) out += fmt::format(" min {}", dim.min);
    if (dim.max) out += fmt::format(" max {}", *dim.max);
  }
  return out.empty() ? out : out + "\n";
}

// The text of a setting's value; a const of a text is replaced by the text, as declarations have no such consts.
std::string value_text(const Kernel& kernel, const OtherNames& names, const Expr& value) {
  const NameExpr* name = value.as<NameExpr>();
  for (const KernelConst& constant : kernel.consts) {
    const std::string* word = std::get_if<std::string>(&constant.value);
    if (name && word && constant.name == name->name) return *word;
  }
  return to_string(value, names);
}

void settings_text(const Kernel& kernel, const OtherNames& names, const std::vector<Setting>& settings,
                   const std::string& prefix, const std::set<std::string>& honoured, std::string& out) {
  for (const Setting& setting : settings) {
    const std::string name = prefix + "." + setting.name;
    if (honoured.count(name)) continue;
    if (setting.value)
      out += fmt::format("ask {} = {}\n", name, value_text(kernel, names, *setting.value));
    else
      settings_text(kernel, names, setting.entries, name, honoured, out);
  }
}

std::string_view role_word(RefRole role) {
  switch (role) {
    case RefRole::input:
      return "in";
    case RefRole::output:
      return "out";
    case RefRole::scratch:
      return "scratch";
    case RefRole::workspace:
      return "workspace";
  }
  return "in";
}

std::string_view space_word(MemorySpace space) {
  static constexpr std::string_view kWords[] = {"", "smem", "gmem", "reg", "acc", "tmem"};
  return kWords[static_cast<size_t>(space)];
}

std::string ref_text(const RefSpec& ref, const OtherNames& names) {
  std::string out = fmt::format("ref {}: {} {{{}", ref.name, type_text(ref.type, names), role_word(ref.role));
  const auto add = [&](const std::string& attribute) { out += ", " + attribute; };
  if (ref.space != MemorySpace::automatic) add(std::string("space ") + std::string(space_word(ref.space)));
  if (ref.block) add(fmt::format("block [{}]", list_text(*ref.block, names)));
  if (ref.index_map) add(fmt::format("at [{}]", list_text(*ref.index_map, names)));
  if (ref.strides) add(fmt::format("strides [{}]", list_text(*ref.strides, names)));
  if (ref.fill) add("fill " + to_string(*ref.fill, names));
  if (ref.init) add("init " + to_string(*ref.init, names));
  if (ref.reduce) add("reduce " + *ref.reduce);
  if (ref.stages) add("stages " + to_string(*ref.stages, names));
  if (ref.delay_release) add("delay_release " + to_string(*ref.delay_release, names));
  if (ref.multicast) add("multicast " + *ref.multicast);
  for (const auto& [name, value] : ref.transforms) add(fmt::format("{} {}", name, to_string(*value, names)));
  return out + "}\n";
}

// The line of scratch that the spec's lists of refs do not have: of a scope, or an accumulator that a loop became.
std::string scratch_text(const Ref& ref) {
  std::string dims;
  for (const TypedPtr& extent : ref.array_shape) dims += (dims.empty() ? "" : ", ") + to_string(extent);
  const std::string_view space = ref.scoped ? "smem" : space_word(ref.space);
  return fmt::format("ref {}: {}[{}] {{scratch{}{}}}\n", ref.name, name_of(ref.dtype), dims,
                     space.empty() ? "" : ", space ", space);
}

std::string list_text(const std::vector<TypedPtr>& items) {
  std::string out;
  for (const TypedPtr& item : items) out += (out.empty() ? "" : ", ") + to_string(item, TypedText::exact);
  return out;
}

// The declaration of a view of which each step of an axis that was a loop takes a part; the part becomes its block.
RefSpec with_block(RefSpec declared, const Ref& ref) {
  Diagnostics unsaid;
  const auto parsed = [&](const std::string& text) { return parse_expression(text, {}, unsaid); };
  declared.space = MemorySpace::automatic;
  declared.block.emplace();
  declared.index_map.emplace();
  for (const BlockDim& dim : ref.block) {
    const std::string size = dim.kind == BlockKind::squeezed ? "squeezed" : to_string(dim.size_expr, TypedText::exact);
    declared.block->push_back(parsed(dim.kind == BlockKind::element ? fmt::format("element({})", size) : size));
    declared.index_map->push_back(parsed(dim.index ? to_string(dim.index, TypedText::exact) : "0"));
  }
  return declared;
}

}  // namespace

std::string declarations_text(const Program& program, const std::vector<int>& functions) {
  const Kernel& kernel = *program.declarations;
  const Spec& spec = *kernel.spec;
  const OtherNames names = names_of_consts(kernel);
  std::string out = dims_text(kernel);
  for (const KernelConst& value : kernel.consts) {
    if (std::holds_alternative<std::string>(value.value)) continue;  // a function or a text, which no statement names
    for (const ConstSpec& declared : spec.consts) {
      if (declared.name == value.name)
        out += fmt::format("const {} = {}\n", names.count(value.name) ? names.at(value.name) : value.name,
                           to_string(*declared.value, names));
    }
  }
  std::string externs;
  for (const Named& name : spec.extern_functions) externs += (externs.empty() ? "" : ", ") + name.name;
  if (!externs.empty()) out += fmt::format("extern {}: {}\n", spec.extern_header.name, externs);
  for (int id : functions) {
    const Function& function = kernel.functions[static_cast<size_t>(id)];
    if (function.external) continue;
    std::string parameters;
    for (const auto& [name, dtype] : function.parameters) parameters += (parameters.empty() ? "" : ", ") + name;
    Diagnostics unsaid;
    const ExprPtr body = parse_expression(to_string(function.body, TypedText::exact), {}, unsaid);
    out += fmt::format("fn {}({}) = {}\n", function.name, parameters, body ? to_string(*body) : "?");
  }
  for (const ScalarSpec& scalar : spec.scalars)
    out += fmt::format("scalar {}: {}\n", scalar.name, type_text(scalar.type, names));
  for (const AxisSpec& axis : spec.grid)
    out += fmt::format("axis {} {} {}\n", axis.name, axis.sequential ? "sequential" : "parallel",
                       to_string(*axis.size, names));
  for (size_t i = spec.grid.size(); i < kernel.axes.size(); ++i)  // loops that are axes
    out += fmt::format("axis {} sequential {}\n", kernel.axes[i].name, list_text({kernel.axes[i].size}));
  for (const LetSpec& let : spec.lets) out += fmt::format("let {} = {}\n", let.name, to_string(*let.value, names));
  for (const Ref& ref : kernel.refs) {
    const auto declared = std::find_if(spec.refs.begin(), spec.refs.end(),
                                       [&](const RefSpec& each) { return !ref.scoped && each.name == ref.name; });
    if (declared == spec.refs.end()) {
      out += scratch_text(ref);
      continue;
    }
    const bool sliced = declared->space == MemorySpace::gmem && ref.space != MemorySpace::gmem;
    out += ref_text(sliced ? with_block(*declared, ref) : *declared, names);
  }
  for (const auto& [output, input] : spec.aliases) out += fmt::format("alias {} = {}\n", output.name, input.name);
  if (spec.skip) out += fmt::format("skip {}\n", to_string(*spec.skip, names));
  settings_text(kernel, names, spec.pipeline, "pipeline", program.honoured, out);
  settings_text(kernel, names, spec.schedule, "schedule", program.honoured, out);
  settings_text(kernel, names, spec.math, "math", program.honoured, out);
  for (const Named& check : spec.checks) out += fmt::format("check {}\n", check.name);
  return out;
}

}  // namespace pallasgen::tile
