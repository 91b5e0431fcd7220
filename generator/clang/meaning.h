#pragma once

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>

#include <string>
#include <vector>

namespace pallasgen::vet {

// What the runtime says of a function (runtime/pallasgen/meaning.h): a verb and the parameters that it is about.
struct Meaning {
  std::string verb;                   // empty: nothing is said
  std::vector<std::string> operands;  // names of parameters and template parameters
};

inline bool has_meaning(const clang::Decl& decl) {
  for (const auto* attribute : decl.specific_attrs<clang::AnnotateAttr>())
    if (attribute->getAnnotation().starts_with("pallasgen::")) return true;
  return false;
}

Meaning meaning_of(const clang::FunctionDecl& function);

}  // namespace pallasgen::vet
