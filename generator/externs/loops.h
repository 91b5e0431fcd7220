#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "check/externs.h"

namespace pallasgen {

// Runs functions of a header on the CPU. Functions that were expected are compiled together, with the emulator's
// headers in place of the CUDA compiler, into a shared library that is kept in a folder under the hash of its inputs.
class ExternLoops {
 public:
  // `arguments` are the compiler's; `files` are those that the header consists of.
  ExternLoops(std::string header, std::vector<std::string> arguments, std::vector<std::string> files,
              std::string folder);

  // Adds a function that may be run. It is compiled when the first of the functions known so far runs.
  void expect(const std::string& name, const std::vector<DType>& types, DType result);
  // Runs a function on elements: see ExternFunction::run().
  std::string run(const ExternFunction& function, const std::vector<const void*>& args, void* result, int64_t count);

 private:
  using Loop = void (*)(const void* const* args, void* result, int64_t count);
  struct Known {
    std::string name;
    std::vector<DType> types;
    DType result;
    Loop loop = nullptr;
  };

  std::string text() const;
  std::string load();

  const std::string header_, folder_;
  const std::vector<std::string> arguments_, files_;
  std::mutex mutex_;
  std::vector<Known> known_;
};

}  // namespace pallasgen
