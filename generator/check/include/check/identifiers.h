#pragma once

#include <map>
#include <set>
#include <string>

namespace pallasgen {

struct Kernel;

// Where a C++ name is declared: as a function with C linkage, whose name is unique in a program and its libraries; in
// the file's namespace, where it meets all names of the headers; or in a function, where it may hide functions of the
// toolkit that generated code never calls.
enum class NamePlace { program, file, function };

// True if generated code cannot declare the name there: a keyword, a macro, a name of the runtime, of a template or of
// the toolkit's headers (reserved_words.inc, toolkit_words.inc), a function of the C library (library_words.inc).
bool is_reserved(const std::string& name, NamePlace place);
// Like is_reserved(), without the forms that are reserved as a whole (kStages, cudaError): with `_` or a number
// appended, a name of such a form clashes with nothing.
bool is_reserved_word(const std::string& name, NamePlace place);
// True if a parameter in a declaration of a function, which has no body, can have the name: it clashes only with
// keywords, macros and types of the declaration.
bool is_declarable(const std::string& name);

// The C++ identifiers of a kernel's names, one for each: dims, consts, axes, lets, refs, scalars, functions with their
// parameters, and names that the body binds. A name keeps its spelling unless it is reserved; then it gets `_`
// appended, or `_2`, `_3`, … if that is taken.
class Identifiers {
 public:
  Identifiers() = default;
  explicit Identifiers(const Kernel& kernel);

  // The identifier of a name of the spec. Any other text counts as a name that the generator made: it stays unless it
  // is reserved, so that of(of(x)) is of(x).
  std::string of(const std::string& name) const;
  // An identifier for a thing without a name in the spec ("x_at", "tiles_m"): `wanted`, with `_` or a number appended
  // if it is reserved or is the identifier of a name of the spec. Equal texts give equal identifiers.
  std::string derived(const std::string& wanted) const;
  // True for the identifier of a name of the spec, a function that the file declares, and a name of the user's header.
  bool has(const std::string& identifier) const { return taken_.count(identifier) > 0; }

 private:
  std::set<std::string> taken_;  // identifiers, functions that the file declares, and names of the user's header
  std::map<std::string, std::string> others_;  // identifiers of the names that are not their own

  void take_all(const Kernel& kernel, std::map<std::string, NamePlace>& names) const;
};

}  // namespace pallasgen
