#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "expression/dtype.h"
#include "spec/spec.h"

namespace pallasgen {

// Functions of a user's C++ header, as a compiler that reads it sees them. The check knows no C++: it is handed what
// answers for the header.

// How C++ passes a parameter; only values and references to const leave the argument as it is.
enum class ExternPassing : uint8_t { value, const_reference, reference, rvalue_reference, pointer };

struct ExternParameter {
  std::optional<DType> dtype;  // none: the language has no such type, or template arguments decide it
  std::string type;            // in C++
  ExternPassing passing = ExternPassing::value;
};

// One function that the header declares under a name, or one template.
struct ExternCandidate {
  Span place;        // of its name in the header
  std::string text;  // "float swish(float)"
  std::vector<ExternParameter> parameters;
  size_t required = 0;          // parameters without a default argument
  std::optional<DType> result;  // none: as of parameters
  std::string result_type;
  bool is_template = false, is_device = false, is_host = false, is_kernel = false;
};

// What the header has under one name: functions, or a macro, or something else.
struct ExternDeclared {
  std::vector<ExternCandidate> candidates;
  std::optional<Span> macro, other;
  bool is_known = true;  // false: what answers for the header has ended
};

enum class ExternMatch : uint8_t {
  found,
  none,       // no candidate takes these dtypes as they are
  ambiguous,  // several do, and C++ prefers none
  body,       // the template that does has no meaning for these dtypes
  failed,     // what answers for the header has ended
};

struct ExternAnswer {
  ExternMatch match = ExternMatch::failed;
  ExternCandidate function;                 // of `found`: with template arguments put in
  bool is_defined = false;                  // whether the header has its body
  std::vector<Note> effects;                // what it does beside giving a result that its arguments decide
  std::vector<ExternCandidate> candidates;  // of `none`: all; of `ambiguous`, `body`: those it is about
  std::vector<Note> errors;                 // the compiler's
};

struct ExternFunction;

// A header whose functions a spec calls.
struct ExternHeader {
  std::string include;                    // as the spec has it, and generated files
  std::vector<std::string> compile_args;  // for who compiles generated files: include paths, defines
  std::vector<std::string> files;         // that were read for it, those of the system left out
  std::set<std::string> names;            // that it declares at file scope, macros among them
  std::function<ExternDeclared(const std::string& name)> declared;
  std::function<ExternAnswer(const std::string& name, const std::vector<DType>& types)> resolve;
  // What keeps a generated file, `<stem>.cu` with its header `<stem>.h`, from being compiled with this header as it is
  // meant, where it calls these functions; empty where nothing does.
  std::function<std::vector<Note>(const std::string& stem, const std::string& source, const std::string& header,
                                  const std::set<std::string>& functions)>
      misfits;
  // Makes a function run on the CPU: see ExternFunction::run.
  std::function<std::string(const ExternFunction& function, const std::vector<const void*>& args, void* result,
                            int64_t count)>
      run;
};

// A function of a header for one combination of dtypes.
struct ExternFunction {
  std::string name;  // in C++
  std::vector<DType> parameters;
  DType result = DType::f32;
  Span place;
  std::shared_ptr<const ExternHeader> header;

  // Applies it on the CPU to `count` elements of each argument: result[i] = f(args[0][i], …). Elements are in the C++
  // type in which the interpreter holds the dtype: uint8_t for bool, float for f32 and narrower floats, double,
  // int32_t for i8 i16 i32 u8 u16, uint32_t, int64_t, uint64_t. Returns why it cannot be run, or nothing.
  std::string run(const std::vector<const void*>& args, void* result, int64_t count) const {
    return header->run(*this, args, result, count);
  }
};

// Opens the header of a spec's `extern`. Null with a diagnostic where it is not there or does not parse.
using OpenExtern = std::function<std::shared_ptr<const ExternHeader>(const Spec& spec, Diagnostics& diagnostics)>;

}  // namespace pallasgen
