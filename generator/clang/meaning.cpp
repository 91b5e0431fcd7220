#include "meaning.h"

#include <clang/AST/DeclTemplate.h>

#include <sstream>

namespace pallasgen::vet {
namespace {

using namespace clang;

const AnnotateAttr* annotation_of(const Decl& decl) {
  for (const Decl* each : decl.redecls())
    for (const auto* attribute : each->specific_attrs<AnnotateAttr>())
      if (attribute->getAnnotation().starts_with("pallasgen::")) return attribute;
  return nullptr;
}

}  // namespace

Meaning meaning_of(const FunctionDecl& function) {
  const AnnotateAttr* attribute = annotation_of(function);
  if (!attribute)
    if (const FunctionDecl* pattern = function.getTemplateInstantiationPattern()) attribute = annotation_of(*pattern);
  if (!attribute) return {};
  std::istringstream words(attribute->getAnnotation().drop_front(std::string("pallasgen::").size()).str());
  Meaning meaning;
  words >> meaning.verb;
  for (std::string word; words >> word;) meaning.operands.push_back(word);
  return meaning;
}

}  // namespace pallasgen::vet
