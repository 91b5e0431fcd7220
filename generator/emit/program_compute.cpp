// Statements that compute, and the registers that they compute in.
#include "cpp_literal.h"
#include "diagnostics/assert.h"
#include "program_writer.h"

namespace pallasgen {

using namespace program;

namespace {

// `descriptor_k_major<Swizzle::k128B>(smem.a[s], row0)`.
std::string descriptor(const RingOperand& operand, const std::string& slot, const std::string& first) {
  const bool k_major = operand.major == Major::k;
  const std::string extent =
      k_major && operand.slabs.value == 1 && operand.swizzle != Swizzle::none ? "" : ", " + operand.extent.text;
  return std::string(k_major ? "descriptor_k_major<" : "descriptor_mn_major<") + swizzle_text(operand.swizzle) +
         extent + ">(" + slot + (first.empty() ? "" : ", " + first) + ")";
}

}  // namespace

std::string ProgramWriter::operator()(const DeclareFragment& node) {
  const FragmentPlan& plan = plan_.fragments[node.fragment];
  return render("declare_fragment", {{"kind", plan.operand_a ? "PackedSteps"
                                              : plan.packed  ? "Packed"
                                                             : "Fragment"},
                                     {"type", cpp_type(plan.dtype)},
                                     {"layout", plan.layout_text},
                                     {"name", fragment(node.fragment)}});
}

std::string ProgramWriter::operator()(const BindScalar& node) {
  const ScalarValue& scalar = plan_.scalars[node.scalar];
  const std::string type = scalar.dtype == DType::index ? "auto" : cpp_type(scalar.dtype);
  return render("bind_scalar", {{"type", type},
                                {"name", plan_.kernel->identifiers.of(scalar.name)},
                                {"value", cpp_expression(scalar.value, spelling_)}});
}

std::string ProgramWriter::operator()(const Mma& node) {
  const bool several = node.row_tiles.value > 1;
  const std::string tile = "i";
  const std::string part = several ? ".m64(" + tile + ")" : "";
  std::string accumulate = "true";
  if (node.accumulate == Accumulate::not_first_step) accumulate = axis(node.axis) + " > 0 || kk > 0";
  if (node.accumulate == Accumulate::not_first_mma) accumulate = "kk > 0";
  const auto described = [&](int ring, int index, const std::string& first) -> View {
    const RingOperand& operand = plan_.rings[ring].operands[index];
    return {{"name", plan_.kernel->identifiers.derived("desc_" + plan_.kernel->refs[operand.ref].name)},
            {"value", descriptor(operand, slot_of(ring, operand.field), first)}};
  };
  View a;
  if (node.ring_a < 0) {
    const bool packed = plan_.fragments[node.a].operand_a;
    a = {{"name", packed ? fragment(node.a) : plan_.kernel->identifiers.derived(fragment(node.a) + "_packed")},
         {"value", packed ? "" : "pack_steps(" + fragment(node.a) + ")"},
         {"step", several ? ".k_step(kk, " + tile + ")" : ".k_step(kk)"}};
  } else {
    a = described(node.ring_a, node.a, node.a_first ? coordinate(node.a_first) : "");
    a["step"] = part + ".advance_k(kk)";
  }
  return render("mma", {{"a", a},
                        {"b", described(node.ring_b, node.b, "")},
                        {"row_tiles", several ? node.row_tiles.text : ""},
                        {"tile", tile},
                        {"k_steps", node.k_steps.text},
                        {"function", node.function},
                        {"accumulator", fragment(node.accumulator) + part},
                        {"accumulate", accumulate}});
}

std::string ProgramWriter::operator()(const MmaWait& node) {
  std::vector<std::string> names;
  for (const int id : node.accumulators) names.push_back(fragment(id));
  return render("mma_wait", {{"groups", node.groups.text}, {"accumulators", joined(names, ", ")}});
}

std::string ProgramWriter::operator()(const PackOperand& node) {
  return render("pack_operand", {{"packed", fragment(node.packed)}, {"fragment", fragment(node.fragment)}});
}

std::string ProgramWriter::operator()(const FillIfNoStep& node) {
  return render("fill_if_no_step", {{"steps", size_name(plan_, node.axis)},
                                    {"fragment", fragment(node.fragment)},
                                    {"value", cpp_expression(node.value, spelling_)}});
}

std::string ProgramWriter::operator()(const Elementwise& node) {
  View statements = View::array();
  for (const ElementwiseStatement& statement : node.statements) {
    const Spelling spelling = reading(statement.bindings, node.layout_of);
    statements.push_back({{"quote", quote(statement.quoted)},
                          {"target", fragment(statement.target)},
                          {"value", cpp_expression(statement.value, spelling)}});
  }
  return render(
      "elementwise",
      {{"layout", fragment(node.layout_of)}, {"several", node.statements.size() > 1}, {"statements", statements}});
}

}  // namespace pallasgen
