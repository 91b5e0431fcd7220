#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/RecordLayout.h>

#include <algorithm>

#include "simulate.h"

namespace pallasgen::vet {

using namespace clang;

namespace {

std::string describe(const Pointer& place, const ASTContext& context, bool with_index) {
  if (!place.object) return "shared memory";
  const auto* record = place.object->type.isNull() ? nullptr : place.object->type->getAsCXXRecordDecl();
  if (!record || !record->isCompleteDefinition()) return place.object->name;
  std::string text = "smem";
  int64_t offset = place.offset;
  while (record) {
    const FieldDecl* found = nullptr;
    int64_t start = 0;
    for (const FieldDecl* field : record->fields()) {
      const int64_t at = static_cast<int64_t>(context.getFieldOffset(field)) / 8;
      const int64_t size = context.getTypeSizeInChars(field->getType()).getQuantity();
      if (at <= offset && offset < at + size) {
        found = field;
        start = at;
        break;
      }
    }
    if (!found) return text;
    if (!found->getName().empty()) text += "." + found->getNameAsString();
    offset -= start;
    QualType type = found->getType();
    // The innermost array of elements is named as a whole.
    while (const auto* array = context.getAsConstantArrayType(type)) {
      const QualType each = array->getElementType();
      if (!each->isArrayType() && !(each->isRecordType() && text.find("smem") == 0 && with_index &&
                                    each->getAsCXXRecordDecl()->getName() == "Barrier"))
        return text;
      const int64_t size = context.getTypeSizeInChars(each).getQuantity();
      if (with_index) text += "[" + std::to_string(offset / size) + "]";
      offset %= size;
      type = each;
    }
    record = type->getAsCXXRecordDecl();
    if (record && record->getName() == "Barrier") return text;
  }
  return text;
}

}  // namespace

bool holds_barriers(const CXXRecordDecl& record) {
  if (record.getName() == "Barrier") return true;
  if (record.getName().empty() || !record.isCompleteDefinition()) return false;
  return std::any_of(record.field_begin(), record.field_end(), [](const FieldDecl* field) {
    const auto* element = field->getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    return element && element->getName() == "Barrier";
  });
}

std::string name_of(const Pointer& place, const ASTContext& context) { return describe(place, context, true); }
std::string array_of(const Pointer& place, const ASTContext& context) { return describe(place, context, false); }

}  // namespace pallasgen::vet
