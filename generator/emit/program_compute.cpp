// Prints statements that compute, and the registers that they use.
#include <fmt/format.h>

#include "cpp_literal.h"
#include "statement_text.h"

namespace pallasgen {

using namespace program;

namespace {

// `descriptor_k_major<Swizzle::k128B>(smem.a[s], row0)`.
std::string descriptor(const RingOperand& operand, Major major, const std::string& slot, const std::string& first) {
  const bool k_major = major == Major::k;
  const std::string extent =
      k_major && operand.column_boxes.value == 1 && operand.swizzle != Swizzle::none ? "" : ", " + operand.extent.text;
  return std::string(k_major ? "descriptor_k_major<" : "descriptor_mn_major<") + swizzle_text(operand.swizzle) +
         extent + ">(" + slot + (first.empty() ? "" : ", " + first) + ")";
}

}  // namespace

std::string fragment_type(const FragmentPlan& fragment) {
  const char* kind = fragment.operand_a ? "PackedSteps" : fragment.packed ? "Packed" : "Fragment";
  return fmt::format("{}<{}, {}>", kind, cpp_type(fragment.dtype), fragment.layout_text);
}

std::string text_of(const DeclareFragment& node, ProgramWriter& writer) {
  return writer.render("declare_fragment", {{"type", fragment_type(writer.plan.fragments[node.fragment])},
                                            {"name", writer.values.fragment(node.fragment)}});
}

std::string text_of(const CallPart& node, ProgramWriter& writer) {
  const PartPlan& part = writer.plan.parts[node.part];
  std::vector<std::string> arguments;
  for (const int fragment : node.fragments) arguments.push_back(writer.values.fragment(fragment));
  for (const int scalar : part.scalars) arguments.push_back(writer.values.scalar(scalar));
  for (const Parameter& parameter : part.parameters) arguments.push_back(parameter.name);
  return writer.render("call_part", {{"name", part.name}, {"arguments", joined(arguments, ", ")}});
}

std::string text_of(const BindScalar& node, ProgramWriter& writer) {
  const ScalarValue& scalar = writer.plan.scalars[node.scalar];
  const std::string type = scalar.dtype == DType::index ? "auto" : cpp_type(scalar.dtype);
  return writer.render("bind_scalar", {{"type", type},
                                       {"name", writer.plan.kernel->identifiers.of(scalar.name)},
                                       {"value", writer.values.value(scalar.value)}});
}

namespace {

// `k_major<bm, bk>(smem.a[s])`.
std::string shared_matrix(const SharedMatrix& matrix, ProgramWriter& writer) {
  const int field = matrix.ring < 0 ? matrix.field : writer.plan.rings[matrix.ring].operands[matrix.operand].field;
  std::string from =
      matrix.ring < 0 ? "smem." + writer.plan.shared.fields[field].name : writer.rings.field_of(matrix.ring, field);
  const size_t rank = matrix.ring < 0 ? writer.plan.shared.fields[field].dims.size() : 1;
  for (size_t dim = 1; dim < rank; ++dim) from += "[0]";
  const Swizzle swizzle =
      matrix.ring < 0 ? Swizzle::none : writer.plan.rings[matrix.ring].operands[matrix.operand].swizzle;
  return fmt::format("{}<{}, {}{}>({})", matrix.major == Major::k ? "k_major" : "mn_major", matrix.lines.text,
                     matrix.depth.text, swizzle == Swizzle::none ? "" : ", " + swizzle_text(swizzle), from);
}

}  // namespace

std::string text_of(const MultiplyAdd& node, ProgramWriter& writer) {
  return writer.render("multiply_add", {{"elements", node.tf32 ? "<RoundedToTf32>" : ""},
                                        {"accumulator", writer.values.fragment(node.accumulator)},
                                        {"a", shared_matrix(node.a, writer)},
                                        {"b", shared_matrix(node.b, writer)}});
}

std::string text_of(const Mma& node, ProgramWriter& writer) {
  const bool several = node.row_tiles.value > 1;
  const std::string tile = "i";
  const std::string part = several ? ".m64(" + tile + ")" : "";
  // A single instruction needs no loop over k.
  const bool one_step = node.k_steps.value == 1 && !several;
  const std::string at = node.k_first ? writer.values.coordinate(node.k_first) : "0", first = at == "0" ? "" : at;
  const std::string step = one_step ? first : first.empty() ? "kk" : first + " + kk";
  const std::string advance = step.empty() ? "" : ".advance_k(" + step + ")";
  std::vector<std::string> later;  // conditions that hold except at the first instruction of the sum
  if (node.accumulate == Accumulate::not_first_step) {
    for (int axis : node.axes) later.push_back(writer.values.axis(axis) + " > 0");
  }
  if (!one_step) later.push_back("kk > 0");
  const std::string accumulate = node.accumulate == Accumulate::always ? "true"
                                 : later.empty()                       ? "false"
                                                                       : joined(later, " || ");
  const auto described = [&](int ring, int index, Major major, const std::string& name, const std::string& first,
                             bool known) -> ProgramWriter::View {
    const RingOperand& operand = writer.plan.rings[ring].operands[index];
    const std::string slot = writer.rings.field_of(ring, operand.field);
    return {{"name", name}, {"value", known ? "" : descriptor(operand, major, slot, first)}};
  };
  ProgramWriter::View a;
  if (node.ring_a < 0) {
    const bool packed = writer.plan.fragments[node.a].operand_a;
    a = {{"name", packed ? writer.values.fragment(node.a) : node.a_descriptor},
         {"value", packed ? "" : "pack_steps(" + writer.values.fragment(node.a) + ")"},
         {"step", several    ? ".k_step(kk, " + tile + ")"
                  : one_step ? ".k_step(0)"
                             : ".k_step(kk)"}};
  } else {
    a = described(node.ring_a, node.a, node.a_major, node.a_descriptor,
                  node.a_first ? writer.values.coordinate(node.a_first) : "", node.a_described);
    a["step"] = part + advance;
  }
  return writer.render("mma",
                       {{"a", a},
                        {"b", described(node.ring_b, node.b, node.b_major, node.b_descriptor,
                                        node.b_first ? writer.values.coordinate(node.b_first) : "", node.b_described)},
                        {"advance", advance},
                        {"one_step", one_step},
                        {"row_tiles", several ? node.row_tiles.text : ""},
                        {"tile", tile},
                        {"k_steps", node.k_steps.text},
                        {"function", node.function},
                        {"accumulator", writer.values.fragment(node.accumulator) + part},
                        {"discarded", node.discards ? writer.values.fragment(node.accumulator) : ""},
                        {"fenced", node.set_by_threads ? writer.values.fragment(node.accumulator) : ""},
                        {"accumulate", accumulate}});
}

std::string text_of(const MmaWait& node, ProgramWriter& writer) {
  std::vector<std::string> names;
  for (const int id : node.accumulators) names.push_back(writer.values.fragment(id));
  return writer.render("mma_wait", {{"groups", node.groups.text}, {"accumulators", joined(names, ", ")}});
}

std::string packed(const PackOperand& node, const ProgramWriter& writer) {
  const DType to = writer.plan.fragments[node.packed].dtype;
  const bool rounds = writer.plan.fragments[node.fragment].dtype != to;
  return "pack_steps" + (rounds ? "<" + cpp_type(to) + ">" : "") + "(" + writer.values.fragment(node.fragment) + ")";
}

std::string text_of(const PackOperand& node, ProgramWriter& writer) {
  return writer.render("pack_operand",
                       {{"packed", writer.values.fragment(node.packed)}, {"value", packed(node, writer)}});
}

std::string text_of(const UnpackAgain& node, ProgramWriter& writer) {
  return writer.render("unpack_again", {{"fragment", writer.values.fragment(node.fragment)}});
}

std::string text_of(const FillIfNoStep& node, ProgramWriter& writer) {
  return writer.render("fill_if_no_step", {{"steps", size_name(writer.plan, node.axis)},
                                           {"fragment", writer.values.fragment(node.fragment)},
                                           {"value", writer.values.value(node.value)}});
}

std::string copied_fragment(const ElementwiseStatement& statement, const ProgramWriter& writer) {
  const auto* use = statement.value->as<LocalUse>();
  const Binding* read = use ? &statement.bindings[static_cast<size_t>(use->id)] : nullptr;
  if (!read || read->kind != SlotKind::element) return {};
  const FragmentPlan &from = writer.plan.fragments[read->fragment], &to = writer.plan.fragments[statement.target];
  if (from.in_loop || to.in_loop || fragment_type(from) != fragment_type(to)) return {};
  return writer.values.fragment(read->fragment);
}

namespace {

// The value of two neighbouring elements: `pair_at(x, e) * pair_of(scale[x.row_slot(e)])`.
std::string paired_value(const TypedPtr& value, const ElementwiseStatement& statement, const Spelling& spelling,
                         const ProgramWriter& writer) {
  if (const auto* use = value->as<LocalUse>()) {
    const Binding& read = statement.bindings[static_cast<size_t>(use->id)];
    if (read.kind == SlotKind::element) return "pair_at(" + writer.values.fragment(read.fragment) + ", e)";
    return "pair_of(" + spelling.local(*use).text + ")";
  }
  const Apply& apply = *value->as<Apply>();
  const auto operand = [&](size_t i) {
    const Apply* inner = apply.args[i]->as<Apply>();
    const std::string text = paired_value(apply.args[i], statement, spelling, writer);
    const bool looser = inner && inner->op != Op::multiply && (apply.op == Op::multiply || i == 1);
    const bool same = inner && inner->op == Op::multiply && apply.op == Op::multiply && i == 1;
    return looser || same ? "(" + text + ")" : text;
  };
  const char* sign = apply.op == Op::multiply ? " * " : apply.op == Op::add ? " + " : " - ";
  return operand(0) + sign + operand(1);
}

// A whole-fragment assignment that needs no loop: of one constant, or of another fragment. Empty if there is none.
std::string of_whole(const ElementwiseStatement& statement, const Spelling& spelling, const ProgramWriter& writer) {
  const std::string target = writer.values.fragment(statement.target);
  if (statement.value->as<Constant>()) return "fill(" + target + ", " + cpp_expression(statement.value, spelling) + ")";
  const std::string from = copied_fragment(statement, writer);
  return from.empty() ? "" : target + " = " + from;
}

// The target of an assignment in a loop over elements: `x[e]`, or `const float x`, which lives in the loop.
std::string assigned(int fragment, const ProgramWriter& writer) {
  const FragmentPlan& of = writer.plan.fragments[fragment];
  return (of.in_loop ? "const " + cpp_type(of.dtype) + " " : "") + writer.values.element(fragment);
}

}  // namespace

std::string text_of(const Elementwise& node, ProgramWriter& writer) {
  if (node.statements.size() == 1 && node.statements.front().paired) {
    const ElementwiseStatement& statement = node.statements.front();
    const Spelling spelling = writer.values.reading(statement.bindings, node.layout_of);
    return writer.render("elementwise_pairs", {{"quote", writer.quote(statement.quoted)},
                                               {"target", writer.values.fragment(statement.target)},
                                               {"elements", "2"},
                                               {"value", paired_value(statement.value, statement, spelling, writer)}});
  }
  ProgramWriter::View statements = ProgramWriter::View::array();
  for (const ElementwiseStatement& statement : node.statements) {
    const Spelling spelling = writer.values.reading(statement.bindings, node.layout_of);
    statements.push_back({{"quote", writer.quote(statement.quoted)},
                          {"target", assigned(statement.target, writer)},
                          {"whole", of_whole(statement, spelling, writer)},
                          {"value", cpp_expression(statement.value, spelling)}});
  }
  return writer.render("elementwise", {{"layout", writer.values.fragment(node.layout_of)},
                                       {"several", node.statements.size() > 1},
                                       {"statements", statements}});
}

}  // namespace pallasgen
