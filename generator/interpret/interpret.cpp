#include "interpret/interpret.h"

#include <new>

#include "arguments.h"
#include "check/orders.h"
#include "interpret/rules.h"
#include "program.h"
#include "widened.h"

namespace pallasgen {
using namespace interpreter;
namespace {

// The arrays of a run, one per ref (none for scratch). Blocks point to its entries. `tracked`: arrays record which of
// their elements are written, and by which program.
std::vector<GlobalArray> global_arrays(const Kernel& kernel, const Arguments& arguments,
                                       const std::vector<Shape>& extents, bool tracked) {
  std::vector<GlobalArray> arrays(kernel.refs.size());
  for (size_t i = 0; i < kernel.refs.size(); ++i) {
    const Ref& ref = kernel.refs[i];
    if (ref.role == RefRole::input) {
      arrays[i].argument = &arguments.arrays.at(ref.name);
    } else if (ref.role != RefRole::scratch && !ref.alias_of) {
      arrays[i].own = filled_array(ref.dtype, extents[i], ref.init);
      const bool in_place = tracked && is_view(ref);
      if (in_place && !orders_accesses(kernel)) arrays[i].owners = Owners(elements_of(extents[i]));
      if (in_place && !ref.init) arrays[i].written.assign(static_cast<size_t>(elements_of(extents[i])), 0);
    }
  }
  for (const Ref& ref : kernel.refs) {  // an input that is written to is copied first
    if (!ref.alias_of) continue;
    GlobalArray& input = arrays[static_cast<size_t>(*ref.alias_of)];
    if (!input.argument) continue;
    if (!orders_accesses(kernel)) input.owners = Owners(elements_of(extents[static_cast<size_t>(*ref.alias_of)]));
    input.own = *input.argument;
    input.argument = nullptr;
  }
  return arrays;
}

std::optional<std::map<std::string, Array>> run_all(const Kernel& kernel, const tile::Program* program,
                                                    const Arguments& arguments, const InterpretOptions& options,
                                                    Diagnostics& diagnostics) {
  if (!check_arguments(kernel, arguments, diagnostics)) return std::nullopt;
  Environment environment = environment_of(kernel, arguments);
  std::vector<Shape> extents;
  for (const Ref& ref : kernel.refs) {
    std::optional<Shape> shape = extents_of(ref, environment, diagnostics);
    if (!shape) return std::nullopt;
    extents.push_back(std::move(*shape));
  }
  std::vector<GlobalArray> arrays = global_arrays(kernel, arguments, extents, program == nullptr);
  for (size_t i = 0; i < kernel.refs.size(); ++i) {
    const Ref& ref = kernel.refs[i];
    const bool views = is_view(ref);
    GlobalArray* array = ref.role == RefRole::scratch
                             ? nullptr
                             : &arrays[static_cast<size_t>(ref.alias_of.value_or(static_cast<int>(i)))];
    environment.blocks.emplace_back(ref, extents[i], array, views);
  }
  if (!Grid(kernel, program, std::move(environment), options, diagnostics).run()) return std::nullopt;
  std::map<std::string, Array> outputs;
  for (size_t i = 0; i < kernel.refs.size(); ++i) {
    const Ref& ref = kernel.refs[i];
    if (ref.role != RefRole::output) continue;
    GlobalArray& array = arrays[static_cast<size_t>(ref.alias_of.value_or(static_cast<int>(i)))];
    outputs[ref.name] = std::move(array.own);
  }
  return outputs;
}

std::optional<std::map<std::string, Array>> run(const Kernel& kernel, const tile::Program* program,
                                                const Arguments& arguments, const InterpretOptions& options,
                                                Diagnostics& diagnostics) {
  try {
    return run_all(kernel, program, arguments, options, diagnostics);
  } catch (const std::bad_alloc&) {
    diagnostics.error(kArgumentSize, kernel.span, "the arrays and values of this run do not fit in memory");
    return std::nullopt;
  }
}

}  // namespace

std::optional<std::map<std::string, Array>> interpret(const Kernel& kernel, const Arguments& arguments,
                                                      const InterpretOptions& options, Diagnostics& diagnostics) {
  if (!options.in_f64) return run(kernel, nullptr, arguments, options, diagnostics);
  if (has_bits_of_floats(kernel.body, kernel.functions, diagnostics)) return std::nullopt;
  return run(widened(kernel), nullptr, arguments, options, diagnostics);
}

std::optional<std::map<std::string, Array>> interpret(const tile::Program& program, const Arguments& arguments,
                                                      const InterpretOptions& options, Diagnostics& diagnostics) {
  return run(*program.declarations, &program, arguments, options, diagnostics);
}

}  // namespace pallasgen
