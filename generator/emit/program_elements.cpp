// Prints loops over tiles with the statements on single elements in them.
#include <algorithm>

#include "cpp_literal.h"
#include "diagnostics/assert.h"
#include "statement_text.h"

namespace pallasgen {

using namespace program;

namespace {

// `text` as the right operand of a division or a remainder, in parentheses if it is a product: `i % (M * N)`.
std::string divisor(const std::string& text) { return text.find(' ') == std::string::npos ? text : "(" + text + ")"; }

// The product of the extents from dim `from` on, without ones.
std::string product(const std::vector<Number>& shape, size_t from) {
  std::vector<std::string> factors;
  for (size_t d = from; d < shape.size(); ++d) {
    if (shape[d].text != "1") factors.push_back(factor(shape[d]));
  }
  return factors.empty() ? "1" : joined(factors, " * ");
}

// This thread's first iteration of the loop, and the stride to its next one.
struct LoopShare {
  std::string first;
  Number stride;
};

LoopShare share(const ForElements& node, const ValueNames& values) {
  switch (node.by) {
    case Share::threads:
      break;
    case Share::warps:
      return {"thread / 32", values.warps()};
    case Share::lanes:
      if (node.parts == 1) return {"lane", number(32)};
      return {"32 * " + node.part + " + lane", number(32 * node.parts)};
  }
  return {"thread", values.threads()};
}

int64_t elements_of(const ForElements& node) {
  int64_t all = 1;
  for (const Number& extent : node.shape) all *= extent.value;
  return all;
}

}  // namespace

std::string text_of(const ForElements& node, ProgramWriter& writer) {
  PALLASGEN_ASSERT(node.shape.size() == node.coordinates.size(), writer.plan.kernel->span);
  const bool by_warps = node.by == Share::warps;
  std::vector<std::string> fresh;
  for (const std::string& name : node.coordinates) {
    if (writer.loop_variables.insert(name).second) fresh.push_back(name);
  }
  std::string body = writer.write(node.body);
  for (const std::string& name : fresh) writer.loop_variables.erase(name);
  if (node.shape.empty()) {
    if (by_warps) body = "const int lane = thread;\n" + body;
    return writer.render("if", {{"condition", by_warps ? "thread < 32" : "thread == 0"},
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
      if (writer.loop_variables.count(name) == 0 && std::find(taken.begin(), taken.end(), name) == taken.end() &&
          !(by_warps && has_word(body, name)))
        break;
    }
    for (size_t d = 0; d < node.shape.size(); ++d) {
      if (!has_word(body, node.coordinates[d])) continue;
      const std::string inner = product(node.shape, d + 1);
      std::string at = inner == "1" ? variable : variable + " / " + divisor(inner);
      // For the outermost extent that is not 1, the quotient is the coordinate.
      if (product(node.shape, 0) != inner &&
          product({node.shape.begin(), node.shape.begin() + static_cast<long>(d)}, 0) != "1")
        at += " % " + divisor(node.shape[d].text);
      declared.push_back(node.coordinates[d] + " = " + (node.shape[d].text == "1" ? "0" : at));
    }
  }
  if (by_warps) declared.push_back("lane = thread % 32");
  const LoopShare part = share(node, writer.values);
  const std::string count = product(node.shape, 0);
  const int64_t elements = elements_of(node);
  const std::string own = variable + " = " + part.first;
  if (elements == part.stride.value) declared.insert(declared.begin(), own);
  const std::string coordinates = joined(declared, ", ");
  if (elements == part.stride.value) return writer.render("element", {{"coordinates", coordinates}, {"body", body}});
  if (elements < part.stride.value) {
    if (!coordinates.empty()) body = "const int " + coordinates + ";\n" + body;
    return writer.render("if", {{"condition", "const int " + own + "; " + variable + " < " + count},
                                {"then", body},
                                {"otherwise", ""},
                                {"one", is_one_line(body)}});
  }
  return writer.render("for_elements", {{"variable", variable},
                                        {"first", part.first},
                                        {"count", count},
                                        {"stride", part.stride.text},
                                        {"coordinates", coordinates},
                                        {"one", declared.empty() && is_one_line(body)},
                                        {"body", body}});
}

namespace {

// The text after `+=` if `target = target + value` means the same as `target += value` in C++; empty otherwise.
std::string increment(const TypedPtr& value, const Spelling& spelling, const std::string& target) {
  const Apply* add = value->applies(Op::add);
  const bool exact = value->dtype == DType::f32 || value->dtype == DType::f64 || value->dtype == DType::index;
  if (!add || !exact) return {};
  if (!add->args[0]->as<LocalUse>() || cpp_expression(add->args[0], spelling) != target) return {};
  return cpp_expression(add->args[1], spelling);
}

}  // namespace

std::string text_of(const SetScalar& node, ProgramWriter& writer) {
  const ScalarValue& scalar = writer.plan.scalars[node.scalar];
  const std::string name = writer.plan.kernel->identifiers.of(scalar.name);
  const Spelling spelling = writer.values.reading(node.bindings);
  std::string type;
  if (node.declares) {
    type = cpp_type(scalar.dtype);
    if (scalar.dtype == DType::index) {
      const bool wide = !node.constant || is_wide(node.value, spelling);
      if (wide) writer.values.declare_wide(node.scalar);
      const Bounds range = node.constant ? bounds(node.value, spelling.facts) : Bounds{};
      // A variable without a known range is taken for a position in a block.
      const bool within = range.minimum && *range.minimum >= 0;
      if (!within) writer.values.set_range(scalar.name, wide ? Bounds{} : Bounds{INT32_MIN, INT32_MAX});
      type = wide ? "int64_t" : "int";
    }
  }
  const std::string added = node.declares ? "" : increment(node.value, spelling, name);
  return writer.render("set_scalar", {{"quote", writer.quote(node.quoted)},
                                      {"type", type.empty() ? "" : (node.constant ? "const " : "") + type + " "},
                                      {"name", name},
                                      {"operator", added.empty() ? "=" : "+="},
                                      {"value", added.empty() ? cpp_expression(node.value, spelling) : added}});
}

namespace {

// The condition that the array has the element and that the statement's own condition holds.
std::string inside_and(const StoreElement& node, const Spelling& spelling, const ValueNames& values) {
  const std::string inside = "is_inside(" + values.extents_and_index(node.ref, node.index, spelling) + ")";
  return node.condition ? cpp_conjunct(node.condition, spelling) + " && " + inside : inside;
}

std::string atomic(const StoreElement& node, const std::string& condition, const std::string& target,
                   const std::string& value, const Spelling& spelling, ProgramWriter& writer) {
  static constexpr const char* kFunctions[] = {"atomic_add", "atomic_min", "atomic_max",  "atomic_and",
                                               "atomic_or",  "atomic_xor", "atomic_xchg", "atomic_cas"};
  static constexpr const char* kScopes[] = {"kCta", "kDevice", "kSystem"};
  const AtomicUpdate& update = *node.atomic;
  std::string arguments;  // template arguments; defaults are left out
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
    old = writer.values.scalar(update.old_scalar);
    type = cpp_type(writer.plan.scalars[update.old_scalar].dtype);
  }
  return writer.render(
      "atomic",
      {{"quote", writer.quote(node.quoted)}, {"condition", condition}, {"old", old}, {"type", type}, {"text", text}});
}

}  // namespace

std::string text_of(const StoreElement& node, ProgramWriter& writer) {
  const Spelling spelling = writer.values.reading(node.bindings);
  const std::string value = cpp_expression(node.value, spelling);
  const bool in_tile = node.field >= 0;
  const bool leaves = std::find(node.may_leave.begin(), node.may_leave.end(), true) != node.may_leave.end();
  std::string target, condition = node.condition ? cpp_expression(node.condition, spelling) : "";
  if (in_tile) {
    target = writer.values.tile_element(node.field, -1, node.index, spelling);
  } else {
    target = node.index.empty() ? "*" + writer.values.pointer(node.ref)
                                : "at(" + writer.values.array_element(node.ref, node.index, spelling) + ")";
  }
  if (node.atomic) {
    if (leaves) condition = inside_and(node, spelling, writer.values);
    return atomic(node, condition, target, value, spelling, writer);
  }
  std::string text;
  if (node.order) {
    const std::string place = target[0] == '*' ? target.substr(1) : "&" + target;
    text = "store_ordered<" + order_text(*node.order) + ">(" + place + ", " + value + ")";
    if (leaves) condition = inside_and(node, spelling, writer.values);
    return writer.render("store_element",
                         {{"quote", writer.quote(node.quoted)}, {"condition", condition}, {"text", text}});
  }
  // An element of 4 bits has no address of its own.
  const bool packed = !in_tile && info(writer.plan.kernel->refs[node.ref].dtype).bits < 8;
  if (leaves || packed) {
    text = "store_element(" + writer.values.array_element(node.ref, node.index, spelling) + ", " + value + ")";
  } else {
    const std::string added = increment(node.value, spelling, target);
    text = target + (added.empty() ? " = " + value : " += " + added);
  }
  return writer.render("store_element",
                       {{"quote", writer.quote(node.quoted)}, {"condition", condition}, {"text", text}});
}

}  // namespace pallasgen
