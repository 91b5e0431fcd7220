#include "interpreter.h"

namespace pallasgen::vet {

using namespace clang;

void Interpreter::run(const FunctionDecl& function, const std::vector<Value>& arguments) {
  const FunctionDecl* definition = nullptr;
  if (!function.hasBody(definition)) return;
  thread.stopped = false;
  thread.depth = 0;
  thread.commits = 0;
  thread.finished = 0;
  thread.not_followed.clear();
  thread.role.clear();
  Frame frame;
  frame.function = definition;
  for (unsigned i = 0; i < definition->getNumParams() && i < arguments.size(); ++i) {
    const ParmVarDecl* parameter = definition->getParamDecl(i);
    const QualType type = parameter->getType();
    const Value& value = arguments[i];
    if (type->isReferenceType() && value.is_pointer()) {
      frame.variables[parameter] = value.pointer;
      continue;
    }
    const QualType plain = type.getNonReferenceType();
    Object* object = thread.make_object(Object::Kind::local, plain);
    if (plain->isRecordType() && value.is_pointer())
      thread.copy(value.pointer, thread.whole(object), object->size);
    else if (value.is_known())
      object->cells.set(0, value);
    frame.variables[parameter] = thread.whole(object);
  }
  thread.frame = &frame;
  execute(definition->getBody());
  thread.frame = nullptr;
}

}  // namespace pallasgen::vet
