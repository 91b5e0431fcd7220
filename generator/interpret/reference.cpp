#include <new>

#include "arguments.h"
#include "broadcast.h"
#include "diagnostics/assert.h"
#include "fault.h"
#include "interpret/interpret.h"
#include "interpret/rules.h"
#include "statements.h"
#include "widened.h"

namespace pallasgen {
using namespace interpreter;
namespace {

std::optional<std::map<std::string, Array>> evaluate_all(const Kernel& written, const Arguments& arguments,
                                                         Diagnostics& diagnostics, bool in_f64) {
  const std::optional<Kernel> wide = in_f64 ? std::optional(widened(written)) : std::nullopt;
  const Kernel& kernel = wide ? *wide : written;
  if (!check_arguments(kernel, arguments, diagnostics)) return std::nullopt;
  std::optional<ReferenceProgram> program = type_reference(written, arguments.dims, diagnostics);
  if (!program) return std::nullopt;
  if (in_f64) {
    if (has_bits_of_floats(program->statements, program->functions, diagnostics)) return std::nullopt;
    widen(program->statements);
    widen(program->functions);
  }
  Environment environment = environment_of(kernel, arguments);
  environment.functions = &program->functions;

  // In a reference a ref is its whole array.
  std::vector<Ref> refs = kernel.refs;
  std::vector<GlobalArray> arrays(refs.size());
  for (size_t i = 0; i < refs.size(); ++i) {
    refs[i].block.clear();
    refs[i].fill.reset();
    if (refs[i].role == RefRole::input) arrays[i].argument = &arguments.arrays.at(refs[i].name);
  }
  for (size_t i = 0; i < refs.size(); ++i) {
    const std::optional<Shape> extents = extents_of(refs[i], environment, diagnostics);
    if (!extents) return std::nullopt;
    environment.blocks.emplace_back(refs[i], *extents, &arrays[i], false);
    if (refs[i].role != RefRole::input) continue;
    Placement whole;
    for (int64_t extent : *extents) whole.dims.push_back({0, extent, 0, extent});
    environment.blocks.back().open(std::move(whole), true, false);
  }

  StatementRunner runner(environment, nullptr);
  try {
    runner.run(program->statements);
  } catch (const Fault& fault) {
    diagnostics.error(fault.rule, fault.span, fault.message).note("in the reference");
    return std::nullopt;
  }
  std::map<std::string, Array> outputs;
  for (const auto& [name, local] : program->outputs) {
    const Ref* ref = kernel.find_ref(name);
    PALLASGEN_ASSERT(ref != nullptr, kernel.span);
    const std::optional<Shape> extents = extents_of(*ref, environment, diagnostics);
    if (!extents) return std::nullopt;
    const Value& value = environment.locals[static_cast<size_t>(local)];
    // type_reference() accepts only the output's dtype, and its shape or a scalar.
    PALLASGEN_ASSERT(value.dtype == ref->dtype, kernel.spec->reference.span);
    outputs[name] = array_of(broadcast(value, *extents));
  }
  return outputs;
}

}  // namespace

std::optional<std::map<std::string, Array>> evaluate_reference(const Kernel& kernel, const Arguments& arguments,
                                                               Diagnostics& diagnostics, bool in_f64) {
  try {
    return evaluate_all(kernel, arguments, diagnostics, in_f64);
  } catch (const std::bad_alloc&) {
    diagnostics.error(kArgumentSize, kernel.span, "the arrays and values of the reference do not fit in memory");
    return std::nullopt;
  }
}

}  // namespace pallasgen
