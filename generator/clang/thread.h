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
  Value result;          // of a scalar or a reference
  Pointer result_place;  // of a record
};

// What arrays of integers are taken to hold: numbers that grow from the first, the same one for `alike` entries in
// turn.
struct Entries {
  int64_t first = 0, alike = 1;
};

// One thread of the host or of a kernel: its memory, where it is, and what it has done.
struct Thread {
  Thread(clang::ASTContext& context, Effects& effects) : context(context), effects(effects) {}

  Object* make_object(Object::Kind kind, clang::QualType type, llvm::StringRef name = {});
  Pointer whole(Object* object) const { return {object, 0, 0, object->size, true}; }
  Pointer temporary(clang::QualType type);
  void forget_objects();  // those of one thread

  Value load(const Pointer& place, clang::QualType type);
  void store(const Pointer& place, clang::QualType type, const Value& value);
  void copy(const Pointer& from, const Pointer& to, int64_t size);
  void zero(const Pointer& place, clang::QualType type);
  void use(const Pointer& place);  // of registers that instructions may still use

  Pointer element(const Pointer& base, const Value& index, clang::QualType type);
  int64_t size_of(clang::QualType type) const;
  int64_t offset_of(const clang::FieldDecl* field) const;
  Value fit(int64_t value, clang::QualType type) const;  // the value as one of an integer type

  void note(Verb verb, const Pointer& place, int64_t number = 0, int64_t threads = 0);
  // Where a statement stands in the kernel's file: it itself, or the call through which the thread came to it.
  clang::SourceLocation main_place(const clang::Stmt* statement);
  bool is_of_file(const clang::FunctionDecl* function);

  clang::ASTContext& context;
  Effects& effects;
  // What launches are found, and the events of one thread.
  std::function<void(Launch, std::vector<Value>)> on_launch;
  std::vector<Event> events;
  std::vector<BusyUse> busy_uses;
  clang::SourceLocation last_wait;  // for instructions
  std::set<unsigned> needed_waits;  // the places of those whose last group had registers that are used later
  int64_t index = 0, threads = 0;   // in the CTA
  int64_t programs = 1;             // rows of its threads, numbered by threadIdx.y
  Object* shared = nullptr;         // the dynamic shared memory
  std::string role;                 // the function that the kernel has this thread call
  Entries entries;                  // of arrays of integers in global memory
  bool reads_entries = false;       // the thread has read such an array
  int unknown_choice = 0;           // 1: conditions that are not known are taken to hold
  int64_t budget = 0;               // statements that may still be executed
  std::string not_followed;         // why it stopped
  llvm::DenseMap<const clang::Stmt*, int> turns;  // of each loop that others notice, at most
  std::deque<MapInfo> maps;                       // that the launcher has made
  Frame* frame = nullptr;
  clang::SourceLocation at;  // the innermost place in the kernel's file
  int depth = 0;
  int64_t commits = 0, finished = 0;  // groups of instructions, issued and known to be complete
  int64_t fences = 0;                 // of registers, executed before instructions
  int64_t elected = 0;                // the lane of each warp that an election chooses
  bool has_elected = false;           // the thread has come to an election
  bool stopped = false;
  std::deque<Object> objects, kept;
  llvm::DenseMap<const clang::VarDecl*, Pointer> globals;
  std::vector<int64_t> array_index;
  llvm::DenseMap<const clang::FunctionDecl*, int64_t> places;  // of tiles: the last that a function has given

 private:
  llvm::DenseMap<const clang::FunctionDecl*, bool> of_file;
  mutable llvm::DenseMap<const clang::Type*, int64_t> sizes;
};

// What an operator gives for operands of a type.
Value arithmetic(Thread& thread, clang::BinaryOperatorKind code, const Value& left, const Value& right,
                 clang::QualType operands, clang::QualType result);

}  // namespace pallasgen::vet
