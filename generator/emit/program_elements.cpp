// Statements on tiles and single elements: loops of a body, and what stands in them.
#include <algorithm>

#include "cpp_literal.h"
#include "diagnostics/assert.h"
#include "file_view.h"
#include "program_writer.h"

namespace pallasgen {

using namespace program;

namespace {

// The product of extents; ones are left out.
std::string product(const std::vector<Number>& shape, size_t from) {
  std::vector<std::string> factors;
  for (size_t d = from; d < shape.size(); ++d) {
    if (shape[d].text != "1") factors.push_back(factor(shape[d]));
  }
  return factors.empty() ? "1" : joined(factors, " * ");
}

// One statement without a comment may stand alone after the head of a loop or a branch.
bool is_one_line(const std::string& body) {
  return !body.empty() && body.find('\n') == std::string::npos && body.find("//") == std::string::npos &&
         !body.starts_with("const ") && !body.starts_with("#") && !body.starts_with("if ") && !body.starts_with("for ");
}

std::string order_text(program::MemoryOrder order) {
  static constexpr const char* kOrders[] = {"kRelaxed", "kAcquire", "kRelease", "kAcqRel"};
  return std::string("MemoryOrder::") + kOrders[static_cast<int>(order)];
}

// Whether the statements hold a node of one of the kinds, at any depth.
template <class... Kinds>
bool holds_any(const Statements& statements) {
  return std::any_of(statements.begin(), statements.end(), [](const Statement& statement) {
    return std::visit(
        [](const auto& node) {
          using Node = std::decay_t<decltype(node)>;
          if constexpr ((std::is_same_v<Node, Kinds> || ...)) return true;
          if constexpr (requires { node.body; }) return holds_any<Kinds...>(node.body);
          if constexpr (requires { node.otherwise; })
            return holds_any<Kinds...>(node.then) || holds_any<Kinds...>(node.otherwise);
          return false;
        },
        statement.node);
  });
}

}  // namespace

bool needs_thread(const RolePlan& role) { return holds_any<ForElements, PollFault, Print, Assert>(role.program); }

std::string ProgramWriter::role_threads() const {
  if (plan_.roles.size() == 1) return plan_.launch.threads.text;
  return role_.groups.value > 1 ? "128 * " + factor(role_.groups) : std::to_string(32 * role_.warps);
}

std::string ProgramWriter::role_warps() const {
  if (plan_.roles.size() == 1) return plan_.launch.threads.text + " / 32";
  return role_.groups.value > 1 ? "4 * " + factor(role_.groups) : std::to_string(role_.warps);
}

Spelling ProgramWriter::reading(const std::vector<Binding>& bindings, int layout_of) const {
  Spelling spelling = spelling_;
  spelling.local = [this, &bindings, layout_of](const LocalUse& local) {
    return binding(bindings, local.id, layout_of);
  };
  return spelling;
}

std::string ProgramWriter::index_list(const std::vector<TypedPtr>& list, const Spelling& spelling) const {
  std::vector<std::string> parts;
  for (const TypedPtr& expr : list) parts.push_back(cpp_expression(expr, spelling, IndexWidth::plain));
  return joined(parts, ", ");
}

std::string ProgramWriter::tile_element(int id, int ring, const std::vector<TypedPtr>& index,
                                        const Spelling& spelling) const {
  const SharedField& field = plan_.shared.fields[id];
  std::string text = ring < 0 ? "smem." + field.name : slot_of(ring, id);
  PALLASGEN_ASSERT(field.dims.size() == index.size() + (ring < 0 ? 0 : 1), plan_.kernel->span);
  for (const TypedPtr& expr : index) text += "[" + cpp_expression(expr, spelling, IndexWidth::plain) + "]";
  return text;
}

std::string ProgramWriter::array_element(int id, const std::vector<TypedPtr>& index, const Spelling& spelling) const {
  const Ref& ref = plan_.kernel->refs[id];
  std::string array = pointer(id);
  if (!ref.strides.empty()) array = "strided(" + array + ", {" + index_list(ref.strides, spelling_) + "})";
  return array + ", " + extents_and_index(id, index, spelling);
}

std::string ProgramWriter::extents_and_index(int id, const std::vector<TypedPtr>& index,
                                             const Spelling& spelling) const {
  const std::string extents = index_list(plan_.kernel->refs[id].array_shape, spelling_);
  return "{" + extents + "}, {" + index_list(index, spelling) + "}";
}

Spelling::Name ProgramWriter::binding(const std::vector<Binding>& bindings, int id, int layout_of) const {
  const Binding& binding = bindings[static_cast<size_t>(id)];
  const auto layout = [&] { return fragment(layout_of); };
  switch (binding.kind) {
    case SlotKind::element:
      return {fragment(binding.fragment) + "[e]"};
    case SlotKind::row:
      return {fragment(binding.fragment) + "[" + layout() + ".row_slot(e)]"};
    case SlotKind::column:
      return {fragment(binding.fragment) + "[" +
              (binding.offset ? cpp_expression(binding.offset, spelling_, IndexWidth::plain) + " + " : "") + layout() +
              ".column_slot(e)]"};
    case SlotKind::scalar:
      return {plan_.kernel->identifiers.of(plan_.scalars[binding.scalar].name),
              wide_scalars_.count(binding.scalar) > 0};
    case SlotKind::coordinate: {
      const bool matrix = plan_.fragments[layout_of].layout.shape.size() == 2;
      const std::string at = !matrix            ? layout() + ".coordinate(e, " + std::to_string(binding.dim) + ")"
                             : binding.dim == 0 ? layout() + ".row(e)"
                                                : layout() + ".column(e)";
      return {binding.offset ? "(" + coordinate(binding.offset) + " + " + at + ")" : at};
    }
    case SlotKind::shared:
    case SlotKind::global:
      break;
  }
  const Spelling spelling = reading(bindings, layout_of);
  const std::string outside = binding.outside ? cpp_expression(binding.outside, spelling) : "";
  std::string text;
  if (binding.kind == SlotKind::shared) {
    text = tile_element(binding.field, binding.ring, binding.index, spelling);
  } else if (binding.index.empty() && !binding.condition) {
    if (binding.order) return {"load_ordered<" + order_text(*binding.order) + ">(" + pointer(binding.ref) + ")"};
    text = "*" + pointer(binding.ref);
  } else {
    const bool leaves = std::find(binding.may_leave.begin(), binding.may_leave.end(), true) != binding.may_leave.end();
    if (binding.order) return {ordered_load(binding, outside, spelling)};
    const std::string place = array_element(binding.ref, binding.index, spelling);
    text = leaves ? "element(" + place + (outside.empty() ? "" : ", " + outside) + ")" : "at(" + place + ")";
  }
  if (!binding.condition) return {text};
  const DType dtype = binding.kind == SlotKind::shared ? plan_.shared.fields[binding.field].dtype
                                                       : plan_.kernel->refs[binding.ref].dtype;
  return {"(" + cpp_condition(binding.condition, spelling) + " ? " + text + " : " +
          (outside.empty() ? constant_literal(dtype, int64_t{0}) : outside) + ")"};
}

std::string ProgramWriter::ordered_load(const Binding& binding, const std::string& outside,
                                        const Spelling& spelling) const {
  const bool leaves = std::find(binding.may_leave.begin(), binding.may_leave.end(), true) != binding.may_leave.end();
  const std::string text = "load_ordered<" + order_text(*binding.order) + ">(&at(" +
                           array_element(binding.ref, binding.index, spelling) + "))";
  if (!leaves) return text;
  const DType dtype = plan_.kernel->refs[binding.ref].dtype;
  return "(is_inside(" + extents_and_index(binding.ref, binding.index, spelling) + ") ? " + text + " : " +
         (outside.empty() ? constant_literal(dtype, int64_t{0}) : outside) + ")";
}

// Where this thread's turns of the loop begin, and from one to the next.
std::pair<std::string, std::string> ProgramWriter::share(const ForElements& node) const {
  switch (node.by) {
    case Share::threads:
      break;
    case Share::warps:
      return {"thread / 32", role_warps()};
    case Share::lanes:
      if (node.parts == 1) return {"lane", "32"};
      return {"32 * " + node.part + " + lane", std::to_string(32 * node.parts)};
  }
  return {"thread", role_threads()};
}

std::string ProgramWriter::operator()(const ForElements& node) {
  PALLASGEN_ASSERT(node.shape.size() == node.coordinates.size(), plan_.kernel->span);
  const bool by_warps = node.by == Share::warps;
  std::vector<std::string> fresh;
  for (const std::string& name : node.coordinates) {
    if (loop_variables_.insert(name).second) fresh.push_back(name);
  }
  std::string body = write(node.body);
  for (const std::string& name : fresh) loop_variables_.erase(name);
  if (node.shape.empty()) {
    if (by_warps) body = "const int lane = thread;\n" + body;
    return render("if", {{"condition", by_warps ? "thread < 32" : "thread == 0"},
                         {"then", body},
                         {"otherwise", ""},
                         {"one", is_one_line(body)}});
  }
  std::string variable = node.coordinates.front();
  std::vector<std::string> declared;
  if (node.shape.size() > 1) {
    for (const char* name : {"i", "e", "v"}) {
      variable = name;
      const auto& taken = node.coordinates;
      if (loop_variables_.count(name) == 0 && std::find(taken.begin(), taken.end(), name) == taken.end() &&
          !(by_warps && has_word(body, name)))
        break;
    }
    for (size_t d = 0; d < node.shape.size(); ++d) {
      if (!has_word(body, node.coordinates[d])) continue;
      const std::string inner = product(node.shape, d + 1);
      std::string at = inner == "1" ? variable : variable + " / " + divisor(inner);
      // Of the outermost extent that is not 1, the quotient is the coordinate.
      if (product(node.shape, 0) != inner &&
          product({node.shape.begin(), node.shape.begin() + static_cast<long>(d)}, 0) != "1")
        at += " % " + divisor(node.shape[d].text);
      declared.push_back(node.coordinates[d] + " = " + (node.shape[d].text == "1" ? "0" : at));
    }
  }
  if (by_warps) declared.push_back("lane = thread % 32");
  const auto [first, stride] = share(node);
  return render("for_elements", {{"variable", variable},
                                 {"first", first},
                                 {"count", product(node.shape, 0)},
                                 {"stride", stride},
                                 {"coordinates", joined(declared, ", ")},
                                 {"one", declared.empty() && is_one_line(body)},
                                 {"body", body}});
}

namespace {

// What the variable of a loop may be: from the start up to below the stop, or down to above it.
Bounds turns(const Bounds& start, const Bounds& stop, const Bounds& step) {
  const bool up = step.minimum && *step.minimum > 0, down = step.maximum && *step.maximum < 0;
  const auto least = [](std::optional<int64_t> a, std::optional<int64_t> b) {
    return a && b ? std::optional(std::min(*a, *b)) : std::nullopt;
  };
  const auto most = [](std::optional<int64_t> a, std::optional<int64_t> b) {
    return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
  };
  return {up ? start.minimum : least(start.minimum, stop.minimum), down ? start.maximum
                                                                   : up ? stop.maximum
                                                                        : most(start.maximum, stop.maximum)};
}

}  // namespace

std::string ProgramWriter::operator()(const ForRange& node) {
  const Spelling spelling = reading(node.bindings);
  const auto text = [&](const TypedPtr& expr) { return cpp_expression(expr, spelling); };
  // What the loop could change is evaluated before it.
  const auto is_fixed = [](const TypedPtr& expr) {
    bool fixed = true;
    walk(expr, [&](const Typed& part) { fixed = fixed && !part.as<LocalUse>(); });
    return fixed;
  };
  View before = View::array();
  const auto limit = [&](const TypedPtr& expr, const char* suffix) {
    if (is_fixed(expr)) return text(expr);
    before.push_back({{"name", node.variable + suffix}, {"value", text(expr)}});
    return node.variable + suffix;
  };
  const TypedPtr one = index_constant(1);
  const auto step = constant_value(node.step ? node.step : one);
  const std::string stop = limit(node.stop, "_stop");
  const std::string by = step ? std::to_string(*step < 0 ? -*step : *step) : limit(node.step, "_step");
  const Bounds first = bounds(node.start, spelling_.facts), last = bounds(node.stop, spelling_.facts);
  const bool wide = !fits_int(first) || !fits_int(last);
  const std::string& name = node.variable;
  std::string condition = name + " < " + stop, advance = by == "1" ? "++" + name : name + " += " + by;
  const Bounds range = bounds(node.step ? node.step : one, spelling_.facts);
  if (range.maximum && *range.maximum < 0 && step) {
    condition = name + " > " + stop;
    advance = by == "1" ? "--" + name : name + " -= " + by;
  } else if (range.minimum.value_or(0) < 1) {
    condition = by + " > 0 ? " + name + " < " + stop + " : " + name + " > " + stop;
  }
  const auto outer = variables_.find(name);
  const std::optional<Bounds> before_loop = outer == variables_.end() ? std::nullopt : std::optional(outer->second);
  variables_[name] = turns(first, last, range);
  const bool fresh = loop_variables_.insert(name).second;
  const std::string body = write(node.body);
  if (fresh) loop_variables_.erase(name);
  if (before_loop)
    variables_[name] = *before_loop;
  else
    variables_.erase(name);
  return render("for_range", {{"before", before},
                              {"unroll", node.unroll > 0 ? std::to_string(node.unroll) : ""},
                              {"type", wide ? "int64_t" : "int"},
                              {"variable", name},
                              {"start", text(node.start)},
                              {"condition", condition},
                              {"advance", advance},
                              {"one", is_one_line(body)},
                              {"body", body}});
}

std::string ProgramWriter::operator()(const WhileLoop& node) {
  return render("while",
                {{"condition", cpp_expression(node.condition, reading(node.bindings))}, {"body", write(node.body)}});
}

// `x = x + value` as `x += value`, where C++ means the same: the text after the operator, or nothing.
std::string ProgramWriter::increment(const TypedPtr& value, const Spelling& spelling, const std::string& target) const {
  const Apply* add = value->applies(Op::add);
  const bool exact = value->dtype == DType::f32 || value->dtype == DType::f64 || value->dtype == DType::index;
  if (!add || !exact) return {};
  if (!add->args[0]->as<LocalUse>() || cpp_expression(add->args[0], spelling) != target) return {};
  return cpp_expression(add->args[1], spelling);
}

std::string ProgramWriter::operator()(const SetScalar& node) {
  const ScalarValue& scalar = plan_.scalars[node.scalar];
  const std::string name = plan_.kernel->identifiers.of(scalar.name);
  const Spelling spelling = reading(node.bindings);
  std::string type;
  if (node.declares) {
    type = cpp_type(scalar.dtype);
    if (scalar.dtype == DType::index) {
      const bool wide = !node.constant || is_wide(node.value, spelling);
      if (wide) wide_scalars_.insert(node.scalar);
      type = wide ? "int64_t" : "int";
    }
  }
  const std::string added = node.declares ? "" : increment(node.value, spelling, name);
  return render("set_scalar", {{"quote", quote(node.quoted)},
                               {"type", type.empty() ? "" : (node.constant ? "const " : "") + type + " "},
                               {"name", name},
                               {"operator", added.empty() ? "=" : "+="},
                               {"value", added.empty() ? cpp_expression(node.value, spelling) : added}});
}

// Whether the array has the element, and the statement's own condition holds.
std::string ProgramWriter::inside_and(const StoreElement& node, const Spelling& spelling) const {
  const std::string inside = "is_inside(" + extents_and_index(node.ref, node.index, spelling) + ")";
  return node.condition ? cpp_conjunct(node.condition, spelling) + " && " + inside : inside;
}

std::string ProgramWriter::operator()(const StoreElement& node) {
  const Spelling spelling = reading(node.bindings);
  const std::string value = cpp_expression(node.value, spelling);
  const bool in_tile = node.field >= 0;
  const bool leaves = std::find(node.may_leave.begin(), node.may_leave.end(), true) != node.may_leave.end();
  std::string target, condition = node.condition ? cpp_expression(node.condition, spelling) : "";
  if (in_tile) {
    target = tile_element(node.field, -1, node.index, spelling);
  } else {
    target = node.index.empty() ? "*" + pointer(node.ref) : "at(" + array_element(node.ref, node.index, spelling) + ")";
  }
  if (node.atomic) {
    if (leaves) condition = inside_and(node, spelling);
    return atomic(node, condition, target, value, spelling);
  }
  std::string text;
  if (node.order) {
    const std::string place = target[0] == '*' ? target.substr(1) : "&" + target;
    text = "store_ordered<" + order_text(*node.order) + ">(" + place + ", " + value + ")";
    if (leaves) condition = inside_and(node, spelling);
    return render("store_element", {{"quote", quote(node.quoted)}, {"condition", condition}, {"text", text}});
  }
  // Elements of 4 bits have no place of their own to refer to.
  const bool packed = !in_tile && info(plan_.kernel->refs[node.ref].dtype).bits < 8;
  if (leaves || packed) {
    text = "store_element(" + array_element(node.ref, node.index, spelling) + ", " + value + ")";
  } else {
    const std::string added = increment(node.value, spelling, target);
    text = target + (added.empty() ? " = " + value : " += " + added);
  }
  return render("store_element", {{"quote", quote(node.quoted)}, {"condition", condition}, {"text", text}});
}

std::string ProgramWriter::atomic(const StoreElement& node, const std::string& condition, const std::string& target,
                                  const std::string& value, const Spelling& spelling) {
  static constexpr const char* kFunctions[] = {"atomic_add", "atomic_min", "atomic_max",  "atomic_and",
                                               "atomic_or",  "atomic_xor", "atomic_xchg", "atomic_cas"};
  static constexpr const char* kScopes[] = {"kCta", "kDevice", "kSystem"};
  const AtomicUpdate& update = *node.atomic;
  std::string arguments;  // of the template; the defaults are left out
  if (update.order != program::MemoryOrder::relaxed || update.scope != AtomicScope::device)
    arguments = "<" + order_text(update.order);
  if (update.scope != AtomicScope::device)
    arguments += std::string(", MemoryScope::") + kScopes[static_cast<int>(update.scope)];
  if (!arguments.empty()) arguments += ">";
  const std::string place = target[0] == '*' ? target.substr(1) : "&" + target;
  const std::string compare = update.compare ? cpp_expression(update.compare, spelling) + ", " : "";
  const std::string text = kFunctions[static_cast<int>(update.kind)] + arguments +
                           (node.field >= 0 ? "(in_shared(" : "(in_global(") + place + "), " + compare + value + ")";
  std::string old, type;
  if (update.old_scalar >= 0) {
    old = plan_.kernel->identifiers.of(plan_.scalars[update.old_scalar].name);
    type = cpp_type(plan_.scalars[update.old_scalar].dtype);
  }
  return render(
      "atomic",
      {{"quote", quote(node.quoted)}, {"condition", condition}, {"old", old}, {"type", type}, {"text", text}});
}

}  // namespace pallasgen
