#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <llvm/ADT/DenseMap.h>

#include <deque>
#include <functional>
#include <set>

#include "effects.h"
#include "memory.h"
#include "trace.h"

namespace pallasgen::vet {

// A use of registers that instructions still read or write.
struct BusyUse {
  clang::SourceLocation at, since;
  bool is_written = false;
};

// A call that is being executed.
struct Frame {
  llvm::SmallDenseMap<const clang::VarDecl*, Pointer, 8> variables;
  const clang::FunctionDecl* function = nullptr;
  Pointer self;          // *this
  Value result;          // a scalar or a reference
  Pointer result_place;  // the place for a record
};

// Assumed contents of arrays of integers: numbers that grow from `first`, the same one for each `alike` consecutive
// entries.
struct Entries {
  int64_t first = 0, alike = 1;
};

// One thread of the host or of a kernel: its memory, its position, and the events that it has caused.
struct Thread {
  Thread(clang::ASTContext& context, Effects& effects) : context(context), effects(effects) {}

  Object* make_object(Object::Kind kind, clang::QualType type, llvm::StringRef name = {});
  Pointer whole(Object* object) const { return {object, 0, 0, object->size, true}; }
  Pointer temporary(clang::QualType type);
  void forget_objects();  // the objects of one thread

  Value load(const Pointer& place, clang::QualType type);
  void store(const Pointer& place, clang::QualType type, const Value& value);
  void copy(const Pointer& from, const Pointer& to, int64_t size);
  void zero(const Pointer& place, clang::QualType type);
  void use(const Pointer& place);  // notes a use of registers that instructions may still use

  Pointer element(const Pointer& base, const Value& index, clang::QualType type);
  int64_t size_of(clang::QualType type) const;
  int64_t offset_of(const clang::FieldDecl* field) const;
  Value fit(int64_t value, clang::QualType type) const;  // wraps the value to an integer type

  void note(Verb verb, const Pointer& place, int64_t number = 0, int64_t threads = 0);
  // The place in the kernel's file of a statement, or of the call through which the thread reached it.
  clang::SourceLocation main_place(const clang::Stmt* statement);
  bool is_of_file(const clang::FunctionDecl* function);

  clang::ASTContext& context;
  Effects& effects;
  // Receives the launches of a host thread; `events` are those of a device thread.
  std::function<void(Launch, std::vector<Value>)> on_launch;
  std::vector<Event> events;
  std::vector<BusyUse> busy_uses;
  clang::SourceLocation last_wait;                // the last wait for instructions
  std::set<unsigned> needed_waits;                // places of waits whose last group has registers that are used later
  int64_t index = 0, threads = 0;                 // within the CTA
  int64_t programs = 1;                           // rows of threads in the CTA, numbered by threadIdx.y
  Object* shared = nullptr;                       // the dynamic shared memory
  std::string role;                               // the function that the kernel calls for this thread
  Entries entries;                                // contents of arrays of integers in global memory
  bool reads_entries = false;                     // the thread has read such an array
  int unknown_choice = 0;                         // 1: take branches whose condition is unknown
  int64_t budget = 0;                             // number of statements that may still be executed
  std::string not_followed;                       // the reason why it stopped
  llvm::DenseMap<const clang::Stmt*, int> turns;  // most iterations of each loop with effects
  std::deque<MapInfo> maps;                       // made by the launcher
  Frame* frame = nullptr;
  clang::SourceLocation at;  // the innermost place in the kernel's file
  int depth = 0;
  int64_t commits = 0, finished = 0;  // groups of instructions: issued, and known to be complete
  int64_t fences = 0;                 // register fences executed before instructions
  int64_t elected = 0;                // the lane of each warp that an election selects
  bool has_elected = false;           // the thread has reached an election
  bool stopped = false;
  std::deque<Object> objects, kept;
  llvm::DenseMap<const clang::VarDecl*, Pointer> globals;
  std::vector<int64_t> array_index;
  llvm::DenseMap<const clang::FunctionDecl*, int64_t> places;  // the last tile number of each function

 private:
  llvm::DenseMap<const clang::FunctionDecl*, bool> of_file;
  mutable llvm::DenseMap<const clang::Type*, int64_t> sizes;
};

// The result of an operator on operands of a type.
Value arithmetic(Thread& thread, clang::BinaryOperatorKind code, const Value& left, const Value& right,
                 clang::QualType operands, clang::QualType result);

}  // namespace pallasgen::vet
