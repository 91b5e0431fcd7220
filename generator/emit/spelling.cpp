#include "spelling.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "cpp_literal.h"
#include "diagnostics/assert.h"
#include "expression/constant_text.h"
#include "fold_lines.h"

namespace pallasgen {
namespace {

// By let, filled on demand: true if the let is an int64_t.
using WideLets = std::shared_ptr<std::map<int, bool>>;

Spelling spelling_of(const Plan& plan, const WideLets& wide_lets);

Spelling::Name name_of_symbol(const Plan& plan, const Symbol& symbol, const WideLets& wide_lets) {
  const Kernel& kernel = *plan.kernel;
  switch (symbol.kind) {
    case SymbolKind::axis: {
      const auto& axes = plan.work.axes;
      const auto at = std::find(axes.begin(), axes.end(), symbol.id);
      if (at == axes.end()) return {plan.kernel->identifiers.of(kernel.axes[symbol.id].name), false};
      return {plan.work.coordinates[static_cast<size_t>(at - axes.begin())], false};
    }
    case SymbolKind::axis_size:
      return {size_name(plan, symbol.id), false};
    case SymbolKind::dim:
      return {plan.kernel->identifiers.of(kernel.dims[symbol.id].name), true};
    case SymbolKind::scalar: {
      const KernelScalar& scalar = kernel.scalars[symbol.id];
      return {plan.kernel->identifiers.of(scalar.name), scalar.dtype == DType::i64 || scalar.dtype == DType::u64};
    }
    case SymbolKind::loop:
      if (symbol.id < 0) return {symbol.name, false};  // a variable of the program: row0, i, j
      break;
    case SymbolKind::let: {
      const Let& let = kernel.lets[symbol.id];
      if (!wide_lets->count(symbol.id)) (*wide_lets)[symbol.id] = is_wide(let.value, spelling_of(plan, wide_lets));
      return {plan.kernel->identifiers.of(let.name), wide_lets->at(symbol.id)};
    }
    case SymbolKind::ticket:
      return {"ticket", false};  // declared by program::TakeTicket
    case SymbolKind::num_sms:
      return {"num_sms", false};  // declared by the launcher
  }
  return {plan.kernel->identifiers.of(symbol.name), false};
}

// Extents that the launcher accepts fit an int, and so do tiles and steps.
SymbolFacts facts_of_launch(const Plan& plan) {
  SymbolFacts facts = plan.kernel->facts();
  facts.maximum = [maximum = facts.maximum](const Symbol& symbol) {
    const auto known = maximum ? maximum(symbol) : std::nullopt;
    if (known || symbol.kind == SymbolKind::scalar) return known;
    return std::optional<int64_t>(INT32_MAX);
  };
  facts.minimum = [&plan, minimum = facts.minimum](const Symbol& symbol) -> std::optional<int64_t> {
    const auto least = minimum ? minimum(symbol) : std::nullopt;
    if (least || symbol.kind == SymbolKind::scalar) return least;
    if (symbol.kind == SymbolKind::let)
      return bounds(plan.kernel->lets[symbol.id].value, facts_of_launch(plan)).minimum;
    return 0;
  };
  return facts;
}

}  // namespace

SymbolFacts facts_of_places(const Plan& plan, SymbolFacts facts) {
  SymbolFacts of_axes = facts;
  of_axes.maximum = [&plan, maximum = facts.maximum](const Symbol& symbol) {
    if (symbol.kind != SymbolKind::dim) return maximum(symbol);
    const auto most = plan.launch.most.find(symbol.id);
    return most == plan.launch.most.end() ? maximum(symbol) : std::optional(most->second);
  };
  facts.maximum = [&plan, of_axes](const Symbol& symbol) -> std::optional<int64_t> {
    const bool size = symbol.kind == SymbolKind::axis_size;
    if (size || symbol.kind == SymbolKind::axis) {
      const TypedPtr& of = plan.kernel->axes[symbol.id].size;
      const auto most = of ? bounds(of, of_axes).maximum : std::nullopt;
      return std::min<int64_t>(most.value_or(INT32_MAX), INT32_MAX) - (size ? 0 : 1);
    }
    return of_axes.maximum(symbol);
  };
  return facts;
}

Spelling spelling_of(const Plan& plan) { return spelling_of(plan, std::make_shared<std::map<int, bool>>()); }

namespace {

Spelling spelling_of(const Plan& plan, const WideLets& wide_lets) {
  std::map<std::string, bool> constants;  // by name: true for integers
  for (const PlanConstant& constant : plan.constants) constants[constant.name] = !constant.real;
  Spelling spelling;
  spelling.symbol = [&plan, wide_lets](const Symbol& symbol) { return name_of_symbol(plan, symbol, wide_lets); };
  spelling.local = [&plan](const LocalUse& local) { return Spelling::Name{plan.kernel->identifiers.of(local.name)}; };
  spelling.scalar_array = [&plan](int id) {
    const KernelScalar& scalar = plan.kernel->scalars[id];
    return Spelling::ScalarArray{plan.kernel->identifiers.of(scalar.name), scalar.dtype, *scalar.shape};
  };
  spelling.function = [&plan](int id) {
    const Function& function = plan.kernel->functions[id];
    return function.external ? function.external->name : plan.kernel->identifiers.of(function.name);
  };
  spelling.constant = [constants, &plan](const std::string& name, bool integer) {
    for (const std::string& known : {name, plan.kernel->identifiers.of(name)}) {
      const auto found = constants.find(known);
      if (found != constants.end() && found->second == integer) return known;
    }
    return std::string();
  };
  std::set<std::string> missing;  // consts of the spec that the file does not declare
  for (const KernelConst& constant : plan.kernel->consts) missing.insert(plan.kernel->identifiers.of(constant.name));
  std::erase_if(missing, [&](const std::string& name) { return constants.count(name) > 0; });
  spelling.declares = [missing](const std::string& text) {
    const std::vector<std::string> names = names_in(text);
    return std::none_of(names.begin(), names.end(), [&](const std::string& name) { return missing.count(name) > 0; });
  };
  spelling.approximate = plan.kernel->approximate_math;
  spelling.facts = facts_of_launch(plan);
  return spelling;
}

}  // namespace

std::string parameter_text(const Plan& plan, const Parameter& parameter, Site site) {
  const auto element = [&](DType dtype) {
    return site == Site::header ? std::string(info(dtype).cuda) : cpp_type(dtype);
  };
  const auto memory = [&](DType dtype) {
    if (site != Site::header) return memory_type(dtype);
    return std::string(is_packed(dtype) ? info(dtype).cuda_pair : info(dtype).cuda);
  };
  switch (parameter.kind) {
    case ParameterKind::smem:
      return "Smem& " + parameter.name;
    case ParameterKind::map:
      return (site == Site::kernel ? "const __grid_constant__ TensorMap " : "const TensorMap& ") + parameter.name;
    case ParameterKind::ref: {
      const Ref& ref = plan.kernel->refs[parameter.index];
      return (is_written(*plan.kernel, parameter.index) ? "" : "const ") + memory(ref.dtype) + "* " + parameter.name;
    }
    case ParameterKind::dim:
      return "int64_t " + parameter.name;
    case ParameterKind::scalar: {
      const KernelScalar& scalar = plan.kernel->scalars[parameter.index];
      return (scalar.shape ? "const " : "") + element(scalar.dtype) + (scalar.shape ? "* " : " ") + parameter.name;
    }
    case ParameterKind::num_sms:
    case ParameterKind::size:
      return "int " + parameter.name;
    case ParameterKind::part: {
      const WorkspacePart& part = plan.launch.workspace[parameter.index];
      return memory(part.dtype) + "* " + parameter.name;
    }
    case ParameterKind::workspace_bytes:
      return "size_t " + parameter.name;
    case ParameterKind::workspace:
      return "void* " + parameter.name;
    case ParameterKind::stream:
      return "cudaStream_t " + parameter.name;
  }
  return {};
}

std::string parameter_list(const Plan& plan, const std::vector<Parameter>& parameters, Site site) {
  std::string text;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const auto by_value = [&](const Parameter& p) { return p.kind >= ParameterKind::dim; };
    if (i > 0)
      text += by_value(parameters[i]) && !by_value(parameters[i - 1]) ? std::string(",") + kPreferredBreak : ", ";
    text += parameter_text(plan, parameters[i], site);
  }
  return text;
}

std::string argument_list(const std::vector<Parameter>& parameters) {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  return joined(names, ", ");
}

std::string tile_counts(const Plan& plan) {
  std::vector<std::string> names;
  for (const int axis : plan.work.axes) names.push_back(size_name(plan, axis));
  return joined(names, ", ");
}

std::string size_name(const Plan& plan, int axis) {
  const auto& sizes = plan.launch.sizes;
  const auto at = std::find_if(sizes.begin(), sizes.end(), [&](const LaunchSize& size) { return size.axis == axis; });
  PALLASGEN_ASSERT(at != sizes.end(), plan.kernel->axes[axis].span);
  return at->name;
}

std::string factor(const Number& number) {
  return number.text.find_first_of("+-/%") == std::string::npos ? number.text : "(" + number.text + ")";
}

std::string joined(const std::vector<std::string>& parts, const std::string& separator) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) text += (i > 0 ? separator : "") + parts[i];
  return text;
}

bool has_word(const std::string& text, const std::string& word) {
  const auto is_part = [&](size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
  };
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    if ((at == 0 || !is_part(at - 1)) && !is_part(at + word.size())) return true;
  }
  return false;
}

}  // namespace pallasgen
