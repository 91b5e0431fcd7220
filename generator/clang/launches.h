#pragma once

#include <clang/AST/ASTContext.h>

#include <memory>
#include <set>
#include <vector>

#include "interpreter.h"

namespace pallasgen::vet {

// The launches of a file's launchers, executed with sizes that fill each ring several times and need more than one
// tile, with sizes of 0 and with small ones.
class Launches {
 public:
  explicit Launches(clang::ASTContext& context);

  // Executes the launchers and kernels; false if the file has no launcher.
  bool follow();

  struct Followed : Launch {
    std::vector<BusyUse> busy_uses;
    std::set<unsigned> needed_waits;  // source locations of waits whose registers are used later
  };
  std::vector<Followed> launches;
  std::vector<std::string> not_followed;

 private:
  struct Case {
    std::vector<Followed> launches;
    int64_t events = 0, score = 0;
    bool is_complete = false;    // larger sizes would show nothing new
    bool reads_entries = false;  // from arrays of integers
  };
  using Sizes = std::vector<int64_t>;
  Case execute(const clang::FunctionDecl& launcher, const Sizes& sizes, bool all_actors, int unknown_choice,
               const Entries& entries = {});
  void follow(const clang::FunctionDecl& launcher);

  clang::ASTContext& context_;
  Effects effects_;
  std::vector<const clang::Stmt*> loops_;  // loops of the file's device functions with effects on other threads
  std::deque<Interpreter> interpreters_;   // they own the objects to which the launches point
};

}  // namespace pallasgen::vet
