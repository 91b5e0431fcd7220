#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>
#include <llvm/ADT/DenseMap.h>

#include "meaning.h"

namespace pallasgen::vet {

// Finds out which functions and statements have effects on other threads, from the meanings of the functions they call.
class Effects {
 public:
  const Meaning& of(const clang::FunctionDecl& function);
  bool any(const clang::FunctionDecl* function);
  bool any(const clang::Stmt* statement);

 private:
  llvm::DenseMap<const clang::FunctionDecl*, Meaning> meanings_;
  llvm::DenseMap<const clang::FunctionDecl*, bool> functions_;
  llvm::DenseMap<const clang::Stmt*, bool> statements_;
};

}  // namespace pallasgen::vet
