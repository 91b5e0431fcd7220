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

// An entry of the spec's one name space. `id` indexes the list of its kind: Kernel::dims, consts (of the spec),
// scalars, axes, lets, refs of the kernel (-1: left out because `present` is false, -2: in error), functions of the
// spec, functions of its `extern`.
struct Name {
  NameKind kind;
  int id = 0;
  Span span;
};

// The function for one combination of argument dtypes, with its result.
struct Specialization {
  int function = -1;  // index in Kernel::functions; -1: its calls are inlined
  DType dtype = DType::f32;
};

// The state that the passes of one check() share.
struct Context {
  const Spec& spec;
  Kernel& kernel;
  Diagnostics& diagnostics;
  std::map<std::string, Name> names = {};
  std::map<std::string, Value> consts = {};  // evaluated, as far as possible
  std::map<std::string, Specialization> specializations = {};
  std::vector<const FunctionSpec*> recursive = {};  // functions in error, whose calls report nothing more
  std::set<const FunctionSpec*> called = {};
  std::vector<Value> values_of_locals = {};  // by id: the value of a local that is bound only once, else Poison
  int locals = 0, loops = 0;
  // Set while the reference is typed: extents of dims, and shapes of arrays, which replace blocks.
  const std::map<std::string, int64_t>* extents = nullptr;
  std::vector<Shape> array_shapes = {};   // by index in Kernel::refs
  std::set<std::string> body_names = {};  // names that statements of the body bind, in any scope
  // Names with two meanings, of the spec or of the language, each reported once. As callees, names of the language keep
  // their meaning; any other use reports nothing more.
  std::set<std::string> clashing = {};
  const OpenExtern* open_extern = nullptr;     // reads the header of `extern`; may be null
  std::set<std::string> wrong_externs = {};    // names of `extern` in error, whose calls report nothing more
  std::map<int, int64_t> function_terms = {};  // sizes of the bodies, by index in Kernel::functions
  bool too_large = false;                      // a call was too large: later calls do not report it again

  Name* find(const std::string& name) {
    const auto found = names.find(name);
    return found == names.end() ? nullptr : &found->second;
  }
  bool clashes(const std::string& name) const { return clashing.count(name) > 0; }
};

}  // namespace pallasgen
