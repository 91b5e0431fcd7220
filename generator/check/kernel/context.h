#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "check/kernel.h"
#include "check/rules.h"
#include "kernel/value.h"

namespace pallasgen {

enum class NameKind { dim, constant, scalar, axis, let, ref, function, external };

// One name of the spec's one name space. `id` indexes the list of its kind: Kernel::dims, consts (of the spec),
// scalars, axes, lets, refs of the kernel (-1: not there because `present` is false, -2: in error), functions of the
// spec, functions of its `extern`.
struct Name {
  NameKind kind;
  int id = 0;
  Span span;
};

// What was found out about one combination of argument dtypes of a function.
struct Specialization {
  int function = -1;  // of Kernel::functions; -1: its calls are inlined
  DType dtype = DType::f32;
};

// What the passes of one check() share.
struct Context {
  const Spec& spec;
  Kernel& kernel;
  Diagnostics& diagnostics;
  std::map<std::string, Name> names = {};
  std::map<std::string, Value> consts = {};  // evaluated, in so far as they could be
  std::map<std::string, Specialization> specializations = {};
  std::vector<const FunctionSpec*> recursive = {};  // functions in error, whose calls say nothing more
  std::set<const FunctionSpec*> called = {};
  std::vector<Value> values_of_locals = {};  // by id: what a name that is never bound again stands for, else Poison
  int locals = 0, loops = 0;
  // While the reference is typed: extents of dims, and arrays in place of blocks.
  const std::map<std::string, int64_t>* extents = nullptr;
  std::vector<Shape> array_shapes = {};   // of Kernel::refs
  std::set<std::string> body_names = {};  // that statements of the body bind, in whatever scope
  // Names that stand for two things, of the spec or of the language, each reported once: as callees those of the
  // language keep their meaning, anywhere else nothing is said of them any more.
  std::set<std::string> clashing = {};
  const OpenExtern* open_extern = nullptr;     // reads the header of `extern`, if anything does
  std::set<std::string> wrong_externs = {};    // names of `extern` in error, whose calls say nothing more
  std::map<int, int64_t> function_terms = {};  // of Kernel::functions: their bodies' names, numbers and operations
  bool too_large = false;                      // a call was too large: no call says anything more

  Name* find(const std::string& name) {
    const auto found = names.find(name);
    return found == names.end() ? nullptr : &found->second;
  }
  bool clashes(const std::string& name) const { return clashing.count(name) > 0; }
};

// "an input", "an output", "scratch", "a dim", …
std::string kind_text(const Context& context, const std::string& name);

// Fills Context::kernel with all but the body, settings and tests: the passes down to check_refs().
void check_declarations(Context& context);
// The passes, in order. Each reports all it finds and leaves in the kernel what was in order.
void check_names(Context& context);
void check_externs(Context& context);
// Functions of `extern` do not stand in what the launcher computes, nor in index maps. After check_refs().
void check_extern_places(Context& context);
void check_consts(Context& context);
void check_dims(Context& context);
void check_functions(Context& context);
void check_scalars(Context& context);
void check_grid(Context& context);
void check_refs(Context& context);
// One ref of a `scope`, put into the kernel: its id, or -1 where it is not present, -2 after an error.
int check_scoped_ref(Context& context, const RefSpec& spec);
void check_settings(Context& context);
void check_body(Context& context);
// grid_sync(): needs resident programs that all come to it.
void check_grid_sync(Context& context);
void check_tests(Context& context);
void check_reference(Context& context);
// On a kernel whose grid and refs are in order.
void check_outside(Context& context);
// On a kernel whose types are in order.
void check_effects(Context& context);
void check_empty_steps(Context& context);
// Notes on errors at places that name a const to which the command line gives a value: which, and what the spec has.
void note_defines(Context& context);
// What is likely not meant: grids that do not fit the arrays, outputs that a guard decides about. Warnings alone.
void check_doubtful_grid(Context& context);
void check_doubtful_guards(Context& context);
void check_unguarded_outputs(Context& context);
void check_unread_values(Context& context);
// `whole`: the body is; else only the races of blocks, which other statements cannot excuse, are looked for.
void check_races(Context& context, bool whole);

}  // namespace pallasgen
