#include <clang/AST/DeclTemplate.h>
#include <llvm/ADT/StringMap.h>

#include "interpreter.h"

// Executes calls of functions whose meaning the runtime declares.
namespace pallasgen::vet {

using namespace clang;

namespace {

const llvm::StringMap<Verb>& verbs() {
  static const llvm::StringMap<Verb> table = {
      {"barrier_init", Verb::barrier_init},
      {"barrier_init_fence", Verb::barrier_init_fence},
      {"barrier_wait", Verb::barrier_wait},
      {"barrier_arrive", Verb::barrier_arrive},
      {"barrier_expect", Verb::barrier_expect},
      {"barrier_arrive_expect", Verb::barrier_arrive_expect},
      {"copies_arrive", Verb::copies_arrive},
      {"named_sync", Verb::named_sync},
      {"named_arrive", Verb::named_arrive},
      {"warp_sync", Verb::warp_sync},
      {"proxy_fence", Verb::proxy_fence},
      {"tensor_load", Verb::tensor_load},
      {"tensor_store", Verb::tensor_store},
      {"bulk_load", Verb::bulk_load},
      {"bulk_copy", Verb::bulk_copy},
      {"bulk_commit", Verb::bulk_commit},
      {"bulk_wait", Verb::bulk_wait},
      {"bulk_wait_read", Verb::bulk_wait_read},
      {"async_copy", Verb::async_copy},
      {"async_commit", Verb::async_commit},
      {"async_wait", Verb::async_wait},
      {"shared_read", Verb::shared_read},
      {"shared_write", Verb::shared_write},
      {"wgmma_fence", Verb::wgmma_fence},
      {"wgmma", Verb::wgmma},
      {"wgmma_commit", Verb::wgmma_commit},
      {"wgmma_wait", Verb::wgmma_wait},
      {"registers_up", Verb::registers_up},
      {"registers_down", Verb::registers_down},
  };
  return table;
}

}  // namespace

Value Meanings::perform(const FunctionDecl* function, const Meaning& meaning, const std::vector<Value>& values,
                        const Pointer& result) {
  // The value of an operand, by the name of its parameter or template parameter.
  const auto operand = [&](size_t which) -> Value {
    if (which >= meaning.operands.size()) return unknown();
    const std::string& name = meaning.operands[which];
    for (unsigned i = 0; i < function->getNumParams() && i < values.size(); ++i)
      if (function->getParamDecl(i)->getName() == name) return values[i];
    if (const FunctionTemplateDecl* made_from = function->getPrimaryTemplate()) {
      const TemplateParameterList* parameters = made_from->getTemplateParameters();
      const TemplateArgumentList* given = function->getTemplateSpecializationArgs();
      for (unsigned i = 0; given && i < parameters->size() && i < given->size(); ++i)
        if (parameters->getParam(i)->getName() == name && given->get(i).getKind() == TemplateArgument::Integral)
          return integer(given->get(i).getAsIntegral().getExtValue());
    }
    return unknown();
  };
  const auto place = [&](size_t which) { return operand(which).is_pointer() ? operand(which).pointer : Pointer(); };
  const auto field = [&](const Pointer& record, const char* name) -> Value {
    const auto* type = record.object ? record.object->type.getNonReferenceType()->getAsCXXRecordDecl() : nullptr;
    if (!type) return unknown();
    for (const FieldDecl* each : type->fields()) {
      if (each->getName() != name) continue;
      const Value* found = record.object->cells.find(record.offset + thread_.offset_of(each));
      return found ? *found : unknown();
    }
    return unknown();
  };
  const std::string& verb = meaning.verb;
  if (verb == "value") return operand(0);
  if (verb == "one") return integer(1);
  if (verb == "cluster") return unknown();                          // nothing that depends on other CTAs is checked
  if (verb == "place") return integer(++thread_.places[function]);  // one CTA does all the work
  if (verb == "elect") {
    thread_.has_elected = true;
    return integer(thread_.index % 32 == thread_.elected);
  }
  if (verb == "descriptor") {
    if (result.object) result.object->cells.set(result.offset, operand(0));
    return address(result);
  }
  if (verb == "tensor_map") {
    const Pointer request = place(0);
    MapInfo map;
    const Value rank = field(request, "rank"), box = field(request, "box"), bytes = field(request, "element_bytes");
    map.at = thread_.at;
    map.elements_of_byte = std::max<int64_t>(1, operand(1).integer);
    map.element_bytes = bytes.integer;
    map.swizzle = field(request, "swizzle").integer;
    if (box.is_pointer() && box.pointer.object)
      for (int64_t i = 0; i < rank.integer; ++i) {
        const Value* found = box.pointer.object->cells.find(box.pointer.offset + 4 * i);
        map.box.push_back(found ? found->integer : 0);
      }
    thread_.maps.push_back(map);
    if (result.object) result.object->cells.set(result.offset, map_value(&thread_.maps.back()));
    return address(result);
  }
  if (verb == "launch") {
    Launch launch;
    launch.kernel = operand(0).function;
    launch.threads = operand(1).integer;
    launch.shared_bytes = operand(2).integer;
    launch.programs = std::max<int64_t>(1, field(place(4), "programs").integer);
    launch.at = thread_.at;
    std::vector<Value> arguments;
    for (unsigned i = 0; i < function->getNumParams() && i < values.size(); ++i)
      if (meaning.operands.size() > 3 && function->getParamDecl(i)->getName() == meaning.operands[3]) {
        Value given = values[i];
        const QualType type = function->getParamDecl(i)->getType().getNonReferenceType();
        if (given.is_pointer() && given.pointer.object && function->getParamDecl(i)->getType()->isReferenceType()) {
          const Value inside = thread_.load(given.pointer, type);
          if (inside.is_pointer() && type->isRecordType()) {
            const Value* found = inside.pointer.object->cells.find(inside.pointer.offset);
            if (found && found->kind == Value::Kind::map) given = *found;
          } else {
            given = inside;
          }
        }
        arguments.push_back(given);
      }
    if (thread_.on_launch && launch.kernel) thread_.on_launch(std::move(launch), std::move(arguments));
    return integer(0);
  }
  const auto found = verbs().find(verb);
  if (found == verbs().end()) {
    thread_.not_followed =
        "the runtime says '" + verb + "' of " + function->getNameAsString() + ", which this version does not know";
    thread_.stopped = true;
    return unknown();
  }
  // A fence orders earlier uses of registers before instructions on them; instructions of one shape are ordered without
  // one (PTX ISA, "wgmma.fence").
  bool lacks_fence = false;
  const auto mark_busy = [&](const Pointer& registers, bool is_written) {
    if (!registers.object || registers.object->kind != Object::Kind::local) return;
    Object& object = *registers.object;
    const bool is_same_shape = object.instruction == nullptr || object.instruction == function;
    if (object.fences_at_touch == thread_.fences || (!is_same_shape && object.fences_at_use == thread_.fences))
      lacks_fence = true;
    object.instruction = function;
    object.fences_at_use = thread_.fences;
    registers.object->busy_until = thread_.commits + 1;
    registers.object->is_written = is_written;
    registers.object->busy_since = thread_.at;
  };
  switch (found->second) {
    case Verb::named_sync:
    case Verb::named_arrive:
      thread_.note(found->second, Pointer(), operand(0).integer, operand(1).integer);
      break;
    case Verb::tensor_load:
    case Verb::tensor_store: {
      const Value given = operand(1);
      thread_.note(found->second, place(0));
      thread_.events.back().other = place(2);
      if (given.is_pointer() && given.pointer.object) {
        const Value* cell = given.pointer.object->cells.find(given.pointer.offset);
        if (cell) thread_.events.back().map = cell->map;
      }
      break;
    }
    case Verb::bulk_load:
      thread_.note(found->second, place(0), operand(1).integer);
      thread_.events.back().other = place(2);
      break;
    case Verb::bulk_copy:
      thread_.note(found->second, place(0));
      thread_.events.back().other = place(1);
      thread_.note(Verb::warp_sync, Pointer());
      break;
    case Verb::wgmma: {
      mark_busy(place(0), true);
      std::vector<Pointer> tiles;
      for (const size_t which : {size_t(1), size_t(2)}) {
        Pointer read = place(which);
        if (!read.object) continue;
        const Value* cell = read.object->cells.find(read.offset);
        if (read.object->kind == Object::Kind::local && cell && cell->is_pointer())
          tiles.push_back(cell->pointer);
        else
          mark_busy(read, false);
      }
      for (const Pointer& tile : tiles) thread_.note(Verb::wgmma, tile, lacks_fence);
      thread_.note(Verb::wgmma, Pointer(), lacks_fence);
      break;
    }
    case Verb::wgmma_commit:
      ++thread_.commits;
      thread_.note(found->second, Pointer());
      break;
    case Verb::wgmma_wait:
      if (thread_.commits - operand(0).integer >= thread_.finished) {
        thread_.finished = thread_.commits - operand(0).integer;
        thread_.last_wait = thread_.at;
      }
      thread_.note(found->second, Pointer(), operand(0).integer);
      break;
    case Verb::wgmma_fence:
      ++thread_.fences;
      thread_.note(found->second, Pointer());
      break;
    case Verb::barrier_init_fence:
    case Verb::warp_sync:
    case Verb::proxy_fence:
    case Verb::bulk_commit:
    case Verb::async_commit:
      thread_.note(found->second, Pointer());
      break;
    case Verb::bulk_wait:
    case Verb::bulk_wait_read:
    case Verb::async_wait:
    case Verb::registers_up:
    case Verb::registers_down:
      thread_.note(found->second, Pointer(), operand(0).integer);
      break;
    default: {
      // A record that represents a tile has the tile's address first.
      const auto tile = [&](size_t which) {
        const Pointer given = place(which);
        if (!given.object || given.object->kind != Object::Kind::local) return given;
        const Value* cell = given.object->cells.find(given.offset);
        return cell && cell->is_pointer() ? cell->pointer : Pointer();
      };
      const Pointer where = tile(0);
      if (found->second == Verb::shared_read)
        for (size_t which = 1; which < meaning.operands.size(); ++which)
          if (tile(which).object) thread_.note(found->second, tile(which));
      const Value number = operand(1);
      thread_.note(found->second, where, number.is_integer() ? number.integer : -1);
      if (found->second == Verb::barrier_wait) return integer(1);
    }
  }
  return unknown();
}

}  // namespace pallasgen::vet
