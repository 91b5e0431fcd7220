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

}  // namespace pallasgen
