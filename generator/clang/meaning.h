#pragma once

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>

#include <string>
#include <vector>

namespace pallasgen::vet {

// A function's meaning as the runtime declares it (runtime/pallasgen/meaning.h): a verb and the parameters it uses.
struct Meaning {
  std::string verb;                   // empty if the function has no declared meaning
  std::vector<std::string> operands;  // names of parameters and template parameters
};

inline bool has_meaning(const clang::Decl& decl) {
  for (const auto* attribute : decl.specific_attrs<clang::AnnotateAttr>())
    if (attribute->getAnnotation().starts_with("pallasgen::")) return true;
  return false;
}

Meaning meaning_of(const clang::FunctionDecl& function);

}  // namespace pallasgen::vet
