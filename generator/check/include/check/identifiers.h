#pragma once

#include <map>
#include <set>
#include <string>

namespace pallasgen {

struct Kernel;

// Where a C++ name is declared: as a function of C, of whose name a program has one, also in its libraries; in the
// file's namespace, where it meets all names of the headers; or in a function, where it may hide functions of the
// toolkit that generated code never calls.
enum class NamePlace { program, file, function };

// Whether generated code cannot declare the name there: a keyword, a macro, a name of the runtime, of a template or of
// the toolkit's headers (reserved_words.inc, made from them), a function of the C library (library_words.inc).
bool is_reserved(const std::string& name, NamePlace place);
// The same without the forms of names that are reserved as a whole (kStages, cudaError): a name of such a form that
// ends in `_` or a number of its own is the only one.
bool is_reserved_word(const std::string& name, NamePlace place);
// Whether a parameter of a function that is declared, and not defined, can have the name: such a one meets keywords,
// macros and the types of the declaration alone.
bool is_declarable(const std::string& name);

// The C++ identifiers of a kernel's names, one for each: dims, consts, axes, lets, refs, scalars, functions with their
// parameters, and what the body binds. A name keeps its spelling unless it is reserved; then it gets a `_`, or `_2`,
// `_3`, … where that is taken.
class Identifiers {
 public:
  Identifiers() = default;
  explicit Identifiers(const Kernel& kernel);

  // The identifier of a name of the spec. Any other text is taken as a name that the generator made up: it stays unless
  // it is reserved, so that of(of(x)) is of(x).
  std::string of(const std::string& name) const;
  // The name of a thing that the spec has no name for ("x_at", "tiles_m"): `wanted`, or with `_` or a number behind it
  // where that is reserved or is the identifier of a name of the spec. Equal texts give equal names.
  std::string derived(const std::string& wanted) const;
  // Whether it is the identifier of a name of the spec, or of a function that the file declares.
  bool has(const std::string& identifier) const { return taken_.count(identifier) > 0; }

 private:
  std::set<std::string> taken_;                // identifiers, and the functions that the file declares
  std::map<std::string, std::string> others_;  // of the names that are not their own identifiers

  void take_all(const Kernel& kernel, std::map<std::string, NamePlace>& names) const;
};

}  // namespace pallasgen
