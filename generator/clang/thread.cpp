#include "thread.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/RecordLayout.h>
#include <clang/Basic/SourceManager.h>

// Memory and events of one thread.
namespace pallasgen::vet {

using namespace clang;

namespace {

// Entry i of the caller's arrays of integers is assumed to be i times this; of several alike, the first one's value.
constexpr int64_t kGlobalStep = 96;

}  // namespace

SourceLocation Thread::main_place(const Stmt* statement) {
  if (!frame || !is_of_file(frame->function)) return at;
  const SourceManager& sources = context.getSourceManager();
  const SourceLocation place = sources.getExpansionLoc(statement->getBeginLoc());
  return sources.isInMainFile(place) ? place : at;
}

bool Thread::is_of_file(const FunctionDecl* function) {
  const auto [known, added] = of_file.try_emplace(function, false);
  if (added) {
    const SourceManager& sources = context.getSourceManager();
    known->second = sources.isInMainFile(sources.getExpansionLoc(function->getLocation()));
  }
  return known->second;
}

void Thread::note(Verb verb, const Pointer& place, int64_t number, int64_t threads) {
  if (!events.empty()) {
    const Event& last = events.back();
    const bool is_access = verb == Verb::shared_read || verb == Verb::shared_write || verb == Verb::wgmma;
    if (is_access && last.verb == verb && last.at == at && last.place.object == place.object &&
        last.place.low == place.low && last.place.high == place.high)
      return;
  }
  Event event;
  event.verb = verb;
  event.at = at;
  event.place = place;
  event.number = number;
  event.threads = threads;
  events.push_back(event);
}

int64_t Thread::size_of(QualType type) const {
  type = type.getNonReferenceType();
  const auto known = sizes.find(type.getTypePtr());
  if (known != sizes.end()) return known->second;
  if (type->isIncompleteType() || type->isFunctionType() || type->isVoidType()) return 0;
  return sizes[type.getTypePtr()] = context.getTypeSizeInChars(type).getQuantity();
}

Value Thread::fit(int64_t value, QualType type) const {
  if (type->isBooleanType()) return integer(value != 0);
  if (!type->isIntegralOrEnumerationType()) return type->isAnyPointerType() ? integer(value) : unknown();
  const int bits = static_cast<int>(context.getIntWidth(type));
  if (bits >= 64) return integer(value);
  const uint64_t low = static_cast<uint64_t>(value) << (64 - bits);
  if (type->isUnsignedIntegerOrEnumerationType()) return integer(static_cast<int64_t>(low >> (64 - bits)));
  return integer(static_cast<int64_t>(low) >> (64 - bits));
}

void Thread::zero(const Pointer& place, QualType type) {
  if (!place.object || place.object->kind != Object::Kind::local) return;
  if (type->isIntegralOrEnumerationType() || type->isAnyPointerType()) {
    place.object->cells.set(place.offset, integer(0));
  } else if (const auto* array = context.getAsConstantArrayType(type)) {
    const int64_t count = std::min<int64_t>(array->getSize().getLimitedValue(), 64);
    for (int64_t i = 0; i < count; ++i)
      zero(element(place, integer(i), array->getElementType()), array->getElementType());
  } else if (const auto* record = type->getAsCXXRecordDecl(); record && record->isCompleteDefinition()) {
    for (const FieldDecl* field : record->fields()) {
      Pointer part = place;
      part.offset += offset_of(field);
      zero(part, field->getType());
    }
  }
}

Object* Thread::make_object(Object::Kind kind, QualType type, StringRef name) {
  std::deque<Object>& where = kind == Object::Kind::local && frame ? objects : kept;
  where.push_back({});
  Object& object = where.back();
  object.kind = kind;
  object.fences_at_touch = fences;
  object.type = type;
  object.name = name.str();
  object.size = type.isNull() ? 0 : size_of(type);
  return &object;
}

void Thread::forget_objects() { objects.clear(); }

Pointer Thread::temporary(QualType type) { return whole(make_object(Object::Kind::local, type)); }

int64_t Thread::offset_of(const FieldDecl* field) const {
  return context.toCharUnitsFromBits(static_cast<int64_t>(context.getFieldOffset(field))).getQuantity();
}

void Thread::use(const Pointer& place) {
  Object* object = place.object;
  if (!object || object->kind != Object::Kind::local) return;
  object->fences_at_touch = fences;
  if (object->busy_until == finished) needed_waits.insert(last_wait.getRawEncoding());
  if (object->busy_until <= finished) return;
  busy_uses.push_back({at, object->busy_since, object->is_written});
}

Value Thread::load(const Pointer& place, QualType type) {
  if (!place.object) return unknown();
  use(place);
  if (type->isRecordType() || type->isArrayType()) return address(place);
  Object& object = *place.object;
  if (object.kind == Object::Kind::shared) {
    Pointer read = place;
    if (place.is_exact) {
      read.low = place.offset;
      read.high = place.offset + size_of(type);
    }
    note(Verb::shared_read, read);
    return unknown();
  }
  if (!place.is_exact) return unknown();
  if (object.kind == Object::Kind::global) {
    const int64_t size = size_of(type);
    if (!type->isIntegralOrEnumerationType() || size < 4) return unknown();
    reads_entries = true;
    return integer(entries.first + place.offset / size / entries.alike * entries.alike * kGlobalStep);
  }
  const Value* found = object.cells.find(place.offset);
  return found ? *found : unknown();
}

void Thread::store(const Pointer& place, QualType type, const Value& value) {
  if (!place.object) return;
  use(place);
  Object& object = *place.object;
  if (object.kind == Object::Kind::shared) {
    Pointer written = place;
    if (place.is_exact) {
      written.low = place.offset;
      written.high = place.offset + size_of(type);
    }
    note(Verb::shared_write, written);
  }
  if (object.kind != Object::Kind::local) return;
  if (!place.is_exact)
    object.cells.erase(place.low, place.high);
  else if (value.is_known())
    object.cells.set(place.offset, value);
  else
    object.cells.erase(place.offset, place.offset + 1);
}

void Thread::copy(const Pointer& from, const Pointer& to, int64_t size) {
  if (!to.object) return;
  for (const auto& [place, verb] : {std::pair(from, Verb::shared_read), std::pair(to, Verb::shared_write)}) {
    use(place);
    if (!place.object || place.object->kind != Object::Kind::shared) continue;
    Pointer touched = place;
    if (place.is_exact) {
      touched.low = place.offset;
      touched.high = place.offset + size;
    }
    note(verb, touched);
  }
  if (to.object->kind != Object::Kind::local) return;
  if (from.object && from.is_exact)
    to.object->cells.take(from.object->cells, from.offset, to.offset, size);
  else
    to.object->cells.erase(to.offset, to.offset + size);
}

// Element `index` of the array to which `base` points.
Pointer Thread::element(const Pointer& base, const Value& index, QualType type) {
  Pointer place = base;
  const int64_t size = size_of(type);
  if (!index.is_integer()) {
    place.is_exact = false;
  } else if (place.is_exact) {
    place.offset += index.integer * size;
    if (type->isArrayType()) {
      place.low = place.offset;
      place.high = place.offset + size;
    }
  }
  return place;
}

}  // namespace pallasgen::vet
