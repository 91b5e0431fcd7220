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

// Functions of a user's C++ header, as a compiler sees them. The check cannot read C++: its caller passes an
// ExternHeader that answers for the header.

// How C++ passes a parameter; only value and const_reference leave the argument unchanged.
enum class ExternPassing : uint8_t { value, const_reference, reference, rvalue_reference, pointer };

struct ExternParameter {
  std::optional<DType> dtype;  // none: the language has no such type, or it depends on template arguments
  std::string type;            // as C++ spells it
  ExternPassing passing = ExternPassing::value;
};

// One function that the header declares under a name, or one template.
struct ExternCandidate {
  Span place;        // place of its name in the header
  std::string text;  // "float swish(float)"
  std::vector<ExternParameter> parameters;
  size_t required = 0;          // parameters without a default argument
  std::optional<DType> result;  // none: it is no dtype, or depends on template arguments
  std::string result_type;
  bool is_template = false, is_device = false, is_host = false, is_kernel = false;
};

// The declarations of one name in the header: functions, a macro, or something else.
struct ExternDeclared {
  std::vector<ExternCandidate> candidates;
  std::optional<Span> macro, other;
  bool is_known = true;  // false: the program that reads the header has ended
};

enum class ExternMatch : uint8_t {
  found,
  none,       // no candidate takes these dtypes without a conversion
  ambiguous,  // several candidates do, and C++ prefers none
  body,       // the chosen template does not compile for these dtypes
  failed,     // the program that reads the header has ended
};

struct ExternAnswer {
  ExternMatch match = ExternMatch::failed;
  ExternCandidate function;                 // if found: the function, with template arguments filled in
  bool is_defined = false;                  // true if the header has its body
  std::vector<Note> effects;                // its effects, besides a result that depends on its arguments alone
  std::vector<ExternCandidate> candidates;  // none: all of them; ambiguous, body: those in question
  std::vector<Note> errors;                 // the compiler's errors
};

struct ExternFunction;

// A header whose functions a spec calls.
struct ExternHeader {
  std::string include;                    // as in the spec and in generated files
  std::vector<std::string> compile_args;  // for the compiler of generated files: include paths, defines
  std::vector<std::string> files;         // files read for it, without those of the system
  std::set<std::string> names;            // names that it declares at file scope, including macros
  std::function<ExternDeclared(const std::string& name)> declared;
  std::function<ExternAnswer(const std::string& name, const std::vector<DType>& types)> resolve;
  // Returns why a generated file, `<stem>.cu` with its header `<stem>.h`, that calls `functions` does not compile with
  // this header as intended; empty if it does.
  std::function<std::vector<Note>(const std::string& stem, const std::string& source, const std::string& header,
                                  const std::set<std::string>& functions)>
      misfits;
  // Runs a function on the CPU: see ExternFunction::run.
  std::function<std::string(const ExternFunction& function, const std::vector<const void*>& args, void* result,
                            int64_t count)>
      run;
};

// A function of a header for one combination of dtypes.
struct ExternFunction {
  std::string name;  // its name in C++
  std::vector<DType> parameters;
  DType result = DType::f32;
  Span place;
  std::shared_ptr<const ExternHeader> header;

  // Applies the function on the CPU to `count` elements of each argument: result[i] = f(args[0][i], …). Elements have
  // the C++ type in which the interpreter holds the dtype: uint8_t for bool, float for f32 and narrower floats, double,
  // int32_t for i8 i16 i32 u8 u16, uint32_t, int64_t, uint64_t. Returns why it cannot run, or an empty text.
  std::string run(const std::vector<const void*>& args, void* result, int64_t count) const {
    return header->run(*this, args, result, count);
  }
};

// Opens the header of a spec's `extern`. Null with a diagnostic if the file is missing or does not parse.
using OpenExtern = std::function<std::shared_ptr<const ExternHeader>(const Spec& spec, Diagnostics& diagnostics)>;

}  // namespace pallasgen
